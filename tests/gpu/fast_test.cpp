// The fast path by both of its ways, one launch and a chain of kernels, whatever the size of the graph; and solves made ready.
#include <cuda_runtime_api.h>
#include <copse/build.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <fast/cuda/plan.hpp>
#include <fast/cuda/workspace.hpp>
#include <gen/unsorted_rows.hpp>
#include <loops/row_sample.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "gpu/gpu.hpp"
#include "support/rows.hpp"
#include "support/sampled.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

const variant::table_entry& fast_entry(const char* name) { return *variant::find_entry(name, input_kind::csr); }

constexpr fast::gpu_settings never_one_launch{.one_launch_vertices = 0, .one_launch_arcs = 0, .flat_part_vertices = 2048};
constexpr fast::gpu_settings always_one_launch{.one_launch_vertices = UINT64_MAX, .one_launch_arcs = UINT64_MAX};

TEST(gpu_fast, is_right_in_one_launch_and_in_many) {
  COPSE_NEEDS_GPU();
  for (const fast::gpu_settings& settings : {never_one_launch, always_one_launch}) {
    for (const unsigned blocks : {0u, 1u, 3u}) {
      device::solver solver{{.most_blocks = blocks, .fast = settings}};
      for (const auto& g : solved_zoo()) {
        const auto rows = make_test_rows<std::uint32_t, std::uint32_t>(g.edges.view(), row_state::simple);
        const auto resident = solver.copy_in(arc_view{rows.view()});
        for (const char* name : {"cuda.hb.fast", "cuda.none.fast"}) {
          ASSERT_TRUE(same_labels(solve_on(solver, fast_entry(name), resident.view(), g.seed), g))
              << name << ", blocks at most " << blocks << ", one launch up to " << settings.one_launch_vertices << " vertices\n"
              << context(g, 1, "simple");
        }
      }
    }
  }
}

/// Rows that are cut into parts, flattens in parts, tiles with near neighbours, no giant at first or at all, arcs that lead far, and a
/// giant whose root changes: on graphs larger than the zoo's.
TEST(gpu_fast, is_right_on_larger_graphs_in_one_launch_and_in_many) {
  COPSE_NEEDS_GPU();
  for (const char* spec : {"star:n=70000", "complete:n=1300", "rmat:scale=16,edges=16", "rmat:scale=18,edges=4,shuffle=1",
                           "grid2d:side=700", "mesh:side=300", "clusters:n=100000", "path:n=300000,shuffle=1", "web:n=200000,degree=16",
                           "mesh:side=800,shuffle=1", "grid2d:side=1000,shuffle=1", "osm:side=400,shuffle=1"}) {
    const graph g = build_csr(gen::generate(spec));
    const auto expected = checksum(components(g, {.variant = "serial.none.rem"}).labels);
    for (const fast::gpu_settings& settings : {never_one_launch, always_one_launch}) {
      device::solver solver{{.fast = settings}};
      const auto resident = solver.copy_in(arc_view{std::get<csr<std::uint32_t, std::uint32_t>>(g.shape()).view()});
      for (const std::uint64_t seed : {1, 2, 3}) {
        for (const char* name : {"cuda.hb.fast", "cuda.none.fast"}) {
          phase_times times;
          const auto& entry = fast_entry(name);
          const auto solved = solver.solve(entry.sampler, entry.finish, resident.view(), {{.seed = seed}, {}}, times);
          ASSERT_EQ(solver.checksum(solved.labels.span()), expected) << spec << ", " << name << ", launches " << solved.launches;
          EXPECT_EQ(solved.launches == 1, entry.info.both_directions && settings.one_launch_vertices != 0) << spec << ", " << name;
        }
      }
    }
  }
}

/// Some twenty graphs, a hundred times each: what depends on who comes first comes out differently each time.
TEST(gpu_fast, auto_is_right_every_time) {
  COPSE_NEEDS_GPU();
  for (const char* spec : {"rmat:scale=10,edges=4",
                           "rmat:scale=14,edges=12",
                           "rmat:scale=16,edges=8,shuffle=1",
                           "rmat:scale=19,edges=6",
                           "rmat:scale=18,edges=30",
                           "er:n=1000,m=2000",
                           "er:n=40000,m=120000",
                           "er:n=300000,m=500000",
                           "er:n=500000,m=2000000",
                           "ba:n=50000,k=3",
                           "ba:n=400000,k=8",
                           "grid2d:side=250",
                           "grid2d:side=900,shuffle=1",
                           "mesh:side=200,shuffle=1",
                           "mesh:side=700",
                           "osm:side=300",
                           "web:n=400000,degree=12",
                           "clusters:n=500000,shuffle=1",
                           "star:n=300000",
                           "path:n=500000",
                           "er:n=400000,m=400000",
                           "web:n=300000,degree=3",
                           "rmat:scale=18,edges=1"}) {
    const graph g = build_csr(gen::generate(spec));
    const auto expected = checksum(components(g, {.variant = "serial.none.rem"}).labels);
    const auto resident = gpu_graph::copy_of(g.view());
    gpu_prepared_solve ready{resident, {.variant = "cuda.hb.fast"}};
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      const auto labels = components(resident, {.seed = seed});
      ASSERT_EQ(checksum(labels), expected) << spec << ", seed " << seed << ", " << labels.report().variant;
      ASSERT_EQ(checksum(ready.components(resident)), expected) << spec << ", time " << seed;
    }
  }
}

