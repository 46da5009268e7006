#include "bind/interpreter.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

#include "bind/bind.h"

namespace treewise {

namespace {

using namespace std::chrono_literals;

// At exit nobody waits longer than this for Python code that other threads run.
constexpr auto kPatience = 2s;

std::atomic<bool> leaving = false;
std::atomic<std::thread::id> leaver;          // who tears the interpreter down
std::atomic<int> unlocked = 0;                // threads at work without the lock that had it before
thread_local constinit int own_unlocked = 0;  // of them, this one, in as many layers

// Who gives a thread its place in the interpreter holds this: Python has a lock of its own for that, and in the child
// of a fork nobody would open it again. Never destroyed, since threads may come until the very end.
std::mutex& births() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

// The place in the interpreter of a thread that the engine has made; kept until the thread ends.
struct Place {
  bool taken = false;

  Place() {
    if (PyGILState_GetThisThreadState() != nullptr) return;  // a thread of Python's own
    const std::lock_guard lock(births());
    in_python([] { return PyGILState_Ensure(); });
    PyEval_SaveThread();
    taken = true;
  }
  ~Place();
};

thread_local constinit bool has_place = false;
thread_local constinit int layers = 0;  // of `Locked`s, with no `Unlocked` in between

bool is_finalizing() {
#if PY_VERSION_HEX >= 0x030d0000
  return Py_IsFinalizing() != 0;
#else
  return _Py_IsFinalizing() != 0;
#endif
}

// Nobody would answer a thread that asks for the lock now.
bool is_too_late() {
  return is_finalizing() && std::this_thread::get_id() != leaver.load();
}

Place::~Place() {
  if (!taken || is_too_late()) return;
  in_python([] { return PyGILState_Ensure(); });
  PyGILState_Release(PyGILState_LOCKED);
  PyGILState_Release(PyGILState_UNLOCKED);
}

void take_place() {
  thread_local const Place own;
  has_place = true;
}

void end_work() {
  unlocked -= std::exchange(own_unlocked, 0);
}

// At exit, while other threads still can run: searches that nobody waits for end.
void leave() {
  leaver = std::this_thread::get_id();
  leaving = true;
  const nb::gil_scoped_release released;
  for (auto waited = 0ms; unlocked > own_unlocked && waited < kPatience; waited += 1ms)
    std::this_thread::sleep_for(1ms);
}

void before_fork() {
  const nb::gil_scoped_release released;
  births().lock();
}
void after_fork() {
  births().unlock();
}
// All other threads are gone.
void after_fork_in_child() {
  unlocked = own_unlocked;
  after_fork();
}

}  // namespace

void stay() {
  for (;;) std::this_thread::sleep_for(1h);
}

bool is_leaving() {
  return leaving.load(std::memory_order_relaxed) && std::this_thread::get_id() != leaver.load();
}

void stay_if_leaving() {
  if (!is_leaving()) return;
  end_work();
  stay();
}

Locked::Locked() {
  if (layers++ > 0) return;
  if (is_too_late()) stay();
  if (!has_place) take_place();
  before_ = in_python([] { return PyGILState_Ensure(); });
}

Locked::~Locked() {
  if (--layers == 0) PyGILState_Release(before_);
}

Unlocked::Unlocked() : layers_(std::exchange(layers, 0)) {
  ++own_unlocked;
  ++unlocked;
  thread_ = PyEval_SaveThread();
}

Unlocked::~Unlocked() {
  stay_if_leaving();
  if (is_too_late()) stay();
  in_python([&] { PyEval_RestoreThread(thread_); });
  layers = layers_;
  --own_unlocked;
  --unlocked;
}

void bind_interpreter() {
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&leave));
  nb::module_::import_("os").attr("register_at_fork")(
      nb::arg("before") = nb::cpp_function(&before_fork), nb::arg("after_in_parent") = nb::cpp_function(&after_fork),
      nb::arg("after_in_child") = nb::cpp_function(&after_fork_in_child));
}

}  // namespace treewise
