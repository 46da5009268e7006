// Lists of Python as vectors. nanobind's own caster reads the items where a list keeps them; but what an item does to
// be a number (`__index__`, `__float__`) may change the list. So lists are copied to tuples first, those in them, too.
// In place of <nanobind/stl/vector.h>, which must not be included beside it.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/detail/nb_list.h>

#include <vector>

namespace treewise {

// Not valid, with Python's error set, where there is no memory for the copy.
inline nanobind::object frozen(nanobind::handle given) {
  namespace nb = nanobind;
  if (!PyList_CheckExact(given.ptr())) return nb::borrow(given);
  nb::object copy = nb::steal(PyList_AsTuple(given.ptr()));
  for (Py_ssize_t i = 0; copy.is_valid() && i < PyTuple_GET_SIZE(copy.ptr()); ++i) {
    const nb::handle item = PyTuple_GET_ITEM(copy.ptr(), i);
    if (!PyList_CheckExact(item.ptr())) continue;
    PyObject* const inner = frozen(item).release().ptr();
    if (!inner) return {};
    PyTuple_SET_ITEM(copy.ptr(), i, inner);  // nobody else has seen the copy
    Py_DECREF(item.ptr());
  }
  return copy;
}

}  // namespace treewise

namespace nanobind::detail {

template <class Type, class Alloc>
struct type_caster<std::vector<Type, Alloc>> : list_caster<std::vector<Type, Alloc>, Type> {
  template <class Flags>
  bool from_python(handle given, Flags flags, cleanup_list* cleanup) noexcept {
    const object items = treewise::frozen(given);
    if (!items.is_valid()) PyErr_Clear();
    return items.is_valid() && list_caster<std::vector<Type, Alloc>, Type>::from_python(items, flags, cleanup);
  }
};

}  // namespace nanobind::detail
