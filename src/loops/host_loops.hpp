// The functions that every backend has in addition to its loops over blocks. The backends of the host, basic_serial and basic_threads,
// inherit them from host_loops. A backend with memory of its own (gpu/loops/cuda.cuh) implements all of them itself.
#pragma once
#include <copse/views.hpp>

#include <cstddef>
#include <cstring>
#include <span>

namespace copse::backend {

/// The base of the backends that run on the CPU. `Loops` is the backend itself, which must have for_blocks(count, f).
template <class Loops>
class host_loops {
public:
  static constexpr bool on_device = false;  ///< true if loops run on a device, so that they end later than their calls
  /// true if the backend has kernels that do several passes of a sampler at once (forest::hook, forest::vote)
  static constexpr bool fuses_passes = false;

  /// Calls f(i) for every i < count, concurrently if the backend is concurrent. f is copied to the place where the loop runs, so on a
  /// device it must have a named type, not that of a lambda.
  template <class F>
  void for_each(std::size_t count, F f) const {
    self().for_blocks(count, [f](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) f(i);
    });
  }

  /// Sets bytes to zero.
  void clear(void* first, std::size_t bytes) const {
    self().for_blocks(bytes,
                      [first](std::size_t begin, std::size_t end) { std::memset(static_cast<char*>(first) + begin, 0, end - begin); });
  }

  /// Returns the smallest i of [from, count) for which `predicate(i)` holds, or count if there is none. Meant for searches that end soon.
  template <class F>
  [[nodiscard]] std::size_t first_that(std::size_t from, std::size_t count, F predicate) const {
    while (from < count && !predicate(from)) ++from;
    return from;
  }

  /// Returns an accessor by which loops over a list of edges read an edge by its index.
  template <class Id>
  [[nodiscard]] const edge<Id>* reads(std::span<const edge<Id>> edges) const noexcept {
    return edges.data();
  }

  /// True if k-out sampling may visit the first two arcs of all rows in one pass (arc_choice::first_two).
  [[nodiscard]] static constexpr bool pairs_first_arcs() noexcept { return false; }
  /// True if rules that work in rounds on a list of edges visit only the edges whose ends were in different trees after the previous round.
  [[nodiscard]] static constexpr bool filters_edges() noexcept { return false; }
  /// Waits until all loops have ended.
  static void wait() noexcept {}

private:
  [[nodiscard]] const Loops& self() const noexcept { return static_cast<const Loops&>(*this); }
};

/// Calls f(v, first, last) for the vertices [begin, end) of `g` in order, with the arcs [first, last) of their rows, which are never cut
/// into pieces.
template <class Rows, class F>
void for_whole_rows(const Rows& g, std::size_t begin, std::size_t end, F f) {
  using id = decltype(g.vertices());
  auto first = g.offsets[begin];
  for (std::size_t v = begin; v < end; ++v) {
    const auto last = g.offsets[v + 1];
    f(static_cast<id>(v), first, last);
    first = last;
  }
}

/// Loops of a backend for visit() that hand out blocks of shrinking size (guided scheduling, as in ECL-CC), in which the row of a vertex is
/// never divided. A hub keeps one thread busy.
template <class Backend>
class guided {
public:
  static constexpr bool counts = Backend::counts;
  template <class Id>
  using parents = typename Backend::template parents<Id>;

  explicit guided(const Backend& loops) noexcept : loops_{loops} {}

  template <class F>
  void for_blocks(std::size_t count, F f) const {
    loops_.for_blocks_guided(count, f);
  }

  template <class Rows, class F>
  void for_row_pieces(const Rows& g, F f) const {
    for_blocks(g.vertices(), [=](std::size_t begin, std::size_t end) { for_whole_rows(g, begin, end, f); });
  }

private:
  const Backend& loops_;
};

}  // namespace copse::backend
