// What a player has more than the other, in place of what it has (CADIAPLAYER): with two players, a search that lifts
// its own result alone need not care how well the other does.
#include "search/bonus/bonus.h"

namespace treewise {

namespace {

class RelativeResult final : public ResultBonus {
 public:
  void adjust(Record& record) override {
    if (record.num_players != 2) return;
    const double first = (record.base[0] - record.base[1] + 1) / 2;
    record.replace(0, first);
    record.replace(1, 1 - first);
  }
};

}  // namespace

std::shared_ptr<ResultBonus> make_relative_result(const PartSpec&) {
  return std::make_shared<RelativeResult>();
}

}  // namespace treewise
