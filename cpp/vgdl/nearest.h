// The nearest of many places, by the sum of their distances across and down.
//
// Places are kept in square buckets, about as many as there are places, and looked for in rings of buckets around the
// one who asks. What is outside the world is in the nearest bucket, which brings nothing nearer than it is.
#pragma once

#include <cstdint>
#include <vector>

#include "vgdl/tables.h"

namespace treewise::vgdl {

class Nearest {
 public:
  // Begins anew; `most` is about how many places there will be.
  void open(const Tables& tables, std::size_t most);
  void add(Position place);
  void move(int number, Position to);
  int size() const { return static_cast<int>(places_.size()); }
  const Position& place(int number) const { return places_[static_cast<std::size_t>(number)]; }
  // The numbers of all that nobody is nearer than; in order of adding, unless all are in one place. They hold until the
  // next question.
  const std::vector<int>& from(Position here);

 private:
  int column(int x) const;
  int row(int y) const;
  int& first(Position place);
  void link(int number);
  void unlink(int number);
  void look(int column, int row, Position here);

  struct Links {
    int before, after;  // in the same bucket; -1: none
  };

  int side_ = 1, columns_ = 1, rows_ = 1;  // of a bucket in pixels; buckets
  int right_ = 0, bottom_ = 0;             // the last pixels of the world
  std::vector<int> firsts_;                // of each bucket; -1: none
  std::vector<Position> places_;
  std::vector<Links> links_;
  int best_ = 0;
  std::vector<int> found_;
};

}  // namespace treewise::vgdl
