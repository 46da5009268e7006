// From a plain struct of rules to a Game: the file a game in C++ includes.
//
// A rules struct is one position, small and cheap to copy, with a `Config` (its checked parameters and
// tables, owned by the game) and these members; `members.h` says the same in code:
//
//   struct Config { explicit Config(const Parameters&); GameInfo info() const; };
//   static std::vector<Parameter> parameters();
//   explicit R(const Config&);                       the initial position
//   int current_player() const;  bool is_terminal() const;
//   void legal_actions(ActionList&) const;           appends; the list arrives empty
//   void apply(Action);  void returns(Values&) const;
//   std::string action_name(Action) const;  std::string draw() const;
//
// Members that give a capability, each found by its name: hash, chance_probabilities, apply_joint (with
// legal_actions(int, ActionList&)), rewards, resample (with observation), quality, playout_candidates,
// winning_actions, reseed, score, features (with num_features), scene, and
// `static R parse(const Config&, std::string_view, int player)`.
// Members that only make uniform playouts faster:
//   Action playout_action(Rng&)     one uniform choice without listing; may skip actions that are senseless
//   in a
//                                   playout (filling an own eye in Go); the game's page then says so
//   int fast_playout(Rng&, int max_length)   a whole playout when nobody wants its steps; returns its length
//   void playout_actions(ActionList&)        lists what it draws from, where that is not all that is legal
// three that only make playouts faster that choose by themselves:
//   Action draw_action(Rng&)        as `playout_action`; without it, an action is drawn from a list
//   SetOfActions playout_set(std::span<Bits>)   what is drawn from as bits by action id, see State
//   bool may_play(Action)           where that set may hold more
// two for decisive moves, beside winning_actions, see HasWinning:
//   Safety safe_actions(ActionList&)
//   bool surely_safe(Action)
// and two that only make playouts by the game's policy faster:
//   Action policy_action(Rng&)      a draw from playout_candidates without listing them
//   void policy_step(Rng&)          such a draw and its application
// and one for rules that are not trivially copied:
//   std::size_t heap_bytes() const  what a copy takes beyond its own size
#pragma once

#include <utility>

#include "game/members.h"

namespace treewise {

template <Rules R>
class StateOf;

namespace detail {

// A base class that is there only where the rules have the capability. `Tag` keeps the empty ones distinct.
template <int Tag>
struct Absent {};
template <bool present, class Mixin, int Tag>
using If = std::conditional_t<present, Mixin, Absent<Tag>>;

template <class R>
const R& rules_of(const auto* mixin) {
  return static_cast<const StateOf<R>*>(mixin)->rules();
}
template <class R>
R& rules_of(auto* mixin) {
  return static_cast<StateOf<R>*>(mixin)->rules();
}

// Small positions and the generator are played as locals, which the compiler keeps in registers.
template <class R, class Play>
int on_local(R& rules, Rng& rng, Play play) {
  if constexpr (std::is_trivially_copyable_v<R> && sizeof(R) <= 128) {
    R local = rules;
    Rng generator = rng;
    const int length = play(local, generator);
    rng = generator;
    rules = local;
    return length;
  } else {
    return play(rules, rng);
  }
}

template <class R>
struct Hash : HasHash {
  std::uint64_t hash() const override { return rules_of<R>(this).hash(); }
};
template <class R>
struct Chance : HasChance {
  void chance_probabilities(std::vector<double>& out) const override {
    out.clear();
    rules_of<R>(this).chance_probabilities(out);
  }
};
template <class R>
struct Simultaneous : HasSimultaneous {
  void legal_actions(int player, ActionList& out) const override {
    out.clear();
    rules_of<R>(this).legal_actions(player, out);
  }
  void apply_joint(std::span<const Action> actions) override { rules_of<R>(this).apply_joint(actions); }
  int num_players() const override { return rules_of<R>(this).num_players(); }
};
template <class R>
struct Rewards : HasRewards {
  void rewards(Values& out) const override { rules_of<R>(this).rewards(out); }
};
template <class R>
struct Hidden : HasHidden {
  void resample(int player, Rng& rng) override { rules_of<R>(this).resample(player, rng); }
  std::string observation(int player) const override { return rules_of<R>(this).observation(player); }
};
template <class R>
struct Quality : HasQuality {
  double raw_quality() const override { return rules_of<R>(this).quality(); }
};
template <class R>
struct Policy : HasPolicy {
  void playout_candidates(Rng& rng, ActionList& out) const override {
    out.clear();
    rules_of<R>(this).playout_candidates(rng, out);
  }
  Action policy_action(Rng& rng, ActionList& scratch) const override {
    if constexpr (PolicyActionRules<R>) {
      return rules_of<R>(this).policy_action(rng);
    } else {
      return HasPolicy::policy_action(rng, scratch);
    }
  }
  int policy_playout(Rng& rng, int max_length) override {
    return on_local(rules_of<R>(this), rng, [&](R& rules, Rng& local) { return play(rules, local, max_length); });
  }

