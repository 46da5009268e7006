// Playouts that look for what is worth meeting.
#include <unordered_map>

#include "search/playout/playout.h"
#include "search/playout/walking.h"

namespace treewise {

namespace {

struct Met {
  double count = 0, gain = 0, losses = 0, blocked = 0, passed = 0, hits = 0, hit_gain = 0;
};

class Foraging final : public PlayoutWrapper {
 public:
  Foraging(const PartSpec& spec, const GameInfo& info)
      : PlayoutWrapper(make_playout(spec.part("inner"), info)),
        gamma_(spec.number("gamma")),
        curiosity_(spec.number("curiosity")),
        doubt_(spec.number("doubt")),
        danger_(static_cast<int>(spec.number("danger"))),
        epsilon_(spec.number("epsilon")),
        novelty_(spec.number("novelty")),
        fading_(spec.number("fading")),
        weight_(spec.number("weight")),
        outcome_(spec.number("outcome")),
        strikes_(spec.number("strikes")),
        patience_(spec.number("patience")) {}

  void start(const State& root, std::uint64_t seed) override {
    inner().start(root, seed);
    const auto& rules = dynamic_cast<const HasScene&>(root);
    shape_ = rules.scene_shape();
    const auto cells = static_cast<std::size_t>(shape_.width * shape_.height);
    walking_.resize(shape_.width, shape_.height);
    visits_.resize(cells);
    kinds_.resize(static_cast<std::size_t>(shape_.kinds));
    for (double& v : visits_) v *= fading_;
    root_body_ = rules.body();
    if (root_body_.cell >= 0) visits_[static_cast<std::size_t>(root_body_.cell)] += 1;
    root_score_ = dynamic_cast<const HasScore&>(root).score();
    look(rules, root_body_.form);
    goals_.assign(cells, 0);
    for (const Item& item : items_) {
      double& goal = goals_[static_cast<std::size_t>(item.cell)];
      goal = std::max(goal, worth(root_body_.form, item.kind));
    }
    walking_.attract(goals_, costs_, gamma_, field_);
    if (root_body_.cell >= 0 && patience_ > 0) grow_bored();
    begin();
  }
  bool wants_path() const override { return true; }
  void begin() override {
    body_ = root_body_;
    score_ = root_score_;
  }
  void follow(const State& after, Action action, int) override { observe(after, action, false); }

  PlayoutResult play(State& state, Rng& rng, Trace* trace, int max_length, const Values&) override {
    PlayoutResult result;
    Values returns{};
    while (result.length < max_length && !state.is_terminal()) {
      Turn turn{state, 0, actions_, trace ? *trace : no_trace_, rng};
      const Action action = choose(turn);
      if (trace) trace->push_back({action, 0});
      state.apply(action);
      ++result.length;
      observe(state, action, state.is_terminal());
    }
    result.finished = state.is_terminal();
    state.returns(returns);
    result.utilities[0] = returns[0];
    if (!result.finished) result.utilities[0] += weight_ * judge(state);
    return result;
  }

  Action choose(Turn& turn) override {
    if (turn.rng.uniform() < epsilon_ || body_.cell < 0) return inner().choose(turn);
    inner().list(turn);
    double best = 0;
    std::uint32_t ties = 0;
    Action chosen = kNoAction;
    for (const Action action : turn.actions) {
      const int to = destination(action);
      if (to < 0 || costs_[static_cast<std::size_t>(to)] == 0 && goals_[static_cast<std::size_t>(to)] <= 0) continue;
      const double worth = field_[static_cast<std::size_t>(to)];
      if (ties > 0 && worth < best) continue;
      ties = ties > 0 && worth == best ? ties + 1 : 1;
      if (ties > 1 && turn.rng.below(ties) != 0) continue;
      best = worth;
      chosen = action;
    }
    return chosen == kNoAction ? inner().pick(turn) : chosen;
  }

 private:
  Met& met(std::uint64_t form, int kind) {
    auto& table = forms_[form];
    if (table.empty()) table.resize(static_cast<std::size_t>(shape_.kinds));
    return table[static_cast<std::size_t>(kind)];
  }

  double worth(std::uint64_t form, int kind) {
    const Met& all = kinds_[static_cast<std::size_t>(kind)];
    const Met& here = met(form, kind);
    const double mean = all.count > 0 ? all.gain / all.count : 0;
    const double prior = all.count == 0 ? curiosity_ : mean < 0 ? mean : std::max(mean, curiosity_);
    double value = (here.gain + doubt_ * prior) / (here.count + doubt_);
    if (strikes_ > 0 && all.hits > 0) value = std::max(value, strikes_ * all.hit_gain / all.hits);
    return std::max(value, 0.0);
  }
  bool lethal(std::uint64_t form, int kind) {
    const Met& m = met(form, kind);
    return m.losses > 0 && 2 * m.losses >= m.count;
  }
  bool blocks(std::uint64_t form, int kind) {
    const Met& m = met(form, kind);
    return m.blocked > 0 && 20 * m.passed < m.blocked;
  }

