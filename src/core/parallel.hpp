// Parallel loops over the thread pool of core/team.hpp, which hand out blocks to threads as they become free. Used by readers, builders and
// generators, which must not depend on a backend, and by the backend `threads`. Handing out is compiled once; only the work on a block is
// compiled for each loop.
#pragma once
#include <cstddef>
#include <memory>

namespace copse {

/// The three functions below divide [0, count) into blocks of size `block` (the last may be shorter) and distribute them to `threads`
/// threads. An exception thrown by `call` is rethrown, and no further block is started.
namespace detail {

using block_call = void (*)(void* work, std::size_t begin, std::size_t end);
void run_blocks(unsigned threads, std::size_t count, std::size_t block, block_call call, void* work);

/// Hands out several blocks at a time: each time, a thread takes an equal share of the remaining blocks, at least one block.
void run_blocks_guided(unsigned threads, std::size_t count, std::size_t block, block_call call, void* work);

/// Gives each thread a share of its own, which is the same in every loop over equally many blocks; a thread that has finished its share
/// takes blocks of other shares. A call for a block [begin, end) also gets `run`: the same thread has just done [run, begin), in ascending
/// order.
using run_call = void (*)(void* work, std::size_t begin, std::size_t end, std::size_t run);
void run_shares(unsigned threads, std::size_t count, std::size_t block, run_call call, void* work);

}  // namespace detail

/// Calls `work(begin, end)` for consecutive blocks of [0, count), which `threads` workers take as they become free. An exception is
/// rethrown, and no further block is started.
template <class Work>
void parallel_blocks(unsigned threads, std::size_t count, std::size_t block, Work work) {
  detail::run_blocks(
      threads, count, block, [](void* task, std::size_t begin, std::size_t end) { (*static_cast<Work*>(task))(begin, end); },
      std::addressof(work));
}

}  // namespace copse
