#include "tree/region.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <new>
#include <utility>

namespace treewise {

namespace {

// Small trees stay on small pages: a huge page costs its whole zeroing at the first touch.
constexpr std::size_t kHugePage = std::size_t{2} << 20;

}  // namespace

Region::Region(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  data_ = memory;
#ifdef MADV_HUGEPAGE
  const auto start = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = (start + 2 * kHugePage - 1) & ~(kHugePage - 1);
  if (first + kHugePage <= start + bytes) madvise(reinterpret_cast<void*>(first), start + bytes - first, MADV_HUGEPAGE);
#endif
}

Region::~Region() {
  if (data_) munmap(data_, bytes_);
}

Region::Region(Region&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Region& Region::operator=(Region&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

std::size_t Region::release_after(std::size_t used) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t from = (used + page - 1) / page * page;
  if (from < bytes_) madvise(static_cast<char*>(data_) + from, bytes_ - from, MADV_DONTNEED);
  return from;
}

}  // namespace treewise
