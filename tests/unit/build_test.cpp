// The builder against its definition: a set (or multiset) of arcs, for every option, width and thread count.
#include <gtest/gtest.h>
#include "graph/row_builder.hpp"
#include "support/failing_memory.hpp"

#include <copse/build.hpp>
#include <copse/errors.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace {

using copse::buffer;
using copse::build_options;
using copse::edge;
using copse::symmetry;

template <class Id>
copse::coo<Id> list(Id vertices, const std::vector<edge<Id>>& edges) {
  buffer<edge<Id>> held{edges.size()};
  std::copy(edges.begin(), edges.end(), held.begin());
  return {vertices, std::move(held)};
}

template <class Id>
std::vector<edge<Id>> random_edges(std::uint64_t seed, Id vertices, std::size_t count) {
  std::mt19937_64 random{seed};
  std::vector<edge<Id>> edges(count);
  for (auto& e : edges) {
    e = {static_cast<Id>(random() % vertices), static_cast<Id>(random() % 3 == 0 ? random() % vertices : random() % (vertices / 8 + 1))};
  }
  return edges;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> arcs_of(copse::graph_view g) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> arcs;
  std::visit(
      [&]<class Shape>(const Shape& shape) {
        if constexpr (requires { shape.offsets; }) {
          for (std::uint64_t u = 0; u < shape.vertices(); ++u) {
            for (const auto v : shape.row(static_cast<typename Shape::id_type>(u))) arcs.emplace_back(u, v);
          }
        }
      },
      g);
  return arcs;
}

template <class Id>
std::vector<std::pair<std::uint64_t, std::uint64_t>> expected_arcs(const std::vector<edge<Id>>& edges, const build_options& options) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> arcs;
  for (const auto& e : edges) {
    if (e.u == e.v && options.drop_loops) continue;
    arcs.emplace_back(e.u, e.v);
    if (options.symmetrise && e.u != e.v) arcs.emplace_back(e.v, e.u);
  }
  std::sort(arcs.begin(), arcs.end());
  if (options.drop_duplicates) arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
  return arcs;
}

template <class Id>
class build_widths : public ::testing::Test {};
using ids = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(build_widths, ids);

