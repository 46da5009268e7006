// Objects of the user that a search holds, and what their methods return, checked. With the GIL, but for `Held`.
#pragma once

#include "bind/bind.h"

namespace treewise {

// A Python object that may be released by any thread.
class Held {
 public:
  explicit Held(nb::object object) : object_(std::move(object)) {}
  ~Held() {
    if (!Py_IsInitialized()) {
      object_.release();  // the interpreter is gone: there is nothing to give back to
      return;
    }
    const nb::gil_scoped_acquire gil;
    object_.reset();
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  const nb::object& operator*() const { return object_; }
  std::string class_name() const { return nb::cast<std::string>(object_.type().attr("__name__")); }

 private:
  nb::object object_;
};

using HeldPointer = std::shared_ptr<const Held>;

// `values` as numbers: exactly `size` of them, finite or (if allowed) infinite.
std::vector<double> numbers(nb::handle values, std::size_t size, const std::string& what, bool infinite = false);

// The length of what a method returned; TypeError by name if it has none.
std::size_t length(nb::handle values, const std::string& what);

// A number as a complaint shows it: 0.5, -1e+308.
std::string shown(double number);

}  // namespace treewise
