// The backend of many threads on one machine, those of core/team.hpp. Blocks are handed out as threads become free; rows are cut by arcs,
// not by vertices, so that one hub does not keep a thread busy while the others wait. An exception, also one of the observer, leaves the
// loop on the calling thread.
#pragma once
#include <copse/extend/parents/atomic.hpp>
#include <copse/options.hpp>
#include <core/team.hpp>
#include <loops/host_loops.hpp>
#include <loops/meter.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

namespace copse::backend {

/// `SmallestBlock` is the least work worth one turn of a thread; tests make it small, so that small graphs keep all threads busy.
template <template <class> class Parents, std::size_t SmallestBlock = 256>
class basic_omp : public host_loops<basic_omp<Parents, SmallestBlock>> {
public:
  static constexpr std::string_view name = "omp";
  static constexpr bool concurrent = true;
  template <class Id>
  using parents = Parents<Id>;
  static constexpr bool counts = requires { Parents<std::uint32_t>::totals(); };  // an instrument: counted.hpp

  explicit basic_omp(unsigned threads = 0, observer* watcher = nullptr) noexcept : threads_{usable_threads(threads)}, watcher_{watcher} {}

  [[nodiscard]] unsigned threads() const noexcept { return threads_; }

  /// Inside a loop: which of its threads is this? Below threads(); no two at once are the same.
  [[nodiscard]] static unsigned thread() noexcept { return worker_number(); }

  /// f(begin, end) over blocks that cover [0, count), concurrently.
  template <class F>
  void for_blocks(std::size_t count, F f) const {
    const std::size_t block = std::clamp<std::size_t>(count / (std::size_t{threads_} * blocks_per_thread), SmallestBlock, largest_block);
    over_chunks(team_for(count), count, block, f);
  }

  /// f(begin, end) over blocks of exactly `chunk` (the last may be shorter) that cover [0, count), concurrently: for loops whose blocks
  /// must not overlap or be split.
  template <class F>
  void for_chunks(std::size_t count, std::size_t chunk, F f) const {
    over_chunks(threads_, count, chunk, f);
  }

  /// f(begin, end, run) over chunks, like for_chunks; but every thread begins with its own share, the same in every loop over as many
  /// chunks, and helps the others when it is done: what it wrote in one loop is in its cache in the next. [run, begin) is what the same
  /// thread covered just before, in order: all of its share so far, unless other threads helped.
  template <class F>
  void for_runs(std::size_t count, std::size_t chunk, F f) const {
    meter progress{watcher_, count};
    const std::size_t chunks = (count + chunk - 1) / chunk, sharers = chunks > 1 ? threads_ : 1;
    std::vector<share> shares(sharers);
    for (std::size_t s = 0; s < sharers; ++s) {
      shares[s].next.store(chunks * s / sharers, std::memory_order_relaxed);
      shares[s].end = chunks * (s + 1) / sharers;
    }
    on_workers(static_cast<unsigned>(sharers), [&](unsigned number) {
      F own = f;
      for (std::size_t turn = 0; turn < sharers; ++turn) {
        share& from = shares[(number + turn) % sharers];
        std::size_t run = 0, covered = count;
        for (;;) {
          const std::size_t c = from.next.fetch_add(1, std::memory_order_relaxed);
          if (c >= from.end) break;
          const std::size_t begin = c * chunk, end = std::min(count, begin + chunk);
          if (begin != covered) run = begin;
          or_stop(shares, [&] {
            own(begin, end, run);
            go_on(progress, end - begin);
          });
          covered = end;
        }
      }
    });
  }

  /// The same as for_blocks in guided turns: a thread's share of what is left, shrinking down to the smallest block.
  template <class F>
  void for_blocks_guided(std::size_t count, F f) const {
    meter progress{watcher_, count};
    std::vector<share> all(1);
    share& left = all.front();
    left.end = (count + SmallestBlock - 1) / SmallestBlock;
    const unsigned team = team_for(count);
    on_workers(team, [&](unsigned) {
      const F local = f;
      for (std::size_t b = left.next.load(std::memory_order_relaxed); b < left.end;) {
        const std::size_t turn = (left.end - b + team - 1) / team;
        if (!left.next.compare_exchange_weak(b, b + turn, std::memory_order_relaxed)) continue;
        for (const std::size_t last = b + turn; b < last; ++b) {
          or_stop(all, [&] { run_block(local, b * SmallestBlock, std::min(count, (b + 1) * SmallestBlock), progress); });
        }
        b = left.next.load(std::memory_order_relaxed);
      }
    });
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
  /// Vertices or edges that pay for one more thread: it takes tens of microseconds to wake one.
  static constexpr std::size_t worth_a_thread = SmallestBlock < 256 ? SmallestBlock : 2048;

  [[nodiscard]] unsigned team_for(std::size_t count) const noexcept {
    return static_cast<unsigned>(std::clamp<std::size_t>(count / worth_a_thread, 1, threads_));
  }

  template <class F>
  void over_chunks(unsigned team, std::size_t count, std::size_t chunk, const F& f) const {
    meter progress{watcher_, count};
    if (count <= chunk) {  // nothing to share
      return on_workers(1, [&](unsigned) {
        if (count != 0) run_block(f, 0, count, progress);
      });
    }
    std::vector<share> all(1);  // a cache line of its own
    share& left = all.front();
    left.end = (count + chunk - 1) / chunk;
    on_workers(static_cast<unsigned>(std::clamp<std::size_t>(left.end, 1, team)), [&](unsigned) {
      const F local = f;  // on this thread's stack: the caller's is written by the caller
      for (std::size_t b = left.next.fetch_add(1, std::memory_order_relaxed); b < left.end;
           b = left.next.fetch_add(1, std::memory_order_relaxed)) {
        or_stop(all, [&] { run_block(local, b * chunk, std::min(count, (b + 1) * chunk), progress); });
      }
    });
  }

  template <class F>
  static void run_block(const F& f, std::size_t begin, std::size_t end, meter& progress) {
    F own = f;  // what it captures may stay in registers: no other thread can write it
    own(begin, end);
    go_on(progress, end - begin);
  }

  /// Adds to the work done. Throws when the observer has asked to stop.
  static void go_on(meter& progress, std::uint64_t done) {
    if (!progress.advance(done)) throw cancelled{};
  }

  /// After an exception nothing more is handed out.
  template <class Step>
  static void or_stop(std::vector<share>& shares, Step step) {
    try {
      step();
    } catch (...) {
      for (share& s : shares) s.next.store(s.end, std::memory_order_relaxed);
      throw;
    }
  }

  unsigned threads_;
  observer* watcher_;
};

using omp = basic_omp<parents::atomic>;

}  // namespace copse::backend
