#include "search/loop/kept_states.h"

#include <algorithm>

namespace treewise {

void KeptStates::keep(EdgeId edge, const State& state, Tree& tree) {
  if (!tree.charge(state.bytes() + sizeof(std::uint32_t) + sizeof(std::unique_ptr<State>))) return;
  if (used_ < states_.size()) {
    states_[used_]->assign(state);
  } else {
    states_.push_back(state.clone());
  }
  ++used_;
  if (edge >= places_.size()) places_.resize(std::max<std::size_t>(edge + 1, tree.num_cells()));
  places_[edge] = static_cast<std::uint32_t>(used_);
}

void KeptStates::clear() {
  places_.clear();
  used_ = 0;
}

}  // namespace treewise
