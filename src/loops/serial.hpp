// The backend of one thread, which runs loops in order.
#pragma once
#include <copse/extend/parents/plain.hpp>
#include <loops/host_loops.hpp>
#include <loops/meter.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace copse::backend {

/// A backend defines how parents are accessed (`parents`) and how loops run. Every backend has the members of this class and of its base.
template <template <class> class Parents>
class basic_serial : public host_loops<basic_serial<Parents>> {
public:
  static constexpr std::string_view name = "serial";
  static constexpr bool concurrent = false;
  template <class Id>
  using parents = Parents<Id>;
  static constexpr bool counts = requires { Parents<std::uint32_t>::totals(); };  // true if the backend counts accesses (see arcs.hpp)

  explicit basic_serial(unsigned /*threads*/ = 1, observer* watcher = nullptr) noexcept : watcher_{watcher} {}

  [[nodiscard]] unsigned threads() const noexcept { return 1; }

  /// The number of the calling thread, for use inside a loop.
  [[nodiscard]] static unsigned thread() noexcept { return 0; }

  /// Calls f(begin, end) over blocks that cover [0, count).
  template <class F>
  void for_blocks(std::size_t count, F f) const {
    for_chunks(count, block, f);
  }

  /// Calls f(begin, end) over blocks of exactly `chunk` elements (the last may be shorter) that cover [0, count), for loops that need
  /// exclusive use of a chunk.
  template <class F>
  void for_chunks(std::size_t count, std::size_t chunk, F f) const {
    meter progress{watcher_, count};
    for (std::size_t begin = 0; begin < count; begin += chunk) {
      const std::size_t end = std::min(count, begin + chunk);
      run_block(f, begin, end);
      if (!progress.advance(end - begin)) break;
    }
    progress.finish();
  }

  /// Calls f(begin, end, run) over chunks, where [run, begin) is what the same thread processed just before, in order. With one thread that
  /// is everything before `begin`.
  template <class F>
  void for_runs(std::size_t count, std::size_t chunk, F f) const {
    meter progress{watcher_, count};
    for (std::size_t begin = 0; begin < count; begin += chunk) {
      const std::size_t end = std::min(count, begin + chunk);
      run_block(f, begin, end, std::size_t{0});
      if (!progress.advance(end - begin)) break;
    }
    progress.finish();
  }

  /// Calls f(begin, end) over blocks that cover [0, count), like for_blocks(). A backend with several threads hands out blocks that shrink.
  template <class F>
  void for_blocks_guided(std::size_t count, F f) const {
    for_blocks(count, f);
  }

  /// Calls f(v, first, last) for every vertex v of `g`, with the arcs [first, last) of its row; a long row may be passed in several pieces.
  /// `g` must have `vertices()` and `offsets[v]`.
  template <class Rows, class F>
  void for_row_pieces(const Rows& g, F f) const {
    for_blocks(g.vertices(), [=](std::size_t begin, std::size_t end) { for_whole_rows(g, begin, end, f); });
  }

private:
  /// A separate function, so that the captures of f stay in registers, whatever the surrounding loop does.
  template <class F, class... Run>
  [[gnu::noinline]] static void run_block(const F& f, std::size_t begin, std::size_t end, Run... run) {
    F own = f;
    own(begin, end, run...);
  }

  static constexpr std::size_t block = std::size_t{1} << 16;

  observer* watcher_;
};

using serial = basic_serial<parents::plain>;

}  // namespace copse::backend
