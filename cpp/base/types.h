// The words every other file uses: actions, players, value vectors and the buffer that actions are listed in.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace treewise {

using Action = std::int32_t;
constexpr Action kNoAction = -1;

// Players are indices from 0. These stand where a state has no single player to move.
constexpr int kChance = -1;
constexpr int kSimultaneous = -2;
constexpr int kTerminal = -3;

constexpr int kMaxPlayers = 6;

// Where a player could stand and there is none: the winner of a draw.
constexpr int kNobody = -4;

// One number for each player; entries past the game's number of players are unused.
using Values = std::array<double, kMaxPlayers>;

// The one player with the greatest value, or kNobody if several share it.
inline int winner_of(const Values& values, int num_players) {
  // Who of two has won cannot be predicted, so that a branch on it would be dear.
  if (num_players == 2) return values[0] == values[1] ? kNobody : static_cast<int>(values[1] > values[0]);
  int best = 0;
  bool shared = false;
  for (int p = 1; p < num_players; ++p) {
    const double value = values[static_cast<std::size_t>(p)], greatest = values[static_cast<std::size_t>(best)];
    if (value > greatest) {
      best = p;
      shared = false;
    } else if (value == greatest) {
      shared = true;
    }
  }
  return shared ? kNobody : best;
}

// The caller's buffer for lists of actions. It keeps its memory when cleared, so that a list reused through a
// search stops allocating after the first few states.
class ActionList {
 public:
  void clear() { size_ = 0; }
  void push_back(Action action) {
    if (size_ == buffer_.size()) buffer_.resize(size_ == 0 ? 64 : 2 * size_);
    buffer_[size_++] = action;
  }
  // Makes room for `more` actions and returns where to write them; `commit` says how many were written.
  Action* room(std::size_t more) {
    if (size_ + more > buffer_.size()) buffer_.resize(2 * (size_ + more));
    return buffer_.data() + size_;
  }
  void commit(std::size_t written) { size_ += written; }
  void resize(std::size_t size) {
    if (size > buffer_.size()) buffer_.resize(size);
    size_ = size;
  }

  int size() const { return static_cast<int>(size_); }
  bool empty() const { return size_ == 0; }
  Action operator[](std::size_t i) const { return buffer_[i]; }
  Action& operator[](std::size_t i) { return buffer_[i]; }
  const Action* begin() const { return buffer_.data(); }
  const Action* end() const { return buffer_.data() + size_; }
  Action* begin() { return buffer_.data(); }
  Action* end() { return buffer_.data() + size_; }
  std::span<const Action> span() const { return {buffer_.data(), size_}; }

 private:
  std::vector<Action> buffer_;
  std::size_t size_ = 0;
};

// One step of a simulation, in the tree or in the playout, as the parts that learn see it.
// At simultaneous states each player's action is a step of its own, in the order of the players; chance
// outcomes have player kChance.
struct Step {
  Action action;
  std::int32_t player;
  bool joint = false;  // played at the same moment as the step before it
};
using Trace = std::vector<Step>;

}  // namespace treewise
