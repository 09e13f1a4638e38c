// Weights of generated graphs: that of an edge {a < b} is made of its ends alone, so it is the same in both rows and on every machine.
#pragma once
#include <copse/copse.hpp>
#include <copse/extend/host_device.hpp>
#include <copse/views.hpp>
#include <core/parallel.hpp>
#include <core/random.hpp>

#include <cstddef>
#include <cstdint>
#include <variant>

namespace copse::bench {

/// x = (a << 32 | b) + 0x9E3779B97F4A7C15, mixed as SplitMix64 does, 1 + (x >> 40).
COPSE_HOST_DEVICE constexpr std::uint32_t weight_of(std::uint64_t u, std::uint64_t v) {
  return static_cast<std::uint32_t>(1 + (mix((u < v ? u << 32 | v : v << 32 | u) + 0x9E3779B97F4A7C15u) >> 40));
}

/// One for each arc of rows; none for another form of graph.
inline buffer<std::uint32_t> weights_of(const graph& g, unsigned threads) {
  buffer<std::uint32_t> weights;
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires { shape.offsets; }) {
          const auto rows = shape.view();
          weights = buffer<std::uint32_t>{rows.arcs()};
          parallel_blocks(threads, rows.vertices(), 4096, [&](std::size_t begin, std::size_t end) {
            for (std::size_t u = begin; u < end; ++u) {
              for (std::uint64_t a = rows.offsets[u]; a < rows.offsets[u + 1]; ++a) weights[a] = weight_of(u, rows.targets[a]);
            }
          });
        }
      },
      g.shape());
  return weights;
}

// Where rows lie in the memory of a GPU.

/// One for each arc of rows, into `weights`. Waits.
void write_edge_weights(const device_graph_view& rows, std::uint32_t* weights);
/// The sum of the weights of these arcs. Waits.
std::uint64_t total_weight(device_span<const std::uint32_t> arcs, const std::uint32_t* weights);

}  // namespace copse::bench
