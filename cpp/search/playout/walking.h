// Ways through a world of cells: how far each cell is from one, or how well each lies to what is worth going to.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>
#include <vector>

namespace treewise {

constexpr int kFar = 1 << 28;

// What it costs to step into a cell; 0: nobody can.
using Costs = std::vector<int>;

class Walking {
 public:
  void resize(int width, int height) {
    width_ = width;
    cells_ = width * height;
  }

  // Steps from `from` to every cell. A cell that cannot be entered is as far as its nearest neighbour and one more.
  void spread(int from, const Costs& costs) {
    distance_.assign(static_cast<std::size_t>(cells_), kFar);
    for (auto& b : ring_) b.clear();
    distance_[static_cast<std::size_t>(from)] = 0;
    ring_[0].push_back(from);
    for (int d = 0, idle = 0; idle < kRing; ++d) {
      auto& bucket = ring_[static_cast<std::size_t>(d % kRing)];
      idle = bucket.empty() ? idle + 1 : 0;
      for (std::size_t i = 0; i < bucket.size(); ++i) {
        const int at = bucket[i];
        if (distance_[static_cast<std::size_t>(at)] != d || (at != from && costs[static_cast<std::size_t>(at)] == 0))
          continue;
        each_neighbour(at, [&](int to) {
          const int cost = std::clamp(costs[static_cast<std::size_t>(to)], 1, kRing - 1);
          int& known = distance_[static_cast<std::size_t>(to)];
          if (d + cost >= known) return;
          known = d + cost;
          ring_[static_cast<std::size_t>((d + cost) % kRing)].push_back(to);
        });
      }
      bucket.clear();
    }
  }
  int distance(int cell) const { return distance_[static_cast<std::size_t>(cell)]; }

  // Worth of every cell: the greatest worth of a goal, less by `gamma` for every step of the way.
  void attract(const std::vector<double>& goals, const Costs& costs, double gamma, std::vector<double>& worth) const {
    worth = goals;
    std::priority_queue<std::pair<double, int>> queue;
    for (int cell = 0; cell < cells_; ++cell)
      if (goals[static_cast<std::size_t>(cell)] > 0) queue.emplace(goals[static_cast<std::size_t>(cell)], cell);
    while (!queue.empty()) {
      const auto [value, at] = queue.top();
      queue.pop();
      if (value < worth[static_cast<std::size_t>(at)]) continue;
      const int cost = std::max(costs[static_cast<std::size_t>(at)], 1);
      const double before = value * std::pow(gamma, cost);
      each_neighbour(at, [&](int from) {
        if (costs[static_cast<std::size_t>(from)] == 0 || before <= worth[static_cast<std::size_t>(from)]) return;
        worth[static_cast<std::size_t>(from)] = before;
        queue.emplace(before, from);
      });
    }
  }

  // The cell that lies so far away, or -1 beyond the edge.
  int beside(int cell, int dx, int dy) const {
    const int x = cell % width_ + dx, y = cell / width_ + dy;
    return x < 0 || y < 0 || x >= width_ || y * width_ >= cells_ ? -1 : y * width_ + x;
  }

 private:
  static constexpr int kRing = 32;

  template <class See>
  void each_neighbour(int cell, See see) const {
    const int x = cell % width_;
    if (x > 0) see(cell - 1);
    if (x + 1 < width_) see(cell + 1);
    if (cell >= width_) see(cell - width_);
    if (cell + width_ < cells_) see(cell + width_);
  }

  int width_ = 0, cells_ = 0;
  std::vector<int> distance_;
  std::array<std::vector<int>, kRing> ring_;
};

}  // namespace treewise
