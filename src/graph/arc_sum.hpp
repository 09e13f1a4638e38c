// A number of each arc, added up by several threads.
#pragma once
#include "core/parallel.hpp"

#include <copse/options.hpp>
#include <copse/views.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace copse {

/// The sum of sum_of(g, begin, end), modulo 2^64, over blocks of rows or of edges, whichever the view has.
template <class View, class SumOf>
std::uint64_t arc_sum(const View& g, unsigned threads, SumOf sum_of) {
  constexpr std::size_t rows_per_block = 4096, edges_per_block = std::size_t{1} << 16;
  std::size_t count = 0, block = edges_per_block;
  if constexpr (requires { g.edges; }) {
    count = g.edges.size();
  } else {
    count = g.vertices();
    block = rows_per_block;
  }
  std::atomic<std::uint64_t> sum{0};
  parallel_blocks(usable_threads(threads), count, block,
                  [&](std::size_t begin, std::size_t end) { sum.fetch_add(sum_of(g, begin, end), std::memory_order_relaxed); });
  return sum.load(std::memory_order_relaxed);
}

}  // namespace copse
