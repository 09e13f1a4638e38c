#include <core/parallel.hpp>
#include <core/team.hpp>

#include <algorithm>
#include <atomic>
#include <vector>

namespace copse {
namespace {

/// A range of blocks that are not done yet, [next, end), in a cache line of its own.
struct alignas(64) share {
  std::atomic<std::size_t> next{0};
  std::size_t end = 0;

  void stop() noexcept { next.store(end, std::memory_order_relaxed); }
};

std::size_t blocks_of(std::size_t count, std::size_t block) noexcept { return (count + block - 1) / block; }

/// The number of threads to use for this number of blocks: one per block, but at most `threads`.
unsigned useful_threads(unsigned threads, std::size_t blocks) noexcept {
  return static_cast<unsigned>(std::clamp<std::size_t>(blocks, 1, std::max(threads, 1u)));
}

}  // namespace

void detail::run_blocks(unsigned threads, std::size_t count, std::size_t block, block_call call, void* work) {
  if (count <= block) {  // needs no other thread, and no atomic operations
    const numbered here{0};
    return count == 0 ? void() : call(work, 0, count);
  }
  share left;
  left.end = blocks_of(count, block);
  on_workers(useful_threads(threads, left.end), [&](unsigned) {
    try {
      for (;;) {
        const std::size_t b = left.next.fetch_add(1, std::memory_order_relaxed);
        if (b >= left.end) break;
        call(work, b * block, std::min(count, (b + 1) * block));
      }
    } catch (...) {
      left.stop();
      throw;
    }
  });
}

void detail::run_blocks_guided(unsigned threads, std::size_t count, std::size_t block, block_call call, void* work) {
  share left;
  left.end = blocks_of(count, block);
  const unsigned team = useful_threads(threads, left.end);
  on_workers(team, [&](unsigned) {
    try {
      for (std::size_t b = left.next.load(std::memory_order_relaxed); b < left.end;) {
        const std::size_t turn = (left.end - b + team - 1) / team;
        if (!left.next.compare_exchange_weak(b, b + turn, std::memory_order_relaxed)) continue;
        for (const std::size_t last = b + turn; b < last; ++b) call(work, b * block, std::min(count, (b + 1) * block));
        b = left.next.load(std::memory_order_relaxed);
      }
    } catch (...) {
      left.stop();
      throw;
    }
  });
}

void detail::run_shares(unsigned threads, std::size_t count, std::size_t block, run_call call, void* work) {
  const std::size_t blocks = blocks_of(count, block), sharers = blocks > 1 ? std::max(threads, 1u) : 1;
  std::vector<share> shares(sharers);
  for (std::size_t s = 0; s < sharers; ++s) {
    shares[s].next.store(blocks * s / sharers, std::memory_order_relaxed);
    shares[s].end = blocks * (s + 1) / sharers;
  }
  on_workers(static_cast<unsigned>(sharers), [&](unsigned number) {
    try {
      for (std::size_t turn = 0; turn < sharers; ++turn) {
        share& from = shares[(number + turn) % sharers];
        std::size_t run = 0, covered = count;
        for (;;) {
          const std::size_t b = from.next.fetch_add(1, std::memory_order_relaxed);
          if (b >= from.end) break;
          const std::size_t begin = b * block, end = std::min(count, begin + block);
          if (begin != covered) run = begin;
          call(work, begin, end, run);
          covered = end;
        }
      }
    } catch (...) {
      for (share& s : shares) s.stop();
      throw;
    }
  });
}

}  // namespace copse
