// The Relative Bonus: short simulations count for more than long ones (eq. 2 and 4 to 6).
#include "search/bonus/control_variate.h"

namespace treewise {

namespace {

class RelativeBonus final : public ControlVariateBonus {
 public:
  using ControlVariateBonus::ControlVariateBonus;
  bool wants_length() const override { return matters(); }

 protected:
  // With the sign turned, more is better; means and covariances turn with it.
  double quantity(const Record& record) const override { return -record.length; }
};

}  // namespace

std::shared_ptr<ResultBonus> make_relative_bonus(const PartSpec& spec) {
  return std::make_shared<RelativeBonus>(spec);
}

}  // namespace treewise
