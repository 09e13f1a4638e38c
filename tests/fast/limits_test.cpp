// The fast path where the zoo does not go: rows too long for one thread, what decide() says and refuses, memory that ends, callers that
// stop.
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <fast/decide.hpp>
#include <fast/solve.hpp>
#include <gen/unsorted_rows.hpp>

#include <algorithm>
#include <numeric>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "support/failing_memory.hpp"
#include "support/impatient.hpp"
#include "support/rows.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

using fast::fast_options;
using fast::route;
using edge_list = std::vector<edge<std::uint32_t>>;

solved_graph solved(std::string name, std::uint32_t n, const edge_list& edges) {
  auto list = make_coo(n, edges);
  auto labels = reference_labels(list.view());
  return {1, std::move(name), std::move(list), std::move(labels)};
}

// Stars whose hubs are the first, the last and a middle vertex, beside a clique chain that is the giant: long rows inside and outside it.
solved_graph long_rows() {
  constexpr std::uint32_t leaves = 9000;
  edge_list edges;
  const std::uint32_t n = 7 * leaves;
  for (std::uint32_t v = 1; v < leaves; ++v) edges.push_back({0, v});
  for (std::uint32_t v = leaves; v < 2 * leaves; ++v) edges.push_back({v, n - 1});
  for (std::uint32_t v = 2 * leaves; v < 3 * leaves; ++v) edges.push_back({5 * leaves / 2, v});
  for (std::uint32_t v = 3 * leaves; v + 3 < n; ++v) {
    edges.push_back({v, v + 1});
    edges.push_back({v, v + 2});
  }
  return solved("long_rows", n, edges);
}

TEST(fast_limits, rows_too_long_for_one_thread) {
  const auto g = long_rows();
  for (const auto state : {row_state::simple, row_state::raw, row_state::one_sided, row_state::undeclared}) {
    const auto rows = make_test_rows<std::uint32_t, std::uint32_t>(g.edges.view(), state);
    const bool both = rows.view().symmetric == symmetry::yes;
    for (const unsigned threads : {1u, 2u, 7u}) {
      for (const auto way : {route::sampled, route::unsampled}) {
        if (way == route::sampled && !both) continue;
        for (const double least : {0.0, 1.1}) {
          const fast_options settings{.way = way, .least_coverage = least};
          ASSERT_TRUE(same_labels(fast::solve_fast<backend::threads>(rows.view(), {{}, {.threads = threads}}, settings), g))
              << context(g, threads, to_string(state));
        }
      }
    }
    ASSERT_TRUE(same_labels(fast::solve_fast<backend::serial>(rows.view(), {}, {}), g)) << context(g, 1, to_string(state));
  }
}

TEST(fast_limits, decides_by_what_it_sees) {
  const auto verdict_on = [](const coo<std::uint32_t>& edges, row_state state) {
    const auto rows = make_test_rows<std::uint32_t, std::uint32_t>(edges.view(), state);
    return fast::decide(rows.view(), 3, 1);
  };
  zoo_detail::dice random{7};
  const auto dense = make_coo(1000, zoo_detail::uniform(1000, 6000, random));
  EXPECT_EQ(verdict_on(dense, row_state::simple).way, route::sampled);
  EXPECT_EQ(verdict_on(dense, row_state::one_sided).way, route::unsampled);
  EXPECT_EQ(verdict_on(dense, row_state::undeclared).way, route::unsampled);
  EXPECT_EQ(verdict_on(make_coo(1000, zoo_detail::path(1000)), row_state::simple).way, route::unsampled);
  // Three arcs per vertex: one thread unites them all, several hook and look for the giant.
  const auto sparse =
      make_test_rows<std::uint32_t, std::uint32_t>(make_coo(1000, zoo_detail::uniform(1000, 1500, random)).view(), row_state::simple);
  EXPECT_EQ(fast::decide(sparse.view(), 1, 1).way, route::unsampled);
  EXPECT_EQ(fast::decide(sparse.view(), 2, 1).way, route::sampled);
  edge_list cliques;
  for (std::uint32_t first = 0; first < 1000; first += 10) {
    const auto clique = zoo_detail::clique(first, 10);
    cliques.insert(cliques.end(), clique.begin(), clique.end());
  }
  const auto small = verdict_on(make_coo(1000, cliques), row_state::simple);
  EXPECT_EQ(small.way, route::unsampled);
  EXPECT_EQ(
      fast::explain(small),
      "rows, 1000 vertices, 9000 arcs (9.0 per vertex), 3 threads, 100 % of sampled walks come back: unsampled (walks come back as in "
      "cliques: no giant can form)");
}

struct seen_rows {
  const char* spec;
  unsigned threads;
  bool sorted;
  route way;
};
void PrintTo(const seen_rows& seen, std::ostream* out) {
  *out << seen.spec << ", " << seen.threads << " threads, rows " << (seen.sorted ? "sorted" : "unsorted");
}

