// The backend of many threads on one machine: OpenMP. Blocks are handed out as threads become free; rows are cut by arcs, not by
// vertices, so that one hub does not keep a thread busy while the others wait.
#pragma once
#include <backend/meter.hpp>
#include <copse/core/threads.hpp>
#include <copse/graph/csr.hpp>
#include <copse/parents/atomic.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace copse::backend {

/// `SmallestBlock` is the least work worth a turn of a thread; tests make it small, so that small graphs keep all threads busy.
template <template <class> class Parents, std::size_t SmallestBlock = 256>
class basic_omp {
public:
  static constexpr std::string_view name = "omp";
  static constexpr bool concurrent = true;
  template <class Id>
  using parents = Parents<Id>;

  explicit basic_omp(unsigned threads = 0, observer* watcher = nullptr) noexcept : threads_{usable_threads(threads)}, watcher_{watcher} {}

  [[nodiscard]] unsigned threads() const noexcept { return threads_; }

  /// f(begin, end) over blocks that cover [0, count), concurrently.
  template <class F>
  void for_blocks(std::size_t count, F f) const {
    for_chunks(count, std::clamp<std::size_t>(count / (std::size_t{threads_} * blocks_per_thread), SmallestBlock, largest_block), f);
  }

  /// f(begin, end) over blocks of exactly `chunk` (the last may be shorter) that cover [0, count), concurrently: for loops that own what
  /// they cover.
  template <class F>
  void for_chunks(std::size_t count, std::size_t chunk, F f) const {
    meter progress{watcher_, count};
    const auto blocks = static_cast<std::ptrdiff_t>((count + chunk - 1) / chunk);
    const auto team = static_cast<int>(std::clamp<std::ptrdiff_t>(blocks, 1, threads_));  // a small loop wakes no one in vain
    bool going = true;
#pragma omp parallel for schedule(dynamic, 1) num_threads(team) firstprivate(going) if (team > 1)
    for (std::ptrdiff_t b = 0; b < blocks; ++b) {
      if (!going) continue;
      const std::size_t begin = static_cast<std::size_t>(b) * chunk;
      const std::size_t end = std::min(count, begin + chunk);
      f(begin, end);
      going = progress.advance(end - begin);
    }
    progress.finish();
  }

  /// f(v, first, last) for every vertex, with arcs [first, last) of its row, concurrently; a long row comes in several pieces.
  template <class Id, class Offset, class F>
  void for_row_pieces(csr_view<Id, Offset> g, F f) const {
    const std::size_t n = g.vertices();
    if (n == 0) return;
    // Position d on the walk "vertex 0, its arcs, vertex 1, its arcs, ..." lies in the last row v with v + offsets[v] <= d.
    const auto start = [&](std::size_t v) { return v + static_cast<std::size_t>(g.offsets[v]); };
    const std::size_t length = start(n);
    for_blocks(length, [&](std::size_t begin, std::size_t end) {
      std::size_t low = 0, high = n;
      while (high - low > 1) {
        const std::size_t middle = low + (high - low) / 2;
        (start(middle) <= begin ? low : high) = middle;
      }
      for (std::size_t v = low; v < n && start(v) < end; ++v) {
        const std::size_t row = start(v) + 1;  // where the arcs of v begin on the walk
        const std::size_t first = std::max(begin, row) - row;
        const std::size_t last = std::min(end - row, static_cast<std::size_t>(g.offsets[v + 1] - g.offsets[v]));
        const Offset base = g.offsets[v];
        if (first < last || start(v) >= begin) f(static_cast<Id>(v), static_cast<Offset>(base + first), static_cast<Offset>(base + last));
      }
    });
  }

private:
  static constexpr std::size_t blocks_per_thread = 32;
  static constexpr std::size_t largest_block = std::size_t{1} << 16;

  unsigned threads_;
  observer* watcher_;
};

using omp = basic_omp<parents::atomic>;

}  // namespace copse::backend
