#include "search/selection/selection.h"

#include "search/selection/lanes.h"

namespace treewise {

std::uint32_t first_of_the_best(std::vector<double>& scores) {
  const std::size_t size = scores.size();
  scores.resize(size + kLanes);
  Best best(size);
  for (std::size_t i = 0; i < size; i += kLanes) {
    Lanes lanes;
    load_lanes(lanes, scores.data() + i);
    best.see(lanes);
  }
  return best.index();
}

std::uint32_t Selection::best(const Children& children, std::vector<double>& buffer) const {
  buffer.resize(children.visits.size());
  score(children, buffer);
  return first_of_the_best(buffer);
}

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
