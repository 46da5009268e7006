#include "bind/held.h"

#include <cmath>
#include <cstdio>

namespace treewise {

References::~References() {
  while (first_) first_->leave_owner();
}

int References::traverse(visitproc visit, void* arg) const {
  for (const Held* held = first_; held; held = held->after_)
    if (const int result = held->traverse(visit, arg)) return result;
  return 0;
}

// What the objects do when they go may change the list.
void References::clear() {
  std::vector<nb::object> gone;
  for (Held* held = first_; held; held = held->after_) gone.push_back(std::exchange(held->object_, nb::none()));
}

Held::Held(nb::object object, References* owner) : object_(std::move(object)) {
  give_to(owner);
}

Held::~Held() {
  if (!nb::is_alive() || !Py_IsInitialized()) {
    (void)object_.release();  // the interpreter is gone: there is nothing to give back to
    return;
  }
  const Locked locked;
  leave_owner();
  in_python([&] { object_.reset(); });
}

void Held::give_to(References* owner) {
  leave_owner();
  owner_ = owner;
  if (!owner) return;
  after_ = owner->first_;
  if (after_) after_->before_ = this;
  owner->first_ = this;
}

void Held::leave_owner() {
  if (!owner_) return;
  (before_ ? before_->after_ : owner_->first_) = after_;
  if (after_) after_->before_ = before_;
  owner_ = nullptr;
  before_ = after_ = nullptr;
}

int Held::traverse(visitproc visit, void* arg) const {
  Py_VISIT(object_.ptr());
  return 0;
}

namespace {

double to_double(nb::handle item) {
  return in_python([&] { return nb::cast<double>(nb::float_(item)); });
}

}  // namespace

std::vector<double> numbers(nb::handle values, std::size_t size, const std::string& what, bool infinite) {
  std::vector<double> out;
  out.reserve(size);
  try {
    // A copy: what an item does to be a number may change the list.
    for (nb::handle item : in_python([&] { return nb::tuple(values); }))
      out.push_back(PyFloat_CheckExact(item.ptr()) ? PyFloat_AS_DOUBLE(item.ptr()) : to_double(item));
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_TypeError)) throw;
    nb::raise_from(error, PyExc_TypeError, "%s must return a list of numbers", what.c_str());
  }
  if (out.size() != size)
    throw std::invalid_argument(what + " returned " + std::to_string(out.size()) + " numbers, expected " +
                                std::to_string(size));
  for (const double x : out) {
    if (std::isnan(x) || (std::isinf(x) && !infinite))
      throw std::invalid_argument(what + " returned " + (std::isnan(x) ? "NaN" : "an infinite number"));
  }
  return out;
}

std::size_t length(nb::handle values, const std::string& what) {
  if (!PySequence_Check(values.ptr()))
    throw nb::type_error(
        (what + " must return a list, not " + nb::cast<std::string>(values.type().attr("__name__"))).c_str());
  return nb::len(values);
}

std::string shown(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

}  // namespace treewise