/// Returns what the blocks of the last solve with this workspace have counted and decided.
fast::gpu_counters<std::uint32_t> counters_of(device::solver::workspace& space) {
  fast::gpu_counters<std::uint32_t> found{};
  EXPECT_EQ(cudaMemcpy(&found, space.counters(), sizeof found, cudaMemcpyDeviceToHost), cudaSuccess);
  return found;
}

/// Solves each graph with rows sorted and not, beginning as `how`, and checks the labels. Calls see(spec, rows, seed, counters) after each
/// solve.
template <class See>
void expect_right_labels(std::initializer_list<const char*> specs, fast::begins how, See see) {
  for (const char* spec : specs) {
    for (const bool sorted : {true, false}) {
      graph g = build_csr(gen::generate(spec));
      if (!sorted) g = gen::unsorted_rows(std::move(g), 7);
      const auto rows = std::get<csr<std::uint32_t, std::uint32_t>>(g.shape()).view();
      const auto expected = checksum(components(g, {.variant = "serial.none.rem"}).labels);
      device::solver solver{{.most_blocks = sorted ? 0u : 3u, .fast = never_one_launch}};
      const auto resident = solver.copy_in(arc_view{rows});
      auto space = solver.workspace_for(resident.view(), true, false);
      ASSERT_EQ(space.how(), how) << spec;
      buffer<std::uint32_t> labels{g.vertices(), &solver.memory()};
      for (const std::uint64_t seed : {1, 2, 3}) {
        phase_times times;
        static_cast<void>(solver.solve_fast(resident.view(), space, labels.data(), {{.seed = seed}, {}}, times));
        ASSERT_EQ(solver.checksum(labels.span()), expected) << spec << ", seed " << seed << (sorted ? "" : ", rows unsorted");
        see(spec, rows, seed, counters_of(space));
      }
    }
  }
}

/// The GPU samples the same rows as the host, and begins as they suggest; with rows long enough to be cut, too.
TEST(gpu_fast, begins_as_a_sample_of_short_rows_says) {
  COPSE_NEEDS_GPU();
  using fast::course;
  std::set<course> seen;
  const auto see = [&](const char* spec, const auto& rows, std::uint64_t seed, const auto& found) {
    const auto sample = sample_of(backend::any_rows<std::uint32_t>{rows}, seed);
    unsigned differ = 0;
    backend::row_sample on_gpu = found.sample;
    backend::row_sample::for_each_count(on_gpu, sample, [&](auto& there, auto here) { differ += there != here ? 1 : 0; });
    EXPECT_EQ(differ, 0u) << spec;
    const course next = fast::planned(rows.vertices(), rows.arcs(), rows.sorted, false, sample);
    seen.insert(next);
    if (next == course::skip_giant) {
      EXPECT_LE(found.decided.first.next, course::unite) << spec;
    } else {
      EXPECT_EQ(found.decided.first.next, next) << spec;
    }
  };
  ASSERT_NO_FATAL_FAILURE(
      expect_right_labels({"er:n=300000,m=300000", "er:n=100000,m=160000,shuffle=1", "osm:side=400,keep=.6", "clusters:n=200000,size=1000",
                           "caterpillar:n=100000,legs=20", "caterpillar:n=80000,legs=3000,shuffle=1", "star:n=100000", "path:n=300000",
                           "rmat:scale=18,edges=1", "cliques:n=100000,size=3", "random_tree:n=3000000"},
                          fast::begins::by_sample, see));
  EXPECT_EQ(seen, (std::set{course::skip_giant, course::unite_listed, course::compare_parents, course::climb}));
}

