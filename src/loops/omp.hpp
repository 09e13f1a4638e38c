// The backend of many threads on one machine: OpenMP. Blocks are handed out as threads become free; rows are cut by arcs, not by
// vertices, so that one hub does not keep a thread busy while the others wait.
#pragma once
#include <omp.h>
#include <copse/extend/parents/atomic.hpp>
#include <copse/options.hpp>
#include <loops/meter.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

namespace copse::backend {

/// `SmallestBlock` is the least work worth a turn of a thread; tests make it small, so that small graphs keep all threads busy.
template <template <class> class Parents, std::size_t SmallestBlock = 256>
class basic_omp {
public:
  static constexpr std::string_view name = "omp";
  static constexpr bool concurrent = true;
  template <class Id>
  using parents = Parents<Id>;
  static constexpr bool counts = requires { Parents<std::uint32_t>::totals(); };  // an instrument: counted.hpp

  explicit basic_omp(unsigned threads = 0, observer* watcher = nullptr) noexcept : threads_{usable_threads(threads)}, watcher_{watcher} {}

  [[nodiscard]] unsigned threads() const noexcept { return threads_; }

  /// Inside a loop: which of its threads is this? Below threads(); no two at once are the same.
  [[nodiscard]] static unsigned thread() noexcept { return static_cast<unsigned>(omp_get_thread_num()); }

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
    const int team = team_of(blocks);
    bool going = true;
#pragma omp parallel for schedule(dynamic, 1) num_threads(team) firstprivate(going) if (team > 1)
    for (std::ptrdiff_t b = 0; b < blocks; ++b) {
      if (going) going = run_block(f, b, chunk, count, progress);
    }
    progress.finish();
  }

  /// f(begin, end, run) over chunks, like for_chunks; but every thread begins with a share of its own, the same in every loop over as many
  /// chunks, and helps the others when it is done: what it wrote in one loop is in its cache in the next. [run, begin) is what the same
  /// thread covered just before, in order: all of its share so far, unless somebody helped.
  template <class F>
  void for_runs(std::size_t count, std::size_t chunk, F f) const {
    meter progress{watcher_, count};
    const std::size_t chunks = (count + chunk - 1) / chunk;
    const int team = team_of(static_cast<std::ptrdiff_t>(chunks));
    const auto sharers = static_cast<std::size_t>(team);
    std::vector<share> shares(sharers);
    for (std::size_t s = 0; s < sharers; ++s) {
      shares[s].next.store(chunks * s / sharers, std::memory_order_relaxed);
      shares[s].end = chunks * (s + 1) / sharers;
    }
#pragma omp parallel num_threads(team) if (team > 1)
    {
      F own = f;
      bool going = true;
      for (std::size_t turn = 0; turn < sharers && going; ++turn) {
        share& from = shares[(thread() + turn) % sharers];
        std::size_t run = 0, covered = count;
        while (going) {
          const std::size_t c = from.next.fetch_add(1, std::memory_order_relaxed);
          if (c >= from.end) break;
          const std::size_t begin = c * chunk, end = std::min(count, begin + chunk);
          if (begin != covered) run = begin;
          own(begin, end, run);
          covered = end;
          going = progress.advance(end - begin);
        }
      }
    }
    progress.finish();
  }

  /// The same as for_blocks in guided turns: a thread's share of what is left, shrinking down to the smallest block.
  template <class F>
  void for_blocks_guided(std::size_t count, F f) const {
    meter progress{watcher_, count};
    const auto blocks = static_cast<std::ptrdiff_t>((count + SmallestBlock - 1) / SmallestBlock);
    const int team = team_of(blocks);
    bool going = true;
#pragma omp parallel for schedule(guided) num_threads(team) firstprivate(going) if (team > 1)
    for (std::ptrdiff_t b = 0; b < blocks; ++b) {
      if (going) going = run_block(f, b, SmallestBlock, count, progress);
    }
    progress.finish();
  }

  /// f(v, first, last) for every vertex, with arcs [first, last) of its row, concurrently; a long row comes in several pieces.
  template <class Rows, class F>
  void for_row_pieces(const Rows& g, F f) const {
    using id = decltype(g.vertices());
    using offset = std::remove_cvref_t<decltype(g.offsets[0])>;
    const std::size_t n = g.vertices();
    if (n == 0) return;
    // Position d on the walk "vertex 0, its arcs, vertex 1, its arcs, ..." lies in the last row v with v + offsets[v] <= d.
    const auto offsets = g.offsets;
    const auto start = [offsets](std::size_t v) { return v + static_cast<std::size_t>(offsets[v]); };
    for_blocks(start(n), [=](std::size_t begin, std::size_t end) {
      std::size_t low = 0, high = n;
      while (high - low > 1) {
        const std::size_t middle = low + (high - low) / 2;
        (start(middle) <= begin ? low : high) = middle;
      }
      offset next = offsets[low];
      for (std::size_t v = low; v < n; ++v) {
        const offset row = next;
        const std::size_t position = v + static_cast<std::size_t>(row);
        if (position >= end) break;
        next = offsets[v + 1];
        const offset first = position >= begin ? row : static_cast<offset>(row + (begin - position - 1));
        const offset last = std::min(next, static_cast<offset>(row + (end - position - 1)));
        if (first < last || position >= begin) f(static_cast<id>(v), first, last);
      }
    });
  }

private:
  /// Chunks [next, end) are still to be done.
  struct alignas(64) share {
    std::atomic<std::size_t> next{0};
    std::size_t end = 0;
  };

  static constexpr std::size_t blocks_per_thread = 32;
  static constexpr std::size_t largest_block = std::size_t{1} << 16;

  // All threads or none but the caller: OpenMP's runtimes end the threads that a smaller team has no place for, and the next loop would
  // have to start them anew (measured: a loop of three blocks cost sixteen threads half a millisecond).
  [[nodiscard]] int team_of(std::ptrdiff_t blocks) const noexcept { return blocks > 1 ? static_cast<int>(threads_) : 1; }

  /// False once the observer has asked to stop.
  template <class F>
  static bool run_block(const F& f, std::ptrdiff_t b, std::size_t block, std::size_t count, meter& progress) {
    const std::size_t begin = static_cast<std::size_t>(b) * block;
    const std::size_t end = std::min(count, begin + block);
    F own = f;  // what it captures may stay in registers: nobody else can write it
    own(begin, end);
    return progress.advance(end - begin);
  }

  unsigned threads_;
  observer* watcher_;
};

using omp = basic_omp<parents::atomic>;

}  // namespace copse::backend
