// The interpreter's lock as the engine's threads take and leave it, also when the interpreter leaves or the process
// forks meanwhile. Use these in place of nanobind's: a thread that wants the lock when the interpreter is gone would
// be ended in the midst of the engine's frames.
#pragma once

#include <nanobind/nanobind.h>

#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

namespace treewise {

// Where a thread stays that the interpreter would end: it sleeps until the process does.
[[noreturn]] void stay();

// Runs `call`, which may run Python code and so may lose the lock in between and never get it again.
template <class Call>
decltype(auto) in_python(Call&& call) {
#ifdef __GLIBCXX__
  try {
    return call();
  } catch (const abi::__forced_unwind&) {  // by which Python 3.13 and older end a thread
    stay();
  }
#else
  return call();
#endif
}

// Has the lock; may be nested.
class Locked {
 public:
  Locked();
  ~Locked();
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  PyGILState_STATE before_{};
};

// Does without the lock, for work on what no Python code can reach: copies that were made under it.
class Unlocked {
 public:
  Unlocked();
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  int layers_;
  PyThreadState* thread_;
};

// Whether the work of this thread is to end, since the interpreter is leaving and does not wait for it. At the latest
// where such a thread would take the lock again, it stays where it is.
bool is_leaving();
void stay_if_leaving();

// Registers what is to be done before the interpreter leaves and around forks.
void bind_interpreter();

}  // namespace treewise
