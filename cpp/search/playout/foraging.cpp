// Playouts of a player with a body in a world of cells: they walk to what proved to be worth meeting, or was never met,
// and where they are cut off, being near to such things counts (after the knowledge-based evaluations of Perez,
// Samothrakis and Lucas 2014 and of Soemers et al. 2016, with walking distances).
#include <stdexcept>

#include "search/playout/knowledge.h"
#include "search/playout/playout.h"
#include "search/playout/walking.h"

namespace treewise {

namespace {

// What is asked of a state, looked up once for each.
class Eyes {
 public:
  void look_at(const State& state) {
    if (&state == state_) return;
    state_ = &state;
    scene_ = &dynamic_cast<const HasScene&>(state);
    score_ = &dynamic_cast<const HasScore&>(state);
  }
  const HasScene& scene() const { return *scene_; }
  double score() const { return score_->score(); }

 private:
  const State* state_ = nullptr;
  const HasScene* scene_ = nullptr;
  const HasScore* score_ = nullptr;
};

// Where each action takes the body, learned from the steps that it took.
class Gait {
 public:
  void learn(Action action, int direction) { ++counts_[action][static_cast<std::size_t>(direction)]; }
  // Most often; -1 if it never went anywhere.
  int direction(Action action) const {
    const auto found = counts_.find(action);
    if (found == counts_.end()) return -1;
    return static_cast<int>(std::max_element(found->second.begin(), found->second.end()) - found->second.begin());
  }

 private:
  std::unordered_map<Action, std::array<std::int64_t, kNumDirections>> counts_;
};

// A body, its cell or -1, and its player's points.
struct Moment {
  int cell = -1;
  std::uint64_t form = 0;
  double score = 0;
};

class Foraging final : public PlayoutWrapper {
 public:
  Foraging(const PartSpec& spec, const GameInfo& info)
      : PlayoutWrapper(make_playout(spec.part("inner"), info)),
        knowledge_(spec.number("curiosity"), spec.number("doubt")),
        gamma_(spec.number("gamma")),
        epsilon_(spec.number("epsilon")),
        danger_(static_cast<int>(spec.integer("danger"))),
        end_(spec.number("end")),
        tedium_(spec.number("tedium")),
        fading_(spec.number("fading")) {
    if (info.num_players != 1)
      throw std::invalid_argument("foraging: " + info.name + " has several players, and one body is looked after");
  }

  void start(const State& root, std::uint64_t seed) override;
  bool wants_path() const override { return true; }
  void leave_cuts() override { judges_ = false; }
  void begin() override { now_ = root_now_; }
  void follow(const State& after, Action action, int player) override {
    observe(after, player >= 0 ? action : kNoAction, false);
  }
  PlayoutResult play(State& state, Rng& rng, Trace* trace, int max_length, const Values& cut) override;
  void list(Turn& turn) override;
  Action pick(Turn& turn) override;

 private:
  // The cell that an action leads to, or -1 if nobody knows.
  int destination(Action action) const {
    const int direction = gait_.direction(action);
    return direction < 0 ? -1 : walking_.beside(now_.cell, direction);
  }
  void look(const State& state, Scene& scene, bool items);
  void weigh(const Scene& scene, Costs& costs);
  void observe(const State& after, Action action, bool over);
  double gain(const State& after, double score, bool over, bool& lost) const;
  void learn_gait(Action action, int from, int to);
  double judge(const State& state);
  double worth_nearby(const Scene& scene);

  Knowledge knowledge_;
  double gamma_, epsilon_;
  int danger_;
  double end_, tedium_, fading_;
  bool judges_ = true;  // what a state is worth where the playout is cut off

