// Ways through a world of cells: how far everything is from one of them, and how well each lies to what is worth going
// to. A step leads to one of four neighbours.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>
#include <vector>

namespace treewise {

// What a step into each cell costs, 1 to kMostCost; kNoWay: nobody can go there.
using Costs = std::vector<int>;
constexpr int kNoWay = 0, kMostCost = 31;
constexpr int kFar = 1 << 28;

enum Direction { kUp, kDown, kLeft, kRight, kNumDirections };

class Walking {
 public:
  void resize(int width, int height) {
    width_ = width;
    cells_ = width * height;
  }

  // The neighbour, or -1 beyond the edge.
  int beside(int cell, int direction) const {
    const int x = cell % width_;
    if (direction == kUp) return cell >= width_ ? cell - width_ : -1;
    if (direction == kDown) return cell + width_ < cells_ ? cell + width_ : -1;
    if (direction == kLeft) return x > 0 ? cell - 1 : -1;
    return x + 1 < width_ ? cell + 1 : -1;
  }

  // The least cost of going from `from` to each cell, kFar where there is no way. To one that nobody can enter: to
  // where one bumps into it.
  void measure(int from, const Costs& costs, std::vector<int>& distances) {
    distances.assign(static_cast<std::size_t>(cells_), kFar);
    distances[static_cast<std::size_t>(from)] = 0;
    ring_[0].push_back(from);
    for (int d = 0, idle = 0; idle < kRing; ++d) {
      std::vector<int>& now = ring_[static_cast<std::size_t>(d % kRing)];
      idle = now.empty() ? idle + 1 : 0;
      for (const int at : now) {
        if (distances[static_cast<std::size_t>(at)] != d || (at != from && cost(costs, at) == kNoWay)) continue;
        for (int direction = 0; direction < kNumDirections; ++direction) {
          const int to = beside(at, direction);
          if (to < 0) continue;
          const int reached = d + std::max(cost(costs, to), 1);
          if (reached >= distances[static_cast<std::size_t>(to)]) continue;
          distances[static_cast<std::size_t>(to)] = reached;
          ring_[static_cast<std::size_t>(reached % kRing)].push_back(to);
        }
      }
      now.clear();
    }
  }

  // Of each cell, the greatest of all goals' worths, each times `gamma` to the cost of going there.
  void attract(const std::vector<double>& goals, const Costs& costs, double gamma, std::vector<double>& worth) const {
    worth = goals;
    std::priority_queue<std::pair<double, int>> queue;
    for (int cell = 0; cell < cells_; ++cell)
      if (goals[static_cast<std::size_t>(cell)] > 0) queue.emplace(goals[static_cast<std::size_t>(cell)], cell);
    while (!queue.empty()) {
      const auto [value, at] = queue.top();
      queue.pop();
      if (value < worth[static_cast<std::size_t>(at)]) continue;
      const double before = value * std::pow(gamma, std::max(cost(costs, at), 1));
      for (int direction = 0; direction < kNumDirections; ++direction) {
        const int from = beside(at, direction);
        if (from < 0 || cost(costs, from) == kNoWay || before <= worth[static_cast<std::size_t>(from)]) continue;
        worth[static_cast<std::size_t>(from)] = before;
        queue.emplace(before, from);
      }
    }
  }

 private:
  static constexpr int kRing = kMostCost + 1;

  static int cost(const Costs& costs, int cell) { return costs[static_cast<std::size_t>(cell)]; }

  int width_ = 0, cells_ = 0;
  std::array<std::vector<int>, kRing> ring_;  // cells by their distance; those of the next kRing distances
};

}  // namespace treewise
