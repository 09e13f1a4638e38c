// What bridges() makes of positions and blocks, wherever these were found.
#pragma once
#include <copse/bridges.hpp>
#include <copse/graph.hpp>
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <core/parallel_sort.hpp>
#include <core/phase_times.hpp>
#include <core/request.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace copse::api {

/// The edge at a position, as the input has it.
template <class View, unsigned_index Id = typename View::id_type>
edge<Id> edge_at(const View& g, std::uint64_t position) {
  if constexpr (requires { g.offsets; }) {
    const auto row = std::upper_bound(g.offsets.begin(), g.offsets.end(), position,
                                      [](std::uint64_t at, auto offset) { return at < std::uint64_t{offset}; });
    return {static_cast<Id>(row - g.offsets.begin() - 1), g.targets[position]};
  } else {
    return g.edges[position];
  }
}

/// Sets of vertices by the block of the edge above each, ordered by their two smallest vertices. `order`: vertices in preorder.
template <class Cuts, unsigned_index Id>
vertex_sets blocks_of(const Cuts& found, std::span<const Id> order, std::uint64_t count, unsigned threads,
                      std::pmr::memory_resource* memory) {
  struct member {
    Id block, vertex;
  };
  buffer<member> members{order.size() + count, memory};
  std::size_t size = 0;
  for (std::size_t p = 0; p < order.size(); ++p) {
    if (found.is_root(p)) continue;
    members[size++] = {found.block(p), order[p]};
    if (found.is_block(p)) members[size++] = {found.block(p), order[found.parent(p)]};
  }
  members.shrink(size);
  parallel_sort(
      members.span(), [](member a, member b) { return a.block != b.block ? a.block < b.block : a.vertex < b.vertex; }, threads);
  buffer<std::size_t> begins{count, memory};
  for (std::size_t i = 0, next = 0; i < size; ++i) {
    if (i == 0 || members[i].block != members[i - 1].block) begins[next++] = i;
  }
  parallel_sort(
      begins.span(),
      [&members](std::size_t a, std::size_t b) {
        return std::pair{members[a].vertex, members[a + 1].vertex} < std::pair{members[b].vertex, members[b + 1].vertex};
      },
      threads);
  vertex_sets sets{buffer<std::uint64_t>{count + 1, memory}, buffer<std::uint64_t>{size, memory}};
  std::size_t to = 0;
  for (std::size_t b = 0; b < count; ++b) {
    sets.offsets[b] = to;
    for (std::size_t i = begins[b]; i < size && members[i].block == members[begins[b]].block; ++i) sets.vertices[to++] = members[i].vertex;
  }
  sets.offsets[count] = to;
  return sets;
}

/// bridges() on a GPU. `g`: checked, and it is known whether rows are symmetric; `result.report.threads` is set. Fills in all but the time.
/// Throws usage_error for 64-bit ids and in builds without the GPU part, resource_error.
void bridges_on_gpu(graph_view g, const vertex_names& names, const request<bridges_options>& options, bridges_result& result,
                    phase_times& times);

}  // namespace copse::api
