#include "game/compiled.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/bits.h"

namespace treewise {

namespace {

// The generator as compiled code sees it: one word.
std::uint64_t* word_of(Rng& rng) {
  static_assert(std::is_standard_layout_v<Rng> && sizeof(Rng) == sizeof(std::uint64_t));
  return reinterpret_cast<std::uint64_t*>(&rng);
}

const char* question_name(Question question) {
  switch (question) {
    case Question::kCurrentPlayer:
      return "current_player";
    case Question::kIsTerminal:
      return "is_terminal";
    case Question::kLegalActions:
      return "legal_actions";
    case Question::kApply:
      return "apply";
    case Question::kReturns:
      return "returns";
    case Question::kHash:
      return "hash";
    case Question::kChanceProbabilities:
      return "chance_probabilities";
    case Question::kLegalActionsOf:
      return "legal_actions_of";
    case Question::kApplyJoint:
      return "apply_joint";
    case Question::kRewards:
      return "rewards";
    case Question::kResample:
      return "resample";
    case Question::kQuality:
      return "quality";
    case Question::kPlayoutCandidates:
      return "playout_candidates";
    case Question::kWinningActions:
      return "winning_actions";
    case Question::kScore:
      return "score";
    case Question::kFeatures:
      return "features";
  }
  return "a function";
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
      return "gave a negative action, or one beyond those that were declared; actions are numbers from 0, and below "
             "num_action_ids where that is given";
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
  throw std::runtime_error("compiled game '" + game.info().name + "': " + function + " " + what_happened(status, game));
}
[[noreturn]] void fail(std::int64_t status, Question question, const CompiledGame& game) {
  fail(status, question_name(question), game);
}

}  // namespace

CompiledGame::CompiledGame(GameInfo info, CompiledFunctions functions, std::vector<std::byte> initial, int max_actions,
                           int max_candidates, int num_features, std::unique_ptr<const CompiledTexts> texts)
    : info_(std::move(info)),
      functions_(functions),
      initial_(std::move(initial)),
      max_actions_(static_cast<std::size_t>(max_actions)),
      max_candidates_(static_cast<std::size_t>(max_candidates)),
      num_features_(num_features),
      texts_(std::move(texts)) {
  if (!functions_.ask || !functions_.playout || !texts_)
    throw std::invalid_argument("compiled game: a function is missing");
  if (max_actions < 1 || max_candidates < 1 || initial_.empty() || initial_.size() % 8 != 0)
    throw std::invalid_argument("compiled game: max_actions and the record's size must be positive");
  if (num_features < (info_.has(Capability::kFeatures) ? 1 : 0))
    throw std::invalid_argument("compiled game: num_features must be positive in a game with features");
  if (info_.num_players < 1 || info_.num_players > kMaxPlayers)
    throw std::invalid_argument("compiled game: num_players must be between 1 and " + std::to_string(kMaxPlayers));
  info_.add(Capability::kHash);
}

std::unique_ptr<State> CompiledGame::initial_state() const {
  return std::make_unique<CompiledState>(*this, initial_);
}

std::unique_ptr<State> CompiledGame::parse_state(std::string_view board, int player) const {
  if (!info_.has(Capability::kParse)) throw std::invalid_argument(info_.name + " has no text form of positions");
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

std::int64_t CompiledState::ask(Question question, std::int64_t argument, Action* actions, double* values,
                                std::uint64_t* word) const {
  const std::int64_t answer =
      game_->functions().ask(static_cast<std::int64_t>(question), data(), argument, actions, values, word);
  if (answer <= kRaised) [[unlikely]]
    fail(answer, question, *game_);
  return answer;
}

void CompiledState::list(ActionList& out, Question question, std::int64_t argument, std::uint64_t* word) const {
  const std::size_t room = question == Question::kPlayoutCandidates ? game_->max_candidates() : game_->max_actions();
  out.clear();
  const std::int64_t count = ask(question, argument, out.room(room), nullptr, word);
  if (count < 0 || static_cast<std::size_t>(count) > room) fail(kTooMany, question, *game_);
  if (count == 0 && question != Question::kWinningActions) fail(kNoActions, question, *game_);
  out.commit(static_cast<std::size_t>(count));
  // Parts that remember actions have as much room as the game has declared.
  const int declared = game_->info().num_action_ids;
  const Action end = declared > 0 ? declared : std::numeric_limits<Action>::max();
  if (std::any_of(out.begin(), out.end(), [end](Action a) { return a < 0 || a >= end; }))
    fail(kBadAction, question, *game_);
}

void CompiledState::fill(std::span<double> out, Question question) const {
  ask(question, 0, nullptr, out.data());
  for (const double number : out)
    if (!std::isfinite(number)) fail(kBadNumber, question, *game_);
}

std::span<double> CompiledState::of_players(Values& values) const {
  return {values.data(), static_cast<std::size_t>(game_->info().num_players)};
}

double CompiledState::number(Question question) const {
  double result = 0;
  fill({&result, 1}, question);
  return result;
}

int CompiledState::current_player() const {
  if (is_terminal()) return kTerminal;
  const std::int64_t player = ask(Question::kCurrentPlayer);
  const GameInfo& info = game_->info();
  const bool valid = player >= 0               ? player < info.num_players
                     : player == kChance       ? info.has(Capability::kChance)
                     : player == kSimultaneous ? info.has(Capability::kSimultaneous)
                                               : false;
  if (!valid) fail(kBadPlayer, Question::kCurrentPlayer, *game_);
  return static_cast<int>(player);
}

bool CompiledState::is_terminal() const {
  return ask(Question::kIsTerminal) != 0;
}

void CompiledState::legal_actions(ActionList& out) const {
  list(out, Question::kLegalActions);
}

void CompiledState::apply(Action action) {
  ask(Question::kApply, action);
}

void CompiledState::returns(Values& out) const {
  fill(of_players(out), Question::kReturns);
}

int CompiledState::playout(Rng& rng, int max_length, Trace* trace) {
  const auto play = [&](int limit, CompiledStep* steps, std::int64_t* entries) {
    const std::int64_t played =
        game_->functions().playout(data(), word_of(rng), limit, steps != nullptr, steps, entries);
    if (played < 0) fail(played, "a playout", *game_);
    return static_cast<int>(played);
  };
  std::int64_t entries = 0;
  if (!trace) return play(max_length, nullptr, &entries);
  // Steps are written to a buffer of fixed size, so a long playout runs in several pieces.
  constexpr int kPiece = 128;
  CompiledStep steps[kPiece * kMaxPlayers];
  int length = 0;
  while (length < max_length) {
    const int limit = std::min(kPiece, max_length - length);
    const int played = play(limit, steps, &entries);
    for (std::int64_t i = 0; i < entries; ++i) {
      const bool joint = (steps[i].player & CompiledStep::kJointMark) && steps[i].player > 0;
      trace->push_back({steps[i].action, joint ? steps[i].player - CompiledStep::kJointMark : steps[i].player, joint});
    }
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
  if (game_->functions().hashes) {
    ask(Question::kHash, 0, nullptr, nullptr, &result);
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
  out.resize(static_cast<std::size_t>(ask(Question::kChanceProbabilities, 0, nullptr, out.data())));
}

void CompiledState::legal_actions(int player, ActionList& out) const {
  list(out, Question::kLegalActionsOf, player);
}

int CompiledState::num_players() const {
  return game_->info().num_players;
}

void CompiledState::apply_joint(std::span<const Action> actions) {
  Action joint[kMaxPlayers] = {};
  std::copy(actions.begin(), actions.end(), joint);
  ask(Question::kApplyJoint, 0, joint);
}

void CompiledState::rewards(Values& out) const {
  fill(of_players(out), Question::kRewards);
}

void CompiledState::resample(int player, Rng& rng) {
  ask(Question::kResample, player, nullptr, nullptr, word_of(rng));
}

std::string CompiledState::observation(int player) const {
  return game_->texts().observation(record(), player);
}

double CompiledState::raw_quality() const {
  return number(Question::kQuality);
}

void CompiledState::playout_candidates(Rng& rng, ActionList& out) const {
  list(out, Question::kPlayoutCandidates, 0, word_of(rng));
}

void CompiledState::winning_actions(ActionList& out) const {
  list(out, Question::kWinningActions);
}

double CompiledState::score() const {
  return number(Question::kScore);
}

void CompiledState::features(std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  fill(out, Question::kFeatures);
}

}  // namespace treewise
