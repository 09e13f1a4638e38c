// Code that bridges() on a CPU and on a GPU share.
#pragma once
#include <copse/bridges.hpp>
#include <copse/graph.hpp>
#include <copse/views.hpp>
#include <core/phase_times.hpp>
#include <core/request.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace copse::api {

/// Returns the edge at a position of the input, with its ends in the order of the input.
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

/// Finds bridges on a GPU. `g`: a checked view whose symmetry is known; `result.report.threads` is set. Fills in `result` except for the
/// time. Throws resource_error, and usage_error for 64-bit ids and in builds without the GPU part.
void bridges_on_gpu(graph_view g, const vertex_names& names, const request<bridges_options>& options, bridges_result& result,
                    phase_times& times);

}  // namespace copse::api
