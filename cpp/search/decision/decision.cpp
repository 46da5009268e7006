#include "search/decision/decision.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace treewise {

namespace {

template <class Score>
std::size_t argmax(std::span<const RootChild> children, Score score) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < children.size(); ++i)
    if (score(children[i]) > score(children[best])) best = i;
  return best;
}

double value_of(const RootChild& child) {
  return child.visits > 0 || child.exact ? child.value : -1e300;
}

std::size_t most_visits(std::span<const RootChild> children) {
  return argmax(children, [](const RootChild& c) { return std::pair(c.visits, value_of(c)); });
}

std::size_t highest_value(std::span<const RootChild> children) {
  return argmax(children, [](const RootChild& c) { return std::pair(value_of(c), c.visits); });
}

class Robust final : public Decision {
 public:
  std::size_t choose(std::span<const RootChild> children, Rng&) const override { return most_visits(children); }
};

// As the sample controller of the GVGAI framework decides: ties are broken by a little noise; the value decides only
// where all children that were tried have the same number of visits. The noise is relative, as in its selection.
class NoisyRobust final : public Decision {
 public:
  std::size_t choose(std::span<const RootChild> children, Rng& rng) const override {
    const std::int64_t most = children[most_visits(children)].visits;
    const bool all_equal =
        std::all_of(children.begin(), children.end(), [&](const auto& c) { return c.visits == 0 || c.visits == most; });
    std::size_t best = 0;
    double greatest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < children.size(); ++i) {
      const auto visits = static_cast<double>(children[i].visits);
      if (visits == 0 && most > 0) continue;
      const double score = all_equal ? children[i].utility * visits / (visits + kNoise) : visits;
      const double noisy = (score + kNoise) * (1 + kNoise * (rng.uniform() - 0.5));
      if (noisy <= greatest) continue;
      greatest = noisy;
      best = i;
    }
    return best;
  }

 private:
  static constexpr double kNoise = 1e-6;
};

class Max final : public Decision {
 public:
  std::size_t choose(std::span<const RootChild> children, Rng&) const override { return highest_value(children); }
};

// Most visits and highest value at once; while no child is both, the search goes on (Coulom 2006).
class MaxRobust final : public Decision {
 public:
  explicit MaxRobust(double extension) : extension_(extension) {}
  std::size_t choose(std::span<const RootChild> children, Rng&) const override { return most_visits(children); }
  bool settled(std::span<const RootChild> children) const override {
    return children[most_visits(children)].value >= value_of(children[highest_value(children)]);
  }
  double extension() const override { return extension_; }

 private:
  double extension_;
};

// The greatest lower confidence bound, mean - a / sqrt(n) (Chaslot et al. 2008).
class Secure final : public Decision {
 public:
  explicit Secure(double a) : a_(a) {}
  std::size_t choose(std::span<const RootChild> children, Rng&) const override {
    return argmax(children, [this](const RootChild& c) {
      if (c.exact) return c.value;
      return c.visits > 0 ? c.value - a_ / std::sqrt(static_cast<double>(c.visits)) : -1e300;
    });
  }

 private:
  double a_;
};

// Drawn by visits to the power 1 / temperature.
class Proportional final : public Decision {
 public:
  explicit Proportional(double temperature) : temperature_(temperature) {}
  std::size_t choose(std::span<const RootChild> children, Rng& rng) const override {
    const auto most = static_cast<double>(children[most_visits(children)].visits);
    if (most == 0) return rng.below(static_cast<std::uint32_t>(children.size()));
    std::vector<double> sums;
    double total = 0;
    for (const RootChild& c : children)
      sums.push_back(total += std::pow(static_cast<double>(c.visits) / most, 1 / temperature_));
    const double u = rng.uniform() * total;
    const auto drawn = static_cast<std::size_t>(std::upper_bound(sums.begin(), sums.end(), u) - sums.begin());
    return std::min(drawn, children.size() - 1);
  }

 private:
  double temperature_;
};

}  // namespace

std::shared_ptr<const Decision> make_decision(const PartSpec& spec) {
  using Factory = std::shared_ptr<const Decision> (*)(const PartSpec&);
  static const std::map<std::string, Factory> catalogue = {
      {"robust",
       [](const PartSpec& s) -> std::shared_ptr<const Decision> {
         if (s.text("ties") == "noise") return std::make_shared<NoisyRobust>();
         return std::make_shared<Robust>();
       }},
      {"max", [](const PartSpec&) -> std::shared_ptr<const Decision> { return std::make_shared<Max>(); }},
      {"max_robust",
       [](const PartSpec& s) -> std::shared_ptr<const Decision> {
         return std::make_shared<MaxRobust>(s.number("extension"));
       }},
      {"secure",
       [](const PartSpec& s) -> std::shared_ptr<const Decision> { return std::make_shared<Secure>(s.number("a")); }},
      {"proportional",
       [](const PartSpec& s) -> std::shared_ptr<const Decision> {
         return std::make_shared<Proportional>(s.number("temperature"));
       }},
  };
  return find_part(catalogue, "decision", spec.name)(spec);
}

std::vector<RootChild> children_of_player(std::span<const RootChild> children, int player,
                                          std::vector<std::size_t>& indices) {
  std::vector<RootChild> own;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (children[i].player != player) continue;
    own.push_back(children[i]);
    indices.push_back(i);
  }
  return own;
}

bool all_settled(const Decision& decision, std::span<const RootChild> children) {
  for (int p = 0; p < kMaxPlayers; ++p) {
    std::vector<std::size_t> indices;
    const std::vector<RootChild> own = children_of_player(children, p, indices);
    if (!own.empty() && !decision.settled(own)) return false;
  }
  return true;
}

std::size_t decide(const Decision& decision, std::span<const RootChild> children, Rng& rng) {
  // An exact result beats every child that is proven to give less, and every one that is not proven and looks no
  // better: those go on being visited, the proven one does not, so that visits cannot be compared.
  double best_proof = -1;
  bool all_proven = true;
  for (const RootChild& c : children) {
    if (c.exact) best_proof = std::max(best_proof, c.value);
    all_proven &= c.exact.has_value();
  }
  std::vector<RootChild> candidates;
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < children.size(); ++i) {
    const RootChild& c = children[i];
    const bool open = !c.exact && (best_proof <= 0 || (best_proof < 1 && c.value > best_proof));
    const bool best = c.exact && c.value >= best_proof && (best_proof > 0 || all_proven);
    if (open || best) {
      candidates.push_back(c);
      indices.push_back(i);
    }
  }
  return indices[decision.choose(candidates, rng)];
}

}  // namespace treewise