  Eyes eyes_;
  Gait gait_;
  Walking walking_;
  int width_ = 0, kinds_ = 0;
  std::vector<double> trail_;  // how often each cell was visited in the match, of late
  Moment root_now_, now_;
  // Of the root: what the cells are worth to go to, and what it is worth to be there.
  Scene root_;
  Costs root_costs_;
  std::vector<double> goals_, field_;
  // Of the state at hand.
  Scene scene_;
  Costs costs_;
  std::vector<int> kind_costs_, distances_, nearest_;
  Action chosen_ = kNoAction;
};

// A search begins: the body is where the match has come to.
void Foraging::start(const State& root, std::uint64_t seed) {
  inner().start(root, seed);
  look(root, root_, true);
  for (double& visits : trail_) visits *= fading_;
  if (root_.body >= 0) trail_[static_cast<std::size_t>(root_.body)] += 1;
  weigh(root_, root_costs_);
  goals_.assign(trail_.size(), 0);
  for (const Scene::Item& item : root_.items) {
    double& goal = goals_[static_cast<std::size_t>(item.cell)];
    goal = std::max(goal, knowledge_.worth(root_.form, item.kind));
  }
  walking_.attract(goals_, root_costs_, gamma_, field_);
  root_now_ = {root_.body, root_.form, eyes_.score()};
  begin();
}

void Foraging::look(const State& state, Scene& scene, bool items) {
  eyes_.look_at(state);
  eyes_.scene().scene(scene, items);
  if (trail_.empty()) {
    width_ = scene.width;
    kinds_ = scene.kinds;
    trail_.assign(static_cast<std::size_t>(scene.num_cells()), 0);
    walking_.resize(scene.width, scene.height);
    knowledge_.resize(scene.kinds);
  }
  const bool same = static_cast<std::size_t>(scene.num_cells()) == trail_.size();
  if (!same || scene.width != width_ || scene.kinds != kinds_)
    throw std::invalid_argument("foraging: the size of the scene or the number of kinds changed during a match");
}

// What it costs to step into each cell, as far as is known.
void Foraging::weigh(const Scene& scene, Costs& costs) {
  constexpr int kSafe = -1;
  kind_costs_.clear();
  for (int kind = 0; kind < scene.kinds; ++kind)
    kind_costs_.push_back(knowledge_.blocks(scene.form, kind)    ? kNoWay
                          : knowledge_.kills(scene.form, kind)   ? danger_
                          : knowledge_.carries(scene.form, kind) ? kSafe
                                                                 : 1);
  costs.assign(trail_.size(), 1);
  for (const Scene::Item& item : scene.items) {
    int& cost = costs[static_cast<std::size_t>(item.cell)];
    const int own = kind_costs_[static_cast<std::size_t>(item.kind)];
    if (cost == kNoWay || own == kNoWay) {
      cost = kNoWay;
    } else {
      cost = cost == kSafe || own == kSafe ? kSafe : std::max(cost, own);
    }
  }
  for (int& cost : costs) cost = std::abs(cost);
}

PlayoutResult Foraging::play(State& state, Rng& rng, Trace* trace, int max_length, const Values&) {
  if (trail_.empty()) start(state, rng.next());
  look(state, scene_, false);
  now_ = {scene_.body, scene_.form, eyes_.score()};
  PlayoutResult result;
  Values before{}, after{};
  state.returns(before);
  double factor = 1;
  if (!discounts_rewards()) result.utilities = before;
  for (; result.length < max_length && !state.is_terminal(); watch(++result.length)) {
    chosen_ = kNoAction;
    step(state, state.current_player(), rng, trace);
    observe(state, chosen_, state.is_terminal());
    state.returns(after);
    result.utilities[0] += factor * (after[0] - before[0]);
    before = after;
    if (discounts_rewards()) factor *= reward_discount();
  }
  result.finished = state.is_terminal();
  if (!result.finished && judges_) result.utilities[0] += factor * judge(state);
  return result;
}

// Nobody walks into what is known to kill, unless there is no other action.
void Foraging::list(Turn& turn) {
  inner().list(turn);
  if (now_.cell < 0 || danger_ <= 1) return;
  look(turn.state, scene_, true);
  weigh(scene_, costs_);
  std::size_t kept = 0;
  for (const Action action : turn.actions) {
    const int to = destination(action);
    if (to < 0 || costs_[static_cast<std::size_t>(to)] < danger_) turn.actions[kept++] = action;
  }
  if (kept > 0) turn.actions.resize(kept);
}

// To the best neighbour by the root's field; of equally good ones each with the same probability.
Action Foraging::pick(Turn& turn) {
  double best = 0;
  std::uint32_t ties = 0;
  const bool walks = turn.rng.uniform() >= epsilon_ && now_.cell >= 0;
  for (const Action action : turn.actions) {
    const int to = walks ? destination(action) : -1;
    if (to < 0) continue;
    const double worth = field_[static_cast<std::size_t>(to)];
    if (root_costs_[static_cast<std::size_t>(to)] == kNoWay && worth <= 0) continue;
    if (ties > 0 && worth < best) continue;
    ties = ties > 0 && worth == best ? ties + 1 : 1;
    if (ties > 1 && turn.rng.below(ties) != 0) continue;
    best = worth;
    chosen_ = action;
  }
  if (ties == 0) chosen_ = inner().pick(turn);
  return chosen_;
}

// Learns from one step, in the tree or after it.
void Foraging::observe(const State& after, Action action, bool over) {
  look(after, scene_, false);
  const double score = eyes_.score();
  bool lost = false;
  const double gained = gain(after, score, over, lost);
  const bool tried = gait_.direction(action) >= 0 && now_.cell >= 0 && scene_.body >= 0;
  for (const int kind : scene_.met) {
    knowledge_.meet(now_.form, kind, gained, lost);
    if (tried) knowledge_.step(now_.form, kind, scene_.body != now_.cell);
  }
  for (const int kind : scene_.struck) knowledge_.strike(kind, gained);
  if (action != kNoAction) learn_gait(action, now_.cell, scene_.body);
  now_ = {scene_.body, scene_.form, score};
}

// Points, and what the end of the match counts for.
double Foraging::gain(const State& after, double score, bool over, bool& lost) const {
  double gained = score - now_.score;
  if (!over) return gained;
  Values returns{};
  after.returns(returns);
  lost = returns[0] < score;
  return gained + (lost ? -end_ : returns[0] > score ? end_ : 0);
}

void Foraging::learn_gait(Action action, int from, int to) {
  if (from < 0 || to < 0 || from == to) return;
  for (int direction = 0; direction < kNumDirections; ++direction)
    if (walking_.beside(from, direction) == to) gait_.learn(action, direction);
}

// What a state is worth beyond its points.
double Foraging::judge(const State& state) {
  look(state, scene_, true);
  if (scene_.body < 0) return 0;
  return worth_nearby(scene_) - tedium_ * trail_[static_cast<std::size_t>(scene_.body)];
}

// The greatest worth of what is seen, less by `gamma` for every step of the way. Where the body is already and nothing
// came of it, that is learned.
double Foraging::worth_nearby(const Scene& scene) {
  weigh(scene, costs_);
  walking_.measure(scene.body, costs_, distances_);
  nearest_.assign(static_cast<std::size_t>(scene.kinds), kFar);
  for (const Scene::Item& item : scene.items) {
    int& nearest = nearest_[static_cast<std::size_t>(item.kind)];
    nearest = std::min(nearest, distances_[static_cast<std::size_t>(item.cell)]);
  }
  double best = 0;
  for (int kind = 0; kind < scene.kinds; ++kind) {
    const int distance = nearest_[static_cast<std::size_t>(kind)];
    if (distance == kFar) continue;
    best = std::max(best, knowledge_.worth(scene.form, kind) * std::pow(gamma_, distance));
    if (distance == 0 && std::find(scene.met.begin(), scene.met.end(), kind) == scene.met.end())
      knowledge_.miss(scene.form, kind);
  }
  return best;
}

}  // namespace

std::unique_ptr<Playout> make_foraging(const PartSpec& spec, const GameInfo& info) {
  return std::make_unique<Foraging>(spec, info);
}

}  // namespace treewise
