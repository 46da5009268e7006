// What a player has more than the other, in place of what it has (CADIAPLAYER): with two players, a search that lifts
// its own result alone need not care how well the other does.
#include "search/bonus/bonus.h"

namespace treewise {

namespace {

class RelativeResult final : public ResultBonus {
 public:
  // What other bonuses have added stays.
  void adjust(Record& record) override {
    if (record.num_players != 2) return;
    const double first = (record.outcome[0] - record.outcome[1] + 1) / 2;
    record.values[0] += first - record.outcome[0];
    record.values[1] += (1 - first) - record.outcome[1];
  }
};

}  // namespace

std::shared_ptr<ResultBonus> make_relative_result(const PartSpec&) {
  return std::make_shared<RelativeResult>();
}

}  // namespace treewise
