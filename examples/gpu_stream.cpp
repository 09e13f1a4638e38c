// Components of arrays that are in the memory of a GPU, as one step among others on a stream of our own: nothing waits before the end.
// Exit code 77: there is no GPU.
#include <cuda_runtime_api.h>
#include <fmt/core.h>
#include <copse/build.hpp>
#include <copse/cuda.hpp>
#include <copse/generate.hpp>

#include <cstdint>
#include <cstdlib>
#include <span>
#include <variant>
#include <vector>

namespace {

using id = std::uint32_t;

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fmt::print("cuda: {}\n", cudaGetErrorString(status));
  std::exit(1);
}

/// An array of ours on the GPU, filled in the order of the stream.
id* to_gpu(std::span<const id> host, cudaStream_t stream) {
  void* there = nullptr;
  check(cudaMallocAsync(&there, host.size_bytes(), stream));
  check(cudaMemcpyAsync(there, host.data(), host.size_bytes(), cudaMemcpyHostToDevice, stream));
  return static_cast<id*>(there);
}

}  // namespace

int main() {
  if (copse::gpus().empty()) return 77;
  const copse::graph graph = copse::build_csr(copse::gen::generate("er:n=100000,m=300000"));
  const auto& rows = std::get<copse::csr<id, id>>(graph.shape());
  std::vector<id> labels(graph.vertices());

  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream));
  id* const offsets = to_gpu(rows.offsets.span(), stream);
  id* const targets = to_gpu(rows.targets.span(), stream);
  id* const found = to_gpu(labels, stream);
  const copse::device_csr_view<id> view{.offsets = {offsets, rows.offsets.size()},
                                        .targets = {targets, rows.targets.size()},
                                        .symmetric = copse::symmetry::yes,
                                        .sorted = true};
  copse::components_async(view, {found, labels.size()}, {}, {.stream = stream});  // returns at once
  check(cudaMemcpyAsync(labels.data(), found, labels.size() * sizeof(id), cudaMemcpyDeviceToHost, stream));
  for (id* const array : {offsets, targets, found}) check(cudaFreeAsync(array, stream));
  check(cudaStreamSynchronize(stream));
  check(cudaStreamDestroy(stream));

  id roots = 0;
  for (id v = 0; v < labels.size(); ++v) roots += labels[v] == v ? 1 : 0;
  fmt::print("{} components\n", roots);
}
