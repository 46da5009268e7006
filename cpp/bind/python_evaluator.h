// An evaluator written in Python.
#pragma once

#include "bind/held.h"
#include "search/evaluator/evaluator.h"

namespace treewise {

std::shared_ptr<Evaluator> make_python_evaluator(HeldPointer object, std::shared_ptr<const Game> game);

}  // namespace treewise
