// The backend of several threads on one machine, those of core/team.hpp. Threads take blocks as they become free. Rows are cut by arcs, not
// by vertices, so that a hub does not keep one thread busy while the others wait. An exception, including one of the observer, leaves the
// loop on the calling thread.
#pragma once
#include <copse/execution.hpp>
#include <copse/extend/parents/atomic.hpp>
#include <core/parallel.hpp>
#include <core/team.hpp>
#include <loops/host_loops.hpp>
#include <loops/meter.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace copse::backend {

/// `SmallestBlock` is the smallest number of items that a thread takes at a time; tests make it small, so that small graphs keep all
/// threads busy.
template <template <class> class Parents, std::size_t SmallestBlock = 256>
class basic_threads : public host_loops<basic_threads<Parents, SmallestBlock>> {
public:
  static constexpr std::string_view name = "threads";
  static constexpr bool concurrent = true;
  template <class Id>
  using parents = Parents<Id>;
  static constexpr bool counts = requires { Parents<std::uint32_t>::totals(); };  // true if the backend counts accesses (see arcs.hpp)

  explicit basic_threads(unsigned threads = 0, observer* watcher = nullptr) noexcept
      : threads_{usable_threads(threads)}, watcher_{watcher} {}

  [[nodiscard]] unsigned threads() const noexcept { return threads_; }

  /// The number of the calling thread, below threads(), for use inside a loop. Threads that run at the same time have different numbers.
  [[nodiscard]] static unsigned thread() noexcept { return worker_number(); }

  /// Calls f(begin, end) over blocks that cover [0, count), concurrently.
  template <class F>
  void for_blocks(std::size_t count, F f) const {
    const std::size_t block = std::clamp<std::size_t>(count / (std::size_t{threads_} * blocks_per_thread), SmallestBlock, largest_block);
    over_chunks(team_for(count), count, block, f);
  }

  /// Calls f(begin, end) over blocks of exactly `chunk` elements (the last may be shorter) that cover [0, count), concurrently: for loops
  /// whose blocks must not overlap or be split.
  template <class F>
  void for_chunks(std::size_t count, std::size_t chunk, F f) const {
    over_chunks(threads_, count, chunk, f);
  }

  /// Calls f(begin, end, run) over chunks, like for_chunks, but every thread begins with a share of its own, which is the same in every
  /// loop over the same number of chunks, so that it finds in its cache what it wrote in the previous loop. Threads that have finished help
  /// the others. [run, begin) is what the same thread processed just before, in order: all of its share so far, unless other threads
  /// helped.
  template <class F>
  void for_runs(std::size_t count, std::size_t chunk, F f) const {
    meter progress{watcher_, count};
    shared_loop<F> loop{f, progress};
    detail::run_shares(threads_, count, chunk, run_block<F, std::size_t>, &loop);
  }

  /// Like for_blocks, but with guided scheduling: a thread takes a fraction of the remaining items at a time, so that blocks shrink down to
  /// the smallest block.
  template <class F>
  void for_blocks_guided(std::size_t count, F f) const {
    meter progress{watcher_, count};
    shared_loop<F> loop{f, progress};
    detail::run_blocks_guided(team_for(count), count, SmallestBlock, run_block<F>, &loop);
  }

  /// Calls f(v, first, last) for every vertex v, with the arcs [first, last) of its row, concurrently; a long row is passed in several
  /// pieces.
  template <class Rows, class F>
  void for_row_pieces(const Rows& g, F f) const {
    using id = decltype(g.vertices());
    using offset = std::remove_cvref_t<decltype(g.offsets[0])>;
    const std::size_t n = g.vertices();
    if (n == 0) return;
    // Blocks are cut from the sequence "vertex 0, its arcs, vertex 1, its arcs, ...", in which position d belongs to the last row v with v
    // + offsets[v] <= d.
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
  static constexpr std::size_t blocks_per_thread = 32;
  static constexpr std::size_t largest_block = std::size_t{1} << 16;
  /// The number of vertices or edges that justifies one more thread, because waking a thread takes tens of microseconds.
  static constexpr std::size_t worth_a_thread = SmallestBlock < 256 ? SmallestBlock : 2048;

  [[nodiscard]] unsigned team_for(std::size_t count) const noexcept {
    return static_cast<unsigned>(std::clamp<std::size_t>(count / worth_a_thread, 1, threads_));
  }

  template <class F>
  void over_chunks(unsigned team, std::size_t count, std::size_t chunk, const F& f) const {
    meter progress{watcher_, count};
    shared_loop<F> loop{f, progress};
    detail::run_blocks(team, count, chunk, run_block<F>, &loop);
  }

  /// The data of a loop that all threads read, on cache lines that no thread writes.
  template <class F>
  struct alignas(64) shared_loop {
    F f;
    meter& progress;
  };

  /// Calls f for one block. Throws if the observer has asked to stop.
  template <class F, class... Run>
  static void run_block(void* loop, std::size_t begin, std::size_t end, Run... run) {
    auto& shared = *static_cast<shared_loop<F>*>(loop);
    F own = shared.f;  // a local copy, which no other thread can write, so that its captures may stay in registers
    own(begin, end, run...);
    if (!shared.progress.advance(end - begin)) throw cancelled{};
  }

  unsigned threads_;
  observer* watcher_;
};

using threads = basic_threads<parents::atomic>;

}  // namespace copse::backend
