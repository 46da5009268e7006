// Ground rules as Python gives them, checked before the engine indexes with them.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <span>
#include <stdexcept>

namespace treewise {

inline void check(bool good, const char* message) {
  if (!good) throw std::invalid_argument(message);
}

inline void check_atoms(std::span<const int> atoms, int num_atoms) {
  check(std::ranges::all_of(atoms, [&](int atom) { return atom >= 0 && atom <= num_atoms; }),
        "an atom is out of range");
}

// Heads, and where each one's body begins; a last entry more says where the last body ends.
inline void check_ground_rules(int num_atoms, std::span<const int> heads, std::span<const int> starts,
                               std::span<const int> body) {
  check(num_atoms >= 0 && num_atoms < (1 << 28), "too many atoms");
  check_atoms(heads, num_atoms);
  check(starts.size() == heads.size() + 1 && starts.front() == 0 && starts.back() == static_cast<int>(body.size()) &&
            std::ranges::is_sorted(starts),
        "the rules' bodies do not fit together");
  for (const int literal : body)
    check(literal != 0 && literal >= -num_atoms && literal <= num_atoms, "an atom is out of range");
}

}  // namespace treewise
