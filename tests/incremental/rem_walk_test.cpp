// Walks of Rem's algorithm one step at a time, as the threads of a GPU take them: any number at once, in any order.
#include <gtest/gtest.h>
#include <copse/copse.hpp>
#include <copse/extend/parents/atomic.hpp>
#include <core/random.hpp>
#include <drivers/incremental/rem_walk.hpp>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace copse::test {
namespace {

using id = std::uint32_t;

/// Loads may give an older parent, as the caches of a GPU may: one in four comes from a copy that is made now and then.
class old_parents : public id_words<id> {
public:
  old_parents(std::vector<id>& words, const std::vector<id>& old, std::uint64_t& loads) : words_{&words}, old_{&old}, loads_{&loads} {}

  id load(id v) const { return ++*loads_ % 4 == 0 ? (*old_)[v] : (*words_)[v]; }
  void store(id v, id w) const { (*words_)[v] = w; }
  old_parents as_fresh() const { return {*words_, *words_, *loads_}; }
  cas_result<id> cas(id v, id expected, id desired) const {
    const id seen = (*words_)[v];
    if (seen == expected) (*words_)[v] = desired;
    return {seen == expected, seen};
  }

private:
  std::vector<id>* words_;
  const std::vector<id>* old_;
  std::uint64_t* loads_;
};

class rem_walks : public ::testing::TestWithParam<const char*> {};

TEST_P(rem_walks, at_once_join_what_a_static_solve_joins) {
  const graph g = gen::generate_edges(GetParam());
  const auto view = std::get<coo<id>>(g.shape()).view();
  const auto n = static_cast<id>(view.vertices());
  const auto solved = components(g, {.variant = "serial.none.union_find"});
  for (const std::size_t at_once : {1u, 7u, 1000u}) {
    for (const std::size_t at_roots : {std::size_t{0}, view.edges.size() / 3, view.edges.size()}) {
      std::vector<id> words(n);
      std::iota(words.begin(), words.end(), id{0});
      auto old = words;
      std::uint64_t loads = 0, links = 0, turn = 0;
      using walk = drivers::rem_walk<old_parents>;
      std::vector<walk> walks(at_once, walk{old_parents{words, old, loads}});
      const random_stream random{5, 1};
      std::size_t next = 0, busy = 0;
      for (bool more = true; more; ++turn) {
        if (turn % 3000 == 0) old = words;
        walk& w = walks[random.below(turn, at_once)];
        if (w.done() && next < view.edges.size()) {
          const auto [u, v] = view.edges[next];
          if (next++ < at_roots && u != v) {
            w.begin_at_roots(std::max(u, v), std::min(u, v));
          } else {
            w.begin(u, v);
          }
          ++busy;
        }
        if (w.done()) continue;
        w.step([&](id root, id parent) {
          EXPECT_GT(root, parent);
          ++links;
        });
        if (w.done()) --busy;
        more = busy != 0 || next < view.edges.size();
      }
      const std::string where = std::to_string(at_once) + " at once, " + std::to_string(at_roots) + " at roots";
      EXPECT_EQ(links, n - solved.count()) << where;
      for (id v = 0; v < n; ++v) {
        id root = v;
        while (words[root] != root) root = words[root];
        ASSERT_EQ(root, solved.labels.label(v)) << where << ", vertex " << v;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(graphs, rem_walks,
                         ::testing::Values("er:n=3000,m=3500", "er:n=500,m=20000", "path:n=2000", "star:n=1000", "rmat:scale=10,edges=2"),
                         [](const auto& one) { return "graph" + std::to_string(one.index); });

}  // namespace
}  // namespace copse::test
