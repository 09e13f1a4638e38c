// The weighted forest of a graph in host memory by several GPUs, or by one that cannot hold the graph. An edge that is not in the forest of
// some edges is not in the forest of more edges: so each GPU solves shares of the edges, one after the other, and keeps their forest; then
// pairs of forests are merged, in log2(p) rounds. The host handles the positions of forest edges only, at most n - 1 from each GPU.
// Compiled without CUDA's headers.
#pragma once
#include <copse/execution.hpp>
#include <copse/memory.hpp>
#include <copse/report.hpp>
#include <copse/views.hpp>
#include <copse/weighted_forest.hpp>
#include <device/pieces.hpp>
#include <weighted/variants.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>

namespace copse::device {

struct share_settings {
  std::span<const unsigned> gpus;    ///< a GPU that is named twice solves two shares at the same time
  std::uint64_t memory_limit_bytes;  ///< the most that may be allocated on each GPU
  weighted::algorithm method;
  forest_goal goal;
  unsigned threads;
  observer* watcher;
  std::pmr::memory_resource* memory;
};

/// Returns the positions of the forest's edges in the list, or of their arcs in the rows, ascending. Phases: "shares" and "merge". Throws
/// input_error for a weight that is NaN, with its position, and resource_error, with the numbers, if a GPU has no room for two forests.
buffer<std::uint64_t> weighted_forest_by_shares(const weighted::shape<std::uint32_t>& g, const weights_view& weights,
                                                const share_settings& how, phase_times& times);

// The edges of a graph in host memory, cut into shares that are lists of pairs. A share of a list is a part of its array; for rows, the
// source of each arc is written next to its target.

/// An upper estimate of the GPU memory that weighted_forest_of_pairs takes: bytes per edge and per vertex, for arcs and their weights while
/// they are sorted, for trees and for lists of edges. bytes_of_shares() adds a ninth for safety, and least_share_bytes.
inline constexpr std::uint64_t share_bytes_per_edge = 112, share_bytes_per_vertex = 160, least_share_bytes = std::uint64_t{1} << 20;
constexpr std::uint64_t bytes_of_shares(std::uint64_t edges, std::uint64_t vertices) noexcept {
  return (share_bytes_per_edge * edges + share_bytes_per_vertex * vertices + 9) / 9 * 10 + least_share_bytes;
}
/// Returns how many edges can be solved at once in `free_bytes` bytes; fewer than 2^31, as positions of their arcs have 32 bits.
constexpr std::uint64_t edges_that_fit(std::uint64_t free_bytes, std::uint64_t vertices) noexcept {
  constexpr std::uint64_t most = (std::uint64_t{1} << 31) - 2;
  const std::uint64_t usable = free_bytes < least_share_bytes ? 0 : (free_bytes - least_share_bytes) / 10 * 9;
  const std::uint64_t beside = share_bytes_per_vertex * vertices;
  return usable < beside ? 0 : std::min(most, (usable - beside) / share_bytes_per_edge);
}

template <class Shape>
class edge_shares;

template <>
class edge_shares<weighted::pairs_view<std::uint32_t>> {
public:
  using id = std::uint32_t;

  explicit edge_shares(const weighted::pairs_view<id>& list) noexcept : list_{list} {}

  [[nodiscard]] id vertices() const noexcept { return list_.vertices; }
  [[nodiscard]] std::uint64_t size() const noexcept { return list_.count; }
  /// Returns the edges first, ..., first + count - 1. The last two parameters are used by the specialisation for rows.
  [[nodiscard]] weighted::pairs_view<id> share(std::uint64_t first, std::size_t count, buffer<id>& /*room*/,
                                               std::pmr::memory_resource* /*memory*/) const {
    return {list_.vertices, list_.first_u + first * list_.stride, list_.first_v + first * list_.stride, list_.stride, count};
  }
  /// Returns a function that reads the edge at a position. Precondition: positions ascend from call to call.
  [[nodiscard]] auto reader() const {
    return [list = list_](std::uint64_t at) { return edge<id>{list.first_u[at * list.stride], list.first_v[at * list.stride]}; };
  }

private:
  weighted::pairs_view<id> list_;
};

/// If rows store both directions, an edge is taken from its smaller end. Its other arc is replaced by a loop, which is in no forest.
template <class Offset>
class edge_shares<csr_view<std::uint32_t, Offset>> {
public:
  using id = std::uint32_t;

  explicit edge_shares(const csr_view<id, Offset>& rows) noexcept : rows_{rows}, once_{rows.symmetric == symmetry::yes} {}

  [[nodiscard]] id vertices() const noexcept { return rows_.vertices(); }
  [[nodiscard]] std::uint64_t size() const noexcept { return rows_.targets.size(); }
  /// Returns the arcs first, ..., first + count - 1 as pairs. Writes their sources to `room`, to which the result refers.
  [[nodiscard]] weighted::pairs_view<id> share(std::uint64_t first, std::size_t count, buffer<id>& room,
                                               std::pmr::memory_resource* memory) const {
    room = buffer<id>{count, memory};
    const id* const targets = rows_.targets.data() + first;
    auto read = reader();
    for (std::size_t i = 0; i < count; ++i) {
      const auto [u, v] = read(first + i);
      room[i] = once_ && u > v ? v : u;
    }
    return {vertices(), room.data(), targets, 1, count};
  }
  [[nodiscard]] auto reader() const {
    return [this, row = std::uint64_t{0}, begun = false](std::uint64_t at) mutable {
      if (!begun) row = row_of(at, 0, vertices(), [this](std::uint64_t v) -> std::uint64_t { return rows_.offsets[v]; });
      begun = true;
      while (rows_.offsets[row + 1] <= at) ++row;
      return edge<id>{static_cast<id>(row), rows_.targets[at]};
    };
  }

private:
  csr_view<id, Offset> rows_;
  bool once_;
};

template <class Shape>
edge_shares(const Shape&) -> edge_shares<Shape>;

}  // namespace copse::device
