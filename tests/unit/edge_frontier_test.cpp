// The techniques of a GPU that are one text for all backends, by the threads of this machine: edges read as words, and rounds that visit
// only the edges between trees.
#include <gtest/gtest.h>
#include <core/request.hpp>
#include <drivers/components.hpp>
#include <finish/cc.hpp>
#include <finish/edge_frontier.hpp>
#include <finish/shiloach_vishkin.hpp>
#include <finish/soman.hpp>
#include <loops/edge_loads.hpp>
#include <loops/threads.hpp>
#include <sample/none.hpp>
#include <sample/stages.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

using id = std::uint32_t;

/// As a GPU with that technique does. Blocks are small, so that small graphs keep all threads busy.
class filtering_threads : public backend::basic_threads<parents::atomic, 16> {
public:
  using basic_threads::basic_threads;
  [[nodiscard]] bool filters_edges() const noexcept { return true; }
  [[nodiscard]] backend::edge_loads reads(std::span<const edge<id>> edges) const noexcept { return {edges, true}; }
};
using arcs = backend::arc_set<id>;
using solve_context = backend::solve_context<filtering_threads, id>;

TEST(edge_loads, gives_the_edges_of_any_list) {
  alignas(8) std::array<id, 9> words{};
  for (id i = 0; i < words.size(); ++i) words[i] = 0xF0000000u + i;
  for (const std::size_t first : {0u, 1u}) {
    const std::span<const edge<id>> edges{reinterpret_cast<const edge<id>*>(words.data() + first), 4};
    for (const bool in_pairs : {false, true}) {
      const backend::edge_loads read{edges, in_pairs};
      EXPECT_EQ(read.in_pairs(), in_pairs && first == 0);
      for (std::size_t i = 0; i < edges.size(); ++i) EXPECT_EQ(read[i], (edge<id>{words[first + 2 * i], words[first + 2 * i + 1]}));
    }
  }
}

TEST(edge_frontier, keeps_the_edges_between_trees) {
  const std::vector<edge<id>> edges{{0, 1}, {2, 3}, {1, 2}, {4, 4}, {3, 2}, {5, 0}, {1, 2}};
  const arcs set{coo_view<id>{6, edges}};
  for (const bool filters : {false, true}) {
    const filtering_threads loops{7};
    buffer<id> words{6};
    backend::forest<filtering_threads, id> trees{words.span(), aux_array::none, host_memory()};
    phase_times times;
    const solve_request options;
    solve_context context{loops, trees, options, times};
    trees.plant(loops, [](id v) { return v - v % 2; });
    finish::edge_frontier<filtering_threads, id> left{context, set, filters};
    EXPECT_EQ(left.filters(), filters);
    left.filter();
    std::vector<edge<id>> found(left.edges().begin(), left.edges().end());
    if (filters) std::ranges::sort(found);
    EXPECT_EQ(found, filters ? (std::vector<edge<id>>{{1, 2}, {1, 2}, {5, 0}}) : edges);
    trees.plant(loops, [](id) { return id{0}; });
    left.filter();
    EXPECT_EQ(left.edges().empty(), filters);
  }
  EXPECT_EQ(edges[4], (edge<id>{3, 2}));  // the caller's are as they were
}

TEST(edge_frontier, leaves_rows_alone) {
  const std::vector<id> offsets{0, 1, 2}, targets{1, 0};
  const filtering_threads loops{1};
  buffer<id> words{2};
  backend::forest<filtering_threads, id> trees{words.span(), aux_array::none, host_memory()};
  phase_times times;
  const solve_request options;
  solve_context context{loops, trees, options, times};
  EXPECT_FALSE(
      (finish::edge_frontier<filtering_threads, id>{context, arcs{csr_view<id, id>{offsets, targets, symmetry::yes, true}}}.filters()));
}

template <class Finish>
class filtered_rounds : public ::testing::Test {};
using rounds = testing::Types<finish::soman, finish::cc, finish::shiloach_vishkin>;
TYPED_TEST_SUITE(filtered_rounds, rounds);

TYPED_TEST(filtered_rounds, give_canonical_labels) {
  using sampling = drivers::sampling<filtering_threads, id>;
  for (const sampling sample : {sampling{sample::none::sample}, sampling{sample::stages::sample}}) {
    const bool sees_all = sample == sampling{sample::stages::sample};
    const drivers::plan<filtering_threads, id> plan{sample, false, sees_all, TypeParam::template run<filtering_threads, id>,
                                                    TypeParam::traits};
    for (const unsigned threads : thread_counts()) {
      for (const auto& g : solved_zoo()) {
        phase_times times;
        buffer<id> labels{g.edges.view().vertices()};
        drivers::solve(filtering_threads{threads}, arcs{g.edges.view()}, labels.span(), plan, solve_request{{.seed = g.seed}, {}}, times);
        ASSERT_TRUE(same_labels(labels, g)) << context(g, threads, sees_all ? "stages" : "coo");
      }
    }
  }
}

}  // namespace
}  // namespace copse::test
