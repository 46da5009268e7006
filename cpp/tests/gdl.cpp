// Random rulesheets: circuits against plain evaluation of the rules, followed as changes come and in order. Python,
// too, compares circuits with slower reasoners, but here the sanitizers look on.
#include "gdl/gdl_game.h"

#include <cstdio>

#include "tests/tests.h"

namespace treewise {

namespace {

using namespace gdl;

constexpr int kRoles = 2, kActions = 6, kPlain = 12, kSteps = 8;

// A game that lasts eight steps. Atoms stand in blocks: a rule may ask for what its own block or a lower one holds, and
// for the absence of what a lower one holds. Each role's first action is always legal.
struct RandomSheet {
  Program program;
  std::vector<int> block_ends;  // the atom behind each block of rules
  Rng rng;

  explicit RandomSheet(std::uint64_t seed) : rng(seed) {
    program.roles = {"x", "y"};
    const int always = atom();
    rule(always, {});
    std::vector<int> pool = add_facts();
    add_blocks(pool);
    const std::vector<int> seen = pool;
    for (int role = 0; role < kRoles; ++role) {
      program.actions.emplace_back(kActions, "go");
      auto& legal = program.legal.emplace_back(1, always);
      while (legal.size() < kActions) legal.push_back(one_of(seen));
      program.goals.push_back({{100, one_of(seen)}, {50, one_of(seen)}, {0, always}});
      auto& does = program.does.emplace_back();
      for (int i = 0; i < kActions; ++i) does.push_back(atom());
      pool.insert(pool.end(), does.begin(), does.end());
    }
    add_blocks(pool);
    for (std::size_t fact = 0; fact < kPlain; ++fact) program.next[fact] = one_of(pool);
    program.starts.push_back(static_cast<int>(program.body.size()));
    block_ends.push_back(program.num_atoms + 1);
  }

  int atom() { return ++program.num_atoms; }
  int one_of(const std::vector<int>& pool) { return pool[rng.below(static_cast<std::uint32_t>(pool.size()))]; }
  void rule(int head, const std::vector<int>& body) {
    program.heads.push_back(head);
    program.starts.push_back(static_cast<int>(program.body.size()));
    program.body.insert(program.body.end(), body.begin(), body.end());
  }

  std::vector<int> add_facts() {
    for (int i = 0; i < kPlain + kSteps; ++i) {
      program.facts.push_back("f" + std::to_string(i));
      program.truth.push_back(atom());
      if (i < kPlain ? rng.below(2) == 0 : i == kPlain) program.initial.push_back(i);
      program.next.push_back(i > kPlain ? program.truth[static_cast<std::size_t>(i) - 1] : 0);
    }
    program.terminal = program.truth.back();
    return program.truth;
  }

  void add_blocks(std::vector<int>& pool) {
    for (int block = 0; block < 4; ++block) {
      block_ends.push_back(program.num_atoms + 1);
      std::vector<int> own;
      for (int i = 0; i < 4; ++i) own.push_back(atom());
      for (int i = 0; i < 10; ++i) {
        std::vector<int> body;
        for (std::uint32_t n = rng.below(3); n > 0; --n) body.push_back(one_of(pool) * (rng.below(3) == 0 ? -1 : 1));
        if (body.empty() || rng.below(2) == 0) body.push_back(one_of(own));
        rule(one_of(own), body);
      }
      pool.insert(pool.end(), own.begin(), own.end());
    }
  }

  // Of each atom, whether it holds where some atoms of facts and actions do.
  std::vector<bool> evaluate(const std::vector<int>& given) const {
    std::vector<bool> holds(static_cast<std::size_t>(program.num_atoms) + 1, false);
    for (const int a : given) holds[static_cast<std::size_t>(a)] = true;
    for (const int end : block_ends)
      for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < program.heads.size(); ++i) {
          const auto head = static_cast<std::size_t>(program.heads[i]);
          if (program.heads[i] >= end || holds[head] || !applies(i, holds)) continue;
          holds[head] = changed = true;
        }
      }
    return holds;
  }

