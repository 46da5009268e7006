#include "game/compiled.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/bits.h"

namespace treewise {

namespace {

// The generator as compiled code sees it: one word.
std::uint64_t* word_of(Rng& rng) {
  static_assert(std::is_standard_layout_v<Rng> && sizeof(Rng) == sizeof(std::uint64_t));
  return reinterpret_cast<std::uint64_t*>(&rng);
}

std::string what_happened(std::int64_t status, const CompiledGame& game) {
  switch (status) {
    case kRaised:
      return "raised an exception (an index out of range, perhaps); play the same actions on the game's "
             "`twin` to see which";
    case kNoActions:
      return "found no legal action in a state that is not terminal";
    case kTooMany:
      return "listed a negative number of actions or more than fit: max_actions is " +
             std::to_string(game.max_actions()) + ", max_candidates " + std::to_string(game.max_candidates());
    case kBadAction:
      return "gave a negative action; actions are numbers from 0";
    case kBadChance:
      return "gave probabilities that are negative or do not sum to 1";
    case kBadPlayer:
      return "gave a player out of range, or CHANCE or SIMULTANEOUS in a game without the functions for it";
    case kBadNumber:
      return "gave a number that is not finite";
    default:
      return "returned " + std::to_string(status);
  }
}

[[noreturn]] void fail(std::int64_t status, const char* function, const CompiledGame& game) {
  throw std::runtime_error("compiled game '" + game.info().name + "': " + function + " " +
                           what_happened(status, game));
}

}  // namespace

CompiledGame::CompiledGame(GameInfo info, CompiledFunctions functions, std::vector<std::byte> initial,
                           int max_actions, int max_candidates, std::unique_ptr<const CompiledTexts> texts)
    : info_(std::move(info)),
      functions_(functions),
      initial_(std::move(initial)),
      max_actions_(static_cast<std::size_t>(max_actions)),
      max_candidates_(static_cast<std::size_t>(max_candidates)),
      texts_(std::move(texts)) {
  const CompiledFunctions& f = functions_;
  if (!f.current_player || !f.is_terminal || !f.legal_actions || !f.apply || !f.returns || !f.playout ||
      !f.traced_playout || !texts_)
    throw std::invalid_argument("compiled game: an obligatory function is missing");
  if (max_actions < 1 || max_candidates < 1 || initial_.empty() || initial_.size() % 8 != 0)
    throw std::invalid_argument("compiled game: max_actions and the record's size must be positive");
  if (info_.num_players < 1 || info_.num_players > kMaxPlayers)
    throw std::invalid_argument("compiled game: num_players must be between 1 and " +
                                std::to_string(kMaxPlayers));
  info_.add(Capability::kHash);
  if (f.chance_probabilities) info_.add(Capability::kChance);
  if (f.legal_actions_of && f.apply_joint) info_.add(Capability::kSimultaneous);
  if (f.rewards) info_.add(Capability::kRewards);
  if (f.resample) info_.add(Capability::kHidden);
  if (f.quality) info_.add(Capability::kQuality);
  if (f.playout_candidates) info_.add(Capability::kPolicy);
  if (f.winning_actions) info_.add(Capability::kWinning);
}

std::unique_ptr<State> CompiledGame::initial_state() const {
  return std::make_unique<CompiledState>(*this, initial_);
}

std::unique_ptr<State> CompiledGame::parse_state(std::string_view board, int player) const {
  if (!info_.has(Capability::kParse))
    throw std::invalid_argument(info_.name + " has no text form of positions");
  const std::vector<std::byte> record = texts_->parse(board, player);
  if (record.size() != initial_.size()) throw std::invalid_argument("parse: record of a wrong size");
  return std::make_unique<CompiledState>(*this, record);
}

CompiledState::CompiledState(const CompiledGame& game, RecordBytes record) : game_(&game) {
  if (record.size() > kInline) heap_ = std::make_unique_for_overwrite<std::byte[]>(record.size());
  std::memcpy(data(), record.data(), record.size());
}

std::unique_ptr<State> CompiledState::clone() const {
  return std::make_unique<CompiledState>(*game_, record());
}

void CompiledState::assign(const State& other) {
  std::memcpy(data(), static_cast<const CompiledState&>(other).data(), game_->record_size());
}

std::int64_t CompiledState::checked(std::int64_t result, const char* function) const {
  if (result <= kRaised) [[unlikely]]
    fail(result, function, *game_);
  return result;
}

void CompiledState::fill(ActionList& out, std::int64_t count, std::size_t room, bool may_be_empty,
                         const char* function) const {
  checked(count, function);
  if (count < 0 || static_cast<std::size_t>(count) > room) fail(kTooMany, function, *game_);
  if (count == 0 && !may_be_empty) fail(kNoActions, function, *game_);
  out.commit(static_cast<std::size_t>(count));
  if (std::any_of(out.begin(), out.end(), [](Action a) { return a < 0; })) fail(kBadAction, function, *game_);
}

void CompiledState::fill(Values& out, std::int64_t result, const char* function) const {
  checked(result, function);
  for (std::size_t p = 0; p < static_cast<std::size_t>(game_->info().num_players); ++p)
    if (!std::isfinite(out[p])) fail(kBadNumber, function, *game_);
}

int CompiledState::current_player() const {
  if (is_terminal()) return kTerminal;
  const std::int64_t player = checked(call().current_player(data()), "current_player");
  const GameInfo& info = game_->info();
  const bool valid = player >= 0               ? player < info.num_players
                     : player == kChance       ? info.has(Capability::kChance)
                     : player == kSimultaneous ? info.has(Capability::kSimultaneous)
                                               : false;
  if (!valid) fail(kBadPlayer, "current_player", *game_);
  return static_cast<int>(player);
}

bool CompiledState::is_terminal() const {
  return checked(call().is_terminal(data()), "is_terminal") != 0;
}

void CompiledState::legal_actions(ActionList& out) const {
  out.clear();
  Action* const room = out.room(game_->max_actions());
  fill(out, call().legal_actions(data(), room), game_->max_actions(), false, "legal_actions");
}

void CompiledState::apply(Action action) {
  checked(call().apply(data(), action), "apply");
}

void CompiledState::returns(Values& out) const {
  fill(out, call().returns(data(), out.data()), "returns");
}

int CompiledState::playout(Rng& rng, int max_length, Trace* trace) {
  if (!trace) return static_cast<int>(checked(call().playout(data(), word_of(rng), max_length), "a playout"));
  // Steps are written to a buffer of fixed size, so a long playout runs in several pieces.
  constexpr int kPiece = 128;
  Step steps[kPiece * kMaxPlayers];
  int length = 0;
  while (length < max_length) {
    const int limit = std::min(kPiece, max_length - length);
    std::int64_t entries = 0;
    const auto played = static_cast<int>(
        checked(call().traced_playout(data(), word_of(rng), limit, steps, &entries), "a playout"));
    trace->insert(trace->end(), steps, steps + entries);
    length += played;
    if (played < limit) break;
  }
  return length;
}

std::string CompiledState::action_name(Action action) const {
  return game_->texts().action_name(record(), action);
}

std::string CompiledState::draw() const {
  return game_->texts().draw(record());
}

std::uint64_t CompiledState::hash() const {
  std::uint64_t result = 0;
  if (call().hash) {
    checked(call().hash(data(), &result), "hash");
    return result;
  }
  for (std::size_t i = 0; i < game_->record_size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, data() + i, 8);
    result = mix(result, word);
  }
  return result;
}

