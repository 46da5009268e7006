// The Qualitative Bonus: convincing wins count for more than narrow ones (eq. 7 and 8).
#include "search/bonus/control_variate.h"

namespace treewise {

namespace {

class QualityBonus final : public ControlVariateBonus {
 public:
  explicit QualityBonus(const PartSpec& spec) : ControlVariateBonus(spec), clip_(spec.flag("clip")) {}
  bool wants_quality() const override { return matters(); }

 protected:
  double quantity(const Record& record) const override { return record.quality(clip_); }

 private:
  bool clip_;
};

}  // namespace

std::shared_ptr<ResultBonus> make_quality_bonus(const PartSpec& spec) {
  return std::make_shared<QualityBonus>(spec);
}

}  // namespace treewise
