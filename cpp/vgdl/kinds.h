// The names of sprite classes, effects and terminations that the machine knows.
#pragma once

#include <cstdint>
#include <string_view>

namespace treewise::vgdl {

enum class Kind : std::uint8_t {
  kImmovable,
  kDoor,
  kPassive,
  kResource,
  kMissile,
  kFlicker,
  kOrientedFlicker,
  kSpawnPoint,
  kBomber,
  kPortal,
  kRandomNPC,
  kChaser,
  kFleeing,
  kRandomMissile,
  kErraticMissile,
  kSpreader,
  kRandomBomber,
  kResourcePack,
  kMovingAvatar,
  kFlakAvatar,
  kShootAvatar,
  kHorizontalAvatar,
  kVerticalAvatar,
  kOrientedAvatar,
  kOngoingAvatar,
  kMissileAvatar,
  kCount
};

enum class EffectKind : std::uint8_t {
  kStepBack,
  kKillSprite,
  kKillBoth,
  kTurnAround,
  kReverseDirection,
  kWrapAround,
  kCloneSprite,
  kTransformTo,
  kCollectResource,
  kKillIfOtherHasMore,
  kKillIfFromAbove,
  kBounceForward,
  kUndoAll,
  kTeleportToExit,
  kShieldFrom,
  kPullWithIt,
  kAddHealthPoints,
  kSubtractHealthPoints,
  kSpawn,
  kSpawnAbove,
  kSpawnBelow,
  kSpawnLeft,
  kSpawnRight,
  kSpawnIfHasMore,
  kSpawnIfHasLess,
  kTransformToAll,
  kTransformIfCount,
  kTransformToRandomChild,
  kChangeResource,
  kKillIfHasMore,
  kKillIfHasLess,
  kKillAll,
  kKillIfAlive,
  kKillIfFrontal,
  kKillIfNotFrontal,
  kAttractGaze,
  kAlign,
  kFlipDirection,
  kRemoveScore,
  kSetSpeedForAll,
  kCount
};

enum class TerminationKind : std::uint8_t { kSpriteCounter, kMultiSpriteCounter, kTimeout, kSpriteCounterMore, kCount };

// What an effect may do to the two sprites, beyond putting one back where it was.
enum Touch : unsigned {
  kNothing = 0,
  kMovesFirst = 1,   // or turns it
  kMovesSecond = 2,  // or turns it
  kKillsFirst = 4,
  kKillsSecond = 8,
  kFillsFirst = 16,  // reads or writes health or resources
  kFillsSecond = 32,
  kKillsNamed = 64,   // all sprites of the type it names
  kMovesNamed = 128,  // or lets them move
};

constexpr bool is_resource(Kind kind) {
  return kind == Kind::kResource || kind == Kind::kResourcePack;
}
constexpr bool is_avatar(Kind kind) {
  return kind >= Kind::kMovingAvatar && kind < Kind::kCount;
}

std::string_view name(Kind kind);
std::string_view name(EffectKind kind);
std::string_view name(TerminationKind kind);
unsigned touches(EffectKind kind);

// kCount if there is none of that name.
Kind find_kind(std::string_view name);
EffectKind find_effect(std::string_view name);
TerminationKind find_termination(std::string_view name);

}  // namespace treewise::vgdl
