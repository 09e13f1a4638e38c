// Spanning forests on a GPU: every cuda variant x the zoo x states of the input x two sizes of grid, and graphs with long rows, against the
// oracle; then what is not edges: memory that ends, graphs that stay on the GPU, and the way through spanning_forest().
#include <copse/build.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/spanning_forest.hpp>
#include <device/gpus.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "forest/forests.hpp"
#include "gpu/gpu.hpp"
#include "gpu/plain_memory.hpp"
#include "gpu/resident_zoo.hpp"
#include "support/failing_memory.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

constexpr auto forests = problem_kind::forest;

forest_result forest_on(device::solver& solver, const variant::table_entry& entry, const arc_view& on_device, bool with_labels,
                        std::uint64_t seed = 1) {
  phase_times times;
  const auto found = solver.spanning_forest(entry.sampler, entry.finish, on_device, {{.seed = seed}, {}}, times, with_labels);
  buffer<edge<std::uint32_t>> edges{found.edges.size()};
  solver.copy_out(found.edges, edges.span());
  forest_result result{graph{coo<std::uint32_t>{on_device.vertices, std::move(edges)}}, std::nullopt, {}};
  if (with_labels) result.labels.emplace(solver.copy_out(found.labels, host_memory()), result.edges.names());
  return result;
}

class every_gpu_forest : public ::testing::TestWithParam<variant_case> {
protected:
  /// False at the first fault.
  bool spans(device::solver& solver, const resident_graph& g, unsigned blocks) {
    // Labels are one more pass: with them and without, by turns.
    const auto found = forest_on(solver, *GetParam(), g.resident.view(), blocks == 0, g.answer->seed);
    const auto right = is_right(found, *g.answer, g.host);
    EXPECT_TRUE(right) << context(*g.answer, 1, g.state) << "\nblocks at most: " << blocks;
    return right;
  }
};

TEST_P(every_gpu_forest, is_proved) {
  COPSE_NEEDS_GPU();
  const bool coo = GetParam()->info.input == input_kind::coo;
  for (const unsigned blocks : grids) {
    resident_zoo& zoo = zoo_for(blocks);
    for (const auto& g : coo ? zoo.lists : zoo.rows) {
      if (is_pair_of_tried_parts(GetParam()->info) && g.answer->seed != 1) continue;
      if (!spans(zoo.solver, g, blocks)) return;
    }
    if (coo || GetParam()->info.sampler != "none") continue;
    for (const auto& g : zoo.unsampled) {
      if (!spans(zoo.solver, g, blocks)) return;
    }
  }
}

TEST_P(every_gpu_forest, walks_long_rows) {
  COPSE_NEEDS_GPU();
  if (GetParam()->info.input == input_kind::coo) GTEST_SKIP() << "an edge list has no rows";
  for (const large_graph& g : graphs_with_long_rows().graphs) {
    if (!spans(graphs_with_long_rows().solver, g.resident, 0)) return;
  }
}

INSTANTIATE_TEST_SUITE_P(table, every_gpu_forest, testing::ValuesIn(cuda_variants(forests)), [](const auto& tested) {
  return test_name(tested.param->info.name + (tested.param->info.input == input_kind::csr ? "_on_csr" : "_on_coo"));
});

/// One for each array that a rule may ask for, and each kind of sampler.
const std::vector<std::string> one_of_each_kind{
    "cuda.none.ecl", "cuda.hb.hooks.naive", "cuda.kout.jtb.naive", "cuda.bfs.afforest", "cuda.ldd.rem_lock.naive.halve_one",
    "cuda.hb.fast",  "cuda.none.fast"};

