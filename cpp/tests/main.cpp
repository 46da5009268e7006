// engine_tests            everything, as the sanitizer builds run it
// engine_tests parallel   only the searches with several threads (for the thread sanitizer)
#include <cstdio>
#include <cstring>

#include "tests/tests.h"

int main(int argc, char** argv) {
  using namespace treewise;
  const bool parallel = argc > 1 && std::strcmp(argv[1], "parallel") == 0;
  int passed = 0, failed = 0;
  const auto run = [&](const char* name, bool ok) {
    std::printf("%s %s\n", ok ? "ok    " : "FAILED", name);
    ++(ok ? passed : failed);
  };
  if (!parallel) {
    run("tree", test_tree());
    run("fast playouts", test_fast_playouts(500));
    run("hex fast playouts", test_hex_fast_playout());
    run("rulesheets", test_gdl(100));
    run("video games", test_vgdl(300));
    run("policies", test_policies(2000));
    run("searches", test_searches(false));
  }
  run("parallel searches", test_searches(true));
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
