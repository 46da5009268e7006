// The private module `treewise._core`.
#include <cstdlib>

#include "bind/bind.h"
#include "bind/interpreter.h"

NB_MODULE(_core, m) {
  // A module that keeps a state of a game written in it refers to itself through the core, where Python's
  // garbage collector cannot follow. At exit that is harmless and nothing users should read about.
  nanobind::set_leak_warnings(std::getenv("TREEWISE_LEAK_WARNINGS") != nullptr);
  m.doc() = "The engine of Treewise. Private: use the package's public names.";
  treewise::bind_interpreter();
  treewise::bind_game(m);
  treewise::bind_parts(m);
  treewise::bind_search(m);
  treewise::bind_probe(m);
  treewise::bind_python_game(m);
  treewise::bind_compiled(m);
  treewise::bind_grounding(m);
  treewise::bind_gdl(m);
  treewise::bind_vgdl(m);
}
