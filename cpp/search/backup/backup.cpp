#include "search/backup/backup.h"

#include "search/proof/solver.h"

namespace treewise {

namespace {

// Every edge gets the result itself: its value becomes the mean.
class MeanBackup final : public Backup {
 public:
  bool adds_the_result() const override { return true; }
  void fold(Tree& tree, const Path& path, Outcome& outcome, bool shared, const Solver* proof) const override {
    for (std::size_t i = path.steps.size(); i-- > 0;) {
      const PathStep& step = path.steps[i];
      if (step.player >= 0) add_outcome(tree, step, outcome, shared);
      if (proof) proof->raise(tree, step.node, outcome);
    }
  }
};

// Every level up multiplies the utility by gamma and adds what its own step gave. With `whole`, only what comes after
// the leaf is discounted (Ilhan & Etaner-Uyar 2017, Algorithm 3): an edge gets G + gamma^(k + 1) Q, where G is all that
// was given from the root to the end of the edge, Q the playout's own discounted sum, and k the levels between edge and
// leaf.
class DiscountedBackup final : public Backup {
 public:
  DiscountedBackup(double gamma, bool whole, const Scale& scale) : gamma_(gamma), whole_(whole), scale_(scale) {}

  double discount() const override { return gamma_; }

  void fold(Tree& tree, const Path& path, Outcome& outcome, bool shared, const Solver* proof) const override {
    if (whole_ && !path.rewards.empty()) return fold_whole(tree, path, outcome, shared);
    const auto& steps = path.steps;
    for (std::size_t i = steps.size(); i-- > 0;) {
      if (ends_moment(path, i)) {
        const bool below = i + 1 < steps.size();
        if (!path.rewards.empty()) {
          transform(outcome, gamma_, path.rewards[i]);
        } else if (below) {
          transform(outcome, gamma_, Values{});
        }
      }
      if (steps[i].player >= 0) add_outcome(tree, steps[i], outcome, shared);
      if (proof) proof->raise(tree, steps[i].node, outcome);
    }
  }

 private:
  // Whether the next step of the path, if there is one, was played at another moment.
  static bool ends_moment(const Path& path, std::size_t i) {
    return i + 1 == path.steps.size() || !path.steps[i + 1].joint;
  }

  // A proof never comes here: searches with one have no discounted rewards.
  void fold_whole(Tree& tree, const Path& path, const Outcome& playouts, bool shared) const {
    Values given{};
    for (std::size_t i = 0; i < path.steps.size(); ++i)
      if (ends_moment(path, i)) add(given, path.rewards[i], 1);
    double factor = gamma_;
    Outcome outcome;
    for (std::size_t i = path.steps.size(); i-- > 0;) {
      if (ends_moment(path, i)) {
        if (i + 1 < path.steps.size()) {
          add(given, path.rewards[i + 1], -1);
          factor *= gamma_;
        }
        outcome = playouts;
        transform(outcome, factor, given);
      }
      if (path.steps[i].player >= 0) add_outcome(tree, path.steps[i], outcome, shared);
    }
  }

  static void add(Values& sum, const Values& reward, double sign) {
    for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += sign * reward[p];
  }

  // utility -> reward + gamma * utility, written for unit-scale sums: x -> gamma x + shift.
  void transform(Outcome& outcome, double gamma, const Values& reward) const {
    for (std::size_t p = 0; p < outcome.sum.size(); ++p) {
      const double shift = ((gamma - 1) * scale_.low + reward[p]) / scale_.range;
      outcome.squares[p] =
          outcome.weight * shift * shift + 2 * shift * gamma * outcome.sum[p] + gamma * gamma * outcome.squares[p];
      outcome.sum[p] = gamma * outcome.sum[p] + outcome.weight * shift;
      outcome.unaltered[p] = gamma * outcome.unaltered[p] + outcome.weight * shift;
    }
  }

  double gamma_;
  bool whole_;
  Scale scale_;
};

}  // namespace

std::shared_ptr<const Backup> make_backup(const PartSpec& spec, const Scale& scale, int num_players) {
  using Factory = std::shared_ptr<const Backup> (*)(const PartSpec&, const Scale&, bool);
  static const std::map<std::string, Factory> catalogue = {
      {"mean",
       [](const PartSpec&, const Scale&, bool) -> std::shared_ptr<const Backup> {
         return std::make_shared<MeanBackup>();
       }},
      {"discounted",
       [](const PartSpec& s, const Scale& on, bool alone) -> std::shared_ptr<const Backup> {
         const bool own = alone && !s.is_none("alone");
         return std::make_shared<DiscountedBackup>(s.number(own ? "alone" : "gamma"), s.text("given") == "whole", on);
       }},
  };
  return find_part(catalogue, "backup", spec.name)(spec, scale, num_players == 1);
}

}  // namespace treewise
