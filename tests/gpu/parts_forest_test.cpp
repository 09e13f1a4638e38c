// Spanning forests and weighted forests of graphs whose edges several GPUs share; several parts share a GPU where there is only one.
#include <gtest/gtest.h>
#include <api/through_gpus.hpp>
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/hierarchy.hpp>
#include <copse/io.hpp>
#include <copse/verify.hpp>
#include <copse/weighted_forest.hpp>
#include <core/random.hpp>
#include <gpu/runtime/gpu.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "gpu/gpu.hpp"
#include "gpu/parts.hpp"
#include "support/impatient.hpp"
#include "support/real_graphs.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"
#include "support/zoo.hpp"

namespace copse::test {
namespace {

using id = std::uint32_t;

TEST(forest_of_parts, is_refused_where_there_is_no_gpu) {
  if (has_gpu()) GTEST_SKIP() << "this machine has a GPU";
  const std::vector<edge<id>> edges{{0, 1}};
  const coo_view<id> list{2, edges};
  EXPECT_THROW(spanning_forest(graph_view{list}, {}, {.device = "cuda:0,1"}), resource_error);
  const std::vector<float> weights{1};
  EXPECT_THROW(weighted_forest(graph_view{list}, std::span<const float>{weights}, {}, {.device = "cuda:0,1"}), resource_error);
}

const solve_options by_cpu{.variant = "serial.none.rem"};

/// With labels.
forest_result through_gpus(const graph& g, const request<device::streaming_options>& options) {
  return api::spanning_forest_through_gpus(g.view(), g.names(), options, true);
}

/// Proved, of as many trees as there are components, and with the labels that are expected.
void expect_forest(graph_view g, const components_result& expected, const forest_result& found, const std::string& what) {
  const verdict proved = verify_forest(g, found.edges);
  EXPECT_TRUE(proved) << what << ": " << proved.reason;
  EXPECT_EQ(found.count(), expected.count()) << what;
  ASSERT_TRUE(found.labels) << what;
  EXPECT_EQ(checksum(*found.labels), checksum(expected.labels)) << what;
}

TEST(forest_of_parts, is_proved_for_lists_and_rows_in_pieces_of_any_size) {
  COPSE_NEEDS_GPU();
  for (const std::string& spec : specs()) {
    const graph list = gen::generate_edges(spec), rows = build_csr(gen::generate(spec));
    for (const parts& gpus : all_parts()) {
      for (const std::uint64_t bytes : {std::uint64_t{1000}, std::uint64_t{1} << 16, std::uint64_t{0}}) {
        if (bytes == 1000 && gpus.size() > 3) continue;
        const request<device::streaming_options> options{{.piece_bytes = bytes}, {.device = device_of(gpus)}};
        const std::string what = spec + ", " + std::to_string(gpus.size()) + " x " + std::to_string(bytes);
        for (const graph* g : {&list, &rows}) expect_forest(g->view(), components(*g, by_cpu), through_gpus(*g, options), what);
      }
    }
  }
}

TEST(forest_of_parts, of_small_graphs_of_every_shape) {
  COPSE_NEEDS_GPU();
  for (const zoo_graph& animal : zoo(1)) {
    const graph_view g = animal.edges.view();
    expect_forest(g, components(g, by_cpu),
                  api::spanning_forest_through_gpus(g, vertex_names::identity(animal.edges.vertex_count),
                                                    {{.piece_bytes = 4096}, {.device = "cuda:0,0,0"}}, true),
                  animal.name);
  }
}

TEST(forest_of_parts, refuses_what_it_cannot_do) {
  COPSE_NEEDS_GPU();
  EXPECT_THROW(spanning_forest(graph_view{coo_view<std::uint64_t>{}}, {}, {.device = "cuda:0,0"}), usage_error);
  EXPECT_THROW(spanning_forest(graph_view{coo_view<id>{}}, {}, {.device = "cuda:0,1000"}), usage_error);
  impatient watcher{2};
  EXPECT_THROW(through_gpus(rmat(), {{.piece_bytes = 1000}, {.observer = &watcher}}), cancelled);
}

/// Straight from files: text with gaps in its ids, vertices that count from 1, rows, and strings, which no GPU numbers.
TEST(forest_of_parts, of_files) {
  COPSE_NEEDS_GPU();
  const temporary_folder folder;
  std::string gaps, strings, declared = "%%MatrixMarket matrix coordinate pattern general\n900 900 1000\n";
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::uint64_t u = mix(2 * i) % 800, v = mix(2 * i + 1) % 800;
    gaps += std::to_string(3 * u) + ' ' + std::to_string(3 * v) + '\n';
    strings += "record " + std::to_string(u) + ",record " + std::to_string(v) + '\n';
    declared += std::to_string(u + 1) + ' ' + std::to_string(v + 1) + '\n';
  }
  write_bytes(folder / "gaps.el", gaps);
  write_bytes(folder / "strings.csv", strings);
  write_bytes(folder / "declared.mtx", declared);
  io::write_graph(rmat(), folder / "rows.sg");
  for (const char* name : {"gaps.el", "strings.csv", "declared.mtx", "rows.sg"}) {
    const graph whole = io::read_graph(folder / name, {});
    for (const std::string device : {"cuda:0,0,0", "cuda:0,0"}) {
      const forest_result found = spanning_forest(folder / name, {}, {.with_labels = true}, {.device = device});
      expect_forest(whole.view(), components(whole, by_cpu), found, name);
      EXPECT_EQ(found.edges.names().what(), whole.names().what()) << name;
      EXPECT_TRUE(found.report.explanation.ends_with("and the edges that joined two components are kept")) << found.report.explanation;
    }
    EXPECT_FALSE(spanning_forest(folder / name, {}, {}, {.device = "cuda:0,0"}).labels) << name;
  }
  const std::vector<std::filesystem::path> twice{folder / "gaps.el", folder / "gaps.el"};
  const graph whole = io::read_graph(twice.front(), {});
  expect_forest(whole.view(), components(whole, by_cpu), spanning_forest(twice, {}, {.with_labels = true}, {.device = "cuda:0,0"}),
                "twice");
}

template <class Weight>
std::vector<Weight> drawn_weights(std::size_t count, std::uint64_t kinds) {
  std::vector<Weight> weights(count);
  for (std::size_t i = 0; i < count; ++i) {
    weights[i] = static_cast<Weight>(mix(i + 99) % kinds);
    if constexpr (std::is_signed_v<Weight>) weights[i] -= static_cast<Weight>(kinds / 2);
    if constexpr (std::is_floating_point_v<Weight>) weights[i] /= 7;
  }
  return weights;
}

void expect_thresholds(const weighted_forest_result& found, const weighted_forest_result& expected, const std::string& what) {
  const std::vector<double> levels = threshold_levels(expected.weights.view(), 20);
  const auto curve = threshold_curve(found.edges, found.weights.view(), levels);
  const auto curve_expected = threshold_curve(expected.edges, expected.weights.view(), levels);
  ASSERT_EQ(curve.size(), levels.size()) << what;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    EXPECT_EQ(curve[i].components, curve_expected[i].components) << what << ", at " << levels[i];
    EXPECT_EQ(curve[i].pairs, curve_expected[i].pairs) << what << ", at " << levels[i];
  }
}

