// The contract of a game. A game has few obligations; everything else is a capability, a small interface of
// its own that a state may also implement and a part may require.
//
// Interfaces never allocate in steady state: the caller owns the buffers. Nothing here checks legality:
// `apply` of an illegal action is undefined, and the borders (bindings, parsers) check before they call.
#pragma once

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/bits.h"
#include "base/parameters.h"
#include "base/rng.h"
#include "base/types.h"

namespace treewise {

// What a set of actions holds: it could not be had, those that are meant, or these and some that are not.
enum class SetOfActions { kNone, kExact, kMore };

class State {
 public:
  virtual ~State() = default;

  virtual std::unique_ptr<State> clone() const = 0;
  // Becomes equal to `other`, a state of the same game.
  virtual void assign(const State& other) = 0;

  // The player to move, or kChance, kSimultaneous, kTerminal.
  virtual int current_player() const = 0;
  virtual bool is_terminal() const = 0;
  // Replaces `out` by the legal actions of the player to move, or the outcomes at a chance state, each once.
  // Not called on terminal or simultaneous states.
  virtual void legal_actions(ActionList& out) const = 0;
  virtual void apply(Action action) = 0;
  // The same; true if the match is over now. One call where a search would make two.
  virtual bool apply_and_end(Action action) {
    apply(action);
    return is_terminal();
  }
  // Each player's utility so far: final at a terminal state; before that, the sum of step rewards (or zeros).
  virtual void returns(Values& out) const = 0;
  // Of a terminal state, in games that say `lacks_results`: whether the returns mean anything.
  virtual bool has_result() const { return true; }

  // Plays by the game's uniform playout policy until the end or for `max_length` steps and returns how many
  // were played. `trace`, where given, gets the steps appended. Implemented with static dispatch for games in
  // C++.
  virtual int playout(Rng& rng, int max_length, Trace* trace) = 0;
  // Replaces `out` by what these playouts draw from: the legal actions, but for those that are senseless in a playout
  // (filling an own eye in Go).
  virtual void playout_actions(ActionList& out) const { legal_actions(out); }
  // One of them, each with the same probability; `scratch` may be used for listing.
  virtual Action draw_action(Rng& rng, ActionList& scratch) const {
    playout_actions(scratch);
    return scratch[rng.below(static_cast<std::uint32_t>(scratch.size()))];
  }
  // Replaces `out` by them as bits by action id, where that is quicker than a list. Where it holds more, whoever takes
  // one asks `may_play` first; if none is left, `playout_actions` knows what is to be done.
  virtual SetOfActions playout_set(std::span<Bits> out) const {
    (void)out;
    return SetOfActions::kNone;
  }
  virtual bool may_play(Action action) const {
    (void)action;
    return true;
  }

  virtual std::string action_name(Action action) const = 0;
  virtual std::string draw() const = 0;

  // What a copy takes, about: searches that keep states count it as memory.
  virtual std::size_t bytes() const { return 1024; }
};

// ---- capabilities --------------------------------------------------------------------------------------------------

class HasHash {
 public:
  virtual ~HasHash() = default;
  // Equal for equal states (everything that matters for the rest of the match included).
  virtual std::uint64_t hash() const = 0;
};

class HasChance {
 public:
  virtual ~HasChance() = default;
  // Replaces `out` by the probabilities of the outcomes that `legal_actions` lists, in its order.
  virtual void chance_probabilities(std::vector<double>& out) const = 0;
};

class HasSimultaneous {
 public:
  virtual ~HasSimultaneous() = default;
  virtual int num_players() const = 0;
  // Only at states whose current player is kSimultaneous. A player without a choice lists one action.
  virtual void legal_actions(int player, ActionList& out) const = 0;
  virtual void apply_joint(std::span<const Action> actions) = 0;
};

class HasRewards {
 public:
  virtual ~HasRewards() = default;
  // What the last step gave each player; the sum over a match is `returns`.
  virtual void rewards(Values& out) const = 0;
};

class HasHidden {
 public:
  virtual ~HasHidden() = default;
  // Replaces what `player` cannot know by a random draw consistent with all `player` has seen.
  virtual void resample(int player, Rng& rng) = 0;
  virtual std::string observation(int player) const = 0;
};

class HasQuality {
 public:
  virtual ~HasQuality() = default;
  // At a terminal state with one winner: how good the win is, by the game's own formula.
  virtual double raw_quality() const = 0;
  // The same within [0, 1], which formulas may leave: a difference of pieces is negative where the winner has fewer.
  double quality() const { return clip(raw_quality()); }
  static double clip(double raw) { return std::clamp(raw, 0.0, 1.0); }
};

class HasPolicy {
 public:
  virtual ~HasPolicy() = default;
  // Replaces `out` by the candidates of the game's own playout policy at this state: legal actions, each as
  // many times as its weight. Never empty.
  virtual void playout_candidates(Rng& rng, ActionList& out) const = 0;
  // One of them, drawn by its weight; `scratch` may be used for listing.
  virtual Action policy_action(Rng& rng, ActionList& scratch) const {
    playout_candidates(rng, scratch);
    return scratch[rng.below(static_cast<std::uint32_t>(scratch.size()))];
  }
  // Plays on by the policy, at most `max_length` steps; returns how many. It may stop at any state, which then wants a
  // step of another kind.
  virtual int policy_playout(Rng& rng, int max_length) {
    (void)rng, (void)max_length;
    return 0;
  }
};

// Which actions leave the next player without one that wins at once: all, those that are listed, or one has to look.
enum class Safety { kAll, kListed, kUnknown };

class HasWinning {
 public:
  virtual ~HasWinning() = default;
  // Replaces `out` by the actions that win at once for the player to move.
  virtual void winning_actions(ActionList& out) const = 0;
  // Where the player to move has none: what is safe, as far as it can be told without looking ahead. Replaces `out` by
  // the list, if there is one; it may be empty.
  virtual Safety safe_actions(ActionList& out) const {
    (void)out;
    return Safety::kUnknown;
  }
  // Then: whether this action is, without looking ahead; false where that takes a look.
  virtual bool surely_safe(Action action) const {
    (void)action;
    return false;
  }
};

// Chance that the rules draw by themselves within a step, too much of it to be listed as outcomes: every state has a
// generator of its own, and a copy draws what its original would have drawn.
class HasDice {
 public:
  virtual ~HasDice() = default;
  // From here on the draws are those of a generator with this seed.
  virtual void reseed(std::uint64_t seed) = 0;
};

class HasScore {
 public:
  virtual ~HasScore() = default;
  // The points collected so far by a player who plays alone: `returns` without what winning or losing is worth.
  virtual double score() const = 0;
};

// What a feature is about: one or two kinds of things, in the game's own numbers; -1 where it does not tell.
struct FeatureOrigin {
  int first = -1, second = -1;
  bool floor = false;   // one is a floor: it lies under nearly everything
  bool hidden = false;  // one is hidden from players, though it shows
  int fixed = 0;        // of how many of the two all that is there at the start stays where it is, as walls do
};

class HasFeatures {
 public:
  virtual ~HasFeatures() = default;
  virtual int num_features() const = 0;
  // Fills `out`, of that size, with numbers that describe the state for linear value functions; about 1 at most.
  virtual void features(std::span<double> out) const = 0;
  virtual FeatureOrigin origin(int feature) const {
    (void)feature;
    return {};
  }
};

// What becomes of a feature.
struct FeatureChange {
  int feature;
  double value;
};

// Of several actions, one after another. Keeps its memory when cleared.
class FeatureChanges {
 public:
  void clear() {
    size_ = 0;
    ends_.clear();
  }
  // Makes room for `more` changes and returns where to write them; `commit` says how many were written.
  FeatureChange* room(std::size_t more) {
    if (size_ + more > changes_.size()) changes_.resize(2 * (size_ + more));
    return changes_.data() + size_;
  }
  void commit(std::size_t written) { size_ += written; }
  void end_action() { ends_.push_back(size_); }

