// What a simulation gave, but no more than so many points either way: where a win is worth millions, all that is less than
// a win looks alike beside it.
#include <algorithm>
#include <cmath>

#include "search/bonus/bonus.h"

namespace treewise {

namespace {

class ClippedResult final : public ResultBonus {
 public:
  explicit ClippedResult(const PartSpec& spec) : size_(spec.number("size")), fading_(spec.number("fading")) {}
  bool wants_length() const override { return true; }

  void measure(const Values& returns, double unit) override {
    returns_ = returns;
    most_ = size_ * unit;
  }

  void adjust(Record& record) override {
    const double most = record.finished ? most_ * std::pow(fading_, record.length - 1) : most_;
    for (std::size_t p = 0; p < static_cast<std::size_t>(record.num_players); ++p)
      record.values[p] = std::clamp(record.values[p], returns_[p] - most, returns_[p] + most);
  }

 private:
  double size_, fading_, most_ = 0;
  Values returns_{};
};

}  // namespace

std::shared_ptr<ResultBonus> make_clipped_result(const PartSpec& spec) {
  return std::make_shared<ClippedResult>(spec);
}

}  // namespace treewise