/// The same edges of the input as the CPU's, whatever the parts, and the same curve of thresholds.
template <class Weight>
void expect_weighted(graph_view g, std::uint64_t kinds, const parts& gpus, const std::string& what, std::uint64_t memory = UINT64_MAX) {
  if (gpus.size() == 1) memory = std::min(memory, std::uint64_t{1} << 40);  // one GPU takes shares where its memory is limited
  const std::size_t count = std::visit(
      [](const auto& view) {
        if constexpr (requires { view.edges; }) {
          return view.edges.size();
        } else {
          return view.targets.size();
        }
      },
      g);
  const std::vector<Weight> weights = drawn_weights<Weight>(count, kinds);
  for (const forest_goal goal : {forest_goal::minimum, forest_goal::maximum}) {
    const auto expected =
        weighted_forest(g, std::span<const Weight>{weights}, {.variant = "serial.kruskal", .goal = goal, .positions = true});
    for (const char* variant : {gpus.empty() ? "cuda.filter_boruvka" : "auto", "cuda.ecl_mst"}) {
      const auto found = weighted_forest(g, std::span<const Weight>{weights}, {.variant = variant, .goal = goal, .positions = true},
                                         {.device = device_of(gpus), .gpu_memory = memory});
      ASSERT_EQ(std::vector<std::uint64_t>(found.positions.begin(), found.positions.end()),
                std::vector<std::uint64_t>(expected.positions.begin(), expected.positions.end()))
          << what << ", " << gpus.size() << " parts, " << kinds << " weights, " << variant;
      if (goal == forest_goal::maximum) expect_thresholds(found, expected, what);
    }
  }
}

