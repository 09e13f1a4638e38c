// Every thread sums the items of some vertices, each warp adds up the sums of its threads, and adds the result to the total by one atomic
// addition.
#include <cuda_runtime.h>
#include <copse/errors.hpp>
#include <copse/memory.hpp>
#include <graph/labels/checksum_item.hpp>
#include <verify/gpu_proof.hpp>

#include <algorithm>
#include <string>

namespace copse {
namespace {

using word = unsigned long long;

constexpr unsigned threads = 256, most_blocks = 1 << 12;

__global__ void __launch_bounds__(threads) sum_items(std::uint32_t n, const std::uint32_t* labels, word* sum) {
  using namespace labels_checksum;
  word mine = 0;
  for (word v = word{blockIdx.x} * threads + threadIdx.x; v < n; v += word{gridDim.x} * threads)
    mine += item(id_hash(v), id_hash(labels[v]));
  for (int distance = 16; distance > 0; distance /= 2) mine += __shfl_down_sync(0xFFFFFFFFu, mine, distance);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

void expect(cudaError_t status) {
  if (status != cudaSuccess) throw resource_error{std::string{"cuda: the checksum of labels: "} + cudaGetErrorString(status)};
}

}  // namespace

std::uint64_t checksum_on_gpu(std::span<const std::uint32_t> labels, std::pmr::memory_resource* memory, CUstream_st* stream) {
  buffer<word> sum{1, memory};
  word found = 0;
  expect(cudaMemsetAsync(sum.data(), 0, sizeof(word), stream));
  if (!labels.empty()) {
    const auto blocks = static_cast<unsigned>(std::min<std::size_t>((labels.size() + threads - 1) / threads, most_blocks));
    sum_items<<<blocks, threads, 0, stream>>>(static_cast<std::uint32_t>(labels.size()), labels.data(), sum.data());
    expect(cudaGetLastError());
  }
  expect(cudaMemcpyAsync(&found, sum.data(), sizeof found, cudaMemcpyDeviceToHost, stream));
  expect(cudaStreamSynchronize(stream));
  return labels_checksum::mix(found);
}

}  // namespace copse
