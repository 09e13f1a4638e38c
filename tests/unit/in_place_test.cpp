// Lists of edges that a solve may overwrite: every variant gives the labels that it gives otherwise, those that move edges move all of
// them, and the others leave the list as it was.
#include <gtest/gtest.h>
#include <copse/components.hpp>
#include <copse/extend/in_place.hpp>
#include <copse/variants.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

using id = std::uint32_t;

template <class Id>
std::vector<edge<Id>> edges_of(const solved_graph& g) {
  std::vector<edge<Id>> edges;
  for (const auto& e : g.edges.edges) edges.push_back({e.u, e.v});
  return edges;
}

template <class Id>
std::vector<Id> labels_in_place(const solved_graph& g, std::vector<edge<Id>>& edges, const solve_options& options, const execution& on) {
  std::vector<Id> labels(g.labels.size());
  components_in_place<Id>(g.edges.vertex_count, edges, labels, options, on);
  return labels;
}

/// What rewrites a list, as a rule or as a sampler.
std::vector<std::string> variants_that_write() {
  std::vector<std::string> names;
  for (const auto& v : variants()) {
    if (v.input != input_kind::coo || v.backend == "cuda") continue;
    const bool alters = v.finish == "liu_tarjan" && v.find.ends_with('A');
    if (v.sampler == "stages" || alters || v.finish == "cc_updt" || v.finish == "sv_updt") names.push_back(v.name);
  }
  return names;
}

TEST(in_place, variants_that_write_give_canonical_labels) {
  const auto names = variants_that_write();
  ASSERT_GT(names.size(), 100u);
  for (const auto& g : solved_zoo()) {
    if (g.seed != 1) continue;
    for (const auto& name : names) {
      const unsigned threads = name.starts_with("serial") ? 1 : 7;
      auto edges = edges_of<id>(g);
      ASSERT_TRUE(same_labels(labels_in_place(g, edges, {.variant = name, .stages_q = .75}, {.threads = threads}), g))
          << name << "\n"
          << context(g, threads, "in place");
    }
  }
}

TEST(in_place, lists_of_64_bit_ids) {
  for (const auto& g : solved_zoo()) {
    for (const char* name : {"serial.none.cc_updt", "threads.none.sv_updt", "threads.stages.cc", "serial.stages.cc_updt"}) {
      auto edges = edges_of<std::uint64_t>(g);
      ASSERT_TRUE(same_labels(labels_in_place(g, edges, {.variant = name}, {.threads = 7}), g)) << name << "\n"
                                                                                                << context(g, 7, "in place");
    }
  }
}

TEST(in_place, rules_that_move_edges_leave_loops_at_the_labels) {
  for (const auto& g : solved_zoo()) {
    for (const char* name : {"serial.none.cc_updt", "threads.none.cc_updt", "serial.stages.cc_updt"}) {
      const auto before = edges_of<id>(g);
      auto edges = before;
      const auto labels = labels_in_place(g, edges, {.variant = name}, {.threads = 2});
      ASSERT_EQ(edges.size(), before.size());
      if (std::string_view{name}.find("stages") != std::string_view::npos) {
        for (const auto& e : edges) ASSERT_EQ(e.u, e.v) << name << ", " << g.name;  // at a label of its group's time
        continue;
      }
      for (std::size_t i = 0; i < edges.size(); ++i) {
        ASSERT_EQ(edges[i], (edge<id>{labels[before[i].u], labels[before[i].u]})) << name << ", " << g.name << ", edge " << i;
      }
    }
  }
}

TEST(in_place, other_variants_and_calls_leave_the_list_alone) {
  for (const auto& g : solved_zoo()) {
    const auto before = edges_of<id>(g);
    for (const char* name :
         {"auto", "serial.none.cc", "threads.none.async.halve", "threads.none.soman", "threads.none.rem_verify.prefetch_switched"}) {
      auto edges = before;
      ASSERT_TRUE(same_labels(labels_in_place(g, edges, {.variant = name}, {.threads = 2}), g)) << name;
      ASSERT_EQ(edges, before) << name;
    }
    for (const char* name : {"serial.none.cc_updt", "threads.stages.sv_updt"}) {  // not in place
      auto edges = before;
      std::vector<id> labels(g.labels.size());
      components(coo_view<id>{g.edges.vertex_count, edges}, std::span{labels}, {.variant = name}, {.threads = 2});
      ASSERT_TRUE(same_labels(labels, g)) << name;
      ASSERT_EQ(edges, before) << name;
    }
  }
}

}  // namespace
}  // namespace copse::test
