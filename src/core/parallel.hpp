// Loops over the threads of core/team.hpp that hand out blocks as threads become free: for readers, builders and generators, which may not
// depend on a backend, and for the backend of many threads. Handing out is compiled once; of a loop there is only what one block does.
#pragma once
#include <cstddef>
#include <memory>

namespace copse {

/// The three functions below cut [0, count) into blocks of `block`, of which the last may be shorter, and distribute them to `threads`
/// threads. After an exception of `call`, which comes out here, no further block is started.
namespace detail {

using block_call = void (*)(void* work, std::size_t begin, std::size_t end);
void run_blocks(unsigned threads, std::size_t count, std::size_t block, block_call call, void* work);

/// Runs blocks in turns of several: a thread takes a share of the remaining blocks, down to one block.
void run_blocks_guided(unsigned threads, std::size_t count, std::size_t block, block_call call, void* work);

/// Every thread begins with its own share, the same in every loop over as many blocks, and helps the others when it is done. [run, begin)
/// is what the same thread covered just before, in order.
using run_call = void (*)(void* work, std::size_t begin, std::size_t end, std::size_t run);
void run_shares(unsigned threads, std::size_t count, std::size_t block, run_call call, void* work);

}  // namespace detail

/// Calls `work(begin, end)` for consecutive blocks of [0, count), which `threads` workers take as they become free. After an exception,
/// which comes out here, no further block is started.
template <class Work>
void parallel_blocks(unsigned threads, std::size_t count, std::size_t block, Work work) {
  detail::run_blocks(
      threads, count, block, [](void* task, std::size_t begin, std::size_t end) { (*static_cast<Work*>(task))(begin, end); },
      std::addressof(work));
}

}  // namespace copse
