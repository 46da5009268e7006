// Playouts: from a leaf to an end. Each worker has its own, with what it has learned.
#pragma once

#include <cmath>
#include <type_traits>
#include <typeinfo>

#include "game/game.h"
#include "search/evaluator/evaluator.h"
#include "search/part.h"
#include "search/record.h"

namespace treewise {

// A capability's interface of the state at hand, looked up once: in all objects of one class it lies in the same place.
// Compositions are checked against the game before they run, so a missing one is a mistake of the engine.
template <class Interface>
class Cached {
 public:
  using Of = std::conditional_t<std::is_const_v<Interface>, const State, State>;

  Interface* of(Of& state) {
    if (&state == state_) return interface_;
    state_ = &state;
    if (&typeid(state) != type_) {
      type_ = &typeid(state);
      offset_ = address(&dynamic_cast<Interface&>(state)) - address(&state);
    }
    return interface_ = reinterpret_cast<Interface*>(address(&state) + offset_);
  }

 private:
  template <class T>
  static std::uintptr_t address(T* object) {
    return reinterpret_cast<std::uintptr_t>(object);
  }

  Of* state_ = nullptr;
  Interface* interface_ = nullptr;
  const std::type_info* type_ = nullptr;
  std::uintptr_t offset_ = 0;
};

// One choice in a playout.
struct Turn {
  State& state;
  int player;
  ActionList& actions;  // what is worth considering; an action may stand several times, which is its weight
  const Trace& trace;   // what was played so far, from the root on; empty if nobody wanted it
  Rng& rng;
  const HasSimultaneous* joint = nullptr;  // where several choose at once

  void list_legal() { joint ? joint->legal_actions(player, actions) : state.legal_actions(actions); }
};

struct PlayoutResult {
  int length = 0;
  bool finished = false;    // ended by the rules
  bool unresolved = false;  // cut off, and judged by nobody: `utilities` are only what stands in for a result
  Values utilities{};
  double raw_quality = kNoQuality;  // of the win, where somebody asked `QualityReader`
};

// The playout has come to this state, which ends it or where it is cut off.
void end_playout(const State& state, const Values& cut, PlayoutResult& result);

class Playout {
 public:
  virtual ~Playout() = default;

  // Plays at most `max_length` steps. A playout that is cut off has the utilities `cut`, or what was collected until
  // then (see `cut_utilities`), unless the part knows better.
  virtual PlayoutResult play(State& state, Rng& rng, Trace* trace, int max_length, const Values& cut);

  // Whom to ask in long playouts whether to go on; nobody, if null.
  virtual void heed(const Halt* halt) { halt_ = halt; }
  // From now on results are the sums of discounted step rewards from the leaf on, not returns.
  virtual void discount_rewards(double gamma) { reward_discount_ = gamma; }

  // The two halves of a choice: first the actions worth considering, then one of them. A wrapper lists or
  // picks before or instead of what it wraps.
  virtual void list(Turn& turn) { turn.list_legal(); }
  virtual Action pick(Turn& turn) {
    return turn.actions[turn.rng.below(static_cast<std::uint32_t>(turn.actions.size()))];
  }

  // The same as `list` by bits, see `State::playout_set`; kNone where it cannot be had, which is always allowed.
  virtual SetOfActions list_set(Turn& turn, std::span<Bits> out) {
    (void)turn, (void)out;
    return SetOfActions::kNone;
  }

  // Both halves at once. A part that needs no list where another is needed may choose without it.
  virtual Action choose(Turn& turn) {
    list(turn);
    return pick(turn);
  }

  // How much of what it learns it may remember, in bytes; what a game's arrays need comes on top.
  virtual void limit_memory(std::size_t bytes) { (void)bytes; }
  // How long it may take to get ready for the first search of a match; as long as it needs unless this is called.
  virtual void allow(double seconds) { (void)seconds; }
  // A search begins at this state: one of the actions of a match.
  virtual void start(const State& root, std::uint64_t seed) { (void)root, (void)seed; }
  // Whether it wants to be led down the tree: `begin` at the root of each simulation, then `follow` after every step
  // that does not end the match. `player` may be kChance, or kSimultaneous with no single action.
  virtual bool wants_path() const { return false; }
  virtual void begin() {}
  virtual void follow(const State& after, Action action, int player) { (void)after, (void)action, (void)player; }
  // Somebody else says what the states are worth in which playouts are cut off.
  virtual void leave_cuts() {}
  // What a part with a linear value function has learned so far.
  virtual std::vector<double> weights() const { return {}; }

