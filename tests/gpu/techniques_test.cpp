// The techniques of the papers that can be switched on a GPU, over the zoo and over graphs that are large enough for what they are about:
// none changes a label. (Those of loops over rows are in variants_test.cpp; edges left out of rounds are tried on the host too, in unit.)
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>

#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>
#include <variant>

#include "api/gpu_benchmark.hpp"
#include "gpu/gpu.hpp"
#include "support/rows.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

using id = std::uint32_t;

const variant::table_entry& cuda_entry(const char* name, input_kind input) {
  return *variant::find_entry(std::string{"cuda."}.append(name), input);
}

/// Every kind of pass over a list of edges: unites, rounds over edges that stand still, that move, that are sorted, groups of them.
constexpr std::initializer_list<const char*> variants_of_lists{"none.async.halve",
                                                               "none.rem_cas.naive.halve_one",
                                                               "none.jtb.naive",
                                                               "none.segments",
                                                               "none.soman",
                                                               "none.cc",
                                                               "none.cc_updt",
                                                               "none.cc_sort",
                                                               "none.sv",
                                                               "none.shiloach_vishkin",
                                                               "none.liu_tarjan.PRF",
                                                               "none.liu_tarjan.CRSA",
                                                               "none.rem_verify",
                                                               "none.rem_verify.prefetch_switched",
                                                               "stages.soman",
                                                               "stages.cc",
                                                               "stages.ecl"};

TEST(gpu_techniques, edges_as_words_of_64_bits_and_filtered_rounds) {
  COPSE_NEEDS_GPU();
  for (const auto load : {gpu_edge_load::words, gpu_edge_load::pairs}) {
    for (const auto edges : {gpu_round_edges::all, gpu_round_edges::filtered}) {
      for (const unsigned blocks : {0u, 3u}) {
        device::solver solver{{.most_blocks = blocks, .techniques = {.edges = load, .rounds = edges}}};
        for (const auto& g : solved_zoo()) {
          const auto resident = solver.copy_in(arc_view{g.edges.view()});
          for (const char* name : variants_of_lists) {
            ASSERT_TRUE(same_labels(solve_on(solver, cuda_entry(name, input_kind::coo), resident.view(), g.seed), g))
                << name << ", pairs " << static_cast<int>(load) << ", filtered " << static_cast<int>(edges) << ", blocks at most " << blocks
                << "\n"
                << context(g, 1, "coo");
          }
        }
      }
    }
  }
}

/// A caller's list may begin in the middle of a word.
TEST(gpu_techniques, a_list_that_is_not_aligned_is_read_too) {
  COPSE_NEEDS_GPU();
  const graph generated = gen::generate_edges("rmat:scale=15,edges=8");
  const auto& list = std::get<coo<id>>(generated.shape());
  const auto expected = checksum(components(generated, {.variant = "serial.none.rem"}).labels);
  std::vector<id> words(2 * list.edges.size() + 1);
  std::memcpy(words.data() + 1, list.edges.data(), 2 * sizeof(id) * list.edges.size());
  device::solver memory{{}};
  const auto resident = memory.copy_in(std::span<const id>{words});
  const gpu_techniques techniques{.edges = gpu_edge_load::pairs, .rounds = gpu_round_edges::filtered};
  const gpu_graph plain =
      gpu_graph::borrow(device_edges_view{list.vertex_count, {reinterpret_cast<const edge<id>*>(resident.data() + 1), list.edges.size()}});
  const gpu_graph borrowed = gpu_benchmark::view_of(plain, techniques);
  for (const char* name : {"cuda.none.async.halve", "cuda.none.soman", "cuda.none.cc_updt", "cuda.stages.cc"}) {
    EXPECT_EQ(checksum(components(borrowed, {.variant = name})), expected) << name;
  }
}

/// Rules that move edges and the sampler stages, on a list that they may overwrite.
TEST(gpu_techniques, lists_are_rewritten_in_place) {
  COPSE_NEEDS_GPU();
  for (const unsigned blocks : {0u, 3u}) {
    device::solver solver{{.most_blocks = blocks}};
    for (const auto& g : solved_zoo()) {
      for (const char* name : {"none.cc_updt", "none.sv_updt", "none.liu_tarjan.CRSA", "stages.cc", "stages.cc_updt", "stages.sv_updt",
                               "stages.soman", "stages.jtb.naive"}) {
        auto resident = solver.copy_in(arc_view{g.edges.view()});
        ASSERT_TRUE(same_labels(solve_on(solver, cuda_entry(name, input_kind::coo), resident.writable(), g.seed), g))
            << name << ", blocks at most " << blocks << "\n"
            << context(g, 1, "coo");
      }
    }
  }
}

