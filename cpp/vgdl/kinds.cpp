#include "vgdl/kinds.h"

#include <array>
#include <cstddef>

namespace treewise::vgdl {

namespace {

struct EffectName {
  std::string_view name;
  unsigned touches;
};

template <class Enum>
constexpr std::size_t number_of = static_cast<std::size_t>(Enum::kCount);

constexpr std::array<std::string_view, number_of<Kind>> kKinds = {
    "Immovable",       "Door",          "Passive",        "Resource",         "Missile",        "Flicker",
    "OrientedFlicker", "SpawnPoint",    "Bomber",         "Portal",           "RandomNPC",      "Chaser",
    "Fleeing",         "RandomMissile", "ErraticMissile", "Spreader",         "RandomBomber",   "ResourcePack",
    "MovingAvatar",    "FlakAvatar",    "ShootAvatar",    "HorizontalAvatar", "VerticalAvatar", "OrientedAvatar",
    "OngoingAvatar",   "MissileAvatar"};

constexpr std::array<EffectName, number_of<EffectKind>> kEffects = {{
    {"stepBack", kNothing},
    {"killSprite", kKillsFirst},
    {"killBoth", kKillsFirst | kKillsSecond},
    {"turnAround", kMovesFirst},
    {"reverseDirection", kMovesFirst},
    {"wrapAround", kMovesFirst},
    {"cloneSprite", kNothing},
    {"transformTo", kKillsFirst | kKillsSecond},
    {"collectResource", kKillsFirst | kFillsSecond},
    {"killIfOtherHasMore", kKillsFirst | kFillsSecond},
    {"killIfFromAbove", kKillsFirst},
    {"bounceForward", kMovesFirst},
    {"undoAll", kNothing},
    {"teleportToExit", kMovesFirst | kKillsFirst},
    {"shieldFrom", kNothing},
    {"pullWithIt", kMovesFirst},
    {"addHealthPoints", kFillsFirst | kKillsSecond},
    {"subtractHealthPoints", kFillsFirst | kKillsFirst},
    {"spawn", kNothing},
    {"spawnAbove", kNothing},
    {"spawnBelow", kNothing},
    {"spawnLeft", kNothing},
    {"spawnRight", kNothing},
    {"spawnIfHasMore", kFillsFirst},
    {"spawnIfHasLess", kFillsFirst},
    {"transformToAll", kKillsNamed},
    {"transformIfCount", kKillsFirst},
    {"transformToRandomChild", kKillsFirst},
    {"changeResource", kFillsFirst | kKillsSecond},
    {"killIfHasMore", kFillsFirst | kKillsFirst},
    {"killIfHasLess", kFillsFirst | kKillsFirst},
    {"killAll", kKillsNamed},
    {"killIfAlive", kKillsFirst},
    {"killIfFrontal", kKillsFirst},
    {"killIfNotFrontal", kKillsFirst},
    {"attractGaze", kMovesFirst},
    {"align", kMovesFirst},
    {"flipDirection", kMovesFirst},
    {"removeScore", kNothing},
    {"setSpeedForAll", kMovesNamed},
}};

constexpr std::array<std::string_view, number_of<TerminationKind>> kTerminations = {
    "SpriteCounter", "MultiSpriteCounter", "Timeout", "SpriteCounterMore"};

std::string_view text(std::string_view entry) {
  return entry;
}
std::string_view text(const EffectName& entry) {
  return entry.name;
}

template <class Enum, class Table>
Enum find(const Table& table, std::string_view name) {
  std::size_t i = 0;
  while (i < table.size() && text(table[i]) != name) ++i;
  return static_cast<Enum>(i);
}

}  // namespace

std::string_view name(Kind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}
std::string_view name(EffectKind kind) {
  return kEffects[static_cast<std::size_t>(kind)].name;
}
std::string_view name(TerminationKind kind) {
  return kTerminations[static_cast<std::size_t>(kind)];
}
unsigned touches(EffectKind kind) {
  return kEffects[static_cast<std::size_t>(kind)].touches;
}

Kind find_kind(std::string_view name) {
  return find<Kind>(kKinds, name);
}
EffectKind find_effect(std::string_view name) {
  return find<EffectKind>(kEffects, name);
}
TerminationKind find_termination(std::string_view name) {
  return find<TerminationKind>(kTerminations, name);
}

}  // namespace treewise::vgdl
