#include "bind/python_values.h"

#include <cmath>
#include <limits>

#include "bind/interpreter.h"

namespace treewise {

std::string class_name(nb::handle object) {
  return nb::cast<std::string>(object.type().attr("__name__"));
}

void complain(nb::handle object, const char* method, const std::string& what) {
  throw std::invalid_argument(class_name(object) + "." + method + "(): " + what);
}
void complain_type(nb::handle object, const char* method, const std::string& what) {
  throw nb::type_error((class_name(object) + "." + method + "(): " + what).c_str());
}

std::int64_t to_integer(nb::handle value, nb::handle object, const char* method, const char* what) {
  if (!PyIndex_Check(value.ptr()))
    complain_type(object, method, std::string(what) + " must be a whole number, not " + class_name(value));
  const nb::object index = nb::steal(in_python([&] { return PyNumber_Index(value.ptr()); }));
  if (!index.is_valid()) throw nb::python_error();
  int overflow = 0;
  const long long result = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow != 0) complain(object, method, std::string(what) + " is out of range");
  return result;
}

Action to_action(nb::handle value, nb::handle object, const char* method) {
  const std::int64_t action = to_integer(value, object, method, "an action");
  if (action < 0 || action > std::numeric_limits<Action>::max())
    complain(object, method,
             "action " + std::to_string(action) + " is out of range; actions are numbers from 0 to 2^31 - 1");
  return static_cast<Action>(action);
}

double to_number(nb::handle value, nb::handle object, const char* method) {
  const double number = in_python([&] { return PyFloat_AsDouble(value.ptr()); });
  if (number == -1.0 && PyErr_Occurred()) {
    const bool too_large = PyErr_ExceptionMatches(PyExc_OverflowError);
    if (!too_large && !PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
    PyErr_Clear();
    if (too_large) complain(object, method, "a number that is too large");
    complain_type(object, method, "expected a number, got " + class_name(value));
  }
  if (!std::isfinite(number)) complain(object, method, "a number that is not finite");
  return number;
}

nb::tuple to_sequence(nb::handle value, nb::handle object, const char* method) {
  PyObject* const items = in_python([&] { return PySequence_Tuple(value.ptr()); });
  if (items) return nb::steal<nb::tuple>(items);
  if (!PyErr_ExceptionMatches(PyExc_TypeError) || PyObject_HasAttrString(value.ptr(), "__iter__"))
    throw nb::python_error();
  PyErr_Clear();
  complain_type(object, method, "expected a list, got " + class_name(value));
}

void to_actions(nb::handle value, ActionList& out, bool may_be_empty, nb::handle object, const char* method) {
  const nb::tuple items = to_sequence(value, object, method);
  out.clear();
  if (items.size() == 0 && !may_be_empty) complain(object, method, "no action in a state that is not terminal");
  for (const nb::handle item : items) out.push_back(to_action(item, object, method));
}

std::optional<std::string> utf8(nb::handle text) {
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes) return std::string(bytes, static_cast<std::size_t>(size));
  if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) throw nb::python_error();
  PyErr_Clear();
  return std::nullopt;
}

std::string to_text(nb::handle value, const std::string& method) {
  if (!PyUnicode_Check(value.ptr()))
    throw nb::type_error((method + ": expected a str, got " + class_name(value)).c_str());
  const auto text = utf8(value);
  if (!text) throw std::invalid_argument(method + ": a text with half a surrogate pair, which is no character");
  return *text;
}

namespace {

// The tuple that `scene()` returns, read with everything checked.
class SceneReader {
 public:
  explicit SceneReader(nb::handle object) : object_(object) {}

  void read(nb::handle value, Scene& out, bool items) const {
    const auto [shape, body, met, struck, seen] = parts<5>(value, "(shape, body, met, struck, items)");
    const auto [width, height, kinds] = parts<3>(shape, "shape as (width, height, kinds)");
    out.width = below(width, kMost + 1, "the width");
    out.height = below(height, kMost / std::max(out.width, 1) + 1, "the height");
    out.kinds = below(kinds, kMost + 1, "the number of kinds");
    out.body = -1;
    out.form = 0;
    if (!body.is_none()) {
      const auto [cell, form] = parts<2>(body, "body as (cell, form), or None");
      out.body = below(cell, out.num_cells(), "the body's cell");
      out.form = static_cast<std::uint64_t>(to_integer(form, object_, kMethod, "the form"));
    }
    read_kinds(met, out.kinds, out.met);
    read_kinds(struck, out.kinds, out.struck);
    if (!items) return;
    out.items.clear();
    each(seen, [&](nb::handle item) {
      const auto [cell, kind] = parts<2>(item, "items as (cell, kind)");
      out.items.push_back({below(cell, out.num_cells(), "an item's cell"), below(kind, out.kinds, "an item's kind")});
    });
  }

 private:
  static constexpr const char* kMethod = "scene";
  static constexpr int kMost = 1 << 16;

  template <std::size_t N>
  std::array<nb::object, N> parts(nb::handle value, const char* expected) const {
    const nb::tuple items = to_sequence(value, object_, kMethod);
    if (items.size() != N) complain(object_, kMethod, std::string("expected ") + expected);
    std::array<nb::object, N> out;
    for (std::size_t i = 0; i < N; ++i) out[i] = nb::borrow(items[i]);
    return out;
  }
  int below(nb::handle value, int end, const char* what) const {
    const std::int64_t number = to_integer(value, object_, kMethod, what);
    if (number < 0 || number >= end)
      complain(object_, kMethod,
               std::string(what) + " is " + std::to_string(number) + ", expected 0 to " + std::to_string(end - 1));
    return static_cast<int>(number);
  }
  template <class See>
  void each(nb::handle value, See see) const {
    for (const nb::handle item : to_sequence(value, object_, kMethod)) see(item);
  }
  void read_kinds(nb::handle value, int kinds, std::vector<int>& out) const {
    out.clear();
    each(value, [&](nb::handle kind) { out.push_back(below(kind, kinds, "a kind")); });
  }

  nb::handle object_;
};

}  // namespace

void read_scene(nb::handle value, nb::handle object, Scene& out, bool items) {
  SceneReader(object).read(value, out, items);
}

}  // namespace treewise
