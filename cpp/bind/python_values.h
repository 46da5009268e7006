// What the methods of a state written in Python return, turned into values of the engine and checked. With the GIL.
#pragma once

#include "bind/bind.h"

namespace treewise {

std::string class_name(nb::handle object);

// "TicTacToe.returns(): …", the start of every complaint about the user's code.
[[noreturn]] void complain(nb::handle object, const char* method, const std::string& what);
[[noreturn]] void complain_type(nb::handle object, const char* method, const std::string& what);

std::int64_t to_integer(nb::handle value, nb::handle object, const char* method, const char* what);
Action to_action(nb::handle value, nb::handle object, const char* method);
double to_number(nb::handle value, nb::handle object, const char* method);
// The items of a list, tuple, array or any other iterable: a copy, since what items do to be numbers may change it.
nb::tuple to_sequence(nb::handle value, nb::handle object, const char* method);
void to_actions(nb::handle value, ActionList& out, bool may_be_empty, nb::handle object, const char* method);
// A str as UTF-8. Empty: it has half a surrogate pair, which is no character.
std::optional<std::string> utf8(nb::handle text);
// `method`: "TicTacToe.action_name()".
std::string to_text(nb::handle value, const std::string& method);
void read_scene(nb::handle value, nb::handle object, Scene& out, bool items);

}  // namespace treewise
