// The weighted forest of edges that arrive in columns of integers below 2^32 - 1, most of which occur: ids are vertices, and edges are in
// one array. The forest is at its front; new edges are put behind it, by all threads; when the array is full, the forest of all its edges
// replaces them at the front. So a merge numbers nothing, and moves the forest only; ids are numbered only when so_far() is called. The
// time of a merge is that of its edges and of the ids below the largest, however many edges came before. So the array has room for a few
// edges per such id from the beginning, and is allocated once.
#pragma once
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <copse/weighted_forest.hpp>
#include <core/new_pages.hpp>
#include <core/parallel.hpp>
#include <core/phase_times.hpp>
#include <core/request.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace copse::api {

class numbered_forest {
public:
  using id = std::uint32_t;

  /// Keeps a reference to the options. `room`: how many edges are stored before they are merged into the forest; set only by tests.
  explicit numbered_forest(const request<weighted_forest_options>& options, std::optional<std::size_t> room = std::nullopt)
      : options_{options}, room_{room} {}

  /// Adds edges of two columns, which have integers at [i], and a size(). Returns false, and adds nothing, if ids are too large or too
  /// sparse. Precondition: no id is negative or has all bits set.
  template <class Ids>
  [[nodiscard]] bool add(const Ids& sources, const Ids& targets, std::span<const double> weights) {
    if (sources.size() == 0) return true;
    const std::uint64_t largest = std::max(largest_of(sources), largest_of(targets)), bound = std::max(bound_, largest + 1);
    if (largest >= no_vertex<id> || bound > ids_an_edge * std::max(least_edges, size_ + sources.size())) return false;
    bound_ = bound;
    with_loops_.resize(bound_ / 64 + 1);
    named_.reset();
    for (std::size_t i = 0; i < sources.size();) {
      if (size_ == edges_.size()) make_room(sources.size() - i);
      const std::size_t count = std::min(edges_.size() - size_, sources.size() - i);
      put(sources, targets, i, weights.subspan(i, count));
      size_ += count;
      came_ += count;
      i += count;
    }
    return true;
  }

  [[nodiscard]] const weighted_forest_result& so_far();

  /// Returns the forest of all edges that arrived, for a sink of another type to continue from. The structure is used up.
  [[nodiscard]] weighted_forest_result take() && {
    static_cast<void>(so_far());
    return *std::move(named_);
  }
  [[nodiscard]] std::uint64_t came() const noexcept { return came_; }

private:
  // add() refuses a batch as too sparse if with it the largest id so far, plus one, would exceed ids_an_edge times the number of edges:
  // those stored and those of the batch, or least_edges if that is more.
  static constexpr std::uint64_t ids_an_edge = 32, least_edges = 4096;
  // make_room() estimates the number of vertices as that of the ids up to the largest, but at most room_an_edge for each edge.
  static constexpr std::uint64_t room_an_edge = 8;
  static constexpr std::size_t new_ones = 3, least_room = std::size_t{1} << 20, block = std::size_t{1} << 14;

  [[nodiscard]] unsigned threads() const noexcept { return usable_threads(options_.threads); }

  template <class Ids>
  [[nodiscard]] std::uint64_t largest_of(const Ids& ids) const {
    std::atomic<std::uint64_t> largest{0};
    parallel_blocks(threads(), ids.size(), block, [&](std::size_t begin, std::size_t end) {
      std::uint64_t own = 0;
      for (std::size_t i = begin; i < end; ++i) own = std::max(own, static_cast<std::uint64_t>(ids[i]));
      std::uint64_t seen = largest.load(std::memory_order_relaxed);
      while (own > seen && !largest.compare_exchange_weak(seen, own, std::memory_order_relaxed)) {
      }
    });
    return largest.load(std::memory_order_relaxed);
  }

  /// Appends the edges of the columns from position `first` on, one for each weight.
  template <class Ids>
  void put(const Ids& sources, const Ids& targets, std::size_t first, std::span<const double> weights) {
    touch_pages(threads(), edges_.span().subspan(size_, weights.size()));
    touch_pages(threads(), weights_.span().subspan(size_, weights.size()));
    parallel_blocks(threads(), weights.size(), block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto u = static_cast<id>(sources[first + i]), v = static_cast<id>(targets[first + i]);
        edges_[size_ + i] = {u, v};
        if (u == v) std::atomic_ref<std::uint64_t>{with_loops_[u / 64]}.fetch_or(std::uint64_t{1} << (u % 64), std::memory_order_relaxed);
      }
      std::copy(weights.begin() + begin, weights.begin() + end, weights_.begin() + size_ + begin);
    });
  }

  /// Replaces the stored edges by their spanning forest, and makes room for more edges. `coming`: how many of these are known to arrive.
  void make_room(std::size_t coming);
  /// Allocates arrays for `kept` edges and `room` more, or only least_room more if memory does not suffice for that.
  void take_room(std::size_t kept, std::size_t room);
  /// Returns the spanning forest of the stored edges.
  [[nodiscard]] weighted_forest_result merge();
  void put_in_front(const weighted_forest_result& forest, std::size_t room);
  [[nodiscard]] std::span<const edge<id>> edges() const noexcept { return edges_.span().first(size_); }

  const request<weighted_forest_options>& options_;
  buffer<edge<id>> edges_;
  buffer<double> weights_;
  std::optional<std::size_t> room_;
  std::size_t size_ = 0, forest_size_ = 0;
  std::uint64_t bound_ = 0;                ///< all ids are below it
  std::vector<std::uint64_t> with_loops_;  ///< a bit per id: set if a loop at this vertex arrived, as it may have no edge in the forest
  std::uint64_t came_ = 0, merges_ = 0;
  phase_times times_;
  solve_report report_;
  std::optional<weighted_forest_result> named_;  ///< the answer of so_far(), until edges are added
};

}  // namespace copse::api
