#include "bind/held.h"

#include <cmath>
#include <cstdio>

namespace treewise {

std::vector<double> numbers(nb::handle values, std::size_t size, const std::string& what, bool infinite) {
  std::vector<double> out;
  try {
    for (nb::handle item : values) out.push_back(nb::cast<double>(nb::float_(item)));
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
