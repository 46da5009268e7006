// The quality of the win in place of the win: the reward is sgn(r) q (last column of Table 4).
#include "search/bonus/control_variate.h"

namespace treewise {

namespace {

class QualityOnly final : public ResultBonus {
 public:
  explicit QualityOnly(const PartSpec& spec) : clip_(spec.flag("clip")) {}
  bool wants_quality() const override { return true; }

  // What other bonuses have added stays.
  void adjust(Record& record) override {
    if (record.winner == kNobody) return;
    for (std::size_t p = 0; p < static_cast<std::size_t>(record.num_players); ++p)
      record.values[p] += 0.5 - record.outcome[p];
    reward_winner(record, record.quality(clip_));
  }

 private:
  bool clip_;
};

}  // namespace

std::shared_ptr<ResultBonus> make_quality_only(const PartSpec& spec) {
  return std::make_shared<QualityOnly>(spec);
}

}  // namespace treewise
