#include "gdl/gdl_game.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

namespace treewise::gdl {

// ---- nets ----------------------------------------------------------------------------------------------------------

NetPool::Entry* NetPool::take(Entry* wanted) {
  if (wanted && !wanted->taken.exchange(true, std::memory_order_acquire)) return wanted;
  const std::lock_guard lock(mutex_);
  for (const auto& entry : entries_)
    if (!entry->taken.load(std::memory_order_relaxed) && !entry->taken.exchange(true, std::memory_order_acquire))
      return entry.get();
  return entries_.emplace_back(std::make_unique<Entry>(first_)).get();
}

std::size_t NetPool::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

// A net at the state's facts, until the end of the block.
class GdlState::Borrowed {
 public:
  explicit Borrowed(const GdlState& state)
      : entry_(state.game_->nets().take(state.last_.load(std::memory_order_relaxed))) {
    state.last_.store(entry_, std::memory_order_relaxed);
    if (!std::ranges::equal(entry_->net.state(), state.facts_)) entry_->net.move_to(state.facts_);
  }
  ~Borrowed() { NetPool::give_back(entry_); }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  Net& operator*() const { return entry_->net; }
  Net* operator->() const { return &entry_->net; }

 private:
  NetPool::Entry* entry_;
};

// ---- random actions ------------------------------------------------------------------------------------------------

namespace {

// One of the role's `n` legal actions.
Action random_action(const Net& net, int role, int n, Rng& rng) {
  return net.nth_legal(role, n == 1 ? 0 : static_cast<int>(rng.below(static_cast<std::uint32_t>(n))));
}

struct JointAction {
  int num_roles = 0;
  int num_players = 0;
  int num_choosers = 0;  // among the players
  bool has_draw = false;
  Action action[kMaxPlayers + 1];
  bool chooses[kMaxPlayers + 1];

  // False if some role has no legal action.
  bool draw(const Net& net, const GdlGame& game, Rng& rng) {
    num_roles = game.num_roles();
    num_players = game.info().num_players;
    num_choosers = 0;
    has_draw = false;
    for (int role = 0; role < num_roles; ++role) {
      const int n = net.num_legal(role);
      if (n == 0) return false;
      chooses[role] = n > 1;
      if (role == num_players)
        has_draw = n > 1;
      else
        num_choosers += n > 1;
      action[role] = random_action(net, role, n, rng);
    }
    return true;
  }

  // The steps that the contract makes of it.
  void append_to(Trace& trace, bool at_once) const {
    const bool all = at_once && num_choosers > 1;
    bool joined = false;
    for (int role = 0; role < num_players; ++role)
      if (all || chooses[role] || (num_choosers == 0 && !has_draw && role == 0)) {
        trace.push_back({action[role], role, joined && at_once});
        joined = true;
      }
    if (has_draw) trace.push_back({action[num_players], kChance});
  }

  // How many steps that is.
  int steps(bool at_once) const {
    const int own = at_once ? std::min(1, num_choosers) : num_choosers;
    return std::max(1, own + (has_draw ? 1 : 0));
  }

