// What a counted solve counts on a GPU: what one thread of the CPU counts where the graph leaves nothing to chance, and never another
// answer.
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/labels.hpp>
#include <device/counted.hpp>

#include <string>
#include <vector>

#include "gpu/gpu.hpp"
#include "support/rows.hpp"
#include "sweep/counted.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

/// Each edge is a component of its own: no two steps of a pass meet.
rows32 matching() {
  std::vector<edge<std::uint32_t>> edges;
  for (std::uint32_t v = 0; v < 3000; v += 2) edges.push_back({v, v + 1});
  return rows_of_edges(3001, edges);
}

std::vector<const variant::table_entry*> counted_variants() {
  std::vector<const variant::table_entry*> found;
  for (const variant_case entry : cuda_variants(problem_kind::components)) {
    if (entry->info.input == input_kind::csr && device::is_counted(entry->sampler, entry->finish)) found.push_back(entry);
  }
  return found;
}

/// On all counted rules, all counters. The CPU's, by one thread of the backend that has the same passes over vertices.
TEST(gpu_counts, are_the_cpus_where_no_two_steps_meet) {
  COPSE_NEEDS_GPU();
  const rows32 g = matching();
  int compared = 0;
  for (const variant::table_entry* entry : counted_variants()) {
    if (entry->info.sampler != "none") continue;
    const std::string on_cpu = "threads" + entry->info.name.substr(variant::cuda_name.size());
    const auto expected = components(graph_view{g.view()}, {.variant = on_cpu, .count = true}, {.threads = 1}).report.work.value();
    const auto seen = count(g.view(), entry->info.name);
    EXPECT_EQ(seen.finish_arcs, 1500u) << on_cpu;
    EXPECT_EQ(seen.finish_arcs, expected.finish_arcs) << on_cpu;
    EXPECT_EQ(seen.unites, expected.unites) << on_cpu;
    EXPECT_EQ(seen.call_loads, expected.call_loads) << on_cpu;
    EXPECT_EQ(seen.longest_path, expected.longest_path) << on_cpu;
    EXPECT_EQ(seen.loads, expected.loads) << on_cpu;
    EXPECT_EQ(seen.stores, expected.stores) << on_cpu;
    EXPECT_EQ(seen.swaps, expected.swaps) << on_cpu;
    EXPECT_EQ(seen.failed_swaps, expected.failed_swaps) << on_cpu;
    ++compared;
  }
  EXPECT_GE(compared, 30);
}

TEST(gpu_counts, of_an_unsampled_variant_are_one_unite_per_edge) {
  COPSE_NEEDS_GPU();
  for (const std::string variant : {"cuda.none.async.naive", "cuda.none.rem_cas.naive.halve_one", "cuda.none.jtb.naive",
                                    "cuda.none.hooks.compress", "cuda.none.rem_lock.split.splice_atomic"}) {
    expect_one_unite_per_edge_of_the_star(variant);
  }
}

TEST(gpu_counts, of_a_sampled_variant_show_the_giant) {
  COPSE_NEEDS_GPU();
  expect_a_giant_in_the_star("cuda.kout.async.naive");
}

/// Stars around 0 (leaves 2 .. 49) and 1 (leaves 51 .. 69); an arc between two leaves is the second of both rows, which k = 1 does not see.
TEST(gpu_counts, see_an_arc_between_two_trees) {
  COPSE_NEEDS_GPU();
  std::vector<edge<std::uint32_t>> edges{{49, 69}};
  for (std::uint32_t v = 2; v < 50; ++v) edges.push_back({0, v});
  for (std::uint32_t v = 51; v < 70; ++v) edges.push_back({1, v});
  const rows32 g = rows_of_edges(70, edges);
  const auto result = components(graph_view{g.view()}, {.variant = "cuda.kout.async.naive", .kout_rounds = 1, .count = true});
  const auto work = result.report.work.value();
  EXPECT_EQ(work.giant_vertices, 49u);
  EXPECT_EQ(work.crossing_arcs, 2u);
  EXPECT_EQ(work.outside_arcs, 19u + 18u + 2u);
}

/// Relations that hold whatever threads did, on a graph where they meet, with rows for warps and for blocks.
TEST(gpu_counts, of_a_large_graph_make_sense) {
  COPSE_NEEDS_GPU();
  const graph generated = gen::generate("rmat:scale=15,edges=16");
  const auto expected = components(generated, {.variant = "serial.none.rem"});
  const std::uint64_t arcs = expected.report.edges, n = generated.vertices();
  const auto resident = gpu_graph::copy_of(generated.view());
  for (const variant::table_entry* entry : counted_variants()) {
    const auto solved = components(resident, {.variant = entry->info.name, .count = true});
    EXPECT_EQ(checksum(solved.copy_out()), checksum(expected.labels)) << entry->info.name;
    const work_counts work = solved.report().work.value();
    if (entry->info.sampler == "none") {
      EXPECT_EQ(work.finish_arcs, arcs / 2) << entry->info.name;
      EXPECT_EQ(work.giant_vertices, 0u) << entry->info.name;
    } else {
      EXPECT_GT(work.sampled_arcs, 0u) << entry->info.name;
      EXPECT_GT(work.giant_vertices, n / 4) << entry->info.name;
      EXPECT_LE(work.giant_vertices, n) << entry->info.name;
      EXPECT_LE(work.finish_arcs, arcs) << entry->info.name;
      EXPECT_LE(work.crossing_arcs + work.outside_arcs, 2 * arcs) << entry->info.name;
    }
    EXPECT_LE(work.unites, work.sampled_arcs + work.finish_arcs) << entry->info.name;
    EXPECT_LE(work.failed_swaps, work.swaps) << entry->info.name;
    EXPECT_LE(work.longest_path, work.call_loads) << entry->info.name;
    EXPECT_LE(work.call_loads, work.loads) << entry->info.name;
    EXPECT_GE(work.stores, n) << entry->info.name;  // at least to plant the trees
    if (entry->info.name == "cuda.none.async.naive") {
      EXPECT_EQ(work.swaps - work.failed_swaps, n - expected.count());  // a success a link
    }
  }
}

TEST(gpu_counts, refuse_variants_that_have_no_counters) {
  COPSE_NEEDS_GPU();
  const rows32& g = star();
  for (const std::string variant : {"cuda.none.fast", "cuda.bfs.async.naive", "cuda.none.liu_tarjan.PUS", "cuda.none.afforest"}) {
    EXPECT_THROW(static_cast<void>(count(g.view(), variant)), usage_error) << variant;
  }
}

}  // namespace
}  // namespace copse::test
