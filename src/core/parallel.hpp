// Parallel loops for readers, builders and generators, which may not depend on a backend. Exceptions of workers reach the caller.
#pragma once
#include <copse/options.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace copse {

/// Runs `work(worker)` once on each of `threads` workers (worker 0 is the caller) and waits for all; rethrows the first exception.
template <class Work>
void on_workers(unsigned threads, Work work) {
  if (threads <= 1) {
    work(0u);
    return;
  }
  std::exception_ptr first;
  std::mutex guard;
  const auto run = [&](unsigned worker) {
    try {
      work(worker);
    } catch (...) {
      const std::lock_guard lock{guard};
      if (!first) first = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> crew;
    crew.reserve(threads - 1);
    for (unsigned worker = 1; worker < threads; ++worker) crew.emplace_back(run, worker);
    run(0);
  }
  if (first) std::rethrow_exception(first);
}

/// Calls `work(begin, end)` for consecutive blocks of [0, count), which `threads` workers take as they become free.
/// After an exception no further block is started.
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
