// What the quality-based rewards (Pepels, Tak, Lanctot & Winands 2014) have in common: a quantity of which more is
// better for the winner, standardized by its mean and deviation over the simulations that the same player won, is
// passed through a sigmoid and added to the winner's reward and taken from the others'. Equations are numbered as in
// the paper.
#pragma once

#include <optional>

#include "search/bonus/bonus.h"
#include "search/bonus/statistics.h"

namespace treewise {

// Rewards lie in [-1, 1], the values of the tree in [0, 1]: there, a bonus is half as large. No branch: which player it
// is cannot be predicted.
inline void reward_winner(Record& record, double bonus) {
  static constexpr double kShares[] = {-0.5, 0.5};
  for (int p = 0; p < record.num_players; ++p)
    record.values[static_cast<std::size_t>(p)] += bonus * kShares[p == record.winner];
}

// One quantity: eq. 4 or 7, and 5.
class ControlVariate {
 public:
  explicit ControlVariate(double k) : k_(k) {}

  void clear() { by_winner_ = {}; }
  // b in [-1, 1]; 0 while the deviation is.
  double bonus(int winner, double y) const {
    const double lambda = by_winner_[static_cast<std::size_t>(winner)].standardized(y);
    return -1 + 2 / (1 + std::exp(-k_ * lambda));
  }
  void add(int winner, double y) { by_winner_[static_cast<std::size_t>(winner)].add(y); }

 private:
  double k_;
  std::array<Moments, kMaxPlayers> by_winner_{};
};

// |Cov(Y, Y^w) / Var(Y)|, or 0 while the variance is: eq. 10.
template <std::size_t N, std::size_t M>
double online_coefficient(const CoMoments<N, M>& moments, std::size_t y, std::size_t won) {
  return moments.vary(y) ? std::abs(moments.of(y, won) / moments.of(y, y)) : 0;
}

// A bonus of one quantity, eq. 6 or 8: `a` is given, or "online" by eq. 9 and 10.
class ControlVariateBonus : public ResultBonus {
 public:
  explicit ControlVariateBonus(const PartSpec& spec) : variate_(spec.number("k")), warm_up_(spec.number("warm_up")) {
    if (!std::holds_alternative<std::string>(spec.at("a"))) a_ = spec.number("a");
  }

  void start(int player) final {
    player_ = player;
    variate_.clear();
    together_ = {};
    size_ = a_.value_or(0);
  }

  void adjust(Record& record) final {
    if (record.winner == kNobody || !matters()) return;
    const double y = quantity(record);
    if (record.past(warm_up_)) reward_winner(record, size_ * variate_.bonus(record.winner, y));
    variate_.add(record.winner, y);
    if (a_) return;
    together_.add({y, record.winner == player_ ? y : 0});
    size_ = online_coefficient(together_, 0, 1);  // for the next one: nobody waits for the division here
  }

 protected:
  // Of size 0 it changes nothing and needs no quantity, so that the search is the one without it.
  bool matters() const { return a_ != 0.0; }
  virtual double quantity(const Record& record) const = 0;

 private:
  ControlVariate variate_;
  double warm_up_;
  std::optional<double> a_;
  int player_ = 0;
  double size_ = 0;
  CoMoments<2, 1> together_;  // Y, and Y where the player who searches has won, else 0
};

}  // namespace treewise
