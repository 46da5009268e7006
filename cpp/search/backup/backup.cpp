#include "search/backup/backup.h"

#include "search/proof/solver.h"

namespace treewise {

namespace {

// Every edge gets the result itself: its value becomes the mean.
class MeanBackup final : public Backup {
 public:
  void fold(Tree& tree, const Path& path, Outcome& outcome, bool shared, const Solver* proof) const override {
    for (std::size_t i = path.steps.size(); i-- > 0;) {
      const PathStep& step = path.steps[i];
      if (step.player >= 0) add_outcome(tree, step, outcome, shared);
      if (proof) proof->raise(tree, step.node, outcome);
    }
  }
};

// Every level up multiplies the utility by gamma and adds what its own step gave.
class DiscountedBackup final : public Backup {
 public:
  DiscountedBackup(double gamma, const Scale& scale) : gamma_(gamma), scale_(scale) {}

  double discount() const override { return gamma_; }

  void fold(Tree& tree, const Path& path, Outcome& outcome, bool shared, const Solver* proof) const override {
    const auto& steps = path.steps;
    for (std::size_t i = steps.size(); i-- > 0;) {
      const bool last_of_moment = i + 1 == steps.size() || !steps[i + 1].joint;
      if (last_of_moment) {
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
         return std::make_shared<DiscountedBackup>(s.number(own ? "alone" : "gamma"), on);
       }},
  };
  return find_part(catalogue, "backup", spec.name)(spec, scale, num_players == 1);
}

}  // namespace treewise
