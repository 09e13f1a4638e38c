// More arcs than 32 bits count: rows made on the GPU by copies there, of which the host holds none. It takes 18 GB; less is skipped.
#include <cuda_runtime_api.h>
#include <copse/cuda.hpp>
#include <copse/views.hpp>

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "gpu/gpu.hpp"
#include "support/labels.hpp"

namespace copse::test {
namespace {

struct frees_on_device {
  void operator()(void* memory) const { static_cast<void>(cudaFree(memory)); }
};
template <class T>
using on_device = std::unique_ptr<T[], frees_on_device>;

template <class T>
on_device<T> make_on_device(std::uint64_t count) {
  void* memory = nullptr;
  return on_device<T>{cudaMalloc(&memory, count * sizeof(T)) == cudaSuccess ? static_cast<T*>(memory) : nullptr};
}
template <class T>
bool copy(T* to, const T* from, std::uint64_t count, cudaMemcpyKind way) {
  return cudaMemcpy(to, from, count * sizeof(T), way) == cudaSuccess;
}

/// All of `side` vertices are joined with all of `side` others: the arcs pass 2^32 in the rows of the latter. Behind them a path of
/// `path_vertices` and `isolated` vertices, all of whose arcs are beyond: an offset cut to 32 bits would join them with the rest.
struct wide_graph {
  static constexpr std::uint32_t side = 46'400, path_vertices = 1'000, isolated = 3;
  static constexpr std::uint32_t vertices = 2 * side + path_vertices + isolated;
  static constexpr std::uint64_t joined_arcs = std::uint64_t{2} * side * side, arcs = joined_arcs + 2 * (path_vertices - 1);
  static_assert(joined_arcs > std::uint64_t{1} << 32);

  on_device<std::uint64_t> offsets;
  on_device<std::uint32_t> targets;

  /// `side` equal rows to the vertices from `first` up: one from the host, and copies of what is there.
  bool fill_side(std::uint32_t* to, std::uint32_t first) const {
    std::vector<std::uint32_t> row(side);
    std::iota(row.begin(), row.end(), first);
    if (!copy(to, row.data(), side, cudaMemcpyHostToDevice)) return false;
    for (std::uint64_t rows = 1; rows < side;) {
      const std::uint64_t more = std::min<std::uint64_t>(rows, side - rows);
      if (!copy(to + rows * side, to, more * side, cudaMemcpyDeviceToDevice)) return false;
      rows += more;
    }
    return true;
  }
  bool fill() {
    offsets = make_on_device<std::uint64_t>(vertices + 1);
    targets = make_on_device<std::uint32_t>(arcs);
    if (!offsets || !targets) return false;
    std::vector<std::uint64_t> ends{0};
    for (std::uint32_t v = 0; v < 2 * side; ++v) ends.push_back(ends.back() + side);
    std::vector<std::uint32_t> path;
    for (std::uint32_t i = 0; i < path_vertices; ++i) {
      if (i > 0) path.push_back(2 * side + i - 1);
      if (i + 1 < path_vertices) path.push_back(2 * side + i + 1);
      ends.push_back(joined_arcs + path.size());
    }
    for (std::uint32_t i = 0; i < isolated; ++i) ends.push_back(arcs);
    return fill_side(targets.get(), side) && fill_side(targets.get() + joined_arcs / 2, 0) &&
           copy(targets.get() + joined_arcs, path.data(), path.size(), cudaMemcpyHostToDevice) &&
           copy(offsets.get(), ends.data(), ends.size(), cudaMemcpyHostToDevice);
  }
  [[nodiscard]] device_csr_view<std::uint64_t> view() const {
    return {{offsets.get(), vertices + 1}, {targets.get(), arcs}, symmetry::yes, true};
  }
  static std::vector<std::uint32_t> labels() {
    std::vector<std::uint32_t> right(vertices, 0);
    std::fill_n(right.begin() + 2 * side, path_vertices, 2 * side);
    std::iota(right.end() - isolated, right.end(), vertices - isolated);
    return right;
  }
};

TEST(gpu, solves_more_arcs_than_32_bits_count) {
  COPSE_NEEDS_GPU();
  constexpr std::uint64_t needed = 4 * wide_graph::arcs + (std::uint64_t{1} << 30);  // the targets, and room for all else
  if (gpus().front().free_bytes < needed) GTEST_SKIP() << "less than " << needed << " bytes free on this GPU";
  wide_graph g;
  ASSERT_TRUE(g.fill());
  const auto resident = gpu_graph::borrow(g.view());
  auto right = wide_graph::labels();
  for (const char* variant : {"cuda.none.rem_cas.naive.halve_one", "cuda.hb.fast", "cuda.none.ecl_cc"}) {
    const auto solved = components(resident, {.variant = variant});
    EXPECT_EQ(solved.report().edges, wide_graph::arcs);
    const labelling found = solved.copy_out();
    const auto& labels = std::get<buffer<std::uint32_t>>(found.labels());
    EXPECT_TRUE(std::equal(labels.begin(), labels.end(), right.begin(), right.end())) << variant;
    EXPECT_TRUE(verify(resident, solved)) << variant;
  }
  right[wide_graph::vertices - 1 - wide_graph::isolated] = wide_graph::vertices - 1 - wide_graph::isolated;  // an end of the path
  EXPECT_EQ(verify(resident, to_labelling(right)).reason,
            "vertices 93798 and 93799 are joined by an edge, but have labels 92800 and 93799");
}

}  // namespace
}  // namespace copse::test
