// Copies of columns as NumPy arrays.
#pragma once

#include <nanobind/ndarray.h>

#include <span>

#include "bind/bind.h"

namespace treewise {

template <class T>
nb::ndarray<nb::numpy, T> to_array(std::span<const T> values, std::vector<std::size_t> shape = {}) {
  auto* copy = new T[values.size() ? values.size() : 1];
  std::copy(values.begin(), values.end(), copy);
  nb::capsule owner(copy, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  if (shape.empty()) shape = {values.size()};
  return nb::ndarray<nb::numpy, T>(copy, shape.size(), shape.data(), owner);
}

}  // namespace treewise