TEST(gpu_techniques, only_a_list_that_was_copied_in_is_rewritten) {
  COPSE_NEEDS_GPU();
  auto rows = gpu_graph::copy_of(gen::generate("karate").view());
  EXPECT_THROW(static_cast<void>(components_in_place(rows, {.variant = "cuda.none.cc"})), usage_error);
  const graph karate = gen::generate_edges("karate");
  auto list = gpu_graph::copy_of(karate.view());
  const auto expected = checksum(components(karate, {.variant = "serial.none.rem"}).labels);
  for (int solve = 0; solve < 2; ++solve) {  // the second finds loops: each vertex is a component
    EXPECT_EQ(checksum(components_in_place(list, {.variant = "cuda.none.cc_updt"})) == expected, solve == 0);
  }
}

/// Lists that few blocks gather, in many turns, of many items and of few.
TEST(gpu_techniques, lists_longer_than_what_blocks_keep) {
  COPSE_NEEDS_GPU();
  const gpu_techniques filtered{.rounds = gpu_round_edges::filtered};
  for (const char* spec : {"er:n=100000,m=400000", "torus2d:side=300", "star:n=200000"}) {
    const graph generated = gen::generate_edges(spec);
    const auto expected = components(generated, {.variant = "serial.none.rem"}).labels;
    for (const unsigned blocks : {3u, 200u, 0u}) {
      device::solver solver{{.most_blocks = blocks, .techniques = filtered}};
      const auto& list = std::get<coo<id>>(generated.shape());
      const auto resident = solver.copy_in(arc_view{list.view()});
      for (const char* name :
           {"none.cc_updt", "none.sv_updt", "none.soman", "none.cc", "none.rem_verify", "stages.cc", "stages.async.halve"}) {
        auto labels = solve_on(solver, cuda_entry(name, input_kind::coo), resident.view());
        EXPECT_EQ(checksum(labelling{std::move(labels), vertex_names::identity(generated.vertices())}), checksum(expected))
            << name << " on " << spec << ", blocks at most " << blocks;
      }
    }
  }
}

TEST(gpu_techniques, searches_by_stores) {
  COPSE_NEEDS_GPU();
  for (const unsigned blocks : {0u, 3u}) {
    device::solver solver{{.most_blocks = blocks, .techniques = {.search = gpu_search::idempotent}}};
    for (const auto& g : solved_zoo()) {
      const auto rows = make_test_rows<id, id>(g.edges.view(), row_state::raw);
      const auto resident = solver.copy_in(arc_view{rows.view()});
      for (const char* name : {"bfs.async.naive", "bfs.jtb.naive", "bfs.liu_tarjan.PUS", "none.bfs_cc", "ldd.async.naive", "none.ligra"}) {
        ASSERT_TRUE(same_labels(solve_on(solver, cuda_entry(name, input_kind::csr), resident.view(), g.seed), g))
            << name << ", blocks at most " << blocks << "\n"
            << context(g, 1, "raw");
      }
    }
  }
}

/// Frontiers of one block and of many, that grow and shrink, where every vertex has several that may find it; and hubs.
class gpu_searches : public ::testing::TestWithParam<const char*> {};

TEST_P(gpu_searches, by_stores) {
  COPSE_NEEDS_GPU();
  const graph generated = build_csr(gen::generate(GetParam()));
  const bool of_many_components = std::string_view{GetParam()}.starts_with("osm");
  const auto expected = checksum(components(generated, {.variant = "serial.none.rem"}).labels);
  for (const auto search : {gpu_search::claimed, gpu_search::idempotent}) {
    const gpu_techniques techniques{.search = search};
    const gpu_graph resident = gpu_benchmark::copy_of(generated.view(), {}, {}, techniques);
    for (const char* name : {"cuda.bfs.async.naive", "cuda.none.bfs_cc"}) {
      for (int solve = 0; solve < (of_many_components ? 1 : 3); ++solve) {
        const auto solved = components(resident, {.variant = name});
        ASSERT_EQ(checksum(solved.copy_out()), expected) << name << ", search " << static_cast<int>(search);
      }
    }
    // Where arcs are noted, by one thread each.
    const auto spanned = spanning_forest(resident, {.variant = "cuda.bfs.async.naive", .with_labels = true});
    const auto forest = spanned.copy_out(vertex_names::identity(generated.vertices()));
    EXPECT_EQ(checksum(*forest.labels), expected);
    EXPECT_EQ(checksum(components(forest.edges, {.variant = "serial.none.rem"}).labels), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(graphs, gpu_searches,
                         testing::Values("rmat:scale=12,edges=16", "grid2d:side=60", "rmat:scale=17,edges=8", "mesh:side=700",
                                         "grid2d:side=900", "osm:side=60,keep=.6", "star:n=200000", "web:n=100000,degree=12",
                                         "torus2d:side=500"));

}  // namespace
}  // namespace copse::test