  void look(const HasScene& rules, std::uint64_t form) {
    rules.scene(items_);
    kind_costs_.resize(static_cast<std::size_t>(shape_.kinds));
    for (int k = 0; k < shape_.kinds; ++k)
      kind_costs_[static_cast<std::size_t>(k)] = blocks(form, k) ? 0 : lethal(form, k) ? danger_ : 1;
    costs_.assign(visits_.size(), 1);
    for (const Item& item : items_) {
      int& cost = costs_[static_cast<std::size_t>(item.cell)];
      const int own = kind_costs_[static_cast<std::size_t>(item.kind)];
      cost = cost == 0 || own == 0 ? 0 : std::max(cost, own);
    }
  }

  void grow_bored() {
    walking_.spread(root_body_.cell, costs_);
    double best = 0;
    int kind = -1;
    for (const Item& item : items_) {
      const int d = walking_.distance(item.cell);
      if (d == kFar) continue;
      const double value = worth(root_body_.form, item.kind) * std::pow(gamma_, d);
      if (value > best) {
        best = value;
        kind = item.kind;
      }
    }
    if (kind >= 0) met(root_body_.form, kind).count += patience_;
  }

  int destination(Action action) {
    const auto& counts = moves_[action];
    const auto most = std::max_element(counts.begin(), counts.end());
    if (*most == 0) return -1;
    const auto d = most - counts.begin();
    constexpr int dx[] = {0, 0, -1, 1}, dy[] = {-1, 1, 0, 0};
    return walking_.beside(body_.cell, dx[d], dy[d]);
  }

  void observe(const State& after, Action action, bool over) {
    const auto& rules = dynamic_cast<const HasScene&>(after);
    const Body body = rules.body();
    const double score = dynamic_cast<const HasScore&>(after).score();
    double gain = score - score_;
    bool lost = false;
    if (over) {
      Values returns{};
      after.returns(returns);
      lost = returns[0] < score;
      gain += lost ? -outcome_ : outcome_;
    }
    rules.meetings(list_, struck_);
    const bool moved = body.cell >= 0 && body_.cell >= 0 && body.cell != body_.cell;
    const bool tried = destination_known(action);
    for (const int kind : list_) {
      for (Met* m : {&met(body_.form, kind), &kinds_[static_cast<std::size_t>(kind)]}) {
        m->count += 1;
        m->gain += gain;
        m->losses += lost;
        if (tried && body.cell >= 0) ++(moved ? m->passed : m->blocked);
      }
    }
    for (const int kind : struck_) {
      Met& m = kinds_[static_cast<std::size_t>(kind)];
      m.hits += 1;
      m.hit_gain += gain;
    }
    if (moved) {
      constexpr int dx[] = {0, 0, -1, 1}, dy[] = {-1, 1, 0, 0};
      for (std::size_t d = 0; d < 4; ++d)
        if (walking_.beside(body_.cell, dx[d], dy[d]) == body.cell) ++moves_[action][d];
    }
    body_ = body;
    score_ = score;
  }
  bool destination_known(Action action) {
    const auto& counts = moves_[action];
    return *std::max_element(counts.begin(), counts.end()) > 0;
  }

  double judge(const State& state) {
    if (body_.cell < 0) return 0;
    const auto& rules = dynamic_cast<const HasScene&>(state);
    const auto costs = costs_;
    look(rules, body_.form);
    walking_.spread(body_.cell, costs_);
    worths_.resize(kind_costs_.size());
    for (int k = 0; k < shape_.kinds; ++k) worths_[static_cast<std::size_t>(k)] = worth(body_.form, k);
    nearest_.assign(kind_costs_.size(), kFar);
    for (const Item& item : items_) {
      int& d = nearest_[static_cast<std::size_t>(item.kind)];
      d = std::min(d, walking_.distance(item.cell));
    }
    double best = 0;
    for (int k = 0; k < shape_.kinds; ++k) {
      const int d = nearest_[static_cast<std::size_t>(k)];
      if (d == kFar) continue;
      best = std::max(best, worths_[static_cast<std::size_t>(k)] * std::pow(gamma_, d));
      if (d == 0 && std::find(list_.begin(), list_.end(), k) == list_.end()) {
        met(body_.form, k).count += 1;
        kinds_[static_cast<std::size_t>(k)].count += 1;
      }
    }
    costs_ = costs;
    return best - novelty_ * visits_[static_cast<std::size_t>(body_.cell)];
  }

  double gamma_, curiosity_, doubt_;
  int danger_;
  double epsilon_, novelty_, fading_, weight_, outcome_, strikes_, patience_;
  SceneShape shape_{};
  Walking walking_;
  std::vector<double> visits_, goals_, field_, worths_;
  std::vector<Met> kinds_;
  std::unordered_map<std::uint64_t, std::vector<Met>> forms_;
  std::unordered_map<Action, std::array<double, 4>> moves_;
  std::vector<Item> items_;
  Costs costs_;
  std::vector<int> kind_costs_, list_, struck_, nearest_;
  Body root_body_, body_;
  double root_score_ = 0, score_ = 0;
  ActionList actions_;
  Trace no_trace_;
};

}  // namespace

std::unique_ptr<Playout> make_foraging(const PartSpec& spec, const GameInfo& info) {
  return std::make_unique<Foraging>(spec, info);
}

}  // namespace treewise
