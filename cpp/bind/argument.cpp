#include "bind/argument.h"

#include "bind/python_values.h"

namespace treewise {

namespace {

// As a Python int.
nb::object index_of(nb::handle value, const std::string& what, const std::string& advice) {
  nb::object index;
  if (PyIndex_Check(value.ptr())) {
    index = nb::steal(PyNumber_Index(value.ptr()));
    if (!index.is_valid()) forget_type_error();
  }
  if (!index.is_valid())
    throw std::invalid_argument(what + " is a whole number, not " + class_name(value) + "; " + advice);
  return index;
}

}  // namespace

void forget_type_error() {
  if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
  PyErr_Clear();
}

std::optional<std::int64_t> whole_number(nb::handle value, const std::string& what, const std::string& advice) {
  const nb::object index = index_of(value, what, advice);
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow) return std::nullopt;
  return number;
}

int count(nb::handle value, const std::string& what, int most) {
  const std::string advice = "expected 0 to " + std::to_string(most);
  const auto number = whole_number(value, what, advice);
  if (!number || *number < 0 || *number > most)
    throw std::invalid_argument(what + " is " + (number ? std::to_string(*number) : "beyond 64 bits") + ", " + advice);
  return static_cast<int>(*number);
}

std::uint64_t seed_number(nb::handle value) {
  const nb::object index = index_of(value, "a seed", "expected 0 to 2^64 - 1");
  const unsigned long long number = PyLong_AsUnsignedLongLong(index.ptr());
  if (PyErr_Occurred()) {
    PyErr_Clear();
    throw std::invalid_argument("a seed is a whole number from 0 to 2^64 - 1: this one is out of range");
  }
  return number;
}

bool truth(nb::handle value, const std::string& what) {
  if (!PyBool_Check(value.ptr())) throw std::invalid_argument(what + " is True or False, not " + class_name(value));
  return value.is(Py_True);
}

int player_index(nb::handle value) {
  const auto player = whole_number(value, "a player", "players are numbered from 0");
  if (!player || *player != static_cast<int>(*player))
    throw std::invalid_argument("there is no such player; players are numbered from 0");
  return static_cast<int>(*player);
}

int player_of(const Game& game, nb::handle value) {
  const int player = player_index(value);
  if (player < 0 || player >= game.info().num_players)
    throw std::invalid_argument("player " + std::to_string(player) + " given, expected 0 to " +
                                std::to_string(game.info().num_players - 1));
  return player;
}

std::string board_text(nb::handle value) {
  if (!PyUnicode_Check(value.ptr())) throw std::invalid_argument("board: a text is needed, not " + class_name(value));
  const auto text = utf8(value);
  if (!text) throw std::invalid_argument("board: half a surrogate pair, which is no character");
  return *text;
}

}  // namespace treewise