TYPED_TEST(build_widths, every_option_and_thread_count_matches_the_definition) {
  using Id = TypeParam;
  for (const auto& [vertices, count] : {std::pair<Id, std::size_t>{1, 0}, {1, 3}, {7, 40}, {300, 5000}, {5000, 300'000}}) {
    const auto edges = random_edges<Id>(count + 1, vertices, count);
    const auto held = list<Id>(vertices, edges);
    for (unsigned flags = 0; flags < 8; ++flags) {
      for (const unsigned threads : {1u, 2u, 7u}) {
        const build_options options{.symmetrise = (flags & 1) != 0, .drop_duplicates = (flags & 2) != 0, .drop_loops = (flags & 4) != 0};
        const copse::graph built = build_csr(copse::graph_view{held.view()}, options, {.threads = threads});
        EXPECT_EQ(built.vertices(), vertices);
        ASSERT_EQ(arcs_of(built.view()), expected_arcs(edges, options))
            << vertices << " vertices, flags " << flags << ", threads " << threads;
        const auto& rows = std::get<copse::csr<std::uint32_t, std::uint32_t>>(built.shape());
        EXPECT_TRUE(rows.sorted);
        EXPECT_EQ(rows.symmetric, options.symmetrise ? symmetry::yes : symmetry::unknown);
      }
    }
  }
}

TYPED_TEST(build_widths, no_vertices_is_a_graph) {
  const auto held = list<TypeParam>(0, {});
  const copse::graph built = build_csr(copse::graph_view{held.view()});
  EXPECT_EQ(built.vertices(), 0u);
  EXPECT_TRUE(built.has_rows());
}

TYPED_TEST(build_widths, an_edge_beyond_the_vertices_is_refused) {
  const auto held = list<TypeParam>(3, {{0, 1}, {3, 1}});
  EXPECT_THROW(build_csr(copse::graph_view{held.view()}), copse::usage_error);
  const auto other = list<TypeParam>(3, {{0, 1}, {1, copse::no_vertex<TypeParam>}});
  EXPECT_THROW(build_csr(copse::graph_view{other.view()}), copse::usage_error);
}

/// An edge list as row_builder wants it.
struct listed_arcs {
  copse::coo_view<std::uint32_t> edges;
  [[nodiscard]] std::uint32_t vertices() const { return edges.vertex_count; }
  [[nodiscard]] std::size_t size() const { return edges.edges.size(); }
  [[nodiscard]] std::uint64_t arcs() const { return edges.edges.size(); }
  template <class Visit>
  void operator()(std::size_t begin, std::size_t end, Visit visit) const {
    for (std::size_t i = begin; i < end; ++i) visit(edges.edges[i].u, edges.edges[i].v);
  }
};

template <class Local>
void expect_built(const std::vector<edge<std::uint32_t>>& edges, std::uint32_t vertices, unsigned shift, unsigned threads) {
  const auto held = list<std::uint32_t>(vertices, edges);
  const copse::request<build_options> options{{}, {.threads = threads}};
  copse::bucket_plan plan{vertices, edges.size(), 4};
  plan.shift = shift;
  plan.count = (vertices >> shift) + 1;
  const listed_arcs arcs{held.view()};
  const auto rows = copse::row_builder<std::uint32_t, std::uint32_t, Local, listed_arcs>{arcs, true, plan, options}.run();
  ASSERT_EQ(arcs_of(rows.view()), expected_arcs(edges, options)) << "shift " << shift << ", threads " << threads;
}

TEST(build, any_buckets_make_the_same_rows) {
  const auto edges = random_edges<std::uint32_t>(21, 4096, 200'000);
  for (const unsigned threads : {1u, 3u}) {
    for (const unsigned shift : {0u, 1u, 5u, 11u, 12u, 13u}) {
      expect_built<std::uint16_t>(edges, 4096, shift, threads);
      expect_built<std::uint32_t>(edges, 4096, shift, threads);
    }
    expect_built<std::uint32_t>({{0, 130'000}, {70'000, 3}, {99'999, 70'000}}, 130'001, 17, threads);
  }
}

TEST(build, plans_cut_the_vertices_into_few_buckets) {
  for (const std::uint64_t vertices :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{65'536}, std::uint64_t{4} << 20, std::uint64_t{1} << 40}) {
    for (const std::uint64_t arcs : {std::uint64_t{0}, std::uint64_t{1000}, std::uint64_t{1} << 27, std::uint64_t{1} << 40}) {
      const copse::bucket_plan plan{vertices, arcs, 4};
      EXPECT_LE(plan.count, 2048u);
      EXPECT_EQ(plan.count, (vertices >> plan.shift) + 1);
    }
  }
}

TEST(build, typed_rows_agree_with_the_untyped_ones) {
  const auto edges = random_edges<std::uint32_t>(5, 100, 900);
  const auto held = list<std::uint32_t>(100, edges);
  const build_options options;
  const copse::execution on{.threads = 2};
  const auto narrow = copse::build_rows<std::uint32_t, std::uint32_t>(held.view(), options, on);
  const auto wide = copse::build_rows<std::uint32_t, std::uint64_t>(held.view(), options, on);
  EXPECT_EQ(arcs_of(narrow.view()), expected_arcs(edges, options));
  EXPECT_EQ(arcs_of(wide.view()), expected_arcs(edges, options));
  const auto wide_edges = random_edges<std::uint64_t>(5, 100, 900);
  const auto widest = copse::build_rows<std::uint64_t, std::uint64_t>(list<std::uint64_t>(100, wide_edges).view(), options, on);
  EXPECT_EQ(arcs_of(widest.view()), expected_arcs(wide_edges, options));
}

TEST(build, one_sided_rows_become_symmetric) {
  const auto edges = random_edges<std::uint32_t>(9, 500, 4000);
  const auto held = list<std::uint32_t>(500, edges);
  build_options one_sided;
  one_sided.symmetrise = false;
  const auto rows = copse::build_rows<std::uint32_t, std::uint32_t>(held.view(), one_sided, {});
  const build_options options;
  const auto both = copse::symmetrise(rows.view(), options, {});
  EXPECT_EQ(arcs_of(both.view()), expected_arcs(edges, options));
  EXPECT_EQ(both.symmetric, symmetry::yes);
  EXPECT_EQ(arcs_of(build_csr(copse::graph_view{rows.view()}).view()), expected_arcs(edges, options));
  EXPECT_EQ(arcs_of(copse::symmetrise(both.view(), options, {}).view()), expected_arcs(edges, options));
}

TEST(build, symmetric_rows_with_repeats_are_not_doubled) {
  const std::vector<edge<std::uint32_t>> edges{{0, 1}, {0, 1}, {1, 2}};
  build_options keep;
  keep.drop_duplicates = false;
  const auto rows = copse::build_rows<std::uint32_t, std::uint32_t>(list<std::uint32_t>(3, edges).view(), keep, {});
  ASSERT_EQ(rows.targets.size(), 6u);
  EXPECT_EQ(copse::symmetrise(rows.view(), keep, {}).targets.size(), 6u);
}

TEST(build, names_stay_with_their_vertices) {
  buffer<std::uint64_t> names{3};
  names[0] = 5, names[1] = 70, names[2] = 1'000'000'000'000;
  const copse::graph named{list<std::uint32_t>(3, {{0, 2}}), copse::vertex_names::integers(std::move(names))};
  const copse::graph built = copse::build_csr(named);
  ASSERT_EQ(built.names().size(), 3u);
  EXPECT_EQ(built.names().integer(2), 1'000'000'000'000u);
  EXPECT_EQ(built.vertices(), 3u);
}

TEST(build, rows_of_every_length_are_sorted) {  // short, middling and long rows take different ways
  for (const std::size_t degree : {2u, 24u, 25u, 288u, 289u, 5000u, 200'000u}) {
    std::vector<edge<std::uint32_t>> edges;
    std::mt19937 random{static_cast<unsigned>(degree)};
    for (std::size_t i = 0; i < degree; ++i) edges.push_back({0, static_cast<std::uint32_t>(1 + random() % 70'000)});
    build_options options;
    options.drop_duplicates = degree % 2 == 0;
    const auto held = list<std::uint32_t>(70'001, edges);
    ASSERT_EQ(arcs_of(build_csr(copse::graph_view{held.view()}, options).view()), expected_arcs(edges, options)) << degree;
  }
}

TEST(build, a_failing_allocation_is_a_resource_error_and_leaks_nothing) {
  const auto held = list<std::uint32_t>(400, random_edges<std::uint32_t>(3, 400, 100'000));
  const auto failures = copse::test::failures_of([&](std::pmr::memory_resource* memory) {
    const copse::graph rows = build_csr(copse::graph_view{held.view()}, {}, {.threads = 2, .memory = memory});
  });
  EXPECT_GE(failures, 4u);
}

TEST(build, memory_stays_below_three_times_the_result) {
  const auto held = list<std::uint32_t>(50'000, random_edges<std::uint32_t>(3, 50'000, 2'000'000));
  copse::tracked_memory memory;
  const copse::graph rows = build_csr(copse::graph_view{held.view()}, {}, {.threads = 1, .memory = &memory});
  EXPECT_LT(memory.peak_bytes(), 3 * memory.current_bytes());
}

TEST(build, a_cancelled_build_throws) {
  struct stop final : copse::observer {
    void progress(std::string_view, std::uint64_t, std::uint64_t, std::string_view) override {}
    [[nodiscard]] bool cancel_requested() const noexcept override { return true; }
  } observer;
  const auto held = list<std::uint32_t>(3, {{0, 1}});
  EXPECT_THROW(build_csr(copse::graph_view{held.view()}, {}, {.observer = &observer}), copse::cancelled);
}

TEST(facts, symmetry_is_found_whatever_the_rows_claim) {
  const auto edges = random_edges<std::uint32_t>(11, 2000, 30'000);
  const auto held = list<std::uint32_t>(2000, edges);
  for (const unsigned threads : {1u, 3u}) {
    const copse::execution on{.threads = threads};
    auto both = copse::build_rows<std::uint32_t, std::uint32_t>(held.view(), {}, on);
    both.symmetric = symmetry::unknown;
    EXPECT_EQ(copse::detect_symmetry(both.view(), on), symmetry::yes);
    EXPECT_TRUE(copse::inspect(both.view(), on).sorted);
    // One arc led astray (to another vertex of the same row's range) is enough.
    auto& target = both.targets[both.targets.size() / 2];
    target = target == 0 ? 1 : target - 1;
    EXPECT_EQ(copse::detect_symmetry(both.view(), on), symmetry::no);
    const auto one_sided = copse::build_rows<std::uint32_t, std::uint32_t>(held.view(), {.symmetrise = false}, on);
    EXPECT_EQ(copse::detect_symmetry(one_sided.view(), on), symmetry::no);
  }
}

TEST(facts, bad_targets_and_unsorted_rows_are_found) {
  std::array<std::uint32_t, 4> offsets{0, 2, 3, 4};
  std::array<std::uint32_t, 4> targets{2, 1, 0, 0};
  const copse::csr_view<std::uint32_t, std::uint32_t> rows{offsets, targets};
  auto facts = copse::inspect(rows);
  EXPECT_FALSE(facts.sorted);
  EXPECT_EQ(facts.symmetric, symmetry::yes);
  EXPECT_FALSE(facts.bad_target.has_value());
  targets[2] = 3;
  targets[3] = 9;
  facts = copse::inspect(rows);
  ASSERT_TRUE(facts.bad_target.has_value());
  EXPECT_EQ(*facts.bad_target, 2u);
}

}  // namespace