void CompiledState::chance_probabilities(std::vector<double>& out) const {
  out.resize(game_->max_actions());
  const std::int64_t count = checked(call().chance_probabilities(data(), out.data()), "chance_probabilities");
  out.resize(static_cast<std::size_t>(count));
}

void CompiledState::legal_actions(int player, ActionList& out) const {
  out.clear();
  Action* const room = out.room(game_->max_actions());
  fill(out, call().legal_actions_of(data(), player, room), game_->max_actions(), false, "legal_actions_of");
}

void CompiledState::apply_joint(std::span<const Action> actions) {
  checked(call().apply_joint(data(), actions.data()), "apply_joint");
}

void CompiledState::rewards(Values& out) const {
  fill(out, call().rewards(data(), out.data()), "rewards");
}

void CompiledState::resample(int player, Rng& rng) {
  checked(call().resample(data(), player, word_of(rng)), "resample");
}

std::string CompiledState::observation(int player) const {
  return game_->texts().observation(record(), player);
}

double CompiledState::quality() const {
  double result = 0;
  checked(call().quality(data(), &result), "quality");
  if (!std::isfinite(result)) fail(kBadNumber, "quality", *game_);
  return result;
}

void CompiledState::playout_candidates(Rng& rng, ActionList& out) const {
  out.clear();
  Action* const room = out.room(game_->max_candidates());
  fill(out, call().playout_candidates(data(), word_of(rng), room), game_->max_candidates(), false,
       "playout_candidates");
}

void CompiledState::winning_actions(ActionList& out) const {
  out.clear();
  Action* const room = out.room(game_->max_actions());
  fill(out, call().winning_actions(data(), room), game_->max_actions(), true, "winning_actions");
}

}  // namespace treewise
