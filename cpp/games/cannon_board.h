// The board of Cannon: sets of points, the codes of actions, and what threatens a town. Points are
// 11 * row + column, row 0 at the top; the eleventh column is always empty and stops lines at the edge.
#pragma once

#include <array>

#include "base/bits.h"

namespace treewise::cannon_board {

inline constexpr int kSide = 10, kStride = 11, kSoldiers = 15;

using Set = unsigned __int128;

constexpr Set point(int p) {
  return Set{1} << p;
}
constexpr Set point(int row, int column) {
  return point(kStride * row + column);
}
constexpr int size(Set set) {
  return count(static_cast<Bits>(set)) + count(static_cast<Bits>(set >> 64));
}
inline int member(Set set, int k) {
  const int low = count(static_cast<Bits>(set));
  return k < low ? nth(static_cast<Bits>(set), k) : 64 + nth(static_cast<Bits>(set >> 64), k - low);
}
// Calls visit(point) for the members of the set.
template <class Visit>
void each(Set set, Visit&& visit) {
  for (Bits low = static_cast<Bits>(set); low;) visit(pop(low));
  for (Bits high = static_cast<Bits>(set >> 64); high;) visit(64 + pop(high));
}
inline constexpr Set kBoard = [] {
  Set board = 0;
  for (int row = 0; row < kSide; ++row)
    for (int column = 0; column < kSide; ++column) board |= point(row, column);
  return board;
}();

// Player 0's directions: three forward, two sideways, three back; 7 - d is the opposite of d. Player 1 has
// the same ones turned by half a circle.
inline constexpr int kDelta[8] = {-12, -11, -10, 1, -1, 10, 11, 12};

// The codes of actions: the first of each kind, then a code for each direction.
enum Kind : int { kStep = 0, kCapture = 3, kRetreat = 8, kSlide = 11, kNear = 19, kFar = 27, kTown = 35, kCodes };
inline constexpr const char* kMarks = "---xxxxx<<<========****************@";

struct Code {
  int target;  // from the soldier that acts to the point it goes to or hits
  int centre;  // from the soldier that acts to the centre of its cannon
};
inline constexpr std::array<Code, kCodes> kCode = [] {
  std::array<Code, kCodes> code{};
  for (int d = 0; d < 3; ++d) code[kStep + d] = {kDelta[d], 0};
  for (int d = 0; d < 5; ++d) code[kCapture + d] = {kDelta[d], 0};
  for (int d = 5; d < 8; ++d) code[kRetreat + d - 5] = {2 * kDelta[d], 0};
  for (int d = 0; d < 8; ++d) code[kSlide + d] = {3 * kDelta[d], kDelta[d]};
  for (int d = 0; d < 8; ++d) code[kNear + d] = {2 * kDelta[d], -kDelta[d]};
  for (int d = 0; d < 8; ++d) code[kFar + d] = {3 * kDelta[d], -kDelta[d]};
  return code;
}();

// What threatens a town on a certain point.
struct Threats {
  struct Battery {
    Set soldiers = ~Set{0};  // impossible, where the board is too small
    Set path = 0;            // points that must be empty
  };
  Set neighbours = 0;  // from where a soldier captures
  Set centres = 0;     // of the cannons
  Set paths = 0;       // points that shots pass
  Set places = 0;      // all points from which a soldier takes part in a threat
  Battery cannons[10];
};

inline int home_row(int player) {
  return player == 0 ? kSide - 1 : 0;
}

inline Threats threats_to(int player, int column, bool clear_path) {
  const int town = kStride * home_row(player) + column;
  Threats threats;
  for (int d = 0; d < 5; ++d) {
    Set line[6] = {};  // the points from the town in this direction
    int length = 0;
    for (int at = town; length < 6 && at >= 0 && (kBoard & point(at)); at += player ? -kDelta[d] : kDelta[d])
      line[length++] = point(at);
    threats.neighbours |= line[1];
    threats.centres |= line[3] | line[4];
    if (length > 4) threats.cannons[2 * d] = {line[2] | line[3] | line[4], line[1]};
    if (length > 5)
      threats.cannons[2 * d + 1] = {line[3] | line[4] | line[5], clear_path ? line[1] | line[2] : line[2]};
  }
  for (const auto& [cannon, path] : threats.cannons) {
    threats.paths |= path;
    if (cannon != ~Set{0}) threats.places |= cannon;
  }
  threats.places |= threats.neighbours;
  return threats;
}

}  // namespace treewise::cannon_board
