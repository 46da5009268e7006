#include "gdl/grounding/budget.h"

#include <cstdio>
#include <ctime>

#ifdef __linux__
#include <unistd.h>
#endif

namespace treewise::gdl {

double thread_seconds() {
#ifdef CLOCK_THREAD_CPUTIME_ID
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
#else
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
#endif
}

std::size_t process_bytes() {
#ifdef __linux__
  unsigned long all = 0, resident = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    const int read = std::fscanf(file, "%lu %lu", &all, &resident);
    std::fclose(file);
    if (read == 2) return static_cast<std::size_t>(resident) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  }
#endif
  return 0;
}

void Budget::look() const {
  if (thread_seconds() > until_) throw OverBudget("seconds");
  if (process_bytes() > bytes_) throw OverBudget("megabytes");
}

}  // namespace treewise::gdl
