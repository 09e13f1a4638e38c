#include <copse/execution.hpp>

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <thread>

namespace copse {
namespace {

// The CPU limit of the cgroup. v2 has one file, "max 100000" or "150000 100000" (quota and period in microseconds); v1 has two files, with
// quota -1 for no limit.
double quota_cores() {
  std::string quota;
  double period = 0;
  if (std::ifstream v2{"/sys/fs/cgroup/cpu.max"}; v2 >> quota >> period) {
    return quota == "max" || period <= 0 ? HUGE_VAL : std::strtod(quota.c_str(), nullptr) / period;
  }
  double limit = -1;
  std::ifstream{"/sys/fs/cgroup/cpu/cpu.cfs_quota_us"} >> limit;
  std::ifstream{"/sys/fs/cgroup/cpu/cpu.cfs_period_us"} >> period;
  return limit <= 0 || period <= 0 ? HUGE_VAL : limit / period;
}

unsigned available_cores() noexcept {
  unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof mask, &mask) == 0) cores = static_cast<unsigned>(std::max(1, CPU_COUNT(&mask)));
  try {
    const double quota = quota_cores();
    if (quota < cores) cores = static_cast<unsigned>(std::max(1.0, std::ceil(quota)));
  } catch (...) {  // out of memory for reading the file: the affinity mask decides
  }
  return cores;
}

}  // namespace

unsigned usable_threads(unsigned requested) noexcept {
  static const unsigned cores = available_cores();
  return std::min(requested == 0 ? cores : requested, most_threads);
}

}  // namespace copse
