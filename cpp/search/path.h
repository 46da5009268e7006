// The way of one simulation down the tree.
#pragma once

#include <algorithm>
#include <vector>

#include "tree/tree.h"

namespace treewise {

struct PathStep {
  NodeId node;
  EdgeId edge;
  int player;          // who chose the edge, or kChance
  bool joint = false;  // chosen at the same moment as the step before it
  bool hot = false;    // counted in the thread's copy of the node, see HotNodes
};

struct Path {
  std::vector<PathStep> steps;
  std::vector<Values> rewards;  // what each step gave, in utilities; empty unless the backup asks for it

  // In steps of a match: the choices of a joint action are one.
  int length() const {
    return static_cast<int>(std::count_if(steps.begin(), steps.end(), [](const PathStep& s) { return !s.joint; }));
  }
  void clear() {
    steps.clear();
    rewards.clear();
  }
};

}  // namespace treewise
