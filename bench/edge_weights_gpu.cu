#include <gpu/runtime/gpu.hpp>

#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/reduce.h>
#include <variant>

#include "edge_weights.hpp"

namespace copse::bench {
namespace {

/// A warp for each row.
template <class Offset>
__global__ void write_rows(std::uint32_t vertices, const Offset* offsets, const std::uint32_t* targets, std::uint32_t* weights) {
  const unsigned warps = gridDim.x * blockDim.x / 32;
  for (std::uint64_t u = (blockIdx.x * blockDim.x + threadIdx.x) / 32; u < vertices; u += warps) {
    for (std::uint64_t a = offsets[u] + threadIdx.x % 32; a < offsets[u + 1]; a += 32) weights[a] = weight_of(u, targets[a]);
  }
}

}  // namespace

void write_edge_weights(const device_graph_view& rows, std::uint32_t* weights) {
  std::visit(
      [&](const auto& view) {
        if constexpr (requires { view.offsets; }) {
          write_rows<<<4096, 256>>>(view.vertices(), view.offsets.data(), view.targets.data(), weights);
          backend::checked(cudaDeviceSynchronize(), "writing weights");
        }
      },
      rows);
}

std::uint64_t total_weight(device_span<const std::uint32_t> arcs, const std::uint32_t* weights) {
  const auto first = thrust::make_permutation_iterator(thrust::device_pointer_cast(weights), thrust::device_pointer_cast(arcs.data()));
  return thrust::reduce(thrust::device, first, first + static_cast<std::ptrdiff_t>(arcs.size()), std::uint64_t{0});
}

}  // namespace copse::bench