/// Half of the vertices are trees of their own, some before and some behind the edges' last place: slots must move, and none twice.
TEST(gpu_forest, edges_come_together_whatever_is_a_root) {
  COPSE_NEEDS_GPU();
  device::solver solver{{}};
  const variant::table_entry& entry = *variant::find_entry("cuda.none.async.halve", input_kind::coo, forests);
  for (const std::uint32_t n : {1u, 2u, 3u, 31u, 4096u, 4097u, 100'003u}) {
    for (const std::uint32_t step : {1u, 2u, 3u, 1000u}) {
      for (const bool from_the_end : {false, true}) {
        coo<std::uint32_t> edges{n, buffer<edge<std::uint32_t>>{(n - 1) / step}};
        for (std::uint32_t k = 0; k < edges.edges.size(); ++k) {
          const std::uint32_t v = from_the_end ? n - 1 - k * step : (k + 1) * step;
          edges.edges[k] = {v, v - 1};
        }
        const auto resident = solver.copy_in(arc_view{edges.view()});
        const auto found = forest_on(solver, entry, resident.view(), false);
        const verdict proved = verify_forest(edges.view(), found.edges);
        ASSERT_TRUE(proved) << n << " vertices, step " << step << ": " << proved.reason;
        ASSERT_EQ(found.edge_count(), edges.edges.size());
      }
    }
  }
}

TEST(gpu_forest, of_what_spanning_forest_is_given) {
  COPSE_NEEDS_GPU();
  const auto expected = components(rmat(), {.variant = "serial.none.rem"});
  const auto found = spanning_forest(rmat(), {.with_labels = true}, {.device = "cuda"});
  EXPECT_EQ(found.report.variant, "cuda.hb.fast");
  EXPECT_EQ(found.report.device, "cuda:0");
  EXPECT_GT(found.report.copy_seconds, 0);
  EXPECT_EQ(checksum(*found.labels), checksum(expected.labels));
  EXPECT_TRUE(verify_forest(rmat().view(), found.edges));
  std::vector<std::string_view> phases;
  for (const phase& p : found.report.phases) phases.push_back(p.name);
  EXPECT_EQ(phases, (std::vector<std::string_view>{"copy in", "allocate", "join", "labels", "collect", "copy out"}));
  auto one_sided = rmat_rows().view();
  one_sided.symmetric = symmetry::unknown;
  for (const std::string variant : {"auto", "cuda.kout.async.halve"}) {
    const auto completed = spanning_forest(graph_view{one_sided}, {.variant = variant}, {.device = "cuda"});
    EXPECT_TRUE(verify_forest(graph_view{one_sided}, completed.edges)) << variant;
    EXPECT_FALSE(completed.labels.has_value());
  }
  const auto list = gen::generate_edges("rmat:scale=13,edges=8");
  const auto of_list = spanning_forest(list, {.variant = "cuda.stages.early.split", .with_labels = true});
  EXPECT_TRUE(verify_forest(list.view(), of_list.edges));
  EXPECT_EQ(of_list.report.phases[2].name, "join");
  EXPECT_EQ(of_list.report.phases[4].name, "labels");
}

TEST(gpu_forest, stays_on_the_gpu) {
  COPSE_NEEDS_GPU();
  const auto resident = gpu_graph::copy_of(rmat().view(), {.problem = forests});
  const auto expected = components(rmat(), {.variant = "serial.none.rem"});
  for (const char* variant : {"auto", "cuda.none.fast", "cuda.kout.rem_cas.naive.halve_one"}) {
    const auto forest = spanning_forest(resident, {.variant = variant, .with_labels = true});
    EXPECT_EQ(forest.edges_on_device().size(), rmat().vertices() - expected.count()) << variant;
    EXPECT_EQ(forest.labels_on_device().size(), rmat().vertices()) << variant;
    EXPECT_GT(forest.report().solve_seconds, 0) << variant;
    EXPECT_EQ(forest.report().copy_seconds, 0) << variant;
    EXPECT_GE(forest.report().launches, 4u) << variant;
    const auto copied = forest.copy_out(rmat().names());
    EXPECT_TRUE(verify_forest(rmat().view(), copied.edges)) << variant;
    EXPECT_EQ(checksum(*copied.labels), checksum(expected.labels)) << variant;
    EXPECT_EQ(copied.count(), expected.count()) << variant;
  }
  const auto edges_only = spanning_forest(resident);
  EXPECT_TRUE(edges_only.labels_on_device().empty());
  EXPECT_FALSE(edges_only.copy_out(rmat().names()).labels.has_value());
  const graph none{coo<std::uint32_t>{0, buffer<edge<std::uint32_t>>{}}};
  EXPECT_TRUE(spanning_forest(gpu_graph::copy_of(none.view())).edges_on_device().empty());
}

TEST(gpu_forest, tells_the_phases_of_the_fast_path_when_asked) {
  COPSE_NEEDS_GPU();
  const auto resident = gpu_graph::copy_of(rmat().view(), {.time_phases = true});
  const auto phases_of = [&](const char* variant, bool with_labels) {
    std::vector<std::string> phases;
    const auto forest = spanning_forest(resident, {.variant = variant, .with_labels = with_labels});
    for (const phase& p : forest.report().phases) phases.emplace_back(p.name);
    return phases;
  };
  EXPECT_EQ(phases_of("cuda.hb.fast", false),
            (std::vector<std::string>{"allocate", "first hook", "second hook", "finish", "rest", "collect"}));
  EXPECT_EQ(phases_of("cuda.none.fast", true),
            (std::vector<std::string>{"allocate", "first hook", "second hook", "finish", "rest", "labels", "collect"}));
}

TEST(gpu_forest, refuses_what_makes_none) {
  COPSE_NEEDS_GPU();
  const auto resident = gpu_graph::copy_of(rmat().view());
  EXPECT_THROW(static_cast<void>(spanning_forest(resident, {.variant = "cuda.none.shiloach_vishkin"})), usage_error);
  EXPECT_THROW(static_cast<void>(spanning_forest(resident, {.variant = "threads.none.ecl"})), usage_error);
  EXPECT_THROW(static_cast<void>(spanning_forest(resident, {.count = true})), usage_error);
  auto one_sided = rmat_rows().view();
  one_sided.symmetric = symmetry::unknown;
  EXPECT_THROW(static_cast<void>(spanning_forest(gpu_graph::copy_of(graph_view{one_sided}), {.variant = "cuda.hb.fast"})), usage_error);
}

TEST(gpu_forest, memory_that_ends_is_reported_and_given_back) {
  COPSE_NEEDS_GPU();
  plain_gpu_memory pool;
  failing_memory source{&pool};
  device::solver solver{{.source = &source}};
  const auto resident = solver.copy_in(arc_view{rmat_rows().view()});
  for (const auto& name : one_of_each_kind) {
    const variant::table_entry& entry = *variant::find_entry(name, input_kind::csr, forests);
    static_cast<void>(forest_on(solver, entry, resident.view(), true));
    const auto failures = failures_of(source, solver.memory(), [&] {
      const auto found = forest_on(solver, entry, resident.view(), true);
      EXPECT_TRUE(verify_forest(rmat().view(), found.edges)) << name;
    });
    EXPECT_GE(failures, 5u) << name;
  }
}

TEST(gpu_forest, that_does_not_fit_is_refused_with_the_numbers) {
  COPSE_NEEDS_GPU();
  const std::uint64_t needed = gpu_graph::bytes_needed(rmat().view(), "cuda.none.ecl", forests);
  EXPECT_EQ(needed, gpu_graph::bytes_needed(rmat().view(), "cuda.none.ecl") + 8 * rmat().vertices());
  const std::string said = thrown<resource_error>([&] {
    static_cast<void>(gpu_graph::copy_of(rmat().view(), {.variant = "cuda.none.ecl", .problem = forests}, {.gpu_memory = needed - 1}));
  });
  const std::string found =
      "cuda:0: found " + std::to_string(needed - 1) + " bytes free, expected " + std::to_string(needed) + " for cuda.none.ecl: ";
  EXPECT_TRUE(said.starts_with(found)) << said;
}

/// Room for the forest and for pieces, but not for the graph.
TEST(gpu_forest, of_a_graph_that_does_not_fit_is_streamed_in_pieces) {
  COPSE_NEEDS_GPU();
  using id = std::uint32_t;
  const graph list = gen::generate_edges("er:n=50000,m=2000000,seed=5"), rows = build_csr(list);
  const auto n = static_cast<id>(list.vertices());
  const std::uint64_t room = device::bytes_to_stream(n, true) + (std::uint64_t{2} << 20);
  const execution limited{.device = "cuda", .gpu_memory = room};
  const components_result expected = components(list, {.variant = "serial.none.rem"});
  const auto expect_streamed = [&](const solve_report& report) {
    EXPECT_EQ(report.variant, "cuda.none.fast");
    EXPECT_EQ(report.device, "cuda:0");
    const std::string why = "cuda:0: found " + std::to_string(room) + " bytes free, expected ";
    EXPECT_TRUE(report.explanation.starts_with(why)) << report.explanation;
    EXPECT_TRUE(report.explanation.ends_with(
        ": the edges are streamed through the GPU in pieces, and the edges that joined two components are kept"))
        << report.explanation;
  };
  for (const graph* g : {&list, &rows}) {
    ASSERT_GT(gpu_graph::bytes_needed(g->view(), "auto", forests), room);
    const auto found = spanning_forest(*g, {.with_labels = true}, limited);
    expect_streamed(found.report);
    EXPECT_TRUE(verify_forest(g->view(), found.edges));
    EXPECT_EQ(checksum(*found.labels), checksum(expected.labels));
    EXPECT_THROW(spanning_forest(*g, {.variant = "cuda.hb.fast"}, limited), resource_error) << "a variant that was asked for";
  }
  const auto view = std::get<coo_view<id>>(list.view());
  std::vector<id> sources, targets, labels(n);
  for (const auto [u, v] : view.edges) sources.push_back(u), targets.push_back(v);
  const auto expect_written = [&](auto source) {
    std::vector<edge<id>> edges(n - 1);
    const forest_summary summary = spanning_forest(source, std::span{edges}, std::span{labels}, {}, limited);
    expect_streamed(summary.report);
    EXPECT_EQ(summary.edge_count, n - expected.count());
    coo<id> forest{n, buffer<edge<id>>{summary.edge_count}};
    std::copy_n(edges.begin(), summary.edge_count, forest.edges.begin());
    EXPECT_TRUE(verify_forest(list.view(), graph{std::move(forest)}));
    EXPECT_TRUE(std::ranges::equal(labels, std::get<buffer<id>>(expected.labels.labels())));
  };
  expect_written(view);
  expect_written(edge_columns_view<id>{n, sources, targets});
  expect_written(std::get<csr_view<id, id>>(rows.view()));
}

/// So that no graph is refused that would fit.
TEST(gpu_forest, no_variant_takes_less_than_is_asked_for) {
  COPSE_NEEDS_GPU();
  const auto list = gen::generate_edges("rmat:scale=13,edges=8");
  for (const variant::table_entry* const entry : cuda_variants(forests)) {
    device::solver solver{{}};
    const arc_view host =
        entry->info.input == input_kind::csr ? arc_view{rmat_rows().view()} : arc_view{std::get<coo<std::uint32_t>>(list.shape()).view()};
    const auto resident = solver.copy_in(host);
    static_cast<void>(forest_on(solver, *entry, resident.view(), true));
    EXPECT_GE(solver.memory().peak_bytes(), device::needs_of(entry->info, device::sizes_of(host)).all()) << entry->info.name;
  }
}

TEST(gpu_forest, is_refused_where_there_is_no_gpu) {
  if (has_gpu()) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_THROW(spanning_forest(rmat(), {.variant = "cuda.none.ecl"}), resource_error);
  EXPECT_THROW(spanning_forest(rmat(), {}, {.device = "cuda"}), resource_error);
}

TEST(gpu_forest, takes_variants_of_cuda_only) {
  EXPECT_THROW(spanning_forest(rmat(), {.variant = "threads.none.ecl"}, {.device = "cuda"}), usage_error);
  const coo_view<std::uint64_t> wide{};
  EXPECT_THROW(spanning_forest(graph_view{wide}, {.variant = "cuda.none.ecl"}), usage_error);
  EXPECT_THROW(spanning_forest(rmat(), {.variant = "cuda.none.ecl", .count = true}), usage_error);
}

}  // namespace
}  // namespace copse::test