 private:
  int play(R& rules, Rng& rng, int max_length) {
    int length = 0;
    for (; length < max_length && rules.current_player() >= 0; ++length) {
      if constexpr (PolicyStepRules<R>) {
        rules.policy_step(rng);
      } else if constexpr (PolicyActionRules<R>) {
        rules.apply(rules.policy_action(rng));
      } else {
        list_.clear();
        rules.playout_candidates(rng, list_);
        rules.apply(list_[rng.below(static_cast<std::uint32_t>(list_.size()))]);
      }
    }
    return length;
  }
  ActionList list_;
};
template <class R>
struct Winning : HasWinning {
  void winning_actions(ActionList& out) const override {
    out.clear();
    rules_of<R>(this).winning_actions(out);
  }
  Safety safe_actions(ActionList& out) const override {
    if constexpr (SafetyRules<R>) {
      out.clear();
      return rules_of<R>(this).safe_actions(out);
    } else {
      return HasWinning::safe_actions(out);
    }
  }
  bool surely_safe(Action action) const override {
    if constexpr (SurelySafeRules<R>) {
      return rules_of<R>(this).surely_safe(action);
    } else {
      return HasWinning::surely_safe(action);
    }
  }
};

template <class R>
struct Dice : HasDice {
  void reseed(std::uint64_t seed) override { rules_of<R>(this).reseed(seed); }
};
template <class R>
struct Score : HasScore {
  double score() const override { return rules_of<R>(this).score(); }
};
template <class R>
struct Features : HasFeatures {
  int num_features() const override { return rules_of<R>(this).num_features(); }
  void features(std::span<double> out) const override { rules_of<R>(this).features(out); }
};
template <class R>
struct SceneOf : HasScene {
  void scene(Scene& out, bool items) const override { rules_of<R>(this).scene(out, items); }
};

template <class R>
Action sample_outcome(const R& rules, Rng& rng, ActionList& list, std::vector<double>& probabilities) {
  list.clear();
  probabilities.clear();
  rules.legal_actions(list);
  rules.chance_probabilities(probabilities);
  double u = rng.uniform();
  int i = 0;
  while (i + 1 < list.size() && u >= probabilities[static_cast<std::size_t>(i)])
    u -= probabilities[static_cast<std::size_t>(i++)];
  return list[static_cast<std::size_t>(i)];
}

}  // namespace detail

// Lists the safe actions (see `Safety`) by a look at every reply, for rules that know when they need to.
template <class R>
Safety safe_by_looking(const R& rules, ActionList& out) {
  rules.legal_actions(out);
  ActionList replies;
  Action* write = out.begin();
  for (const Action action : out) {
    R next = rules;
    next.apply(action);
    replies.clear();
    if (!next.is_terminal() && next.current_player() != rules.current_player()) next.winning_actions(replies);
    if (replies.empty()) *write++ = action;
  }
  out.resize(static_cast<std::size_t>(write - out.begin()));
  return Safety::kListed;
}

template <Rules R>
class StateOf final : public State,
                      public detail::If<HashRules<R>, detail::Hash<R>, 0>,
                      public detail::If<ChanceRules<R>, detail::Chance<R>, 1>,
                      public detail::If<SimultaneousRules<R>, detail::Simultaneous<R>, 2>,
                      public detail::If<RewardRules<R>, detail::Rewards<R>, 3>,
                      public detail::If<HiddenRules<R>, detail::Hidden<R>, 4>,
                      public detail::If<QualityRules<R>, detail::Quality<R>, 5>,
                      public detail::If<PolicyRules<R>, detail::Policy<R>, 6>,
                      public detail::If<WinningRules<R>, detail::Winning<R>, 7>,
                      public detail::If<DiceRules<R>, detail::Dice<R>, 8>,
                      public detail::If<ScoreRules<R>, detail::Score<R>, 9>,
                      public detail::If<FeatureRules<R>, detail::Features<R>, 10>,
                      public detail::If<SceneRules<R>, detail::SceneOf<R>, 11> {
 public:
  explicit StateOf(R rules) : rules_(std::move(rules)) {}

  const R& rules() const { return rules_; }
  R& rules() { return rules_; }

  std::unique_ptr<State> clone() const override { return std::make_unique<StateOf>(rules_); }
  void assign(const State& other) override { rules_ = static_cast<const StateOf&>(other).rules_; }
  int current_player() const override { return rules_.current_player(); }
  bool is_terminal() const override { return rules_.is_terminal(); }
  void legal_actions(ActionList& out) const override {
    out.clear();
    rules_.legal_actions(out);
  }
  void apply(Action action) override { rules_.apply(action); }
  bool apply_and_end(Action action) override {
    rules_.apply(action);
    return rules_.is_terminal();
  }
  void returns(Values& out) const override { rules_.returns(out); }
  std::string action_name(Action action) const override { return rules_.action_name(action); }
  std::string draw() const override { return rules_.draw(); }
  std::size_t bytes() const override {
    if constexpr (HeapRules<R>) return sizeof(*this) + rules_.heap_bytes();
    return sizeof(*this);
  }

  void playout_actions(ActionList& out) const override {
    if constexpr (PlayoutListRules<R>) {
      out.clear();
      rules_.playout_actions(out);
    } else {
      legal_actions(out);
    }
  }
  Action draw_action(Rng& rng, ActionList& scratch) const override {
    if constexpr (DrawRules<R>) {
      return rules_.draw_action(rng);
    } else {
      return State::draw_action(rng, scratch);
    }
  }
  SetOfActions playout_set(std::span<Bits> out) const override {
    if constexpr (PlayoutSetRules<R>) {
      return rules_.playout_set(out);
    } else {
      return State::playout_set(out);
    }
  }
  bool may_play(Action action) const override {
    if constexpr (MayPlayRules<R>) {
      return rules_.may_play(action);
    } else {
      return State::may_play(action);
    }
  }

  int playout(Rng& rng, int max_length, Trace* trace) override {
    return detail::on_local(rules_, rng, [&](R& rules, Rng& local) {
      return trace ? play<true>(rules, local, max_length, trace) : play<false>(rules, local, max_length, trace);
    });
  }

 private:
  template <bool traced>
  int play(R& rules, Rng& rng, int max_length, Trace* trace) {
    if constexpr (!traced && FastPlayoutRules<R>) return rules.fast_playout(rng, max_length);
    int length = 0;
    while (length < max_length && !rules.is_terminal()) {
      step<traced>(rules, rng, trace);
      ++length;
    }
    return length;
  }

  template <bool traced>
  void step(R& rules, Rng& rng, Trace* trace) {
    const int player = rules.current_player();
    Action action;
    if constexpr (SimultaneousRules<R>) {
      if (player == kSimultaneous) return joint_step<traced>(rules, rng, trace);
    }
    if constexpr (ChanceRules<R>) {
      if (player == kChance) {
        action = detail::sample_outcome(rules, rng, list_, probabilities_);
        if constexpr (traced) trace->push_back({action, player});
        return rules.apply(action);
      }
    }
    if constexpr (PlayoutActionRules<R>) {
      action = rules.playout_action(rng);
    } else {
      list_.clear();
      rules.legal_actions(list_);
      action = list_[rng.below(static_cast<std::uint32_t>(list_.size()))];
    }
    if constexpr (traced) trace->push_back({action, player});
    rules.apply(action);
  }

  template <bool traced>
  void joint_step(R& rules, Rng& rng, Trace* trace)
    requires SimultaneousRules<R>
  {
    std::array<Action, kMaxPlayers> joint{};
    const int players = rules.num_players();
    for (int p = 0; p < players; ++p) {
      list_.clear();
      rules.legal_actions(p, list_);
      joint[static_cast<std::size_t>(p)] = list_[rng.below(static_cast<std::uint32_t>(list_.size()))];
      if constexpr (traced) trace->push_back({joint[static_cast<std::size_t>(p)], p, p > 0});
    }
    rules.apply_joint({joint.data(), static_cast<std::size_t>(players)});
  }

  R rules_;
  ActionList list_;
  std::vector<double> probabilities_;
};

template <Rules R>
class GameOf final : public Game {
 public:
  explicit GameOf(const Parameters& parameters) : parameters_(parameters), config_(parameters), info_(config_.info()) {
    if constexpr (HashRules<R>) info_.add(Capability::kHash);
    if constexpr (ChanceRules<R>) info_.add(Capability::kChance);
    if constexpr (SimultaneousRules<R>) info_.add(Capability::kSimultaneous);
    if constexpr (RewardRules<R>) info_.add(Capability::kRewards);
    if constexpr (HiddenRules<R>) info_.add(Capability::kHidden);
    if constexpr (QualityRules<R>) info_.add(Capability::kQuality);
    if constexpr (PolicyRules<R>) info_.add(Capability::kPolicy);
    if constexpr (WinningRules<R>) info_.add(Capability::kWinning);
    if constexpr (ParseRules<R>) info_.add(Capability::kParse);
    if constexpr (DiceRules<R>) info_.add(Capability::kDice);
    if constexpr (ScoreRules<R>) info_.add(Capability::kScore);
    if constexpr (FeatureRules<R>) info_.add(Capability::kFeatures);
    if constexpr (SceneRules<R>) info_.add(Capability::kScene);
  }
  const GameInfo& info() const override { return info_; }
  const Parameters& parameters() const override { return parameters_; }
  std::unique_ptr<State> initial_state() const override { return std::make_unique<StateOf<R>>(R(config_)); }
  std::unique_ptr<State> parse_state(std::string_view board, int player) const override {
    if constexpr (ParseRules<R>) {
      return std::make_unique<StateOf<R>>(R::parse(config_, board, player));
    } else {
      throw std::invalid_argument(info_.name + " has no text form of positions");
    }
  }

 private:
  Parameters parameters_;
  typename R::Config config_;
  GameInfo info_;
};

// One line of the catalogue.
struct GameEntry {
  std::string name;
  std::string summary;
  std::vector<Parameter> parameters;
  std::unique_ptr<Game> (*make)(const Parameters&);
};

template <Rules R>
GameEntry entry(std::string name, std::string summary) {
  return {
      std::move(name), std::move(summary), R::parameters(),
      [](const Parameters& parameters) -> std::unique_ptr<Game> { return std::make_unique<GameOf<R>>(parameters); }};
}

}  // namespace treewise
