// Rules with variables in, rules without out: numbers both ways, which Python gives names.
#include "bind/bind.h"
#include "bind/ground_rules.h"
#include "bind/interpreter.h"
#include "gdl/grounding/context.h"
#include "gdl/grounding/instances.h"
#include "gdl/grounding/reach.h"

namespace treewise {

namespace {

// 32-bit numbers as bytes.
nb::bytes packed(const std::vector<int>& numbers) {
  return nb::bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(int));
}

std::span<const int> unpacked(const nb::bytes& bytes) {
  check(bytes.size() % sizeof(int) == 0, "numbers of 32 bits are expected");
  return {reinterpret_cast<const int*>(bytes.c_str()), bytes.size() / sizeof(int)};
}

// Everything that merging and looking index with.
void check_program(std::size_t num_atoms, std::span<const int> heads, std::span<const int> starts,
                   std::span<const int> body, std::span<const int> outputs) {
  check(num_atoms < (1 << 28), "too many atoms");
  const int most = static_cast<int>(num_atoms);
  check_ground_rules(most, heads, starts, body);
  for (const int output : outputs) check(output <= most, "an atom is out of range");
}

// Behind each other: the name of each, the number of arguments, and these.
void append(std::vector<int>& out, std::uint32_t name, std::span<const gdl::TermId> args) {
  out.push_back(static_cast<int>(name));
  out.push_back(static_cast<int>(args.size()));
  for (const gdl::TermId arg : args) out.push_back(static_cast<int>(arg));
}

struct Ground {
  std::vector<int> heads, starts, body, shown, terms;
  std::size_t num_atoms = 0;
};

Ground ground(const std::vector<int>& numbers, const std::vector<int>& predicates, gdl::Budget& budget) {
  gdl::TermTable terms;
  gdl::RuleSet rules;
  for (const int flags : predicates)
    rules.predicates.push_back({.given = (flags & 1) != 0, .guard = (flags & 2) != 0, .shown = (flags & 4) != 0});
  rules.rules = gdl::read_rules(numbers, predicates.size(), terms);
  gdl::Atoms atoms(predicates.size());
  gdl::Reach(rules, atoms, terms, budget).run();
  gdl::Instances instances(rules, atoms, terms, budget);
  Ground found;
  auto shown = instances.run();
  std::vector<int*> outputs;
  for (auto& [atom, stands] : shown) outputs.push_back(&stands);
  gdl::Simplifier& result = instances.result();
  found.num_atoms = static_cast<std::size_t>(result.finish(outputs));
  for (const auto& [atom, stands] : shown) {
    found.shown.push_back(stands);
    append(found.shown, atoms.predicate(atom), atoms.args(atom));
  }
  for (gdl::TermId term = 1; term <= terms.size(); ++term) append(found.terms, terms.name(term), terms.args(term));
  found.heads = std::move(result.heads);
  found.starts = std::move(result.starts);
  found.body = std::move(result.body);
  return found;
}

}  // namespace

void bind_grounding(nb::module_& m) {
  nb::exception<gdl::OverBudget>(m, "OverBudget", PyExc_RuntimeError);
  nb::class_<gdl::Budget>(m, "GroundBudget", "What grounding may cost from now on; OverBudget names the limit reached.")
      .def(nb::init<double, std::size_t, std::size_t>(), nb::arg("seconds"), nb::arg("bytes"), nb::arg("rules"))
      .def("look", &gdl::Budget::look, "Raises OverBudget if the time or the memory is used up.");
  m.def("process_bytes", &gdl::process_bytes, "Memory that this process holds; 0 where the system does not say.");
  m.def(
      "gdl_ground",
      [](const std::vector<int>& rules, const std::vector<int>& predicates, gdl::Budget& budget) {
        Ground found;
        {
          const Unlocked unlocked;
          found = ground(rules, predicates, budget);
        }
        return nb::make_tuple(packed(found.heads), packed(found.starts), packed(found.body), packed(found.shown),
                              packed(found.terms), found.num_atoms);
      },
      nb::arg("rules"), nb::arg("predicates"), nb::arg("budget"),
      "The ground rules of a rulesheet that is given in numbers: heads, starts and body, shown atoms, terms, and how "
      "many atoms there are.");
  m.def(
      "gdl_merge",
      [](std::size_t num_atoms, const nb::bytes& heads, const nb::bytes& starts, const nb::bytes& body,
         std::vector<int> outputs, gdl::Budget& budget) {
        gdl::Merged merged;
        {
          const auto h = unpacked(heads), s = unpacked(starts), b = unpacked(body);
          check_program(num_atoms, h, s, b, outputs);
          const Unlocked unlocked;
          merged = gdl::merge_rules(num_atoms, h, s, b, outputs, budget);
        }
        return nb::make_tuple(packed(merged.heads), packed(merged.starts), packed(merged.body), outputs);
      },
      nb::arg("num_atoms"), nb::arg("heads"), nb::arg("starts"), nb::arg("body"), nb::arg("outputs"), nb::arg("budget"),
      "The rules with one atom for those that are always the same, and the atoms for some outputs.");
  m.def(
      "gdl_keep_still",
      [](std::size_t num_atoms, const nb::bytes& heads, const nb::bytes& starts, const nb::bytes& body,
         const std::vector<int>& outputs, const std::vector<int>& facts, std::size_t share, gdl::Budget& budget) {
        gdl::Still still;
        {
          const auto h = unpacked(heads), s = unpacked(starts), b = unpacked(body);
          check_program(num_atoms, h, s, b, outputs);
          check_atoms(facts, static_cast<int>(num_atoms));
          const Unlocked unlocked;
          still = gdl::keep_still(num_atoms, h, s, b, outputs, facts, share, budget);
        }
        return nb::make_tuple(packed(still.heads), packed(still.starts), packed(still.body), still.num_atoms);
      },
      nb::arg("num_atoms"), nb::arg("heads"), nb::arg("starts"), nb::arg("body"), nb::arg("outputs"), nb::arg("facts"),
      nb::arg("share"), nb::arg("budget"),
      "The rules with atoms that matter only while a fact holds false without it.");
}

}  // namespace treewise
