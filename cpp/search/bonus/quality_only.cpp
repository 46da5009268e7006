// The quality of the win in place of the win: the reward is sgn(r) q (last column of Table 4).
#include "search/bonus/bonus.h"

namespace treewise {

namespace {

class QualityOnly final : public ResultBonus {
 public:
  explicit QualityOnly(const PartSpec& spec) : clip_(spec.flag("clip")) {}
  bool wants_quality() const override { return true; }

  void adjust(Record& record) override {
    if (record.winner == kNobody) return;
    const double half = record.quality(clip_) / 2;
    for (int p = 0; p < record.num_players; ++p)
      record.replace(static_cast<std::size_t>(p), p == record.winner ? 0.5 + half : 0.5 - half);
  }

 private:
  bool clip_;
};

}  // namespace

std::shared_ptr<ResultBonus> make_quality_only(const PartSpec& spec) {
  return std::make_shared<QualityOnly>(spec);
}

}  // namespace treewise
