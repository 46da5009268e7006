// What a simulation gave, but no more than so many points either way: where winning is worth millions, all else looks
// alike beside it.
#include <algorithm>
#include <cmath>

#include "search/bonus/bonus.h"

namespace treewise {

namespace {

class ClippedResult final : public ResultBonus {
 public:
  explicit ClippedResult(const PartSpec& spec) : size_(spec.number("size")), fading_(spec.number("fading")) {}
  bool wants_length() const override { return true; }
  bool wants_returns() const override { return true; }

  void measure(const Values& returns, double unit) override {
    returns_ = returns;
    most_ = size_ * unit;
  }

  void adjust(Record& record) override {
    const double least = record.finished ? most_ * std::pow(fading_, std::max(record.length - 1, 0)) : most_;
    for (std::size_t p = 0; p < static_cast<std::size_t>(record.num_players); ++p)
      record.replace(p, std::clamp(record.base[p], returns_[p] - least, returns_[p] + most_));
  }

 private:
  double size_, fading_;
  Values returns_{};  // at the root
  double most_ = 0;
};

}  // namespace

std::shared_ptr<ResultBonus> make_clipped_result(const PartSpec& spec) {
  return std::make_shared<ClippedResult>(spec);
}

}  // namespace treewise
