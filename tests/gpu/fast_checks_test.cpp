// The fast path where it checks all arcs (fast/cuda/check_rows.cuh), by both of its ways.
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/cuda.hpp>
#include <copse/generate.hpp>
#include <gen/unsorted_rows.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "gpu/gpu.hpp"

namespace copse::test {
namespace {

constexpr fast::gpu_settings checks_in_many{.one_launch_vertices = 0, .one_launch_arcs = 0, .flat_part_vertices = 2048};
constexpr fast::gpu_settings checks_in_one{.one_launch_vertices = UINT64_MAX, .one_launch_arcs = UINT64_MAX};

/// Graphs that leave no giant after the first hooks, or several: small dense components, some with rows long enough to be cut, alone and
/// with arcs between them; a few giants; points joined to those near them; hubs on one side. With rows in order and not.
TEST(gpu_fast_checks, are_right_in_one_launch_and_in_many) {
  COPSE_NEEDS_GPU();
  for (const char* spec : {"cliques:n=100000,size=20,shuffle=1", "cliques:n=300000,size=4", "cliques:n=14000,size=700,shuffle=1",
                           "power_cliques:n=100000,size=900,shuffle=1", "power_cliques:n=600000", "clique_chain:n=60000,size=12,shuffle=1",
                           "clique_chain:n=400000,size=20", "giants:k=2,size=60000,shuffle=1", "giants:k=2,size=300000,edges=1,shuffle=1",
                           "giants:k=30,size=3000,shuffle=1", "geometric:n=400000,degree=4,shuffle=1", "geometric:n=80000,degree=6",
                           "geometric:n=300000,degree=16,shuffle=1", "knn:n=100000,k=8,shuffle=1", "torus3d:side=40,shuffle=1",
                           "bipartite:left=60000,right=4000,m=300000", "bipartite:left=400000,right=20000,m=900000,skew=5,shuffle=1",
                           "star_of_stars:n=90000,shuffle=1", "clusters:n=400000,size=1000,shuffle=1"}) {
    for (const bool sorted : {true, false}) {
      graph g = build_csr(gen::generate(spec));
      if (!sorted) g = gen::unsorted_rows(std::move(g), 7);
      const auto expected = checksum(components(g, {.variant = "serial.none.rem"}).labels);
      for (const fast::gpu_settings& settings : {checks_in_many, checks_in_one}) {
        device::solver solver{{.fast = settings}};
        const variant::table_entry& entry = *variant::find_entry("cuda.hb.fast", input_kind::csr);
        const auto resident = solver.copy_in(arc_view{std::get<csr<std::uint32_t, std::uint32_t>>(g.shape()).view()});
        for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
          phase_times times;
          const auto solved = solver.solve(entry.sampler, entry.finish, resident.view(), {{.seed = seed}, {}}, times);
          ASSERT_EQ(solver.checksum(solved.labels.span()), expected)
              << spec << (sorted ? "" : ", rows unsorted") << ", launches " << solved.launches << ", seed " << seed;
        }
      }
    }
  }
}

/// Large graphs whose parents are mostly among the smallest vertices, with vertices outside the giant and without: those of the smallest
/// that are in it are marked (giant_marks), and no other.
TEST(gpu_fast_checks, are_right_where_small_members_of_the_giant_are_marked) {
  COPSE_NEEDS_GPU();
  for (const char* spec : {"ba:n=8500000,k=2", "rmat:scale=23,edges=4", "er:n=8500000,m=30000000"}) {
    const gpu_graph g = gpu_graph::generate(spec);
    for (const std::uint64_t seed : {1, 2, 3}) {
      const verdict proof = verify(g, components(g, {.variant = "cuda.hb.fast", .seed = seed}));
      ASSERT_TRUE(proof) << spec << ", seed " << seed << ": " << proof.reason;
    }
  }
}

}  // namespace
}  // namespace copse::test
