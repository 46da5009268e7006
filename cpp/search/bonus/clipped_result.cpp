// What a simulation gave, but no more than so many points either way: where a win is worth millions, all that is less than
// a win looks alike beside it.
#include <algorithm>

#include "search/bonus/bonus.h"

namespace treewise {

namespace {

class ClippedResult final : public ResultBonus {
 public:
  explicit ClippedResult(const PartSpec& spec) : size_(spec.number("size")) {}

  void measure(const Values& returns, double unit) override {
    returns_ = returns;
    most_ = size_ * unit;
  }

  void adjust(Record& record) override {
    for (std::size_t p = 0; p < static_cast<std::size_t>(record.num_players); ++p)
      record.values[p] = std::clamp(record.values[p], returns_[p] - most_, returns_[p] + most_);
  }

 private:
  double size_, most_ = 0;
  Values returns_{};
};

}  // namespace

std::shared_ptr<ResultBonus> make_clipped_result(const PartSpec& spec) {
  return std::make_shared<ClippedResult>(spec);
}

}  // namespace treewise