class decisions : public testing::TestWithParam<seen_rows> {};

TEST_P(decisions, go_by_a_few_random_rows) {
  graph made = gen::generate(GetParam().spec, {.threads = 1});
  if (!GetParam().sorted) made = gen::unsorted_rows(std::move(made), 1, {.threads = 1});
  const auto rows = std::get<csr<std::uint32_t, std::uint32_t>>(made.shape()).view();
  EXPECT_EQ(fast::decide(rows, GetParam().threads, 1).way, GetParam().way);
}

constexpr bool in_order = true, in_no_order = false;
INSTANTIATE_TEST_SUITE_P(of_the_fast_path, decisions,
                         testing::Values(seen_rows{"er:n=20000,m=60000", 1, in_order, route::sampled},
                                         // the first hook joins all
                                         seen_rows{"path:n=20000", 1, in_no_order, route::sampled},
                                         seen_rows{"path:n=20000", 1, in_order, route::unsampled},
                                         seen_rows{"random_tree:n=20000", 1, in_no_order, route::unsampled},
                                         seen_rows{"torus2d:side=150", 1, in_order, route::sampled},
                                         seen_rows{"ba:n=20000,k=2", 1, in_order, route::sampled},
                                         seen_rows{"clique_chain:n=20000,size=12", 1, in_order, route::sampled},
                                         // cliques
                                         seen_rows{"clique_chain:n=20000,size=12,shuffle=1", 2, in_order, route::unsampled},
                                         seen_rows{"clique_chain:n=20000,size=12", 2, in_no_order, route::unsampled},
                                         seen_rows{"clique_chain:n=20000,size=12,shuffle=1", 1, in_no_order, route::unsampled},
                                         seen_rows{"clique_chain:n=20000,size=12,shuffle=1", 2, in_no_order, route::sampled},
                                         seen_rows{"complete:n=300", 1, in_no_order, route::sampled},
                                         // points
                                         seen_rows{"geometric:n=20000,degree=5", 2, in_order, route::unsampled},
                                         seen_rows{"geometric:n=20000,degree=5,shuffle=1", 2, in_order, route::sampled},
                                         seen_rows{"geometric:n=20000,degree=4,shuffle=1", 2, in_order, route::unsampled},
                                         seen_rows{"geometric:n=20000,degree=12", 2, in_order, route::sampled},
                                         seen_rows{"mesh:side=150,shuffle=1", 2, in_order, route::sampled}));

TEST(fast_limits, reports_the_giant) {
  zoo_detail::dice random{7};
  const auto g = solved("dense", 1000, zoo_detail::uniform(1000, 6000, random));
  const auto rows = make_test_rows<std::uint32_t, std::uint32_t>(g.edges.view(), row_state::simple);
  fast::fast_report report;
  EXPECT_TRUE(same_labels(fast::solve_fast<backend::serial>(rows.view(), {}, {.report = &report}), g));
  EXPECT_EQ(report.decision.way, route::sampled);
  EXPECT_TRUE(report.skipped_giant);
  EXPECT_GT(report.coverage, 0.5);
  EXPECT_LE(report.coverage, 1.0);
}

// A lattice in random order: small vertices have only neighbours that hooked to them, so that the first two hooks join few trees.
TEST(fast_limits, tops_up_where_hooks_find_no_giant) {
  const auto rows = gen::generate("torus2d:side=120,shuffle=1", {.threads = 1});
  const auto& g = std::get<csr<std::uint32_t, std::uint32_t>>(rows.shape());
  fast::fast_report report;
  const auto labels = fast::solve_fast<backend::threads>(g.view(), {{}, {.threads = 2}}, {.way = route::sampled, .report = &report});
  EXPECT_TRUE(report.skipped_giant);
  EXPECT_EQ(std::ranges::count(labels, 0u), 120 * 120);
}

struct sampled_solve {
  fast::fast_report report;
  bool right = false;
};

/// By the sampled path on two threads, compared with the unsampled one.
sampled_solve sampled_rows(const char* spec, bool sorted) {
  graph made = gen::generate(spec, {.threads = 1});
  if (!sorted) made = gen::unsorted_rows(std::move(made), 1, {.threads = 1});
  const auto& g = std::get<csr<std::uint32_t, std::uint32_t>>(made.shape());
  sampled_solve found;
  const auto labels = fast::solve_fast<backend::threads>(g.view(), {{}, {.threads = 2}}, {.way = route::sampled, .report = &found.report});
  found.right = std::ranges::equal(labels, fast::solve_fast<backend::serial>(g.view(), {}, {.way = route::unsampled}));
  return found;
}

// What a top-up unites lies inside trees there.
TEST(fast_limits, tops_up_nothing_where_trees_are_components) {
  for (const auto& [spec, sorted] :
       {std::pair{"cliques:n=40000,size=40", true}, {"cliques:n=40000,size=40", false}, {"giants:k=100,size=600", true}}) {
    const sampled_solve found = sampled_rows(spec, sorted);
    EXPECT_TRUE(found.right) << spec;
    EXPECT_FALSE(found.report.skipped_giant) << spec;
    EXPECT_EQ(found.report.quarters, 0u) << spec << ", sorted: " << sorted;
  }
}

