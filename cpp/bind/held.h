// Objects of the user that C++ holds, and what their methods return, checked. With the lock, but for `Held`.
#pragma once

#include <functional>

#include "bind/bind.h"
#include "bind/interpreter.h"

namespace treewise {

class Held;

// The Python objects that C++ holds for one owner, for Python's garbage collector: it must be told of each exactly
// once.
class References {
 public:
  References() = default;
  ~References();
  References(const References&) = delete;
  References& operator=(const References&) = delete;

  int traverse(visitproc visit, void* arg) const;
  void clear();

 private:
  friend class Held;
  Held* first_ = nullptr;
};

// A Python object that may be released by any thread. With an owner, it is one of its references.
class Held {
 public:
  explicit Held(nb::object object, References* owner = nullptr);
  ~Held();
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  const nb::object& operator*() const { return object_; }
  std::string class_name() const { return nb::cast<std::string>(object_.type().attr("__name__")); }
  References* owner() const { return owner_; }

  void set(nb::object object) { std::swap(object_, object); }
  void give_to(References* owner);
  int traverse(visitproc visit, void* arg) const;
  // It is None from now on.
  void clear() { set(nb::none()); }

 private:
  friend class References;
  void leave_owner();

  nb::object object_;
  References* owner_ = nullptr;
  Held *before_ = nullptr, *after_ = nullptr;  // of the same owner
};

using HeldPointer = std::shared_ptr<const Held>;

// What makes Python's garbage collector see what a bound class holds.
template <class T, auto kTraverse = &T::traverse, auto kClear = &T::clear>
const PyType_Slot* collected() {
  constexpr traverseproc traverse = [](PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    return nb::inst_ready(self) ? std::invoke(kTraverse, *nb::inst_ptr<T>(self), visit, arg) : 0;
  };
  constexpr inquiry clear = [](PyObject* self) {
    if (nb::inst_ready(self)) std::invoke(kClear, *nb::inst_ptr<T>(self));
    return 0;
  };
  static const PyType_Slot slots[] = {
      {Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {Py_tp_clear, reinterpret_cast<void*>(clear)}, {0, nullptr}};
  return slots;
}

// `values` as numbers: exactly `size` of them, finite or (if allowed) infinite.
std::vector<double> numbers(nb::handle values, std::size_t size, const std::string& what, bool infinite = false);

// The length of what a method returned; TypeError by name if it has none.
std::size_t length(nb::handle values, const std::string& what);

// A number as a complaint shows it: 0.5, -1e+308.
std::string shown(double number);

}  // namespace treewise
