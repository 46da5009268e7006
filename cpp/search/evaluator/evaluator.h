// Evaluators: values and priors of states, in batches.
#pragma once

#include "game/game.h"
#include "search/halt.h"
#include "search/part.h"

namespace treewise {

struct Evaluation {
  Values utilities{};         // expected returns of each player, in the game's own utilities
  std::vector<float> priors;  // in the order of the actions asked about; empty: no opinion
};

struct Question {
  const State* state;
  std::span<const Action> actions;  // the legal actions of the player to move; empty if several act at once
};

// What an evaluator that plays on needs: the asking worker's generator, where a playout is cut and for what, and whom
// to ask from time to time whether to go on (may be null).
struct Terms {
  Rng& rng;
  int max_length;
  const Values& cut;
  const Halt* halt = nullptr;
};

class Evaluator {
 public:
  virtual ~Evaluator() = default;
  // Answers every question. May be called by several threads at once.
  virtual void evaluate(std::span<const Question> questions, std::span<Evaluation> answers, const Terms& terms) = 0;
  // How many leaves to gather before asking.
  virtual int batch_size() const { return 1; }
};

std::shared_ptr<Evaluator> make_evaluator(const PartSpec& spec, const GameInfo& info);

}  // namespace treewise
