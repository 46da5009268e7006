#include "search/evaluator/evaluator.h"

#include <atomic>

namespace treewise {

namespace {

// The mean of `count` uniform playouts from each state.
class Playouts final : public Evaluator {
 public:
  Playouts(int count, std::uint64_t seed, const GameInfo& info) : count_(count), seed_(seed), info_(info) {}

  void evaluate(std::span<const Question> questions, std::span<Evaluation> answers) override {
    for (std::size_t i = 0; i < questions.size(); ++i) {
      answers[i].priors.clear();
      answers[i].utilities = mean(*questions[i].state);
    }
  }

 private:
  // The stream depends on the state's playout itself only through the seed, so equal searches stay equal.
  Values mean(const State& state) const {
    Rng rng(derive_seed(seed_, draws_.fetch_add(1, std::memory_order_relaxed)));
    Values total{}, one{};
    for (int k = 0; k < count_; ++k) {
      const auto copy = state.clone();
      copy->playout(rng, info_.max_length, nullptr);
      copy->returns(one);
      for (std::size_t p = 0; p < static_cast<std::size_t>(info_.num_players); ++p) total[p] += one[p] / count_;
    }
    return total;
  }

  int count_;
  std::uint64_t seed_;
  const GameInfo& info_;
  mutable std::atomic<std::uint64_t> draws_ = 0;
};

}  // namespace

std::shared_ptr<Evaluator> make_evaluator(const PartSpec& spec, const GameInfo& info) {
  if (spec.foreign) return spec.foreign->evaluator;
  using Factory = std::shared_ptr<Evaluator> (*)(const PartSpec&, const GameInfo&);
  static const std::map<std::string, Factory> catalogue = {
      {"playouts",
       [](const PartSpec& s, const GameInfo& i) -> std::shared_ptr<Evaluator> {
         return std::make_shared<Playouts>(static_cast<int>(s.integer("count")),
                                           static_cast<std::uint64_t>(s.integer("seed")), i);
       }},
  };
  return find_part(catalogue, "evaluator", spec.name)(spec, info);
}

}  // namespace treewise
