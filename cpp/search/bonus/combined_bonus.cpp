// Both bonuses at once, with the two coefficients from the covariance matrix of length and quality: what the paper
// leaves to future work. Each Y_i^w (eq. 9) is regressed on both Y, and the slope along its own Y takes the place of
// eq. 10, which it equals where the two are uncorrelated.
#include "search/bonus/control_variate.h"

namespace treewise {

namespace {

// The least 1 - correlation^2 of length and quality for which the matrix is inverted.
constexpr double kSingular = 1e-12;

class CombinedBonus final : public ResultBonus {
 public:
  explicit CombinedBonus(const PartSpec& spec)
      : length_(spec.number("k_length")),
        quality_(spec.number("k_quality")),
        warm_up_(spec.number("warm_up")),
        clip_(spec.flag("clip")) {}

  bool wants_length() const override { return true; }
  bool wants_quality() const override { return true; }

  void start(int player) override {
    player_ = player;
    length_.clear();
    quality_.clear();
    together_ = {};
    sizes_ = {};
  }

  void adjust(Record& record) override {
    if (record.winner == kNobody) return;
    const double d = -record.length, q = record.quality(clip_);
    if (record.past(warm_up_)) {
      const auto [a_length, a_quality] = sizes_;
      reward_winner(record, a_length * length_.bonus(record.winner, d) + a_quality * quality_.bonus(record.winner, q));
    }
    length_.add(record.winner, d);
    quality_.add(record.winner, q);
    const bool won = record.winner == player_;
    together_.add({d, q, won ? d : 0, won ? q : 0});
    sizes_ = coefficients();  // for the next one: nobody waits for the divisions here
  }

 private:
  // Cramer's rule for the own slope in each of the two regressions.
  std::pair<double, double> coefficients() const {
    const double dd = together_.of(kD, kD), qq = together_.of(kQ, kQ), dq = together_.of(kD, kQ);
    const double determinant = dd * qq - dq * dq;
    if (!together_.vary(kD) || !together_.vary(kQ) || !(determinant > kSingular * dd * qq))
      return {online_coefficient(together_, kD, kDWon), online_coefficient(together_, kQ, kQWon)};
    return {std::abs((qq * together_.of(kD, kDWon) - dq * together_.of(kQ, kDWon)) / determinant),
            std::abs((dd * together_.of(kQ, kQWon) - dq * together_.of(kD, kQWon)) / determinant)};
  }

  enum : std::size_t { kD, kQ, kDWon, kQWon };

  ControlVariate length_, quality_;
  double warm_up_;
  bool clip_;
  int player_ = 0;
  std::pair<double, double> sizes_;
  CoMoments<4, 2> together_;
};

}  // namespace

std::shared_ptr<ResultBonus> make_combined_bonus(const PartSpec& spec) {
  return std::make_shared<CombinedBonus>(spec);
}

}  // namespace treewise