  virtual bool wants_trace() const { return false; }
  virtual void learn(const Record& record) { (void)record; }
  // Between two actions of a match.
  virtual void decay() {}

 protected:
  // One step of any kind, a player's by `choose`; true if the match is over now.
  bool step(State& state, int player, Rng& rng, Trace* trace);
  const Halt* halt() const { return halt_; }
  // Asks it after so many steps of a playout; few have as many.
  static constexpr int kUnwatched = 1 << 12;
  void watch(int length) const {
    if (length % kUnwatched == 0 && halt_) halt_->check();
  }
  bool discounts_rewards() const { return reward_discount_ != 0; }
  double reward_discount() const { return reward_discount_; }

 private:
  void joint_step(State& state, Rng& rng, Trace* trace);
  PlayoutResult play_for_rewards(State& state, Rng& rng, Trace* trace, int max_length);

  double reward_discount_ = 0;
  const Halt* halt_ = nullptr;

  Cached<HasSimultaneous> simultaneous_;
  ActionList actions_;
  Trace no_trace_;
  std::vector<double> probabilities_;
};

std::unique_ptr<Playout> make_playout(const PartSpec& spec, const GameInfo& info);

// A playout that changes one thing of another.
class PlayoutWrapper : public Playout {
 public:
  explicit PlayoutWrapper(std::unique_ptr<Playout> inner) : inner_(std::move(inner)) {}
  void list(Turn& turn) override { inner_->list(turn); }
  Action pick(Turn& turn) override { return inner_->pick(turn); }
  SetOfActions list_set(Turn& turn, std::span<Bits> out) override { return inner_->list_set(turn, out); }
  void limit_memory(std::size_t bytes) override { inner_->limit_memory(bytes); }
  void allow(double seconds) override { inner_->allow(seconds); }
  void start(const State& root, std::uint64_t seed) override { inner_->start(root, seed); }
  bool wants_path() const override { return inner_->wants_path(); }
  void begin() override { inner_->begin(); }
  void follow(const State& after, Action action, int player) override { inner_->follow(after, action, player); }
  void leave_cuts() override { inner_->leave_cuts(); }
  std::vector<double> weights() const override { return inner_->weights(); }
  bool wants_trace() const override { return inner_->wants_trace(); }
  void learn(const Record& record) override { inner_->learn(record); }
  void decay() override { inner_->decay(); }
  void heed(const Halt* halt) override {
    Playout::heed(halt);
    inner_->heed(halt);
  }
  void discount_rewards(double gamma) override {
    Playout::discount_rewards(gamma);
    inner_->discount_rewards(gamma);
  }

 protected:
  Playout& inner() { return *inner_; }

 private:
  std::unique_ptr<Playout> inner_;
};

// The quality of the terminal states that simulations reach. Games written by users may give any number, whose square
// must not be infinite.
class QualityReader {
 public:
  double read(State& state, const Values& utilities, int num_players) {
    if (winner_of(utilities, num_players) == kNobody) return kNoQuality;
    const double quality = quality_.of(state)->raw_quality();
    if (!(std::abs(quality) <= kMost)) refuse(quality);
    return quality;
  }

 private:
  static constexpr double kMost = 1e6;
  [[noreturn]] static void refuse(double quality);

  Cached<HasQuality> quality_;
};

using PlayoutFactory = std::unique_ptr<Playout> (*)(const PartSpec&, const GameInfo&);
std::unique_ptr<Playout> make_uniform(const PartSpec&, const GameInfo&);
std::unique_ptr<Playout> make_game_policy(const PartSpec&, const GameInfo&);
std::unique_ptr<Playout> make_mast(const PartSpec&, const GameInfo&);
std::unique_ptr<Playout> make_ngram(const PartSpec&, const GameInfo&);
std::unique_ptr<Playout> make_last_good_reply(const PartSpec&, const GameInfo&);
std::unique_ptr<Playout> make_decisive(const PartSpec&, const GameInfo&);
std::unique_ptr<Playout> make_cut_off(const PartSpec&, const GameInfo&);
std::unique_ptr<Playout> make_foraging(const PartSpec&, const GameInfo&);
std::unique_ptr<Playout> make_true_online_sarsa(const PartSpec&, const GameInfo&);

}  // namespace treewise
