// The private module `treewise._core`.
#include "bind/bind.h"

NB_MODULE(_core, m) {
  m.doc() = "The engine of Treewise. Private: use the package's public names.";
  treewise::bind_game(m);
  treewise::bind_parts(m);
  treewise::bind_search(m);
  treewise::bind_probe(m);
}
