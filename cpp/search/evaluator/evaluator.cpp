#include "search/evaluator/evaluator.h"

#include "search/record.h"

namespace treewise {

namespace {

// The mean of `count` uniform playouts from each state.
class Playouts final : public Evaluator {
 public:
  Playouts(int count, const GameInfo& info)
      : count_(count), num_players_(static_cast<std::size_t>(info.num_players)), dice_(info.has(Capability::kDice)) {}

  void evaluate(std::span<const Question> questions, std::span<Evaluation> answers, const Terms& terms) override {
    for (std::size_t i = 0; i < questions.size(); ++i) {
      answers[i].priors.clear();
      answers[i].utilities = mean(*questions[i].state, terms);
    }
  }

 private:
  Values mean(const State& state, const Terms& terms) const {
    const auto copy = state.clone();
    Values total{};
    for (int k = 0; k < count_; ++k) {
      if (terms.halt && k % kUnwatched == kUnwatched - 1) terms.halt->check();
      if (k > 0) copy->assign(state);
      if (dice_) dynamic_cast<HasDice&>(*copy).reseed(terms.rng.next());
      copy->playout(terms.rng, terms.max_length, nullptr);
      Values one{};
      if (copy->is_terminal()) {
        copy->returns(one);
      } else {
        cut_utilities(*copy, terms.cut, one);
      }
      for (std::size_t p = 0; p < num_players_; ++p) total[p] += one[p] / count_;
    }
    return total;
  }

  static constexpr int kUnwatched = 16;  // playouts between two looks whether to stop

  int count_;
  std::size_t num_players_;
  bool dice_;
};

}  // namespace

std::shared_ptr<Evaluator> make_evaluator(const PartSpec& spec, const GameInfo& info) {
  if (spec.foreign) return spec.foreign->evaluator;
  using Factory = std::shared_ptr<Evaluator> (*)(const PartSpec&, const GameInfo&);
  static const std::map<std::string, Factory> catalogue = {
      {"playouts",
       [](const PartSpec& s, const GameInfo& i) -> std::shared_ptr<Evaluator> {
         return std::make_shared<Playouts>(static_cast<int>(s.integer("count")), i);
       }},
  };
  return find_part(catalogue, "evaluator", spec.name)(spec, info);
}

}  // namespace treewise
