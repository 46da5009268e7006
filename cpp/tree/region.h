// A stretch of address space that is reserved at once and gets memory only where it is touched, so that a
// column can grow without moving while other threads read it.
//
// The first touch of a page takes longer than a simulation of a quick game. So a few regions that nobody uses any more
// are kept, with the pages they have, for the next that is asked for.
#pragma once

#include <cstddef>

namespace treewise {

class Region {
 public:
  Region() = default;
  explicit Region(std::size_t bytes);  // all zeros; throws std::bad_alloc
  ~Region();                           // it must be all zeros again
  Region(Region&& other) noexcept;
  Region& operator=(Region&& other) noexcept;
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  void* data() const { return data_; }
  // Gives it back to the system now, not to the spares.
  void unmap();
  // Gives whole pages after the first `used` bytes back to the system; they read as zeros afterwards. Returns where
  // they begin.
  std::size_t release_after(std::size_t used);
  // Gets memory for these bytes now, where the system can do that; else at the first touch, as ever.
  void prepare(std::size_t from, std::size_t to);

 private:
  struct Spares;
  static Spares& spares();
  static void* map(std::size_t bytes);
  bool take_spare(std::size_t bytes);
  bool keep_as_spare();

  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  void* mapped_ = nullptr;  // data_ lies a little after it, where pages of all sizes fit
  std::size_t mapped_bytes_ = 0;
};

}  // namespace treewise