  std::span<const Action> actions() const { return {action, static_cast<std::size_t>(num_roles)}; }
};

}  // namespace

// ---- the game ------------------------------------------------------------------------------------------------------

GdlGame::GdlGame(Program program, std::string name, int max_length, bool sequential, Budget* budget)
    : program_(std::move(program)), circuit_(make_circuit(program_, budget)), nets_(circuit_) {
  for (const auto& actions : program_.actions) {
    first_action_.push_back(static_cast<int>(action_texts_.size()));
    for (const std::string& text : actions) action_texts_.push_back(&text);
  }
  info_ = {.name = std::move(name),
           .num_players = circuit_.num_roles - (program_.has_chance ? 1 : 0),
           .min_utility = 0,
           .max_utility = 100,
           .num_action_ids = static_cast<int>(action_texts_.size()),
           .max_length = max_length,
           .lacks_results = true};
  info_.add(Capability::kHash);
  info_.add(Capability::kParse);
  if (program_.has_chance) info_.add(Capability::kChance);
  // The rules are in the gates now.
  program_.heads = {};
  program_.starts = {};
  program_.body = {};
  if (!sequential && info_.num_players > 1 && has_joint_choices(budget)) info_.add(Capability::kSimultaneous);
}

bool GdlGame::has_joint_choices(Budget* budget) const {
  constexpr int kProbes = 100;
  constexpr double kSteps = 20000, kMostGates = 200000;  // steps, fewer of them in larger circuits
  const double size = std::max(1.0, circuit_.num_nodes / kMostGates);
  const int most = static_cast<int>(kSteps / (size * size));
  Rng rng(0);
  Net net(circuit_);
  JointAction joint;
  for (int i = 0, steps = 0; i < kProbes && steps < most; ++i) {
    net.move_to(circuit_.initial);
    for (int length = 0; length < info_.max_length && !net.terminal(); ++length, ++steps) {
      if (budget) budget->look();
      if (!joint.draw(net, *this, rng)) break;
      if (joint.num_choosers > 1) return true;
      net.step(joint.actions());
    }
  }
  return false;
}

std::unique_ptr<State> GdlGame::initial_state() const {
  return std::make_unique<GdlState>(*this, circuit_.initial);
}

std::unique_ptr<State> GdlGame::parse_state(std::string_view board, int player) const {
  std::unordered_map<std::string_view, int> known;
  for (std::size_t i = 0; i < program_.facts.size(); ++i) known.emplace(program_.facts[i], static_cast<int>(i));
  std::vector<std::uint64_t> facts(circuit_.state_words, 0);
  std::size_t at = 0;
  const auto blank = [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; };
  while (true) {
    while (at < board.size() && blank(board[at])) ++at;
    if (at == board.size()) break;
    std::size_t end = at;
    for (int depth = 0; end < board.size(); ++end) {
      depth += board[end] == '(' ? 1 : board[end] == ')' ? -1 : 0;
      if (depth <= 0 &&
          (board[end] == ')' || end + 1 == board.size() || blank(board[end + 1]) || board[end + 1] == '('))
        break;
    }
    const std::string_view text = board.substr(at, std::min(end, board.size() - 1) - at + 1);
    const auto found = known.find(text);
    if (found == known.end()) throw std::invalid_argument("'" + std::string(text) + "' is no fact of this game");
    facts[static_cast<std::size_t>(found->second) / 64] |= bit(found->second % 64);
    at = end + 1;
  }
  auto state = std::make_unique<GdlState>(*this, std::move(facts));
  if (state->current_player() >= 0 && state->current_player() != player)
    throw std::invalid_argument("player " + std::to_string(state->current_player()) +
                                " is to move in this position, not " + std::to_string(player));
  return state;
}

// ---- states --------------------------------------------------------------------------------------------------------

GdlState::GdlState(const GdlGame& game, std::vector<std::uint64_t> facts) : game_(&game), facts_(std::move(facts)) {
  const Borrowed net(*this);
  look(*net);
}

GdlState::GdlState(const GdlState& other)
    : game_(other.game_),
      facts_(other.facts_),
      player_(other.player_),
      stuck_(other.stuck_),
      chosen_(other.chosen_),
      last_(other.last_.load(std::memory_order_relaxed)) {}

void GdlState::assign(const State& other) {
  const auto& from = static_cast<const GdlState&>(other);
  facts_ = from.facts_;
  player_ = from.player_;
  stuck_ = from.stuck_;
  chosen_ = from.chosen_;
}

// Who is to move at the net's state, where nobody has chosen yet.
void GdlState::look(const Net& net) {
  player_ = kTerminal;
  stuck_ = false;
  chosen_.fill(kNoAction);
  if (net.terminal()) return;
  int chooser = 0, choosers = 0;
  for (int role = 0; role < num_roles(); ++role) {
    const int n = net.num_legal(role);
    if (n == 0) {
      stuck_ = true;
      return;
    }
    if (n > 1 && role < num_players() && choosers++ == 0) chooser = role;
  }
  if (choosers == 0 && has_draw(net)) chooser = kChance;
  player_ = choosers > 1 && game_->info().has(Capability::kSimultaneous) ? kSimultaneous : chooser;
}

void GdlState::step(Net& net, std::span<const Action> joint) {
  net.step(joint);
  std::ranges::copy(net.state(), facts_.begin());
  look(net);
}

void GdlState::legal_actions(ActionList& out) const {
  legal_actions(player_, out);
}

void GdlState::legal_actions(int player, ActionList& out) const {
  out.clear();
  legal_of(role_of(player), out);
}

void GdlState::legal_of(int role, ActionList& out) const {
  const Borrowed net(*this);
  net->legal(role, out);
}

void GdlState::apply(Action action) {
  const Borrowed net(*this);
  take(*net, action);
}

void GdlState::take(Net& net, Action action) {
  if (player_ == kChance) return finish(net, action);
  chosen_[static_cast<std::size_t>(player_)] = action;
  for (int role = player_ + 1; role < num_players(); ++role)
    if (net.num_legal(role) > 1) {
      player_ = role;
      return;
    }
  finish(net, kNoAction);
}

// Once the players have chosen; what is drawn may be still to come.
void GdlState::finish(Net& net, Action drawn) {
  if (drawn == kNoAction && has_draw(net)) {
    player_ = kChance;
    return;
  }
  Action joint[kMaxPlayers + 1];
  for (int role = 0; role < num_roles(); ++role) {
    const Action chosen = role == num_players() ? drawn : chosen_[static_cast<std::size_t>(role)];
    joint[role] = chosen == kNoAction ? net.nth_legal(role, 0) : chosen;
  }
  step(net, {joint, static_cast<std::size_t>(num_roles())});
}

void GdlState::apply_joint(std::span<const Action> actions) {
  const Borrowed net(*this);
  if (!game_->has_chance()) return step(*net, actions);
  std::ranges::copy(actions, chosen_.begin());
  finish(*net, kNoAction);
}

void GdlState::chance_probabilities(std::vector<double>& out) const {
  const Borrowed net(*this);
  const int n = net->num_legal(num_players());
  out.assign(static_cast<std::size_t>(n), 1.0 / n);
}

void GdlState::returns(Values& out) const {
  out = {};
  if (player_ != kTerminal || stuck_) return;
  const Borrowed net(*this);
  for (int role = 0; role < num_players(); ++role) out[static_cast<std::size_t>(role)] = std::max(0, net->goal(role));
}

std::vector<int> GdlState::goals(int role) const {
  const Borrowed net(*this);
  return net->goals(role);
}

// In steps of the contract: roles that choose one after the other make one step each.
int GdlState::playout(Rng& rng, int max_length, Trace* trace) {
  int length = 0;
  const auto goes_on = [&] { return length < max_length && !is_terminal(); };
  while (goes_on() && std::ranges::any_of(chosen_, [](Action action) { return action != kNoAction; }))
    length += random_step(rng, trace);
  if (goes_on()) length += joint_playout(rng, max_length - length, trace);
  while (goes_on()) length += random_step(rng, trace);
  return length;
}

int GdlState::random_step(Rng& rng, Trace* trace) {
  const Borrowed net(*this);
  const Action action = random_action(*net, role_of(player_), net->num_legal(role_of(player_)), rng);
  if (trace) trace->push_back({action, player_});
  take(*net, action);
  return 1;
}

// Whole joint actions, as long as there is room for them.
int GdlState::joint_playout(Rng& rng, int max_length, Trace* trace) {
  const Borrowed net(*this);
  const bool at_once = game_->info().has(Capability::kSimultaneous);
  JointAction joint;
  int length = 0;
  while (!net->terminal() && joint.draw(*net, *game_, rng)) {
    const int steps = joint.steps(at_once);
    if (length + steps > max_length) break;
    length += steps;
    if (trace) joint.append_to(*trace, at_once);
    net->step(joint.actions());
  }
  std::ranges::copy(net->state(), facts_.begin());
  look(*net);
  return length;
}

std::uint64_t GdlState::hash() const {
  std::uint64_t h = 0;
  for (const std::uint64_t word : facts_) h = mix(h, word);
  for (const Action action : chosen_)
    if (action != kNoAction) h = mix(h, static_cast<std::uint64_t>(action));
  return h;
}

std::string GdlState::draw() const {
  std::string out;
  for (std::size_t fact = 0; fact < game_->program().facts.size(); ++fact)
    if ((facts_[fact / 64] >> (fact % 64)) & 1) out += (out.empty() ? "" : "\n") + game_->program().facts[fact];
  return out;
}

}  // namespace treewise::gdl
