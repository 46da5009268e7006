#include "search/bonus/bonus.h"

namespace treewise {

std::shared_ptr<ResultBonus> make_result_bonus(const PartSpec& spec) {
  if (spec.foreign) return spec.foreign->result_bonus;
  using Factory = std::shared_ptr<ResultBonus> (*)(const PartSpec&);
  static const std::map<std::string, Factory> catalogue = {
      {"relative_bonus", &make_relative_bonus},   {"quality_bonus", &make_quality_bonus},
      {"combined_bonus", &make_combined_bonus},   {"quality_only", &make_quality_only},
      {"relative_result", &make_relative_result}, {"clipped_result", &make_clipped_result},
  };
  return find_part(catalogue, "bonus", spec.name)(spec);
}

}  // namespace treewise
