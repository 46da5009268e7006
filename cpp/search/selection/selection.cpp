#include "search/selection/selection.h"

namespace treewise {

std::shared_ptr<const Selection> make_selection(const PartSpec& spec) {
  if (spec.foreign) return spec.foreign->selection;
  static const std::map<std::string, SelectionFactory> catalogue = {
      {"ucb1", &make_ucb1},
      {"ucb1_tuned", &make_ucb1_tuned},
      {"puct", &make_puct},
  };
  return find_part(catalogue, "selection", spec.name)(spec);
}

}  // namespace treewise
