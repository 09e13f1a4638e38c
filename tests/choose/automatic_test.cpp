// `auto`: what it takes where neither the machine nor a probe has a say. Which route it takes on rows is in tests/fast.
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/generate.hpp>
#include <copse/variants.hpp>
#include <variants/choosers.hpp>
#include <variants/gpu_choice.hpp>

#include <gtest/gtest.h>
#include "support/rows.hpp"

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

/// What sizes do not tell: vertices without arcs, hubs, and neighbours nearby.
TEST(automatic, on_a_gpu_goes_by_a_sample_of_short_rows) {
  struct expected {
    const char* spec;
    const char* variant;
    const char* reason;
  };
  for (const auto& [spec, variant, reason] :
       {expected{"er:n=100000,m=100000", "cuda.none.rem_cas.naive.halve_one", "no hubs"},
        expected{"er:n=100000,m=160000", "cuda.none.fast", "a sample would read most arcs"},
        expected{"er:n=100000,m=200000", "cuda.hb.fast", "rows long enough"},
        expected{"osm:side=100,keep=.6", "cuda.none.fast", "a sample would read most arcs"},
        expected{"clusters:n=100000,shuffle=1", "cuda.none.fast", "a sample would read most arcs"},
        expected{"rmat:scale=17,edges=1", "cuda.hb.fast", "rows long enough"},
        expected{"web:n=1000000,degree=3", "cuda.kout.afforest", "hubs and near neighbours"},
        expected{"web:n=1000000,degree=3,shuffle=1", "cuda.hb.fast", "hubs: sample"},
        expected{"web:n=1000000,degree=2", "cuda.none.fast", "a sample would read most arcs"},
        expected{"star:n=100000", "cuda.hb.fast", "as in a star"},
        expected{"osm:side=300,keep=.6", "cuda.none.fast", "a sample would read most arcs"},
        expected{"osm:side=300,keep=.6,shuffle=1", "cuda.none.afforest", "few adjacent neighbours"},
        expected{"clusters:n=200000,size=1000", "cuda.none.afforest", "few adjacent neighbours"},
        expected{"path:n=200000", "cuda.none.fast", "a sample would read most arcs"},
        expected{"caterpillar:n=100000,legs=20", "cuda.none.rem_cas.naive.halve_one", "trees with hubs"},
        expected{"caterpillar:n=100000,legs=20,shuffle=1", "cuda.none.fast", "would read most arcs"},
        expected{"star_of_stars:n=100000", "cuda.none.rem_cas.naive.halve_one", "trees with hubs"},
        expected{"cliques:n=100000,size=4", "cuda.none.fast", "a sample would read most arcs"},
        expected{"cliques:n=300000,size=4", "cuda.hb.fast", "rows long enough"}}) {
    const graph g = build_csr(gen::generate(spec));
    const variant::choice chosen = variant::on_gpu("auto", g.view(), 1);
    EXPECT_EQ(chosen.variant, variant) << spec << ": " << chosen.explanation;
    EXPECT_NE(chosen.explanation.find(reason), std::string::npos) << spec << ": " << chosen.explanation;
    EXPECT_TRUE(variant::on_gpu("auto", g.view(), 1, problem_kind::forest).variant.ends_with(".fast")) << spec;
  }
}

/// Where one direction of edges may be missing, arcs are united as they stand whatever a sample says.
TEST(automatic, on_a_gpu_unites_as_they_stand_what_lacks_directions) {
  const graph g = build_csr(gen::generate("rmat:scale=14,edges=1"));
  auto rows = std::get<csr<std::uint32_t, std::uint32_t>>(g.shape()).view();
  rows.symmetric = symmetry::unknown;
  EXPECT_EQ(variant::on_gpu("auto", graph_view{rows}, 1).variant, "cuda.none.rem_cas.naive.halve_one");
}

/// Short rows in no order are sampled only if a few of them show that there is a giant, or a path.
TEST(automatic, on_a_gpu_samples_short_rows_in_no_order_where_there_are_hubs_or_a_path) {
  const char* const unsampled = "cuda.none.rem_cas.naive.halve_one";
  for (const auto& [spec, variant] : {std::pair{"rmat:scale=14,edges=1", "cuda.hb.fast"},
                                      {"bipartite:left=60000,right=4000,m=96000,skew=5", "cuda.hb.fast"},
                                      {"star:n=100000", "cuda.hb.fast"},
                                      {"web:n=1000000,degree=3", "cuda.hb.fast"},
                                      {"star_of_stars:n=100000", unsampled},
                                      {"er:n=100000,m=100000", unsampled},
                                      {"clusters:n=100000,size=6", unsampled},
                                      {"path:n=100000", "cuda.hb.fast"},
                                      {"osm:side=100,keep=.6", "cuda.none.fast"}}) {
    const graph g = build_csr(gen::generate(spec));
    auto rows = std::get<csr<std::uint32_t, std::uint32_t>>(g.shape()).view();
    rows.sorted = false;
    EXPECT_EQ(variant::on_gpu("auto", graph_view{rows}, 1).variant, variant) << spec;
    EXPECT_EQ(variant::on_gpu(graph_view{rows}).variant, unsampled) << spec << ", of which nothing is known";
  }
}

TEST(automatic, on_a_gpu_a_sample_of_no_vertices_or_no_arcs_is_none) {
  const edge_list no_edges;
  for (const std::uint32_t n : {0u, 5u}) {
    const auto rows = make_test_rows<std::uint32_t, std::uint32_t>(coo_view<std::uint32_t>{n, no_edges}, row_state::simple);
    EXPECT_EQ(variant::on_gpu("auto", graph_view{rows.view()}, 1).variant, "cuda.none.fast");
  }
}

}  // namespace
}  // namespace copse::test
