// Compiled games as Python makes them: addresses of machine code, a first record, and an object for the
// texts.
#include "game/compiled.h"

#include <cstring>

#include "bind/held.h"
#include "bind/python_values.h"

namespace treewise {

namespace {

nb::bytes to_bytes(RecordBytes record) {
  return nb::bytes(record.data(), record.size());
}

std::vector<std::byte> from_bytes(const nb::bytes& bytes) {
  std::vector<std::byte> out(bytes.size());
  std::memcpy(out.data(), bytes.c_str(), bytes.size());
  return out;
}

// The texts of a compiled game, asked of a Python object with methods of the same names over `bytes`.
class PythonTexts final : public CompiledTexts {
 public:
  PythonTexts(std::string game, nb::object texts) : game_(std::move(game)), texts_(std::move(texts)) {}

  std::string action_name(RecordBytes record, Action action) const override {
    const Locked locked;
    return to_text(ask("action_name", to_bytes(record), action), game_ + ".action_name()");
  }
  std::string draw(RecordBytes record) const override {
    const Locked locked;
    return to_text(ask("draw", to_bytes(record)), game_ + ".draw()");
  }
  std::string observation(RecordBytes record, int player) const override {
    const Locked locked;
    return to_text(ask("observation", to_bytes(record), player), game_ + ".observation()");
  }
  std::vector<std::byte> parse(std::string_view board, int player) const override {
    const Locked locked;
    return from_bytes(nb::cast<nb::bytes>(ask("parse", board, player)));
  }

  int traverse(visitproc visit, void* arg) const { return texts_.traverse(visit, arg); }
  void clear() { texts_.clear(); }

 private:
  template <class... Args>
  nb::object ask(const char* method, Args&&... args) const {
    return in_python([&]() -> nb::object { return (*texts_).attr(method)(std::forward<Args>(args)...); });
  }

  std::string game_;  // its name
  Held texts_;
};

int traverse(const CompiledGame& game, visitproc visit, void* arg) {
  return dynamic_cast<const PythonTexts&>(game.texts()).traverse(visit, arg);
}
// Only the game has its texts, and nobody will ask for them any more.
void clear(CompiledGame& game) {
  const_cast<PythonTexts&>(dynamic_cast<const PythonTexts&>(game.texts())).clear();
}

template <class Function>
Function at(std::uint64_t address) {
  return reinterpret_cast<Function>(address);
}

void add(GameInfo& info, const std::string& name) {
  for (unsigned c = 0; c < kNumCapabilities; ++c)
    if (name == capability_name(static_cast<Capability>(c))) return info.add(static_cast<Capability>(c));
  throw std::invalid_argument("unknown capability '" + name + "'");
}

}  // namespace

void bind_compiled(nb::module_& m) {
  nb::class_<CompiledGame, Game>(m, "CompiledGame", nb::type_slots(collected<CompiledGame, &traverse, &clear>()),
                                 "A game of machine code. The code must live as long as this object: a "
                                 "Python subclass keeps it.")
      .def(
          "__init__",
          [](CompiledGame* self, std::string name, int num_players, double min_utility, double max_utility,
             int max_length, int num_action_ids, bool stable_actions, const std::vector<std::string>& capabilities,
             std::uint64_t ask, std::uint64_t playout, bool hashes, const nb::bytes& initial, int max_actions,
             int max_candidates, int num_features, nb::object texts) {
            GameInfo info{.name = std::move(name),
                          .num_players = num_players,
                          .min_utility = min_utility,
                          .max_utility = max_utility,
                          .num_action_ids = num_action_ids,
                          .max_length = max_length,
                          .stable_actions = stable_actions};
            for (const std::string& name : capabilities) add(info, name);
            auto asked = std::make_unique<PythonTexts>(info.name, std::move(texts));
            const CompiledFunctions functions{.ask = at<decltype(CompiledFunctions::ask)>(ask),
                                              .playout = at<decltype(CompiledFunctions::playout)>(playout),
                                              .hashes = hashes};
            new (self) CompiledGame(std::move(info), functions, from_bytes(initial), max_actions, max_candidates,
                                    num_features, std::move(asked));
          },
          nb::kw_only(), nb::arg("name"), nb::arg("num_players"), nb::arg("min_utility"), nb::arg("max_utility"),
          nb::arg("max_length"), nb::arg("num_action_ids"), nb::arg("stable_actions"), nb::arg("capabilities"),
          nb::arg("ask"), nb::arg("playout"), nb::arg("hashes"), nb::arg("initial"), nb::arg("max_actions"),
          nb::arg("max_candidates"), nb::arg("num_features"), nb::arg("texts"));
  m.def(
      "compiled_record",
      [](const StateHandle& h) {
        const auto* state = dynamic_cast<const CompiledState*>(h.state.get());
        if (!state) throw std::invalid_argument("not a state of a compiled game");
        return to_bytes(state->record());
      },
      nb::arg("state"), "The bytes of a compiled game's state.");
}

}  // namespace treewise
