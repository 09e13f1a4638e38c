// `auto`: what it takes where neither the machine nor a probe has a say. Which route it takes on rows is in tests/fast.
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/variants.hpp>
#include <fast/cuda/plan.hpp>
#include <loops/row_sample.hpp>
#include <variants/choosers.hpp>
#include <variants/gpu_choice.hpp>

#include <gtest/gtest.h>
#include "support/rows.hpp"
#include "support/sampled.hpp"

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace copse::test {
namespace {

using edge_list = std::vector<edge<std::uint32_t>>;

edge_list path(std::uint32_t n) {
  edge_list edges;
  for (std::uint32_t v = 1; v < n; ++v) edges.push_back({v - 1, v});
  return edges;
}

/// Neighbouring edges far from each other. Precondition: a prime number of edges.
edge_list shuffled(const edge_list& edges) {
  edge_list far;
  for (std::size_t i = 0; i < edges.size(); ++i) far.push_back(edges[i * 48271 % edges.size()]);
  return far;
}

TEST(automatic, takes_the_fast_path_for_an_edge_list_and_several_threads) {
  constexpr std::uint32_t n = 1u << 17;
  const edge_list edges = shuffled(path(n));
  const graph_view list{coo_view<std::uint32_t>{n, edges}};
  const variant::choice chosen = variant::automatic(list, 2, 1);
  EXPECT_EQ(chosen.variant, "threads.none.fast");
  EXPECT_EQ(chosen.explanation, "edge list, 131072 vertices, 131071 edges, 2 threads: unite the edges as they stand");
  const edge_list along = path(n);
  EXPECT_EQ(variant::automatic(graph_view{coo_view<std::uint32_t>{n, along}}, 2, 1).variant, "threads.none.rem_lock.naive.split_one");
  EXPECT_NE(find_variant(chosen.variant, input_kind::coo), nullptr);
  const auto solved = components(list, {}, {.threads = 2});
  EXPECT_EQ(solved.report.variant, chosen.variant);
  EXPECT_EQ(solved.count(), 1u);
}

TEST(automatic, takes_the_fast_path_for_an_edge_list_and_one_thread) {
  constexpr std::uint32_t n = 1u << 17;
  const edge_list edges = shuffled(path(n));
  const variant::choice chosen = variant::automatic(graph_view{coo_view<std::uint32_t>{n, edges}}, 1, 1);
  EXPECT_EQ(chosen.variant, "serial.none.fast");
  EXPECT_EQ(chosen.explanation, "edge list, 131072 vertices, 131071 edges, 1 thread: unite the edges as they stand");
  EXPECT_NE(find_variant(chosen.variant, input_kind::coo), nullptr);
  const edge_list along = path(n);
  const variant::choice local = variant::automatic(graph_view{coo_view<std::uint32_t>{n, along}}, 1, 1);
  EXPECT_EQ(local.variant, "serial.none.rem");
  EXPECT_EQ(local.explanation,
            "edge list, 131072 vertices, 131071 edges, 1 thread: unite the edges as they stand, each near the one before");
}

TEST(automatic, starts_no_team_of_threads_for_a_small_graph) {
  const edge_list edges = path(1000);
  const coo_view<std::uint32_t> list{1000, edges};
  EXPECT_EQ(variant::automatic(graph_view{list}, 16, 1).variant, "serial.none.fast");
  const auto rows = make_test_rows<std::uint32_t, std::uint32_t>(list, row_state::simple);
  EXPECT_EQ(variant::automatic(graph_view{rows.view()}, 16, 1).variant, "serial.none.rem");
}

/// From every vertex of a dense graph the first arcs lead to the same few vertices; that is no small component.
TEST(automatic, samples_a_dense_graph) {
  for (const char* spec : {"complete:n=300", "complete:n=2000", "giants:k=2,size=400,edges=100"}) {
    const graph g = gen::generate(spec);
    EXPECT_EQ(components(g, {}, {.threads = 1}).report.variant, "serial.hb.fast") << spec;
  }
  EXPECT_EQ(components(gen::generate("cliques:n=20000,size=20"), {}, {.threads = 1}).report.variant, "serial.none.fast");
}

TEST(automatic, samples_lattices_on_one_thread_but_no_sparse_rows) {
  for (const char* spec : {"grid2d:side=512", "grid2d:side=512,shuffle=1", "bipartite:left=32768,right=32768,m=131072,shuffle=1"}) {
    EXPECT_EQ(components(gen::generate(spec), {}, {.threads = 1}).report.variant, "serial.hb.fast") << spec;
  }
  for (const char* spec : {"path:n=65536", "bipartite:left=32768,right=32768,m=98304,shuffle=1"}) {
    EXPECT_EQ(components(gen::generate(spec), {}, {.threads = 1}).report.variant, "serial.none.fast") << spec;
  }
}

TEST(automatic, solves_many_small_trees_by_a_team_of_one_thread) {
  const graph trees = gen::generate("clusters:n=65536,size=6");
  EXPECT_EQ(components(trees, {}, {.threads = 1}).report.variant, "threads.none.fast");
  EXPECT_EQ(components(gen::generate("er:n=65536,m=20000"), {}, {.threads = 1}).report.variant, "serial.none.fast");
  EXPECT_EQ(variant::automatic_forest(trees.view(), 1, 1).variant, "serial.none.rem");
}

/// Sequential Rem finds a forest of all arcs faster than with a sample where there are fewer than four arcs per vertex.
TEST(automatic, samples_for_a_forest_on_one_thread_from_four_arcs_per_vertex_up) {
  const graph sparse = gen::generate("bipartite:left=32768,right=32768,m=98304,shuffle=1"), dense = gen::generate("er:n=65536,m=262144");
  EXPECT_EQ(variant::automatic_forest(sparse.view(), 1, 1).variant, "serial.none.rem");
  EXPECT_EQ(variant::automatic_forest(sparse.view(), 2, 1).variant, "threads.hb.rem_cas.naive.halve_one");
  EXPECT_EQ(variant::automatic_forest(dense.view(), 1, 1).variant, "serial.hb.rem");
}

TEST(automatic, is_what_the_name_auto_chooses) {
  const edge_list edges = path(1u << 17);
  const graph_view list{coo_view<std::uint32_t>{1u << 17, edges}};
  EXPECT_EQ(variant::choose("auto", list, 2, 1).variant, variant::automatic(list, 2, 1).variant);
}

/// Before a GPU has read rows, only their sizes are known.
TEST(automatic, on_a_gpu_takes_rows_ahead_for_what_rows_mostly_are) {
  for (const std::uint32_t n : {0u, 1u, 2u, 3u, 100u}) {
    for (const std::uint32_t edges_a_vertex : {1u, 2u, 8u}) {
      edge_list edges;
      for (std::uint32_t step = 1; step <= edges_a_vertex && step < n; ++step) {
        for (std::uint32_t v = step; v < n; ++v) edges.push_back({v - step, v});
      }
      const auto rows = make_test_rows<std::uint32_t, std::uint32_t>(coo_view<std::uint32_t>{n, edges}, row_state::simple);
      const variant::choice seen = variant::on_gpu(graph_view{rows.view()}), ahead = variant::on_gpu(n, rows.targets.size());
      EXPECT_EQ(ahead.variant, seen.variant) << n << ", " << edges_a_vertex;
      EXPECT_EQ(ahead.explanation, seen.explanation);
    }
  }
}

/// How the fast path begins on a GPU with rows of this graph, by a sample of them.
fast::course planned(const char* spec, bool sorted = true, bool forest = false) {
  const graph g = build_csr(gen::generate(spec));
  const auto rows = std::get<csr<std::uint32_t, std::uint32_t>>(g.shape()).view();
  const auto sample = sample_of(backend::any_rows<std::uint32_t>{rows}, 1);
  return fast::planned(rows.vertices(), rows.arcs(), sorted, forest, sample);
}

/// What sizes do not tell: vertices without arcs, hubs, neighbours nearby, and whether walks come back.
TEST(automatic, on_a_gpu_goes_by_the_shape_that_a_sample_shows) {
  using fast::course;
  for (const auto& [spec, next] : {std::pair{"er:n=100000,m=100000", course::compare_parents},
                                   {"er:n=100000,m=200000", course::skip_giant},
                                   {"osm:side=150,keep=.6", course::unite_listed},
                                   {"osm:side=300,keep=.6,shuffle=1", course::compare_parents},
                                   {"clusters:n=100000,shuffle=1", course::compare_parents},
                                   {"clusters:n=200000,size=1000", course::climb},
                                   {"random_tree:n=200000", course::unite_listed},
                                   {"rmat:scale=17,edges=1", course::skip_giant},
                                   {"configuration:n=200000,isolated=.9,least=2", course::skip_giant},
                                   {"web:n=1000000,degree=3", course::skip_giant},
                                   {"star:n=100000", course::unite_listed},
                                   {"star:n=100000,shuffle=1", course::skip_giant},
                                   {"star_of_stars:n=100000", course::unite_listed},
                                   {"path:n=200000", course::unite_listed},
                                   {"caterpillar:n=100000,legs=5", course::skip_giant},
                                   {"caterpillar:n=100000,legs=20", course::climb},
                                   {"cliques:n=100000,size=4", course::climb},
                                   {"cliques:n=100000,size=40", course::skip_giant},
                                   {"cliques:n=100000,size=10,shuffle=1", course::skip_giant},
                                   {"clique_chain:n=100000,size=12", course::skip_giant},
                                   {"knn:n=100000,k=4,shuffle=1", course::compare_parents},
                                   {"grid2d:side=300", course::skip_giant},
                                   {"grid2d:side=300,shuffle=1", course::compare_parents},
                                   {"mesh:side=300", course::skip_giant}}) {
    EXPECT_EQ(planned(spec), next) << spec;
  }
}

/// For a spanning forest the sample says whether there is a giant to skip.
TEST(automatic, on_a_gpu_a_forest_of_short_rows_is_sampled_where_there_are_hubs) {
  using fast::course;
  for (const auto& [spec, next] : {std::pair{"er:n=100000,m=160000", course::unite_listed},
                                   {"rmat:scale=17,edges=1", course::skip_giant},
                                   {"star:n=100000", course::skip_giant},
                                   {"web:n=1000000,degree=3", course::skip_giant},
                                   {"web:n=1000000,degree=2", course::unite_listed},
                                   {"path:n=200000", course::unite_listed}}) {
    EXPECT_EQ(planned(spec, true, true), next) << spec;
  }
}

/// Walks of two and of three arcs come back from all of a clique, from some of a lattice, and hardly ever in a random graph.
TEST(automatic, a_sample_of_rows_counts_walks_that_come_back) {
  const auto sampled = [](const char* spec) {
    const graph g = build_csr(gen::generate(spec));
    return sample_of(backend::any_rows<std::uint32_t>{std::get<csr<std::uint32_t, std::uint32_t>>(g.shape()).view()}, 1);
  };
  const backend::row_sample cliques = sampled("cliques:n=50000,size=5,shuffle=1"), grid = sampled("grid2d:side=200,shuffle=1"),
                            random = sampled("er:n=50000,m=150000"), pairs = sampled("cliques:n=50000,size=2");
  EXPECT_EQ(cliques.wedges, backend::sampled_rows);
  EXPECT_TRUE(cliques.all_closed());
  EXPECT_EQ(pairs.wedges, 0u);
  EXPECT_TRUE(pairs.all_closed());
  EXPECT_EQ(grid.closed_wedges, 0u);
  EXPECT_NEAR(grid.share_closed_squares(), 2. / 9, .06);
  EXPECT_FALSE(grid.all_closed());
  EXPECT_LT(random.share_closed_squares(), .01);
}

/// A variant that waits for the GPU between its steps cannot be enqueued; `auto` never stands for one.
TEST(automatic, on_a_gpu_never_enqueues_a_variant_that_waits) {
  if (find_variant("cuda.kout.afforest", input_kind::csr) == nullptr) GTEST_SKIP() << "no variants of cuda in this build";
  const graph g = build_csr(gen::generate("geometric:n=1000,degree=12,shuffle=1"));
  EXPECT_THROW(variant::expect_no_waits(*variant::gpu_variant_for(g.view(), "cuda.kout.afforest").chosen), usage_error);
  for (const char* name : {"auto", "cuda.none.fast"})
    EXPECT_NO_THROW(variant::expect_no_waits(*variant::gpu_variant_for(g.view(), name).chosen)) << name;
}

/// Where one direction of edges may be missing, arcs are united as they stand whatever a sample says.
TEST(automatic, on_a_gpu_unites_as_they_stand_what_lacks_directions) {
  const graph g = build_csr(gen::generate("rmat:scale=14,edges=1"));
  auto rows = std::get<csr<std::uint32_t, std::uint32_t>>(g.shape()).view();
  rows.symmetric = symmetry::unknown;
  EXPECT_EQ(variant::on_gpu("auto", graph_view{rows}, 1).variant, "cuda.none.rem_cas.naive.halve_one");
}

TEST(automatic, on_a_gpu_goes_by_the_shape_of_rows_in_no_order) {
  using fast::course;
  for (const auto& [spec, next] : {std::pair{"rmat:scale=14,edges=1", course::skip_giant},
                                   {"bipartite:left=60000,right=4000,m=96000,skew=5", course::skip_giant},
                                   {"star:n=100000", course::skip_giant},
                                   {"star_of_stars:n=100000", course::climb},
                                   {"er:n=100000,m=100000", course::compare_parents},
                                   {"clusters:n=100000,size=6", course::climb},
                                   {"random_tree:n=200000", course::climb},
                                   {"path:n=100000", course::skip_giant},
                                   {"caterpillar:n=100000,legs=5", course::skip_giant},
                                   {"osm:side=150,keep=.6", course::unite_listed}}) {
    EXPECT_EQ(planned(spec, false), next) << spec;
  }
}

/// Where walks come back to a neighbour of their start, the second hook makes no giant: other ways go on after the first one.
TEST(automatic, on_a_gpu_the_second_hook_is_left_out_where_walks_come_back) {
  using fast::course;
  struct expected {
    const char* spec;
    course next;
    unsigned spacing = 1;
    bool sorted = true;
  };
  for (const auto& [spec, next, spacing, sorted] : {expected{"er:n=100000,m=300000", course::skip_giant},
                                                    {"rmat:scale=16,edges=8", course::skip_giant},
                                                    {"bipartite:left=100000,right=50000,m=500000", course::skip_giant},
                                                    {"giants:k=30,size=3000", course::skip_giant},
                                                    {"torus2d:side=300", course::skip_giant},
                                                    {"torus2d:side=300,shuffle=1", course::top_up, 2},
                                                    {"torus3d:side=50,shuffle=1", course::top_up, 2},
                                                    {"torus3d:side=110,shuffle=1", course::top_up, 4},
                                                    {"mesh:side=300,shuffle=1", course::top_up, 2},
                                                    {"geometric:n=100000,degree=4", course::unite},
                                                    {"geometric:n=100000,degree=12", course::skip_giant},
                                                    {"geometric:n=100000,degree=4,shuffle=1", course::compare_parents},
                                                    {"geometric:n=1500000,degree=4,shuffle=1", course::unite},
                                                    {"geometric:n=100000,degree=7,shuffle=1", course::top_up, 1},
                                                    {"knn:n=100000,k=12,shuffle=1", course::top_up, 2},
                                                    {"clique_chain:n=100000,size=12", course::skip_giant},
                                                    {"clique_chain:n=100000,size=5,shuffle=1", course::compare_parents},
                                                    {"clique_chain:n=100000,size=12,shuffle=1", course::top_up, 8},
                                                    {"cliques:n=100000,size=5", course::compare_parents},
                                                    {"cliques:n=100000,size=12", course::check},
                                                    {"power_cliques:n=100000,shuffle=1", course::check},
                                                    {"cliques:n=100000,size=12,shuffle=1", course::skip_giant, 1, false}}) {
    const graph g = build_csr(gen::generate(spec));
    const auto rows = std::get<csr<std::uint32_t, std::uint32_t>>(g.shape()).view();
    const auto sample = sample_of(backend::any_rows<std::uint32_t>{rows}, 1);
    const auto planned = fast::planned_after_first_hook(fast::shape_of(rows.vertices(), rows.arcs(), sorted, sample));
    EXPECT_EQ(planned.next, next) << spec;
    EXPECT_EQ(planned.spacing, spacing) << spec;
  }
}

TEST(automatic, on_a_gpu_a_sample_of_no_arcs_is_united) {
  backend::row_sample none;
  none.rows = none.without_arcs = backend::sampled_rows;
  EXPECT_EQ(fast::planned(100'000, 3, true, false, none), fast::course::unite_listed);
  EXPECT_EQ(fast::planned(100'000, 3, true, true, none), fast::course::unite_listed);
}

/// Rows are sampled if they are short and the graph is not solved by one kernel anyway.
TEST(automatic, on_a_gpu_samples_short_rows) {
  using fast::begins;
  EXPECT_EQ(fast::beginning_of(45'000, 90'000, true), begins::with_hooks);
  EXPECT_EQ(fast::beginning_of(45'001, 90'000, true), begins::by_sample);
  EXPECT_EQ(fast::beginning_of(100'000, 349'999, true), begins::by_sample);
  EXPECT_EQ(fast::beginning_of(100'000, 350'000, true), begins::with_hooks);
  EXPECT_EQ(fast::beginning_of(1'000'000, 3'000'000, true), begins::with_hooks);
  EXPECT_EQ(fast::beginning_of(1'000'000, 3'000'000, false), begins::by_sample);
}

}  // namespace
}  // namespace copse::test
