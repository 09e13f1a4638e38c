// Every variant of the backend cuda x the zoo x states of the input x two sizes of grid, against breadth-first search; and graphs with rows
// long enough for warps, and for pieces that blocks share, against sequential Rem.
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/cuda.hpp>
#include <copse/generate.hpp>
#include <copse/labels.hpp>
#include <variants/axes.hpp>

#include <string>

#include "gpu/gpu.hpp"
#include "gpu/resident_zoo.hpp"
#include "support/rows.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

class every_gpu_variant : public ::testing::TestWithParam<variant_case> {
protected:
  /// False at the first fault.
  bool solves(device::solver& solver, const resident_graph& g, unsigned blocks) {
    const auto labels = solve_on(solver, *GetParam(), g.resident.view(), g.answer->seed);
    const auto right = same_labels(labels, *g.answer);
    EXPECT_TRUE(right) << context(*g.answer, 1, g.state) << "\nblocks at most: " << blocks;
    return right;
  }
};

TEST_P(every_gpu_variant, gives_canonical_labels) {
  COPSE_NEEDS_GPU();
  const bool coo = GetParam()->info.input == input_kind::coo;
  for (const unsigned blocks : grids) {
    resident_zoo& zoo = zoo_for(blocks);
    for (const auto& g : coo ? zoo.lists : zoo.rows) {
      if (is_pair_of_tried_parts(GetParam()->info) && (g.answer->seed != 1 || (quick() && blocks != grids[0]))) continue;
      if (!solves(zoo.solver, g, blocks)) return;
    }
    if (coo || GetParam()->info.sampler != "none" || variant::finish_entries[GetParam()->finish].traits.needs_symmetric) continue;
    for (const auto& g : zoo.unsampled) {
      if (!solves(zoo.solver, g, blocks)) return;
    }
  }
}

TEST_P(every_gpu_variant, walks_long_rows) {
  COPSE_NEEDS_GPU();
  if (GetParam()->info.input == input_kind::coo) GTEST_SKIP() << "an edge list has no rows";
  for (const large_graph& g : graphs_with_long_rows().graphs) {
    if (!solves(graphs_with_long_rows().solver, g.resident, 0)) return;
  }
}

/// The techniques of the GConn paper, which its Figure 2 puts one upon the other, under rules of each kind of array.
TEST(gpu, techniques_of_row_loops_change_no_label) {
  COPSE_NEEDS_GPU();
  for (const auto technique : {gpu_row_loop::base, gpu_row_loop::coalesced, gpu_row_loop::reorganised, gpu_row_loop::gathered}) {
    for (const unsigned blocks : grids) {
      device::solver solver{{.most_blocks = blocks, .techniques = {.rows = technique}}};
      for (const auto& g : solved_zoo()) {
        const auto rows = make_test_rows<std::uint32_t, std::uint32_t>(g.edges.view(), row_state::raw);
        const auto resident = solver.copy_in(arc_view{rows.view()});
        for (const char* name : {"kout.async.compress", "kout.hooks.naive", "kout.jtb.naive", "kout.rem_lock.naive.split_one",
                                 "kout.liu_tarjan.PRF", "kout.label_propagation", "kout.sv", "hb.async.naive", "bfs.ecl"}) {
          const variant::table_entry* entry = variant::find_entry(std::string{"cuda."}.append(name), input_kind::csr);
          ASSERT_NE(entry, nullptr) << name;
          ASSERT_TRUE(same_labels(solve_on(solver, *entry, resident.view(), g.seed), g))
              << name << ", technique " << static_cast<int>(technique) << ", blocks at most " << blocks << "\n"
              << context(g, 1, "raw");
        }
      }
    }
  }
}

/// Rules that shorten paths by stores, on a graph where enough threads are at it at once: no late store may leave a vertex below its root.
TEST(gpu, variants_that_store_in_finds_leave_no_vertex_behind) {
  COPSE_NEEDS_GPU();
  const graph generated = build_csr(gen::generate("er:n=3000000,m=12000000"));
  const auto expected = checksum(components(generated, {.variant = "serial.none.rem"}).labels);
  const auto resident = gpu_graph::copy_of(generated.view());
  for (const char* name : {"cuda.hb.async.halve", "cuda.hb.async.compress", "cuda.hb.early.naive", "cuda.hb.ecl.split",
                           "cuda.hb.rem_cas.naive.halve_one", "cuda.hb.rem_lock.split.split_one", "cuda.hb.hooks.halve",
                           "cuda.hb.rem_cas.naive.splice_atomic", "cuda.kout_random.rem_cas.naive.split_one", "cuda.kout.async.halve"}) {
    for (int solve = 0; solve < 5; ++solve) {
      const auto solved = components(resident, {.variant = name});
      ASSERT_EQ(checksum(solved.copy_out()), expected) << name << ", solve " << solve;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(table, every_gpu_variant, testing::ValuesIn(cuda_variants(problem_kind::components)), [](const auto& tested) {
  return test_name(tested.param->info.name + (tested.param->info.input == input_kind::csr ? "_on_csr" : "_on_coo"));
});

}  // namespace
}  // namespace copse::test
