// Last good reply (Drake 2009) with forgetting (Baier & Drake 2010): a winner's replies are remembered by the
// one or two actions before them and played again while legal; a loser's are forgotten.
#include "base/bits.h"
#include "base/table.h"
#include "search/playout/playout.h"

namespace treewise {

namespace {

class LastGoodReply final : public PlayoutWrapper {
 public:
  LastGoodReply(const PartSpec& spec, const GameInfo& info)
      : PlayoutWrapper(make_playout(spec.part("inner"), info)),
        length_(static_cast<int>(spec.integer("length"))),
        forgetting_(spec.flag("forgetting")) {}

  bool wants_trace() const override { return true; }

  void limit_memory(std::size_t bytes) override {
    replies_.limit_memory(bytes / 2);
    inner().limit_memory(bytes / 2);
  }

  Action pick(Turn& turn) override {
    for (int n = length_; n >= 1; --n) {
      const std::uint64_t key = context(turn.trace, turn.trace.size(), turn.player, n);
      const Reply* reply = key ? replies_.find(key) : nullptr;
      if (!reply || reply->action == kNoAction) continue;
      for (const Action action : turn.actions)
        if (action == reply->action) return action;
    }
    return inner().pick(turn);
  }

  void learn(const Record& record) override {
    const Trace& trace = *record.trace;
    std::size_t moment = 0;  // where the steps of the present moment begin
    for (std::size_t i = 0; i < trace.size(); ++i) {
      if (!trace[i].joint) moment = i;
      if (trace[i].player < 0) continue;
      const double result = record.outcome[static_cast<std::size_t>(trace[i].player)];
      for (int n = 1; n <= length_; ++n) {
        const std::uint64_t key = context(trace, moment, trace[i].player, n);
        if (!key) break;
        if (result > 0.5) {
          if (Reply* reply = replies_.insert(key)) reply->action = trace[i].action;
        } else if (result < 0.5 && forgetting_) {
          Reply* reply = replies_.find(key);
          if (reply && reply->action == trace[i].action) reply->action = kNoAction;
        }
      }
    }
    inner().learn(record);
  }

 private:
  struct Reply {
    Action action = kNoAction;
  };

  // The `n` steps before step `end`, or 0 if there are fewer.
  static std::uint64_t context(const Trace& trace, std::size_t end, int player, int n) {
    if (end < static_cast<std::size_t>(n)) return 0;
    std::uint64_t key = mix(static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(player));
    for (int k = 1; k <= n; ++k)
      key = mix(
          key, static_cast<std::uint64_t>(static_cast<std::uint32_t>(trace[end - static_cast<std::size_t>(k)].action)));
    return key | 1;
  }

  int length_;
  bool forgetting_;
  Table<Reply> replies_;
};

}  // namespace

std::unique_ptr<Playout> make_last_good_reply(const PartSpec& spec, const GameInfo& info) {
  return std::make_unique<LastGoodReply>(spec, info);
}

}  // namespace treewise
