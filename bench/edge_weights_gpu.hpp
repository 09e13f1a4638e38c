// The weights of edge_weights.hpp, made where rows lie: in the memory of a GPU.
#pragma once
#include <copse/views.hpp>

#include <cstdint>

namespace copse::bench {

/// One for each arc of rows, into `weights`. Waits.
void write_edge_weights(const device_graph_view& rows, std::uint32_t* weights);
/// The sum of the weights of these arcs. Waits.
std::uint64_t total_weight(device_span<const std::uint32_t> arcs, const std::uint32_t* weights);

}  // namespace copse::bench
