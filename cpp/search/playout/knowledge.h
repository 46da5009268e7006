// What came of meeting things, learned while playing: what each kind is worth to the player, whether it kills, whether
// it stands in the way. Bodies of another form learn anew, starting from what is known of the kind.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace treewise {

class Knowledge {
 public:
  // `curiosity`: what meeting something is worth while nobody knows better; `doubt`: as many meetings as that counts
  // for.
  Knowledge(double curiosity, double doubt) : curiosity_(curiosity), doubt_(doubt) {}

  void resize(int kinds) { kinds_.resize(static_cast<std::size_t>(kinds)); }

  // The body came upon it, which gave or took points; `lost`: and the match.
  void meet(std::uint64_t form, int kind, double gain, bool lost) {
    for (Tally* t : {&of(form, kind), &common(kind)}) {
      t->meetings += 1;
      t->gain += gain;
      t->losses += lost;
    }
  }
  // The body was where it is, and nothing came of it.
  void miss(std::uint64_t form, int kind) {
    for (Tally* t : {&of(form, kind), &common(kind)}) {
      t->meetings += 1;
      t->misses += 1;
    }
  }
  // The body tried to step and came upon it.
  void step(std::uint64_t form, int kind, bool moved) { ++(moved ? of(form, kind).passed : of(form, kind).blocked); }
  // Something that the body has made came upon it.
  void strike(int kind, double gain) {
    common(kind).strikes += 1;
    common(kind).struck += gain;
  }

  // Points to expect of going there, at least 0.
  double worth(std::uint64_t form, int kind) {
    const Tally &all = common(kind), &own = of(form, kind);
    const double mean = all.meetings > 0 ? all.gain / all.meetings : 0;
    const double guess = mean < 0 ? mean : std::max(mean, curiosity_);
    const double met = (own.gain + doubt_ * guess) / (own.meetings + doubt_);
    return std::max({met, all.strikes > 0 ? all.struck / all.strikes : 0, 0.0});
  }
  bool kills(std::uint64_t form, int kind) {
    const Tally& t = of(form, kind);
    return t.losses > 0 && 2 * t.losses >= t.meetings - t.misses;
  }
  // Who is there is safe, as far as anybody knows: a log in the river.
  bool carries(std::uint64_t form, int kind) {
    if (common(kind).meetings == 0) return true;
    const Tally& t = of(form, kind);
    return t.meetings > t.misses && kRarely * t.losses < t.meetings - t.misses;
  }
  bool blocks(std::uint64_t form, int kind) {
    const Tally& t = of(form, kind);
    return t.blocked > 0 && kRarely * t.passed < t.blocked;
  }

 private:
  static constexpr double kRarely = 20;
  static constexpr std::size_t kMostForms = 4096;  // those that come later are taken for one

  struct Tally {
    double meetings = 0, misses = 0, gain = 0, losses = 0, blocked = 0, passed = 0, strikes = 0, struck = 0;
  };

  Tally& common(int kind) { return kinds_[static_cast<std::size_t>(kind)]; }
  Tally& of(std::uint64_t form, int kind) {
    if (!last_ || form != last_form_) {
      if (forms_.size() >= kMostForms && !forms_.contains(form)) form = 0;
      last_ = &forms_[form];
      last_form_ = form;
      last_->resize(kinds_.size());
    }
    return (*last_)[static_cast<std::size_t>(kind)];
  }

  double curiosity_, doubt_;
  std::vector<Tally> kinds_;
  std::unordered_map<std::uint64_t, std::vector<Tally>> forms_;
  std::vector<Tally>* last_ = nullptr;  // the table used last; tables stay where they are
  std::uint64_t last_form_ = 0;
};

}  // namespace treewise
