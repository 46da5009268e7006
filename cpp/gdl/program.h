// A rulesheet without variables, as the grounder hands it over. Atoms are numbers from 1; 0 never holds.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace treewise::gdl {

struct Program {
  std::vector<std::string> roles;
  bool has_chance = false;                        // the last role is no player: it acts at random
  std::vector<std::string> facts;                 // what a state may hold
  std::vector<std::vector<std::string>> actions;  // of each role
  std::vector<int> initial;                       // facts of the initial state
  std::vector<int> truth;                         // of each fact, the atom that rules read
  std::vector<int> next;                          // of each fact, the atom that makes it true in the next state
  std::vector<std::vector<int>> does;             // of each role and action, the atom that rules read
  std::vector<std::vector<int>> legal;            // of each role and action, the atom that says so
  int terminal = 0;
  std::vector<std::vector<std::pair<int, int>>> goals;  // of each role, (value, atom)

  // Rule i: heads[i] holds if all of body[starts[i]] .. body[starts[i + 1] - 1] do; negative: if the atom does not.
  int num_atoms = 0;
  int looks = 0;  // so many of the last atoms are another atom and a fact that are to stay together
  std::vector<int> heads, starts, body;
};

}  // namespace treewise::gdl
