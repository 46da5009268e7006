#include "tree/region.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace treewise {

namespace {

// Small trees stay on small pages: a huge page costs its whole zeroing at the first touch. Larger ones get huge pages
// after these bytes, where the first of them begins; but not where the cap is so low that the rest of a huge page would
// count.
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kSmallPart = std::size_t{256} << 10;
constexpr std::size_t kLarge = 16 * kHugePage;
// Of two trees with a few columns.
constexpr std::size_t kMostSpares = 12;

}  // namespace

// Nobody waits for the lock, and after a fork nobody may be there to open it: who does not get it goes without.
struct Region::Spares {
  std::mutex mutex;
  std::vector<Region> regions;
};

// Never destroyed, since regions may be needed until the very end.
Region::Spares& Region::spares() {
  static auto* const kept = [] {
    auto* const made = new Spares;
    made->regions.reserve(kMostSpares);
    return made;
  }();
  return *kept;
}

bool Region::take_spare(std::size_t bytes) {
  const std::unique_lock lock(spares().mutex, std::try_to_lock);
  if (!lock) return false;
  auto& regions = spares().regions;
  const auto fits = [bytes](const Region& spare) { return spare.bytes_ == bytes; };
  const auto found = std::find_if(regions.rbegin(), regions.rend(), fits);
  if (found == regions.rend()) return false;
  *this = std::move(*found);
  regions.erase(std::next(found).base());
  return true;
}

bool Region::keep_as_spare() {
  const std::unique_lock lock(spares().mutex, std::try_to_lock);
  if (!lock) return false;
  auto& regions = spares().regions;
  if (regions.size() == kMostSpares) {  // the one that has waited longest has not been what anybody asked for
    regions.front().unmap();
    regions.erase(regions.begin());
  }
  regions.push_back(std::move(*this));
  return true;
}

void Region::unmap() {
  if (mapped_) munmap(mapped_, mapped_bytes_);
  data_ = mapped_ = nullptr;
}

void* Region::map(std::size_t bytes) {
  const auto attempt = [bytes] {
    return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  };
  void* mapped = attempt();
  if (mapped != MAP_FAILED) return mapped;
  const std::unique_lock lock(spares().mutex, std::try_to_lock);  // spares take address space, too
  if (lock) {
    for (Region& spare : spares().regions) spare.unmap();
    spares().regions.clear();
    mapped = attempt();
  }
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  return mapped;
}

Region::Region(std::size_t bytes) {
  if (bytes == 0 || take_spare(bytes)) return;
  bytes_ = bytes;
  mapped_bytes_ = bytes + kHugePage;
  mapped_ = map(mapped_bytes_);
  const auto start = reinterpret_cast<std::uintptr_t>(mapped_);
  const std::uintptr_t huge = (start + kSmallPart + kHugePage - 1) & ~(kHugePage - 1);
  data_ = reinterpret_cast<void*>(huge - kSmallPart);
#ifdef MADV_HUGEPAGE
  if (bytes >= kLarge) madvise(reinterpret_cast<void*>(huge), start + mapped_bytes_ - huge, MADV_HUGEPAGE);
#endif
}

Region::~Region() {
  if (mapped_ && !keep_as_spare()) unmap();
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

void Region::prepare([[maybe_unused]] std::size_t from, [[maybe_unused]] std::size_t to) {
#ifdef MADV_POPULATE_WRITE
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t first = from / page * page, last = std::min(to, bytes_) / page * page;
  if (first < last) madvise(static_cast<char*>(data_) + first, last - first, MADV_POPULATE_WRITE);
#endif
}

}  // namespace treewise
