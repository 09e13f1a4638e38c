// Every row of the backend cuda x the zoo x states of the input x two sizes of grid, against breadth-first search; and graphs with rows
// long enough for warps, and for pieces that blocks share, against sequential Rem.
#include <copse/gen/generate.hpp>
#include <copse/graph/build.hpp>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/gpu.hpp"
#include "support/rows.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

/// A graph in all the states that a row may be given, copied to the GPU once for all rows.
struct resident_graph {
  const solved_graph* answer;
  std::string_view state;
  registry::cuda_solver::device_graph there;
};

/// `most_blocks` 0: a full grid. 3: every thread has many turns, in an order of its own.
struct resident_zoo {
  explicit resident_zoo(unsigned most_blocks) : solver{{.most_blocks = most_blocks}} {
    for (const auto& g : solved_zoo()) {
      const auto simple = make_test_rows<std::uint32_t, std::uint32_t>(g.edges.view(), row_state::simple);
      const auto raw = make_test_rows<std::uint32_t, std::uint32_t>(g.edges.view(), row_state::raw);
      rows.push_back({&g, "simple", solver.copy_in(gpu_graph{simple.view()})});
      rows.push_back({&g, "raw", solver.copy_in(gpu_graph{raw.view()})});
      lists.push_back({&g, "coo", solver.copy_in(gpu_graph{g.edges.view()})});
      if (g.seed != 1) continue;
      const auto one_sided = make_test_rows<std::uint32_t, std::uint32_t>(g.edges.view(), row_state::one_sided);
      const auto wide = make_test_rows<std::uint32_t, std::uint64_t>(g.edges.view(), row_state::simple);
      unsampled.push_back({&g, "one_sided", solver.copy_in(gpu_graph{one_sided.view()})});
      rows.push_back({&g, "wide offsets", solver.copy_in(gpu_graph{wide.view()})});
    }
  }

  registry::cuda_solver solver;
  std::vector<resident_graph> rows, lists;
  std::vector<resident_graph> unsampled;  ///< rows that store one direction
};

const std::array<unsigned, 2> grids{0, 3};

resident_zoo& zoo_for(unsigned most_blocks) {
  static std::array<std::unique_ptr<resident_zoo>, grids.size()> zoos;
  auto& zoo = zoos[most_blocks == 0 ? 0 : 1];
  if (!zoo) zoo = std::make_unique<resident_zoo>(most_blocks);
  return *zoo;
}

using row_case = const registry::row*;

std::vector<row_case> gpu_rows() {
  std::vector<row_case> rows;
  for (const registry::row& row : registry::table()) {
    if (row.info.backend == registry::cuda_name) rows.push_back(&row);
  }
  return rows;
}

class every_gpu_row : public testing::TestWithParam<row_case> {
protected:
  /// False at the first fault.
  bool solves(registry::cuda_solver& solver, const resident_graph& g, unsigned blocks) {
    const auto labels = solve_on(solver, *GetParam(), g.there.view(), g.answer->seed);
    const auto right = same_labels(labels, *g.answer);
    EXPECT_TRUE(right) << context(*g.answer, 1, g.state) << "\nblocks at most: " << blocks;
    return right;
  }
};

TEST_P(every_gpu_row, gives_canonical_labels) {
  COPSE_NEEDS_GPU();
  const bool coo = GetParam()->info.input == input_kind::coo;
  for (const unsigned blocks : grids) {
    resident_zoo& zoo = zoo_for(blocks);
    for (const auto& g : coo ? zoo.lists : zoo.rows) {
      if (is_pair_of_tried_parts(GetParam()->info) && (g.answer->seed != 1 || (quick() && blocks != grids[0]))) continue;
      if (!solves(zoo.solver, g, blocks)) return;
    }
    if (coo || GetParam()->info.sampler != "none" || registry::finish_entries[GetParam()->finish].traits.needs_symmetric) continue;
    for (const auto& g : zoo.unsampled) {
      if (!solves(zoo.solver, g, blocks)) return;
    }
  }
}

/// A generated graph, its labels by sequential Rem, and its copy on the GPU.
struct large_graph {
  large_graph(registry::cuda_solver& solver, const char* spec) {
    const graph made = build_csr(gen::generate(spec));
    const auto rows = std::get<csr<std::uint32_t, std::uint32_t>>(made.shape()).view();
    const auto solved = components(graph_view{rows}, {.variant = "serial.none.rem"});
    const auto& labels = std::get<buffer<std::uint32_t>>(solved.labels.labels());
    answer.seed = 1;
    answer.name = spec;
    answer.labels.assign(labels.begin(), labels.end());
    there = {&answer, "rows", solver.copy_in(gpu_graph{rows})};
  }
  solved_graph answer;
  resident_graph there;
};

TEST_P(every_gpu_row, walks_long_rows) {
  COPSE_NEEDS_GPU();
  if (GetParam()->info.input == input_kind::coo) GTEST_SKIP() << "an edge list has no rows";
  static registry::cuda_solver solver{{}};
  static const std::array<large_graph, 4> graphs{large_graph{solver, "star:n=70000"}, large_graph{solver, "complete:n=1300"},
                                                 large_graph{solver, "rmat:scale=14,edges=24"},
                                                 large_graph{solver, "rmat:scale=13,edges=3,shuffle=1"}};
  for (const large_graph& g : graphs) {
    if (!solves(solver, g.there, 0)) return;
  }
}

/// The techniques of the GConn paper, which its Figure 2 puts one upon the other, under rules of each kind of array.
TEST(gpu, techniques_of_row_loops_change_no_label) {
  COPSE_NEEDS_GPU();
  for (const auto technique : {gpu_row_loop::coalesced, gpu_row_loop::reorganised, gpu_row_loop::gathered}) {
    for (const unsigned blocks : grids) {
      registry::cuda_solver solver{{.most_blocks = blocks, .rows = technique}};
      for (const auto& g : solved_zoo()) {
        const auto rows = make_test_rows<std::uint32_t, std::uint32_t>(g.edges.view(), row_state::raw);
        const auto there = solver.copy_in(gpu_graph{rows.view()});
        for (const char* name : {"kout.async.compress", "kout.hooks.naive", "kout.jtb.naive", "kout.rem_lock.naive.split_one",
                                 "kout.liu_tarjan.PRF", "kout.label_propagation", "kout.sv", "hb.async.naive", "bfs.ecl"}) {
          const registry::row* row = registry::find_row(std::string{"cuda."}.append(name), input_kind::csr);
          ASSERT_NE(row, nullptr) << name;
          ASSERT_TRUE(same_labels(solve_on(solver, *row, there.view(), g.seed), g))
              << name << ", technique " << static_cast<int>(technique) << ", blocks at most " << blocks << "\n"
              << context(g, 1, "raw");
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(table, every_gpu_row, testing::ValuesIn(gpu_rows()), [](const auto& row) {
  return test_name(row.param->info.name + (row.param->info.input == input_kind::csr ? "_on_csr" : "_on_coo"));
});

}  // namespace
}  // namespace copse::test
