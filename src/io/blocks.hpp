// Runs workers that process the blocks of an input in file order.
#pragma once
#include "core/team.hpp"

#include <copse/io.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>

namespace copse::io {

/// Calls `work(worker, block)` for every block of `source`. `bool source.next(Block&)` may be called by any thread, returns blocks in file
/// order, and sets `block.index` even if it throws. Throws the error of the first failing block, whatever the number of threads. `pausing`
/// is a sink that may ask for a pause between blocks.
template <class Block, class Source, class Work>
void on_blocks(Source& source, unsigned threads, Work work, edge_sink* pausing = nullptr) {
  std::mutex guard;
  std::exception_ptr error;
  std::uint64_t error_index = UINT64_MAX;
  std::atomic<bool> stop{false};
  for (std::atomic<bool> paused{true}; paused.load();) {
    paused.store(false);
    on_workers(threads, [&](unsigned worker) {
      Block block;
      try {
        // Blocks are taken in file order, so when one fails, all blocks before it are already taken and will be finished.
        while (!stop.load(std::memory_order_relaxed)) {
          if (pausing != nullptr && pausing->wants_pause()) {
            paused.store(true, std::memory_order_relaxed);
            break;
          }
          if (!source.next(block)) break;
          work(worker, block);
        }
      } catch (...) {
        stop.store(true, std::memory_order_relaxed);
        const std::lock_guard lock{guard};
        if (block.index < error_index) {
          error_index = block.index;
          error = std::current_exception();
        }
      }
    });
    if (error) std::rethrow_exception(error);
    if (paused.load()) pausing->pause();
  }
}

}  // namespace copse::io
