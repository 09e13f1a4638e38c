// Random cases: small graphs of all shapes, solved as rows, as lists, by batches of inserts and as a stream, by 1, 2 or 7 threads (some of
// which yield inside every rule), with limits of the fast path that are drawn, too. Labels are compared with a breadth-first search. Each
// case is made from its number alone; one that fails says what to type to see it again.
// COPSE_RANDOM_CASES: how many in all; COPSE_RANDOM_FIRST: the number of the first.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <copse/extend/rules/find/halve.hpp>
#include <core/team.hpp>
#include <drivers/incremental/insert_batch.hpp>
#include <drivers/incremental/insert_past_giant.hpp>
#include <drivers/streaming/unite_batch.hpp>
#include <fast/solve.hpp>
#include <instruments/chaos.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "fast/random_ways.hpp"
#include "support/rows.hpp"
#include "support/sanitized.hpp"

namespace copse::test {
namespace {

using small_blocks = backend::basic_threads<parents::atomic, 8>;
template <unsigned_index Id>
using often_yield = parents::yielding<parents::atomic<Id>, 8>;
using yielding_blocks = backend::basic_threads<often_yield, 8>;

std::uint64_t asked(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

template <class Id>
std::vector<edge<Id>> pairs_of(const drawn_graph& g) {
  std::vector<edge<Id>> pairs;
  for (const auto [u, v] : g.edges.edges) pairs.push_back({static_cast<Id>(u), static_cast<Id>(v)});
  return pairs;
}

/// One number: its graph, and what is drawn to solve it.
class random_case {
public:
  explicit random_case(std::uint64_t number) : graph{draw_graph(number)}, random{~number} {
    const auto t = random.below(10);
    threads = t < 6 ? 1 : t < 8 ? 2 : 7;
    yields = threads > 1 && random.below(3) == 0;
  }

  /// f(backend) with one of the kind that was drawn.
  template <class F>
  void on_backend(F f) {
    if (threads == 1) {
      f(backend::serial{});
    } else if (yields) {
      f(yielding_blocks{threads});
    } else {
      f(small_blocks{threads});
    }
  }

  template <class Label>
  bool expect(std::span<const Label> found, const std::vector<std::uint32_t>& expected, const std::string& form, const std::string& way) {
    ++solves;
    if (std::ranges::equal(found, expected, [](Label a, std::uint32_t b) {
          return a == static_cast<Label>(b) || (a == no_vertex<Label> && b == no_vertex<std::uint32_t>);
        }))
      return true;
    return wrong("wrong labels", form, way);
  }
  bool expect(bool right, const char* what, const std::string& form, const std::string& way) { return right || wrong(what, form, way); }

  const drawn_graph graph;
  dice random;
  unsigned threads = 1;
  bool yields = false;
  std::uint64_t solves = 0;

private:
  [[nodiscard]] bool wrong(const char* what, const std::string& form, const std::string& way) const {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    ADD_FAILURE() << what << ": " << graph.edges.vertex_count << " vertices, " << graph.edges.edges.size() << " edges (" << graph.name
                  << "), " << form << ", " << threads << (yields ? " yielding" : "") << " threads, " << way
                  << "\nrepeat: COPSE_RANDOM_FIRST=" << graph.number << " COPSE_RANDOM_CASES=1 " << testing::internal::GetArgvs().front()
                  << " --gtest_filter=" << test->test_suite_name() << "." << test->name();
    return false;
  }
};

/// solve(case) for a quarter of the cases asked for, until one is wrong.
template <class Solve>
void run_cases(const char* what, Solve solve) {
  constexpr std::uint64_t forms = 4;
  const std::uint64_t count = (asked("COPSE_RANDOM_CASES", sanitized ? 1000 : 10000) + forms - 1) / forms;
  const std::uint64_t first = asked("COPSE_RANDOM_FIRST", 1);
  std::uint64_t solves = 0;
  for (std::uint64_t number = first; number < first + count; ++number) {
    random_case c{number};
    solve(c);
    solves += c.solves;
    if (testing::Test::HasFailure()) return;
  }
  std::cout << fmt::format("{} random cases as {}, {} solves: all right\n", count, what, solves);
}

// --- Rows ---

template <class Id, class Offset>
void solve_rows(random_case& c) {
  const auto state = static_cast<row_state>(c.random.below(4));
  const auto rows = make_test_rows<Id, Offset>(c.graph.edges.view(), state);
  for (auto& way : draw_ways<fast::fast_options>(c.random)) {
    if (rows.view().symmetric != symmetry::yes && way.way == fast::route::sampled) way.way = fast::route::unsampled;
    bool right = true;
    c.on_backend([&]<class Backend>(const Backend&) {
      const auto labels = fast::solve_fast<Backend>(rows.view(), {{.seed = c.graph.number}, {.threads = c.threads}}, way);
      right = c.expect(labels.span(), c.graph.labels, fmt::format("{} rows, {}-bit ids", to_string(state), 8 * sizeof(Id)), described(way));
    });
    if (!right) return;
  }
}

TEST(random_cases, rows) {
  run_cases("rows", [](random_case& c) {
    if (c.random.below(4) == 0) {
      solve_rows<std::uint64_t, std::uint64_t>(c);
    } else {
      solve_rows<std::uint32_t, std::uint32_t>(c);
    }
  });
}

// --- Lists ---

template <class Id>
void solve_lists(random_case& c) {
  const auto pairs = pairs_of<Id>(c.graph);
  std::vector<Id> sources, targets;
  for (const auto [u, v] : pairs) {
    sources.push_back(u);
    targets.push_back(v);
  }
  const auto n = static_cast<Id>(c.graph.edges.vertex_count);
  const fast::column_edges<Id> columns{{n, sources, targets}};
  const bool as_columns = c.random.below(2) == 0;
  for (const auto& way : draw_ways<fast::list_options>(c.random)) {
    auto labels = fast::labels_with_bits<Id>(n, host_memory());
    c.on_backend([&](const auto& backend) {
      const solve_request usual{{.seed = c.graph.number}, {.threads = c.threads}};
      if (as_columns) {
        fast::solve_list(backend, columns, labels.span(), fast::bits_behind(labels), usual, way);
      } else {
        fast::solve_list(backend, std::span<const edge<Id>>{pairs}, labels.span(), fast::bits_behind(labels), usual, way);
      }
    });
    const std::string form = fmt::format("{} of {}-bit ids", as_columns ? "columns" : "pairs", 8 * sizeof(Id));
    if (!c.expect(std::span<const Id>{labels.span()}, c.graph.labels, form, described(way))) return;
  }
}

TEST(random_cases, lists) {
  run_cases("lists", [](random_case& c) { c.random.below(4) == 0 ? solve_lists<std::uint64_t>(c) : solve_lists<std::uint32_t>(c); });
}

// --- Inserts ---

/// Of vertices that no edge names, where none were declared.
std::vector<std::uint32_t> labels_of_named(const drawn_graph& g) {
  std::vector<std::uint32_t> labels;
  for (const auto [u, v] : g.edges.edges) {
    const std::size_t slots = std::size_t{std::max(u, v)} + 1;
    if (labels.size() < slots) labels.resize(slots, no_vertex<std::uint32_t>);
    labels[u] = g.labels[u];
    labels[v] = g.labels[v];
  }
  return labels;
}

/// Inserts the graph in batches, some of them mixed with queries, whose answers must not be ahead of all edges.
template <class Backend, class Id>
bool insert_all(random_case& c, const Backend& loops, drivers::growing_forest<Backend, Id>& trees, std::size_t batch, bool mixed) {
  using rule = fast::unite_of<Backend>;
  const auto all = pairs_of<Id>(c.graph);
  dice random{batch};
  for (std::size_t at = 0; at < all.size(); at += batch) {
    const auto part = std::span{all}.subspan(at, std::min(batch, all.size() - at));
    if (!mixed || random.below(3) != 0) {
      drivers::insert_past_giant(loops, trees, part);
      continue;
    }
    std::vector<edge<Id>> pairs;
    std::vector<operation> kinds;
    for (const auto e : part) {
      pairs.push_back(e);
      kinds.push_back(operation::insert);
      pairs.push_back({static_cast<Id>(random.below(c.graph.labels.size())), static_cast<Id>(random.below(c.graph.labels.size()))});
      kinds.push_back(operation::query);
    }
    Id largest = 0;
    for (const auto [u, v] : part) largest = std::max({largest, u, v});
    trees.grow(loops, largest + 1);
    std::vector<std::uint64_t> answers((pairs.size() + 63) / 64);
    drivers::mixed_batch<rule, find::halve>(loops, trees, drivers::batch_part<Id>{pairs, kinds.data()}, answers.data());
    for (std::size_t i = 1; i < pairs.size(); i += 2) {
      const bool yes = (answers[i / 64] >> (i % 64) & 1) != 0;
      if (yes && c.graph.labels[pairs[i].u] != c.graph.labels[pairs[i].v]) return false;
    }
  }
  return true;
}

template <class Id>
void solve_inserts(random_case& c) {
  const bool declared = c.random.below(2) == 0, records = c.random.below(2) == 0, mixed = c.random.below(2) == 0;
  const std::size_t batch = 1 + c.random.below(1 + c.random.below(1 + static_cast<std::uint32_t>(c.graph.edges.edges.size())));
  const auto expected = declared ? c.graph.labels : labels_of_named(c.graph);
  const std::string form = fmt::format("batches of {}{}{}{}, {}-bit ids", batch, declared ? ", vertices declared" : "",
                                       records ? ", forest recorded" : "", mixed ? ", some mixed" : "", 8 * sizeof(Id));
  for (const auto& way : draw_ways<drivers::insert_options>(c.random)) {
    const std::string name = described(way);
    bool right = true;
    c.on_backend([&]<class Backend>(const Backend& loops) {
      drivers::growing_forest<Backend, Id> trees{{}, records, host_memory(), way};
      if (declared) {
        trees.grow(loops, static_cast<Id>(c.graph.labels.size()));
        trees.declare(0);
      }
      right = c.expect(insert_all(c, loops, trees, batch, mixed), "a query is answered before its edges came", form, name);
      const auto labels = trees.labels(loops);
      right = right && c.expect(labels.span(), expected, form, name);
      std::size_t roots = 0, vertices = 0, kept = 0;
      for (std::size_t v = 0; v < labels.size(); ++v) {
        vertices += labels[v] != no_vertex<Id>;
        roots += labels[v] == static_cast<Id>(v);
        kept += records && trees.link_slots()[v].u != no_vertex<Id>;
      }
      right = right && c.expect(trees.vertices() == vertices && trees.links() == vertices - roots, "wrong counts", form, name);
      right = right && c.expect(!records || kept == trees.links(), "an edge of the forest is missing", form, name);
    });
    if (!right) return;
  }
}

TEST(random_cases, inserts) {
  run_cases("inserts", [](random_case& c) { c.random.below(4) == 0 ? solve_inserts<std::uint64_t>(c) : solve_inserts<std::uint32_t>(c); });
}

// --- Streams ---

template <bool Shared>
bool stream_all(random_case& c, std::size_t batch, const streaming::giant_limits& way) {
  using words = streaming::flat_words<std::uint32_t>;
  const auto n = static_cast<std::uint32_t>(c.graph.labels.size());
  const auto all = pairs_of<std::uint64_t>(c.graph);
  std::vector<std::uint32_t> memory(n, 0);
  const words forest{memory.data()};
  const streaming::parents_of<Shared, words> parents{forest};
  streaming::stream_giant<std::uint32_t> giant{n, host_memory(), way};
  std::atomic<std::size_t> next{0};
  on_workers(c.threads, [&](unsigned) {
    for (std::size_t at = next.fetch_add(batch); at < all.size(); at = next.fetch_add(batch)) {
      const auto part = std::span{all}.subspan(at, std::min(batch, all.size() - at));
      streaming::unite_batch<Shared>(giant, forest, part, n, [&](std::uint32_t v) {
        parents.appear(v);
        return true;
      });
    }
  });
  std::vector<std::uint32_t> labels(n);
  for (std::uint32_t v = 0; v < n; ++v) labels[v] = parents.absent(v) ? v : find::naive{}(parents, v);
  return c.expect(std::span<const std::uint32_t>{labels}, c.graph.labels, fmt::format("a stream in batches of {}", batch), described(way));
}

TEST(random_cases, streams) {
  run_cases("streams", [](random_case& c) {
    const std::size_t batch = 1 + c.random.below(1 + c.random.below(200));
    for (const auto& way : draw_ways<streaming::giant_limits>(c.random)) {
      if (!(c.threads == 1 ? stream_all<false>(c, batch, way) : stream_all<true>(c, batch, way))) return;
    }
  });
}

}  // namespace
}  // namespace copse::test