TEST(fast_limits, tops_up_again_while_arcs_lead_to_other_trees) {
  const sampled_solve points = sampled_rows("geometric:n=200000,degree=6,shuffle=1", true);
  EXPECT_TRUE(points.right);
  EXPECT_GT(points.report.quarters, 1u);
  EXPECT_TRUE(points.report.skipped_giant);
}

// The first arc of rows without order would leave half of all vertices as roots.
TEST(fast_limits, hooks_rows_without_order_to_a_small_neighbour) {
  for (const char* spec : {"torus2d:side=250", "torus3d:side=40", "er:n=50000,m=200000"}) {
    const graph made = gen::unsorted_rows(gen::generate(spec, {.threads = 1}), 1, {.threads = 1});
    const auto rows = std::get<csr<std::uint32_t, std::uint32_t>>(made.shape()).view();
    std::vector<std::uint32_t> words(rows.vertices());
    const backend::serial::parents<std::uint32_t> p{words.data()};
    std::vector<std::uint64_t> marks(fast::words_of_bits(words.size()));
    fast::first_hook<false>(backend::serial{1, solve_request{}.observer}, rows, p, 1 << 16, marks.data());
    std::size_t roots = 0;
    for (std::uint32_t v = 0; v < words.size(); ++v) {
      const bool is_root = p.is_root(v, p.load(v)), is_marked = (marks[v / 64] >> (v % 64) & 1) != 0;
      ASSERT_EQ(is_marked, is_root && !rows.row(v).empty()) << spec << ", " << v;
      roots += is_root ? 1 : 0;
    }
    EXPECT_LT(roots, words.size() / 4) << spec;
    EXPECT_TRUE(sampled_rows(spec, false).report.skipped_giant) << spec;
  }
}

// Two climbs whose first steps share a place in the table.
TEST(fast_limits, known_roots_are_those_of_the_climb_asked_for) {
  constexpr std::uint32_t first = 2100, second = first + 2048;
  std::vector<std::uint32_t> words(second + 1);
  std::iota(words.begin(), words.end(), 0u);
  words[first] = 10;
  words[10] = 1;
  words[second] = 20;
  words[20] = 2;
  const parents::atomic<std::uint32_t> p{words.data()};
  fast::known_roots<parents::atomic<std::uint32_t>> known;
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_EQ(known.root(p, first, 10), 1u);
    EXPECT_EQ(known.root(p, first, 10), 1u);
    EXPECT_EQ(known.root(p, second, 20), 2u);
  }
}

TEST(fast_limits, refuses_to_sample_rows_that_may_lack_a_direction) {
  const auto g = long_rows();
  const auto rows = make_test_rows<std::uint32_t, std::uint32_t>(g.edges.view(), row_state::one_sided);
  EXPECT_THROW(fast::solve_fast<backend::serial>(rows.view(), {}, {.way = route::sampled}), usage_error);
}

TEST(fast_limits, memory_that_ends_is_an_error_and_leaks_nothing) {
  const auto g = long_rows();
  const auto rows = make_test_rows<std::uint32_t, std::uint32_t>(g.edges.view(), row_state::simple);
  for (const auto way : {route::sampled, route::unsampled}) {
    failing_memory no_source, one_allocation;
    tracked_memory none{UINT64_MAX, &no_source}, memory{UINT64_MAX, &one_allocation};
    no_source.fail_after(0);
    EXPECT_THROW(fast::solve_fast<backend::threads>(rows.view(), {{}, {.threads = 2, .memory = &none}}, {.way = way}), resource_error);
    EXPECT_EQ(none.current_bytes(), 0u);
    one_allocation.fail_after(1);
    const auto labels = fast::solve_fast<backend::threads>(rows.view(), {{}, {.threads = 2, .memory = &memory}}, {.way = way});
    EXPECT_TRUE(same_labels(labels, g));
    const std::uint64_t n = labels.size();
    EXPECT_LE(memory.peak_bytes(), 4 * n + n / 8 + 16);  // the labels, and one bit per vertex
  }
}

TEST(fast_limits, stops_when_asked) {
  const auto g = long_rows();
  const auto rows = make_test_rows<std::uint32_t, std::uint32_t>(g.edges.view(), row_state::simple);
  impatient caller;
  for (const auto way : {route::sampled, route::unsampled}) {
    EXPECT_THROW(fast::solve_fast<backend::serial>(rows.view(), {{}, {.observer = &caller}}, {.way = way}), cancelled);
    EXPECT_THROW(fast::solve_fast<backend::threads>(rows.view(), {{}, {.threads = 2, .observer = &caller}}, {.way = way}), cancelled);
  }
}

}  // namespace
}  // namespace copse::test
