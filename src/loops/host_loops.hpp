// What every backend offers in addition to its loops over blocks, for the backends of this machine: basic_serial and basic_threads inherit
// host_loops. One with a memory of its own (gpu/loops/cuda.cuh) has all of it in its own way.
#pragma once
#include <copse/views.hpp>

#include <cstddef>
#include <cstring>
#include <span>

namespace copse::backend {

/// `Loops` has for_blocks(count, f).
template <class Loops>
class host_loops {
public:
  static constexpr bool on_device = false;     ///< true if loops run on a device, so that they end later than their calls
  static constexpr bool fuses_passes = false;  ///< has forest::hook and forest::vote

  /// Calls f(i) for every i < count, concurrently where the backend is. f is copied to wherever the loop runs, so on a device it must be a
  /// named type, not a lambda.
  template <class F>
  void for_each(std::size_t count, F f) const {
    self().for_blocks(count, [f](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) f(i);
    });
  }

  /// Zero bytes.
  void clear(void* first, std::size_t bytes) const {
    self().for_blocks(bytes,
                      [first](std::size_t begin, std::size_t end) { std::memset(static_cast<char*>(first) + begin, 0, end - begin); });
  }

  /// The smallest i of [from, count) for which `predicate(i)` holds; count when there is none. For searches that end soon.
  template <class F>
  [[nodiscard]] std::size_t first_that(std::size_t from, std::size_t count, F predicate) const {
    while (from < count && !predicate(from)) ++from;
    return from;
  }

  /// Edges by number, as loops over a list of them read it.
  template <class Id>
  [[nodiscard]] const edge<Id>* reads(std::span<const edge<Id>> edges) const noexcept {
    return edges.data();
  }

  /// True if k-out sampling may visit the first two arcs of all rows in one pass (arc_choice::first_two).
  [[nodiscard]] static constexpr bool pairs_first_arcs() noexcept { return false; }
  /// True if rounds pass only over those edges of a list that are between trees.
  [[nodiscard]] static constexpr bool filters_edges() noexcept { return false; }
  /// Waits until all loops have ended.
  static void wait() noexcept {}

private:
  [[nodiscard]] const Loops& self() const noexcept { return static_cast<const Loops&>(*this); }
};

/// Rows that are not cut: f(v, first, last) for the vertices [begin, end) of `g` in order, with the arcs [first, last) of their rows.
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

/// The loops of a backend with whole vertices handed out in guided turns, as ECL-CC does it, for visit(). A hub keeps its thread busy.
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