/// Longer rows are sampled by one block while the others hook: the solve goes on as that sample says.
TEST(gpu_fast, goes_on_after_the_first_hook_as_a_sample_says) {
  COPSE_NEEDS_GPU();
  using fast::course;
  std::set<course> seen;
  const auto see = [&](const char* spec, const auto& rows, std::uint64_t seed, const auto& found) {
    const auto sample = sample_of(backend::any_rows<std::uint32_t>{rows}, seed, fast::foreseen_rows);
    const auto planned = fast::planned_after_first_hook(fast::shape_of(rows.vertices(), rows.arcs(), rows.sorted, sample));
    const auto& decided = found.decided.first;
    seen.insert(planned.next);
    if (planned.next == course::skip_giant) return;  // a vote decides
    if (planned.next == course::check) {
      EXPECT_TRUE(decided.next == course::check || decided.next == course::compare_rows) << spec;
    } else {
      EXPECT_EQ(decided.next, planned.next) << spec;
      EXPECT_EQ(decided.spacing, planned.spacing) << spec;
    }
  };
  ASSERT_NO_FATAL_FAILURE(expect_right_labels(
      {"torus2d:side=300,shuffle=1", "torus3d:side=120,shuffle=1", "mesh:side=300,shuffle=1", "mesh:side=300",
       "geometric:n=100000,degree=4", "geometric:n=100000,degree=4,shuffle=1", "geometric:n=1500000,degree=4,shuffle=1",
       "geometric:n=100000,degree=8,shuffle=1", "knn:n=100000,k=12,shuffle=1", "clique_chain:n=100000,size=12,shuffle=1",
       "cliques:n=100000,size=5", "power_cliques:n=100000,shuffle=1", "er:n=100000,m=300000"},
      fast::begins::with_hooks, see));
  EXPECT_EQ(seen, (std::set{course::skip_giant, course::top_up, course::check, course::unite, course::compare_parents}));
}

/// A workspace that was made for long rows has no second list: short rows are solved by hooks then.
TEST(gpu_fast, solves_short_rows_in_memory_for_long_ones) {
  COPSE_NEEDS_GPU();
  const graph g = build_csr(gen::generate("er:n=300000,m=300000"));
  const auto expected = checksum(components(g, {.variant = "serial.none.rem"}).labels);
  gpu_prepared_solve ready{gpu_graph::copy_of(build_csr(gen::generate("er:n=300000,m=1500000")).view())};
  EXPECT_EQ(checksum(ready.components(gpu_graph::copy_of(g.view()))), expected);
}

TEST(gpu_fast, a_prepared_solve_serves_graphs_of_its_size) {
  COPSE_NEEDS_GPU();
  for (const char* size : {"er:n=30000,m=90000", "rmat:scale=15,edges=9", "er:n=400000,m=1500000"}) {
    std::optional<gpu_prepared_solve> ready;
    for (const std::string seed : {"1", "2", "3", "1"}) {
      const graph g = build_csr(gen::generate(size + (",seed=" + seed)));
      const auto resident = gpu_graph::copy_of(g.view());
      const auto& rows = std::get<csr<std::uint32_t, std::uint32_t>>(g.shape());
      // Arcs differ from seed to seed, where loops and copies of edges are dropped: made for rows with more of them.
      if (!ready) {
        const graph larger = build_csr(gen::generate(std::string{size} + ",seed=9"), {.drop_duplicates = false, .drop_loops = false});
        ready.emplace(gpu_graph::copy_of(larger.view()), solve_options{.variant = "cuda.hb.fast"});
      }
      const gpu_labels& labels = ready->components(resident);
      EXPECT_EQ(checksum(labels), checksum(components(g, {.variant = "serial.none.rem"}).labels)) << size << " " << seed;
      EXPECT_EQ(labels.report().edges, rows.targets.size());
      EXPECT_TRUE(verify(resident, labels));
    }
  }
}

TEST(gpu_fast, a_prepared_solve_is_refused_other_graphs) {
  COPSE_NEEDS_GPU();
  const auto rows_of = [&](const char* spec) { return gpu_graph::copy_of(build_csr(gen::generate(spec)).view()); };
  const auto small = rows_of("er:n=1000,m=4000"), other = rows_of("er:n=1001,m=4000"), more = rows_of("er:n=1000,m=9000");
  gpu_prepared_solve ready{small};
  EXPECT_NO_THROW(ready.components(small));
  EXPECT_THROW(ready.components(other), usage_error);
  EXPECT_THROW(ready.components(more), usage_error);
  EXPECT_THROW((gpu_prepared_solve{small, {.variant = "cuda.kout.async.naive"}}), usage_error);
  EXPECT_THROW(gpu_prepared_solve{gpu_graph::copy_of(gen::generate_edges("er:n=1000,m=4000").view())}, usage_error);
}

}  // namespace
}  // namespace copse::test
