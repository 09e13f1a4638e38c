// How edges are dealt to GPUs that find weighted forests: every edge in one share, lists where they lie, rows with their sources.
#include <gtest/gtest.h>
#include <copse/build.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/weighted_forest.hpp>
#include <device/weighted_shares.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/thrown.hpp"

namespace copse::device {
namespace {

using id = std::uint32_t;
using edge_list = std::vector<edge<id>>;

/// All shares of so many edges, one after the other.
template <class Shape>
edge_list dealt(const Shape& g, std::size_t each) {
  const edge_shares shares{g};
  edge_list all;
  for (std::uint64_t first = 0; first < shares.size(); first += each) {
    buffer<id> room;
    const auto pairs = shares.share(first, std::min<std::size_t>(each, shares.size() - first), room, host_memory());
    EXPECT_EQ(pairs.vertices, shares.vertices());
    for (std::size_t i = 0; i < pairs.count; ++i) all.push_back({pairs.first_u[i * pairs.stride], pairs.first_v[i * pairs.stride]});
  }
  return all;
}

/// Every third edge, as forests are read.
template <class Shape>
edge_list read_some(const Shape& g) {
  const edge_shares shares{g};
  auto read = shares.reader();
  edge_list some;
  for (std::uint64_t at = 1; at < shares.size(); at += 3) some.push_back(read(at));
  return some;
}

edge_list every_third(const edge_list& all) {
  edge_list some;
  for (std::size_t i = 1; i < all.size(); i += 3) some.push_back(all[i]);
  return some;
}

TEST(edge_shares, of_lists_and_columns_are_their_edges) {
  const graph g = gen::generate_edges("er:n=500,m=1000,seed=3");
  const auto list = std::get<coo_view<id>>(g.view()).edges;
  const edge_list expected(list.begin(), list.end());
  std::vector<id> sources, targets;
  for (const auto [u, v] : list) {
    sources.push_back(u);
    targets.push_back(v);
  }
  const weighted::pairs_view<id> pairs{500, &list.data()->u, &list.data()->v, 2, list.size()};
  const weighted::pairs_view<id> columns{500, sources.data(), targets.data(), 1, sources.size()};
  for (const std::size_t each : {std::size_t{1}, std::size_t{7}, std::size_t{999}, std::size_t{5000}}) {
    EXPECT_EQ(dealt(pairs, each), expected) << each;
    EXPECT_EQ(dealt(columns, each), expected) << each;
  }
  EXPECT_EQ(read_some(pairs), every_third(expected));
  EXPECT_EQ(read_some(columns), every_third(expected));
}

TEST(edge_shares, of_rows_have_sources_and_of_both_directions_one) {
  const graph g = build_csr(gen::generate("er:n=500,m=700,seed=3"));
  const auto rows = std::get<csr_view<id, id>>(g.view());
  ASSERT_EQ(rows.symmetric, symmetry::yes);
  csr_view<id, id> arcs = rows;
  arcs.symmetric = symmetry::unknown;
  edge_list all, once;
  for (id u = 0; u < rows.vertices(); ++u) {
    for (id a = rows.offsets[u]; a < rows.offsets[u + 1]; ++a) {
      const id v = rows.targets[a];
      all.push_back({u, v});
      once.push_back({std::min(u, v), v});  // a loop in the place of the other arc
    }
  }
  for (const std::size_t each : {std::size_t{1}, std::size_t{7}, std::size_t{1399}, std::size_t{5000}}) {
    EXPECT_EQ(dealt(arcs, each), all) << each;
    EXPECT_EQ(dealt(rows, each), once) << each;
  }
  EXPECT_EQ(read_some(rows), every_third(all));
  EXPECT_EQ(dealt(csr_view<id, id>{}, 5), edge_list{});
}

TEST(edge_shares, fit_the_bytes_that_they_are_said_to_take) {
  for (const std::uint64_t vertices : {std::uint64_t{0}, std::uint64_t{5000}, std::uint64_t{100000000}}) {
    for (const std::uint64_t edges : {std::uint64_t{1}, std::uint64_t{1000}, std::uint64_t{200000000}}) {
      const std::uint64_t bytes = bytes_of_shares(edges, vertices);
      EXPECT_GE(edges_that_fit(bytes, vertices), edges) << vertices;
      EXPECT_LE(edges_that_fit(bytes, vertices), edges + 1) << vertices;
      EXPECT_LT(edges_that_fit(bytes - 200, vertices), edges) << vertices;
    }
  }
  EXPECT_EQ(edges_that_fit(1000, 0), 0u);
  EXPECT_LT(edges_that_fit(UINT64_MAX, 5), std::uint64_t{1} << 31) << "arcs have 32-bit places";
}

TEST(edge_shares, need_a_build_with_the_gpu_part) {
  if (built_with_cuda()) GTEST_SKIP() << "this build has the GPU part";
  const edge_list edges{{0, 1}};
  const std::vector<float> weights{1};
  EXPECT_EQ(
      test::thrown<usage_error>([&] {
        static_cast<void>(weighted_forest(graph_view{coo_view<id>{2, edges}}, std::span<const float>{weights}, {}, {.device = "cuda:0,1"}));
      }),
      "device must be cpu, not cuda:0,1, in a build without the GPU part");
}

}  // namespace
}  // namespace copse::device
