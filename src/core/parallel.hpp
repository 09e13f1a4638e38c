// Loops over the threads of core/team.hpp that hand out blocks as threads become free: for readers, builders and generators, which may not
// depend on a backend, and for the backend of many threads.
#pragma once
#include <copse/options.hpp>
#include <core/team.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace copse {

/// Calls `work(begin, end)` for consecutive blocks of [0, count), which `threads` workers take as they become free. After an exception,
/// which comes out here, no further block is started.
template <class Work>
void parallel_blocks(unsigned threads, std::size_t count, std::size_t block, Work work) {
  const std::size_t blocks = (count + block - 1) / block;
  std::atomic<std::size_t> next{0};
  on_workers(static_cast<unsigned>(std::min<std::size_t>(threads, std::max<std::size_t>(blocks, 1))), [&](unsigned) {
    for (std::size_t b = next.fetch_add(1, std::memory_order_relaxed); b < blocks; b = next.fetch_add(1, std::memory_order_relaxed)) {
      try {
        work(b * block, std::min(count, (b + 1) * block));
      } catch (...) {
        next.store(blocks, std::memory_order_relaxed);
        throw;
      }
    }
  });
}

}  // namespace copse