TEST(weighted_forest_of_parts, is_that_of_the_cpu) {
  COPSE_NEEDS_GPU();
  std::vector<parts> all = all_parts();
  all.push_back({});  // one GPU that takes all edges at once
  for (const std::string& spec : specs()) {
    const graph list = gen::generate_edges(spec);
    for (const parts& gpus : all) {
      expect_weighted<double>(list.view(), std::uint64_t{1} << 30, gpus, spec);
      expect_weighted<float>(list.view(), 3, gpus, spec);
      expect_weighted<std::uint32_t>(list.view(), 1, gpus, spec);
      expect_weighted<std::int64_t>(list.view(), 1000, gpus, spec);
    }
  }
}

/// Weights of an edge must be the same in both of its directions: all are equal, and the order of ends decides.
TEST(weighted_forest_of_parts, takes_rows_of_both_directions_and_of_one) {
  COPSE_NEEDS_GPU();
  for (const std::string& spec : specs()) {
    const graph g = build_csr(gen::generate(spec));
    const auto rows = std::get<csr_view<id, id>>(g.view());
    const std::vector<std::uint64_t> wide_offsets(rows.offsets.begin(), rows.offsets.end());
    csr_view<id, std::uint64_t> wide{wide_offsets, rows.targets};
    wide.symmetric = symmetry::yes;
    csr_view<id, id> arcs = rows;
    arcs.symmetric = symmetry::no;
    for (const parts& gpus : {parts{0}, parts{0, 0, 0}}) {
      expect_weighted<float>(rows, 1, gpus, spec);
      expect_weighted<float>(wide, 1, gpus, spec + ", 64-bit offsets");
      expect_weighted<float>(arcs, 1000, gpus, spec + ", arcs");
    }
  }
}

TEST(weighted_forest_of_parts, of_more_edges_than_a_gpu_may_hold) {
  COPSE_NEEDS_GPU();
  const graph g = gen::generate_edges("er:n=50000,m=2000000,seed=5");
  constexpr std::uint64_t megabytes = std::uint64_t{1} << 20;
  for (const std::uint64_t memory : {32 * megabytes, 64 * megabytes}) {  // shares of 180,000 and 440,000 edges
    expect_weighted<float>(g.view(), 1000, {0}, "one part", memory);
    expect_weighted<double>(g.view(), std::uint64_t{1} << 40, {0, 0, 0}, "three parts", memory);
  }
}

/// The memory of a GPU, but for so many bytes, in blocks that a pool can map.
std::vector<buffer<std::byte>> taken_but(std::uint64_t left, backend::gpu_memory& memory) {
  constexpr std::uint64_t block = std::uint64_t{1} << 30;
  std::vector<buffer<std::byte>> taken;
  while (memory.free_bytes() > left + block) taken.emplace_back(block, &memory);
  if (const std::uint64_t free = memory.free_bytes(); free > left) taken.emplace_back(free - left, &memory);
  return taken;
}

/// One GPU whose memory nobody limits takes all edges at once, by auto only where it has room for them.
TEST(weighted_forest_of_parts, of_a_graph_that_does_not_fit) {
  COPSE_NEEDS_GPU();
  const graph small = gen::generate_edges("er:n=500,m=2000"), large = gen::generate_edges("er:n=50000,m=4000000,seed=5");
  const auto solve = [](const graph& g, const std::string& variant, const std::string& device) {
    const std::vector<float> weights = drawn_weights<float>(std::get<coo_view<id>>(g.view()).edges.size(), 1000);
    return weighted_forest(g.view(), std::span<const float>{weights}, {.variant = variant, .positions = true}, {.device = device});
  };
  static_cast<void>(solve(small, "auto", "cuda"));  // kernels are loaded while there is room for them
  const auto expected = solve(large, "threads.filter_kruskal", "cpu");
  const backend::gpu on{0};
  backend::gpu_memory memory{on};
  const auto taken =
      taken_but(std::uint64_t{80} << 20, memory);  // 4 million edges and their weights as arcs take more, shares of them less
  EXPECT_THROW(solve(large, "cuda.filter_boruvka", "cuda"), resource_error);
  const auto found = solve(large, "auto", "cuda");
  EXPECT_EQ(found.report.variant, "cuda.filter_boruvka");
  EXPECT_TRUE(found.report.explanation.ends_with(": the GPU solves shares of the edges, one after the other: cuda.filter_boruvka"))
      << found.report.explanation;
  EXPECT_EQ(std::vector<std::uint64_t>(found.positions.begin(), found.positions.end()),
            std::vector<std::uint64_t>(expected.positions.begin(), expected.positions.end()));
}

