#include "vgdl/nearest.h"

#include <algorithm>
#include <climits>
#include <cstdlib>

namespace treewise::vgdl {

void Nearest::open(const Tables& tables, std::size_t most) {
  right_ = tables.world_width - 1;
  bottom_ = tables.world_height - 1;
  side_ = tables.block;
  const auto buckets = [&] {
    return static_cast<std::size_t>(right_ / side_ + 1) * static_cast<std::size_t>(bottom_ / side_ + 1);
  };
  while (buckets() > most + 1) side_ *= 2;
  columns_ = right_ / side_ + 1;
  rows_ = bottom_ / side_ + 1;
  firsts_.assign(buckets(), -1);
  places_.clear();
  links_.clear();
}

int Nearest::column(int x) const {
  return std::clamp(x, 0, right_) / side_;
}
int Nearest::row(int y) const {
  return std::clamp(y, 0, bottom_) / side_;
}

int& Nearest::first(Position place) {
  return firsts_[static_cast<std::size_t>(row(place.y) * columns_ + column(place.x))];
}

void Nearest::link(int number) {
  int& head = first(place(number));
  links_[static_cast<std::size_t>(number)] = {-1, head};
  if (head >= 0) links_[static_cast<std::size_t>(head)].before = number;
  head = number;
}

void Nearest::unlink(int number) {
  const auto [before, after] = links_[static_cast<std::size_t>(number)];
  if (after >= 0) links_[static_cast<std::size_t>(after)].before = before;
  (before >= 0 ? links_[static_cast<std::size_t>(before)].after : first(place(number))) = after;
}

void Nearest::add(Position place) {
  places_.push_back(place);
  links_.push_back({-1, -1});
  link(size() - 1);
}

void Nearest::move(int number, Position to) {
  unlink(number);
  places_[static_cast<std::size_t>(number)] = to;
  link(number);
}

const std::vector<int>& Nearest::from(Position here) {
  found_.clear();
  best_ = INT_MAX;
  const int x = column(here.x), y = row(here.y);
  const int farthest = std::max({x, columns_ - 1 - x, y, rows_ - 1 - y});
  // Who is in a ring is more than the buckets between away.
  for (int ring = 0; ring <= farthest && best_ > (ring - 1) * side_; ++ring) {
    const int left = std::max(x - ring, 0), right = std::min(x + ring, columns_ - 1);
    for (int r = std::max(y - ring, 0); r <= std::min(y + ring, rows_ - 1); ++r) {
      if (std::abs(r - y) == ring) {
        for (int c = left; c <= right; ++c) look(c, r, here);
      } else {
        if (x - ring >= 0) look(x - ring, r, here);
        if (x + ring < columns_) look(x + ring, r, here);
      }
    }
  }
  const auto elsewhere = [&](int n) {
    return place(n).x != place(found_.front()).x || place(n).y != place(found_.front()).y;
  };
  if (std::ranges::any_of(found_, elsewhere)) std::ranges::sort(found_);
  return found_;
}

void Nearest::look(int column, int row, Position here) {
  for (int n = firsts_[static_cast<std::size_t>(row * columns_ + column)]; n >= 0;
       n = links_[static_cast<std::size_t>(n)].after) {
    const int distance = std::abs(place(n).x - here.x) + std::abs(place(n).y - here.y);
    if (distance > best_) continue;
    if (distance < best_) found_.clear();
    best_ = distance;
    found_.push_back(n);
  }
}

}  // namespace treewise::vgdl