  bool applies(std::size_t rule, const std::vector<bool>& holds) const {
    for (int b = program.starts[rule]; b < program.starts[rule + 1]; ++b) {
      const int literal = program.body[static_cast<std::size_t>(b)];
      if (holds[static_cast<std::size_t>(std::abs(literal))] != (literal > 0)) return false;
    }
    return true;
  }

  std::vector<int> facts_of(std::span<const std::uint64_t> state) const {
    std::vector<int> given;
    for (std::size_t f = 0; f < program.truth.size(); ++f)
      if ((state[f / 64] >> (f % 64)) & 1) given.push_back(program.truth[f]);
    return given;
  }
};

// Whether a net's answers are those of the rules.
bool answers(const RandomSheet& sheet, Net& net) {
  const std::vector<bool> holds = sheet.evaluate(sheet.facts_of(net.state()));
  const auto on = [&](int atom) { return static_cast<bool>(holds[static_cast<std::size_t>(atom)]); };
  if (net.terminal() != on(sheet.program.terminal)) return false;
  for (int role = 0; role < kRoles; ++role) {
    const auto r = static_cast<std::size_t>(role);
    ActionList legal;
    net.legal(role, legal);
    int expected = 0, goal = -1;
    for (std::size_t i = 0; i < kActions; ++i) {
      if (!on(sheet.program.legal[r][i])) continue;
      ++expected;
      if (!std::ranges::count(legal, role * kActions + static_cast<int>(i))) return false;
    }
    for (const auto& [value, atom] : sheet.program.goals[r])
      if (on(atom)) goal = std::max(goal, value);
    if (legal.size() != expected || net.num_legal(role) != expected || net.goal(role) != goal) return false;
  }
  return true;
}

std::vector<std::uint64_t> expected_after(const RandomSheet& sheet, const Net& net, std::span<const Action> joint) {
  std::vector<int> given = sheet.facts_of(net.state());
  for (const Action action : joint)
    given.push_back(
        sheet.program.does[static_cast<std::size_t>(action / kActions)][static_cast<std::size_t>(action % kActions)]);
  const std::vector<bool> holds = sheet.evaluate(given);
  std::vector<std::uint64_t> state(net.state().size(), 0);
  for (std::size_t f = 0; f < sheet.program.next.size(); ++f)
    if (holds[static_cast<std::size_t>(sheet.program.next[f])]) state[f / 64] |= bit(static_cast<int>(f % 64));
  return state;
}

// Random steps, and jumps back to states that were met before.
bool net_is_right(const RandomSheet& sheet, Net net, Rng rng) {
  std::vector<std::vector<std::uint64_t>> met{make_circuit(sheet.program).initial};
  for (int step = 0; step < 40; ++step) {
    if (step == 0 || net.terminal() || rng.below(5) == 0)
      net.move_to(met[rng.below(static_cast<std::uint32_t>(met.size()))]);
    if (!answers(sheet, net)) return false;
    met.emplace_back(net.state().begin(), net.state().end());
    if (net.terminal()) continue;
    Action joint[kRoles];
    for (int role = 0; role < kRoles; ++role)
      joint[role] = net.nth_legal(role, static_cast<int>(rng.below(static_cast<std::uint32_t>(net.num_legal(role)))));
    const std::vector<std::uint64_t> expected = expected_after(sheet, net, joint);
    net.step(joint);
    if (!std::ranges::equal(net.state(), expected)) return false;
  }
  return true;
}

}  // namespace

bool test_gdl(int sheets) {
  bool ok = true;
  for (int seed = 0; seed < sheets; ++seed) {
    const RandomSheet sheet(static_cast<std::uint64_t>(seed));
    const Circuit circuit = make_circuit(sheet.program);
    for (const std::size_t patience : {100000, 0, 3, 10}) {
      if (net_is_right(sheet, Net(circuit, patience), sheet.rng)) continue;
      std::fprintf(stderr, "random rulesheet %d, patience %zu: wrong\n", seed, patience);
      ok = false;
    }
  }
  return ok;
}

std::vector<std::shared_ptr<const Game>> gdl_games() {
  std::vector<std::shared_ptr<const Game>> games;
  for (const bool sequential : {false, true})
    games.push_back(
        std::make_shared<GdlGame>(RandomSheet(1).program, sequential ? "gdl in turns" : "gdl", 100, sequential));
  return games;
}

}  // namespace treewise
