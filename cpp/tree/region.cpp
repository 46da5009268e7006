#include "tree/region.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <new>
#include <utility>

namespace treewise {

namespace {

// Small trees stay on small pages: a huge page costs its whole zeroing at the first touch. Larger ones get huge pages
// after these bytes, where the first of them begins.
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kSmallPart = std::size_t{256} << 10;

}  // namespace

Region::Region(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  mapped_bytes_ = bytes + kHugePage;
  mapped_ = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped_ == MAP_FAILED) throw std::bad_alloc();
  const auto start = reinterpret_cast<std::uintptr_t>(mapped_);
  const std::uintptr_t huge = (start + kSmallPart + kHugePage - 1) & ~(kHugePage - 1);
  data_ = reinterpret_cast<void*>(huge - kSmallPart);
#ifdef MADV_HUGEPAGE
  if (huge + kHugePage <= start + mapped_bytes_)
    madvise(reinterpret_cast<void*>(huge), start + mapped_bytes_ - huge, MADV_HUGEPAGE);
#endif
}

Region::~Region() {
  if (data_) munmap(mapped_, mapped_bytes_);
}

Region::Region(Region&& other) noexcept {
  *this = std::move(other);
}

Region& Region::operator=(Region&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(mapped_, other.mapped_);
  std::swap(mapped_bytes_, other.mapped_bytes_);
  return *this;
}

std::size_t Region::release_after(std::size_t used) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t from = (used + page - 1) / page * page;
  if (from < bytes_) madvise(static_cast<char*>(data_) + from, bytes_ - from, MADV_DONTNEED);
  return from;
}

}  // namespace treewise
