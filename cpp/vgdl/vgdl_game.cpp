#include "vgdl/vgdl_game.h"

#include <algorithm>

#include "base/bits.h"
#include "vgdl/view.h"

namespace treewise::vgdl {

namespace {

constexpr double kLargestScore =
    1e6;  // for the bounds of utilities; scores beyond it are possible, though nobody has such rules
constexpr int kActions = 6;
constexpr const char* kActionNames[kActions] = {"nil", "up", "left", "down", "right", "use"};

GameInfo make_info(std::string name, double win_value, int max_length) {
  GameInfo info;
  info.name = std::move(name);
  info.num_players = 1;
  info.max_utility = win_value + kLargestScore;
  info.min_utility = -info.max_utility;
  info.num_action_ids = kActions;
  info.max_length = max_length;
  for (const Capability c : {Capability::kHash, Capability::kRewards, Capability::kDice, Capability::kScore,
                             Capability::kFeatures, Capability::kOwnMoves, Capability::kScene})
    info.add(c);
  return info;
}

}  // namespace

VgdlGame::VgdlGame(Program program, std::string name, double win_value, int max_length, bool java_random)
    : program_(std::move(program)),
      win_value_(win_value),
      java_random_(java_random),
      info_(make_info(std::move(name), win_value, max_length)),
      tables_(program_),
      features_(program_, tables_),
      start_(tables_) {
  start_.head().dice = Dice(0, java_random);
  Machine(tables_, start_).set_up();
}

std::unique_ptr<State> VgdlGame::initial_state() const {
  return std::make_unique<VgdlState>(*this);
}

std::unique_ptr<State> VgdlGame::parse_state(std::string_view, int) const {
  throw std::invalid_argument(info_.name + " has no text form of positions");
}

VgdlState::VgdlState(const VgdlGame& game) : game_(&game), block_(game.start()) {
  if (game.tables().options.shared_pull) shared_pull_ = std::make_shared<SharedPull>();
}

void VgdlState::assign(const State& other) {
  const auto& from = static_cast<const VgdlState&>(other);
  block_ = from.block_;
  if (shared_pull_ != from.shared_pull_) shared_pull_ = from.shared_pull_;
  advanced_ = false;
  events_.reset();
}

void VgdlState::legal_actions(ActionList& out) const {
  out.clear();
  if (is_terminal()) return;
  for (const int action : game_->tables().actions) out.push_back(action);
}

void VgdlState::apply(Action action) {
  machine().tick(action);
  advanced_ = true;
}

void VgdlState::own_moves(std::span<const Action> actions, std::span<double> features, FeatureChanges& out) const {
  Machine looking(game_->tables(), const_cast<Block&>(block_));  // changes nothing
  const std::span<const OwnMove> moves = looking.own_moves(actions);
  game_->features().change(block_, shows_hidden(), moves, features, out);
}

int VgdlState::playout(Rng& rng, int max_length, Trace* trace) {
  Machine m = machine();
  const std::vector<int>& actions = game_->tables().actions;
  const auto n = static_cast<std::uint32_t>(actions.size());
  int length = 0;
  for (; length < max_length && !is_terminal(); ++length) {
    const Action action = actions[rng.below(n)];
    if (trace) trace->push_back({action, 0});
    m.tick(action);
  }
  advanced_ |= length > 0;
  return length;
}

std::string VgdlState::action_name(Action action) const {
  return action >= 0 && action < kActions ? kActionNames[action] : "nil";
}

std::string VgdlState::draw() const {
  return draw_grid(game_->program(), game_->tables(), block_);
}

void VgdlState::rewards(Values& out) const {
  const Head& head = block_.head();
  out[0] = static_cast<double>(head.gained) + (head.ended_now ? outcome() * game_->win_value() : 0.0);
}

std::uint64_t VgdlState::hash() const {
  const Tables& tables = game_->tables();
  const Head& head = block_.head();
  std::uint64_t h = mix(static_cast<std::uint64_t>(head.tick), static_cast<std::uint64_t>(head.score));
  h = mix(h, static_cast<std::uint64_t>(head.winner + 1));
  const std::uint64_t* words = block_.words(tables.types.size());
  for (std::size_t i = 0; i < tables.state_words; ++i) h = mix(h, words[i]);
  const auto pack = [](std::int32_t a, std::int32_t b) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32 | static_cast<std::uint32_t>(b);
  };
  for (int type = 0; type < static_cast<int>(tables.types.size()); ++type) {
    h = mix(h, block_.list(type).size);
    const Sprite* sprites = block_.sprites(type);
    const int numbers = tables.numbers(type);
    for (std::uint32_t i = 0; i < block_.list(type).size; ++i) {
      const Sprite& s = sprites[i];
      h = mix(h, pack(s.x, s.y));
      h = mix(h, pack(s.last_move << 16 | s.previous << 8 | (s.flags & (kFirstTick | kDead | kFromAvatar)),
                      (s.dx + 1) << 2 | (s.dy + 1)));
      h = mix(h, pack(s.age, s.made));
      for (int k = 0; k < numbers; ++k) h = mix(h, static_cast<std::uint64_t>(block_.fill(type, i, numbers)[k]));
    }
  }
  return h;
}

void VgdlState::record_events() {
  if (!events_) events_ = std::make_unique<std::vector<Event>>();
}

}  // namespace treewise::vgdl
