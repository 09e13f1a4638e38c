#include "memory_limit.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace copse::cli {
namespace {

/// A file of one number; cgroup v2 writes `max` for none.
std::uint64_t number_in(const char* path) {
  std::ifstream file{path};
  std::uint64_t number = 0;
  return file >> number ? number : UINT64_MAX;
}

}  // namespace

std::uint64_t memory_of_this_machine() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  const std::uint64_t physical =
      pages > 0 && page_bytes > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes) : UINT64_MAX;
  return std::min({physical, number_in("/sys/fs/cgroup/memory.max"), number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes")});
}

}  // namespace copse::cli