  std::span<const FeatureChange> of(std::size_t action) const {
    const std::size_t first = action == 0 ? 0 : ends_[action - 1];
    return {changes_.data() + first, ends_[action] - first};
  }

 private:
  std::size_t size_ = 0;
  std::vector<FeatureChange> changes_;
  std::vector<std::size_t> ends_;
};

// Games in which more happens in a step than the player does, such as others that move as well.
class HasOwnMoves {
 public:
  virtual ~HasOwnMoves() = default;
  // What each action does to the features by itself, before the world answers to it. Fills `features` with those of the
  // state, too, unless it is empty.
  virtual void own_moves(std::span<const Action> actions, std::span<double> features, FeatureChanges& out) const = 0;
};

// A world of cells, row by row, in which the player has a body and meets things of several kinds.
struct Scene {
  struct Item {
    int cell, kind;
  };

  int width = 0, height = 0, kinds = 0;
  int body = -1;              // the cell that it is in; -1: there is none
  std::uint64_t form = 0;     // what the body is and holds: to another form, things may mean something else
  std::vector<int> met;       // kinds that the body came upon in the last step, each once
  std::vector<int> struck;    // kinds that were come upon by what it has made
  std::vector<Item> items{};  // what is seen beside the body; what reaches into several cells is in each of them

  int num_cells() const { return width * height; }
};

class HasScene {
 public:
  virtual ~HasScene() = default;
  // Fills in `out`, but not `items` if nobody wants them. Width, height and kinds never change in a game.
  virtual void scene(Scene& out, bool items) const = 0;
};

// What a game can do beyond its obligations; `Game::has` answers for parts that require it.
enum class Capability : unsigned {
  kHash,
  kChance,
  kSimultaneous,
  kRewards,
  kHidden,
  kQuality,
  kPolicy,
  kWinning,
  kParse,
  kDice,
  kScore,
  kFeatures,
  kOwnMoves,
  kScene
};

constexpr unsigned kNumCapabilities = static_cast<unsigned>(Capability::kScene) + 1;

const char* capability_name(Capability capability);

struct GameInfo {
  std::string name;
  int num_players = 2;
  double min_utility = -1;
  double max_utility = 1;
  // Action ids lie in [0, num_action_ids).
  int num_action_ids = 0;
  // Where a playout is cut off at the latest, in steps from the state it starts in.
  int max_length = 0;
  // The same id means the same thing in different states (MAST, n-grams and last good replies need it).
  bool stable_actions = true;
  // An untraced uniform playout returns its true length. Hex fills the board instead, which takes longer.
  bool true_lengths = true;
  // Matches may end without a result (see `State::has_result`), or never: searches discard such playouts.
  bool lacks_results = false;
  unsigned capabilities = 0;

  bool has(Capability capability) const { return (capabilities >> static_cast<unsigned>(capability)) & 1u; }
  void add(Capability capability) { capabilities |= 1u << static_cast<unsigned>(capability); }
};

class Game {
 public:
  virtual ~Game() = default;
  virtual const GameInfo& info() const = 0;
  virtual const Parameters& parameters() const = 0;
  // States refer to their game: keep the game alive as long as they are.
  virtual std::unique_ptr<State> initial_state() const = 0;
  // Sets up a position from text, with `player` to move. Throws std::invalid_argument.
  virtual std::unique_ptr<State> parse_state(std::string_view board, int player) const = 0;
};

}  // namespace treewise