TEST(weighted_forest_of_parts, small_and_empty_graphs) {
  COPSE_NEEDS_GPU();
  for (const parts& gpus : all_parts()) {
    expect_weighted<float>(coo_view<id>{}, 3, gpus, "none");
    expect_weighted<float>(coo_view<id>{5, {}}, 3, gpus, "no edges");
    const std::vector<edge<id>> few{{2, 1}, {1, 1}, {1, 2}};
    expect_weighted<float>(coo_view<id>{4, few}, 3, gpus, "few");
    expect_weighted<float>(csr_view<id, id>{}, 3, gpus, "no rows");
  }
  for (const zoo_graph& animal : zoo(2)) {
    const graph_view g = animal.edges.view();
    expect_weighted<std::int32_t>(g, 5, {0, 0}, animal.name);
  }
}

TEST(weighted_forest_of_parts, says_what_is_wrong) {
  COPSE_NEEDS_GPU();
  const graph g = gen::generate_edges("er:n=5000,m=30000,seed=3");
  std::vector<double> weights = drawn_weights<double>(30000, 9);
  const auto solve = [&](const weighted_forest_options& how, const execution& on = {}) {
    return [&, how, on] { static_cast<void>(weighted_forest(g.view(), std::span<const double>{weights}, how, on)); };
  };
  EXPECT_EQ(thrown<usage_error>(solve({.variant = "threads.boruvka"}, {.device = "cuda:0,0"})),
            "variant threads.boruvka runs on the CPU: leave out device, or choose a variant of cuda");
  EXPECT_THROW(solve({}, {.device = "cuda:0,1000"})(), usage_error);
  const std::string full = thrown<resource_error>(solve({}, {.device = "cuda", .gpu_memory = 1 << 20}));
  EXPECT_NE(full.find("found 1048576 bytes free, expected "), std::string::npos) << full;
  EXPECT_NE(full.find(" to merge two forests of 5000 vertices"), std::string::npos) << full;
  weights[20001] = weights[29999] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(thrown<input_error>(solve({}, {.device = "cuda:0,0,0"})),
            "weights: found one that is not a number at position 20001, expected numbers");
  EXPECT_EQ(thrown<input_error>(solve({.variant = "cuda.filter_boruvka"})),
            "weights: found one that is not a number at position 20001, expected numbers");
  const coo_view<std::uint64_t> wide{};
  EXPECT_THROW(weighted_forest(graph_view{wide}, std::span<const double>{}, {}, {.device = "cuda"}), usage_error);
}

class real_graph_in_parts : public ::testing::TestWithParam<copse::testing::real_file> {};

TEST_P(real_graph_in_parts, has_forests_that_are_proved_and_those_of_the_cpu) {
  COPSE_NEEDS_GPU();
  const auto path = copse::testing::real_graphs_folder(COPSE_ROOT) / GetParam().name;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no real graphs: set COPSE_GRAPHS to a folder that has " << GetParam().name;
  const graph g = io::read_graph(path, GetParam().options);
  expect_forest(g.view(), components(g, by_cpu),  // both labellings by the names in the file
                spanning_forest(g, {.with_labels = true}, {.device = "cuda:0,0,0"}), GetParam().name);
  if (!g.has_rows()) expect_weighted<float>(g.view(), 1000, {0, 0, 0}, GetParam().name);
}

INSTANTIATE_TEST_SUITE_P(index, real_graph_in_parts, ::testing::ValuesIn(copse::testing::real_files()),
                         [](const auto& file) { return copse::testing::test_name_of(file.param.name); });

}  // namespace
}  // namespace copse::test
