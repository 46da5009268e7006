#include "game/game.h"

namespace treewise {

const char* capability_name(Capability capability) {
  switch (capability) {
    case Capability::kHash:
      return "hash";
    case Capability::kChance:
      return "chance";
    case Capability::kSimultaneous:
      return "simultaneous";
    case Capability::kRewards:
      return "rewards";
    case Capability::kHidden:
      return "hidden";
    case Capability::kQuality:
      return "quality";
    case Capability::kPolicy:
      return "policy";
    case Capability::kWinning:
      return "winning";
    case Capability::kParse:
      return "parse";
    case Capability::kDice:
      return "dice";
    case Capability::kScore:
      return "score";
    case Capability::kFeatures:
      return "features";
    case Capability::kOwnMoves:
      return "own_moves";
    case Capability::kScene:
      return "scene";
  }
  return "unknown";
}

}  // namespace treewise
