// What the binding files share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/typing.h>

#include <memory>
#include <optional>

#include "bind/vectors.h"
#include "game/game.h"

namespace treewise {

namespace nb = nanobind;

// The Python object that a pointer to a game refers to; not valid where C++ made it. All copies of the pointer share
// that reference, but the garbage collector wants to see one of each who holds it: `another` has one of its own.
nb::handle object_of(const std::shared_ptr<const Game>& game);
std::shared_ptr<const Game> another(const std::shared_ptr<const Game>& game);

// A state as Python holds it: with its game, and with how it came about, which is what pickling keeps.
struct StateHandle {
  std::shared_ptr<const Game> game;
  std::unique_ptr<State> state;
  std::optional<std::pair<std::string, int>> start;  // (board, player) if set up from text
  std::vector<Action> history;                       // joint actions flattened
  bool detached = false;                             // not reached by its history: drawn or copied from a search
  std::vector<std::pair<std::size_t, std::uint64_t>> seeds = {};  // the dice's, each with its place in the history

  StateHandle copy() const { return {another(game), state->clone(), start, history, detached, seeds}; }

  int traverse(visitproc visit, void* arg) const;
  void clear();
};

// The capability `Interface` of a state, or ValueError by name.
template <class Interface>
Interface& require(const StateHandle& handle, Capability capability) {
  if (!handle.game->info().has(capability))
    throw std::invalid_argument("the game '" + handle.game->info().name + "' has no capability '" +
                                capability_name(capability) + "'");
  return dynamic_cast<Interface&>(*handle.state);
}

// What a part written in Python gets to see: a copy of the state, with dice of its own.
nb::object state_to_python(const State& state, const std::shared_ptr<const Game>& game, Rng& rng);

void bind_game(nb::module_& m);
void bind_parts(nb::module_& m);
void bind_search(nb::module_& m);
void bind_probe(nb::module_& m);
void bind_python_game(nb::module_& m);
void bind_compiled(nb::module_& m);
void bind_gdl(nb::module_& m);
void bind_grounding(nb::module_& m);
void bind_vgdl(nb::module_& m);

}  // namespace treewise
