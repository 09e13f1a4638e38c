// Every variant, on the zoo, with weights of every kind, in every form of the input: the forest is the one of the definition.
#include <gtest/gtest.h>
#include <copse/build.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/variants.hpp>

#include <core/random.hpp>
#include <gen/unsorted_rows.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "support/sweep_length.hpp"
#include "support/thrown.hpp"
#include "weighted.hpp"

namespace copse::test {
namespace {

/// Those of a GPU have a test of their own, tests/gpu/weighted_test.cpp.
std::vector<variant_info> cpu_variants() {
  std::vector<variant_info> found;
  for (const variant_info& variant : variants(problem_kind::weighted_forest)) {
    if (variant.backend != "cuda") found.push_back(variant);
  }
  return found;
}

constexpr forest_goal goals[] = {forest_goal::minimum, forest_goal::maximum};

std::string case_name(const zoo_graph& animal, const weighting& how, forest_goal goal, std::string_view variant) {
  return animal.name + ", " + how.name + (goal == forest_goal::minimum ? ", minimum, " : ", maximum, ") + std::string{variant};
}

/// Two columns and rows of a list; the rows carry the weight of each arc.
struct forms {
  explicit forms(const coo<std::uint32_t>& list) {
    for (const auto& e : list.edges) {
      sources.push_back(e.u);
      targets.push_back(e.v);
      wide.push_back({e.u, e.v});
    }
  }
  std::vector<std::uint32_t> sources, targets;
  std::vector<edge<std::uint64_t>> wide;
};

TEST(weighted_forest, is_the_one_of_the_definition_for_every_variant_and_weighting) {
  for (const zoo_graph& animal : zoo(1)) {
    const coo_view<std::uint32_t> list = animal.edges.view();
    const forms other{animal.edges};
    const edge_columns_view<std::uint32_t> columns{list.vertex_count, other.sources, other.targets};
    const coo_view<std::uint64_t> wide{list.vertex_count, other.wide};
    unsigned tried = 0;
    for (const weighting& how : weightings()) {
      if (animal.edges.vertex_count >= 400 && ++tried > 2) break;  // a minute for all of them
      const auto weights = weights_for<double>(list, how);
      const std::vector<float> narrow(weights.begin(), weights.end());
      for (const forest_goal goal : goals) {
        const weighted_set right = reference_weighted_forest(list, weights, goal);
        for (const auto& variant : cpu_variants()) {
          const weighted_forest_options options{.variant = variant.name, .goal = goal};
          const execution on{.threads = 3};
          ASSERT_EQ(set_of(weighted_forest(list, weights_view{std::span{weights}}, options, on)), right)
              << case_name(animal, how, goal, variant.name);
          ASSERT_EQ(set_of(weighted_forest(columns, weights_view{std::span{narrow}}, options, on)), right)
              << case_name(animal, how, goal, variant.name) << ", columns, float";
          if (animal.edges.vertex_count < 400) {
            ASSERT_EQ(set_of(weighted_forest(wide, weights_view{std::span{narrow}}, options, on)), right)
                << case_name(animal, how, goal, variant.name) << ", wide";
          }
        }
      }
    }
  }
}

/// Rows of a simple symmetric graph with the weights of its arcs.
TEST(weighted_forest, of_rows_is_the_same_whichever_arcs_are_stored) {
  for (const zoo_graph& animal : zoo(2)) {
    if (quick() && animal.edges.vertex_count > 300) continue;
    const graph simple = build_csr(animal.edges.view());
    for (const weighting& how : weightings()) {
      std::vector<edge<std::uint32_t>> edges;
      std::vector<std::int64_t> weights, arc_weights, one_sided_weights;
      std::vector<std::uint32_t> one_sided_offsets{0}, one_sided_targets;
      const bool finite = how.name != "infinite";
      if (!finite) continue;  // no integer is
      const auto rows = std::get<csr<std::uint32_t, std::uint32_t>>(simple.shape()).view();
      for (std::uint32_t u = 0; u < rows.vertices(); ++u) {
        for (const std::uint32_t v : rows.row(u)) {
          const auto w = static_cast<std::int64_t>(how.weight(hash_of({u, v}))) * 1'000'000'007;
          arc_weights.push_back(w);
          if (u > v) {  // one direction, from the larger end
            one_sided_targets.push_back(v);
            one_sided_weights.push_back(w);
            edges.push_back({u, v});
            weights.push_back(w);
          }
        }
        one_sided_offsets.push_back(static_cast<std::uint32_t>(one_sided_targets.size()));
      }
      const csr_view<std::uint32_t, std::uint32_t> one_sided{one_sided_offsets, one_sided_targets, symmetry::no, true};
      auto unsorted = rows;
      unsorted.sorted = false;
      for (const forest_goal goal : goals) {
        const weighted_set right = reference_weighted_forest({rows.vertices(), edges}, weights, goal);
        for (const auto& variant : cpu_variants()) {
          const weighted_forest_options options{.variant = variant.name, .goal = goal, .positions = true};
          const execution on{.threads = 2};
          const auto found = weighted_forest(rows, weights_view{std::span{arc_weights}}, options, on);
          ASSERT_EQ(set_of(found), right) << case_name(animal, how, goal, variant.name);
          ASSERT_TRUE(std::ranges::is_sorted(found.positions));
          for (std::size_t i = 0; i < found.positions.size(); ++i)
            ASSERT_EQ(static_cast<double>(arc_weights[found.positions[i]]), found.weights[i]);
          ASSERT_EQ(set_of(weighted_forest(unsorted, weights_view{std::span{arc_weights}}, options, on)), right)
              << case_name(animal, how, goal, variant.name) << ", rows that are not said to be sorted";
          ASSERT_EQ(set_of(weighted_forest(one_sided, weights_view{std::span{one_sided_weights}}, options, on)), right)
              << case_name(animal, how, goal, variant.name) << ", one direction";
        }
      }
    }
  }
}

/// A triangle in both directions: the light arc of each edge is in the other row.
TEST(weighted_forest, of_rows_with_other_weights_in_the_two_directions_counts_every_arc) {
  const std::vector<std::uint32_t> offsets{0, 2, 4, 6}, targets{1, 2, 0, 2, 0, 1};
  const std::vector<double> weights{7, 1, 2, 8, 9, 3};  // 0-1: 7 and 2, 0-2: 1 and 9, 1-2: 8 and 3
  const csr_view<std::uint32_t, std::uint32_t> rows{offsets, targets};
  for (const auto& variant : cpu_variants()) {
    const auto total = [&](forest_goal goal) {
      const auto found = weighted_forest(rows, weights_view{std::span{weights}}, {.variant = variant.name, .goal = goal}, {.threads = 2});
      EXPECT_EQ(found.edge_count(), 2) << variant.name;
      return found.weights[0] + found.weights[1];
    };
    EXPECT_EQ(total(forest_goal::minimum), 3) << variant.name;
    EXPECT_EQ(total(forest_goal::maximum), 17) << variant.name;
  }
}

struct weighted_rows_case {
  std::uint32_t vertices;
  std::vector<edge<std::uint32_t>> edges;  ///< each once, from its smaller end, in the order of the rows
  std::vector<double> weights;
  std::vector<std::uint32_t> offsets{0}, targets;
  std::vector<double> arc_weights;
};

/// Few vertices, so that many edges repeat, some of them with the same weight; every fourth vertex has a loop, and every ninth is alone.
weighted_rows_case rows_with_repeats(std::uint64_t seed, std::uint32_t vertices, std::size_t edges) {
  struct arc {
    std::uint32_t u, v;
    std::size_t edge;
    double weight;
  };
  std::vector<arc> arcs;
  for (std::size_t i = 0; i < edges; ++i) {
    const std::uint64_t word = mix(seed * 1000 + i);
    const auto u = static_cast<std::uint32_t>(word % vertices), v = static_cast<std::uint32_t>((word >> 20) % vertices);
    const double weight = static_cast<double>(word >> 60) * 0.1 + (seed % 2 == 0 ? 0 : static_cast<double>(word >> 40 & 1) * 1e-13);
    if (u % 9 == 0 || v % 9 == 0 || (u == v && u % 4 != 0)) continue;
    arcs.push_back({u, v, i, weight});
    if (u != v) arcs.push_back({v, u, i, weight});
  }
  std::ranges::sort(arcs, {}, [](const arc& a) { return std::tuple{a.u, a.v, a.edge}; });
  weighted_rows_case made{.vertices = vertices, .edges = {}, .weights = {}, .targets = {}, .arc_weights = {}};
  for (const arc& a : arcs) {
    made.offsets.resize(a.u + 1, static_cast<std::uint32_t>(made.targets.size()));
    made.targets.push_back(a.v);
    made.arc_weights.push_back(a.weight);
    if (a.u > a.v) continue;
    made.edges.push_back({a.u, a.v});
    made.weights.push_back(a.weight);
  }
  made.offsets.resize(vertices + 1, static_cast<std::uint32_t>(made.targets.size()));
  return made;
}

TEST(weighted_forest, of_rows_takes_the_first_of_edges_that_repeat) {
  for (std::uint64_t seed = 0; seed < (quick() ? 10 : 60); ++seed) {
    const auto made = rows_with_repeats(seed, 12 + static_cast<std::uint32_t>(seed % 40), 20 + seed * 3);
    const csr_view<std::uint32_t, std::uint32_t> rows{made.offsets, made.targets, symmetry::yes, true};
    const coo_view<std::uint32_t> list{made.vertices, made.edges};
    for (const forest_goal goal : goals) {
      const weighted_forest_options by_list{.variant = "serial.kruskal", .goal = goal, .positions = true};
      const auto expected = weighted_forest(list, weights_view{std::span{made.weights}}, by_list);
      std::vector<std::uint64_t> arcs;  // the arc of each edge of the list
      for (std::uint32_t u = 0; u < made.vertices; ++u) {
        for (std::uint32_t a = made.offsets[u]; a < made.offsets[u + 1]; ++a) {
          if (u <= made.targets[a]) arcs.push_back(a);
        }
      }
      std::vector<std::uint64_t> right;
      for (const std::uint64_t at : expected.positions) right.push_back(arcs[at]);
      for (const auto& variant : cpu_variants()) {
        const weighted_forest_options options{.variant = variant.name, .goal = goal, .positions = true};
        const auto found = weighted_forest(rows, weights_view{std::span{made.arc_weights}}, options, {.threads = 3});
        ASSERT_TRUE(std::ranges::equal(found.positions, right)) << variant.name << ", seed " << seed;
      }
    }
  }
}

/// Around a ring each vertex would take the next edge, and all of them a circle.
TEST(weighted_forest, of_rows_that_are_wrongly_said_to_be_symmetric_is_refused_or_ends) {
  const std::vector<std::uint32_t> offsets{0, 2, 4, 6}, targets{1, 2, 0, 2, 0, 1};
  const std::vector<double> weights{1, 9, 9, 1, 1, 9};  // 0 to 1, 1 to 2, 2 to 0 are light, the others heavy
  const csr_view<std::uint32_t, std::uint32_t> rows{offsets, targets, symmetry::yes, true};
  EXPECT_EQ(
      thrown<input_error>([&] {
        static_cast<void>(weighted_forest(rows, weights_view{std::span{weights}}, {.variant = "threads.filter_boruvka"}, {.threads = 2}));
      }),
      "weights: found different ones for the two directions of the edge between 0 and 1, expected the same");
}

/// 64-bit weights that differ in their last bits only: the prefix does not tell them apart.
TEST(weighted_forest, tells_weights_apart_to_the_last_bit) {
  for (const zoo_graph& animal : zoo(3)) {
    const coo_view<std::uint32_t> list = animal.edges.view();
    std::vector<std::uint64_t> weights;
    for (const auto e : list.edges) weights.push_back((hash_of(e) % 3 == 0 ? 0 : std::uint64_t{1} << 63) + hash_of(e) % 5);
    std::vector<double> ranks(weights.size());
    auto sorted = weights;
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < weights.size(); ++i)
      ranks[i] = static_cast<double>(std::ranges::lower_bound(sorted, weights[i]) - sorted.begin());
    for (const forest_goal goal : goals) {
      weighted_set right = reference_weighted_forest(list, ranks, goal);
      for (auto& [u, v, w] : right) w = static_cast<double>(sorted[static_cast<std::size_t>(w)]);
      for (const auto& variant : cpu_variants()) {
        ASSERT_EQ(set_of(weighted_forest(list, weights_view{std::span{weights}}, {.variant = variant.name, .goal = goal}, {.threads = 3})),
                  right)
            << animal.name << ", " << variant.name;
      }
    }
  }
}

TEST(weighted_forest, of_a_graph_large_enough_for_levels_and_radix_sorts_is_the_same_everywhere) {
  zoo_detail::dice random{5};
  constexpr std::uint32_t n = 2000;
  const auto list = make_coo(n, zoo_detail::uniform(n, 60'000, random));
  for (const unsigned kinds : {0u, 1u, 5u, 1000u}) {
    std::vector<std::int32_t> weights;
    for (std::size_t i = 0; i < list.edges.size(); ++i)
      weights.push_back(kinds == 0 ? static_cast<std::int32_t>(random.below(1u << 30)) : static_cast<std::int32_t>(random.below(kinds)));
    for (const forest_goal goal : goals) {
      const weights_view view{std::span<const std::int32_t>{weights}};
      const auto right = set_of(weighted_forest(list.view(), view, {.variant = "serial.kruskal", .goal = goal}));
      EXPECT_EQ(right, reference_weighted_forest(list.view(), weights, goal)) << kinds;
      for (const auto& variant : cpu_variants()) {
        for (const unsigned threads : {1u, 3u}) {
          EXPECT_EQ(set_of(weighted_forest(list.view(), view, {.variant = variant.name, .goal = goal}, {.threads = threads})), right)
              << variant.name << ", " << kinds << " kinds of weights, " << threads << " threads";
        }
      }
    }
  }
}

/// Rows in several blocks of arcs, some of them longer than a block, most edges inside a largest tree, and vertices outside it.
TEST(weighted_forest, of_rows_with_a_giant_is_that_of_all_edges) {
  for (const char* spec :
       {"rmat:scale=13,edges=24", "rmat:scale=13,edges=4", "er:n=6000,m=20000,shuffle=1", "star_of_stars:n=40000,leaves=9"}) {
    for (const bool sorted : {true, false}) {
      graph made = gen::generate(spec, {.threads = 1});
      if (!sorted) made = gen::unsorted_rows(std::move(made), 1, {.threads = 1});
      const auto rows = std::get<csr<std::uint32_t, std::uint32_t>>(made.shape()).view();
      std::vector<std::uint32_t> weights;
      for (std::uint32_t u = 0; u < rows.vertices(); ++u) {
        for (const std::uint32_t v : rows.row(u)) weights.push_back(static_cast<std::uint32_t>(hash_of({u, v})) % 100'000);
      }
      const weights_view view{std::span<const std::uint32_t>{weights}};
      const auto right = set_of(weighted_forest(rows, view, {.variant = "serial.kruskal"}));
      for (const auto& variant : cpu_variants()) {
        EXPECT_EQ(set_of(weighted_forest(rows, view, {.variant = variant.name}, {.threads = 3})), right)
            << spec << ", " << variant.name << (sorted ? "" : ", unsorted rows");
      }
    }
  }
}

TEST(weighted_forest_variants, are_in_the_registry) {
  for (const variant_info& variant : variants(problem_kind::weighted_forest)) {
    EXPECT_EQ(variant.name, std::string{variant.backend} + "." + std::string{variant.finish});
    EXPECT_FALSE(variant.summary.empty()) << variant.name;
    for (const input_kind input : {input_kind::csr, input_kind::coo}) {
      EXPECT_EQ(find_variant(variant.name, input, problem_kind::weighted_forest), &variant);
      EXPECT_EQ(refusal(variant.name, input, problem_kind::weighted_forest), std::nullopt) << variant.name;
    }
  }
  EXPECT_EQ(variants_matching("serial.*", problem_kind::weighted_forest).size(), 4u);
  EXPECT_EQ(find_variant("threads.none.fast", input_kind::csr, problem_kind::weighted_forest), nullptr);
  const auto list = make_coo(2, {{0, 1}});
  const std::vector<float> weight{1};
  EXPECT_EQ(refusal("hybrid.auto", input_kind::csr, problem_kind::weighted_forest),
            thrown<usage_error>([&] { weighted_forest(list.view(), weights_view{std::span{weight}}, {.variant = "hybrid.auto"}); }));
}

TEST(weighted_forest, refuses_devices_on_which_it_cannot_run) {
  const auto list = make_coo(2, {{0, 1}});
  const std::vector<float> weight{1};
  const auto said = [&](const std::string& variant, const std::string& device) {
    return thrown<usage_error>(
        [&] { weighted_forest(list.view(), weights_view{std::span{weight}}, {.variant = variant}, {.device = device}); });
  };
  EXPECT_EQ(said("auto", "hybrid"), "device must be cpu or GPUs for weighted forests, not hybrid");
  for (const char* device : {"cuda", "cuda:1", "cuda:0,0", "cuda:all"}) {
    EXPECT_EQ(said("threads.boruvka", device),
              built_with_cuda() ? "variant threads.boruvka runs on the CPU: leave out device, or choose a variant of cuda"
                                : std::string{"device must be cpu, not "} + device + ", in a build without the GPU part");
  }
}

TEST(weighted_forest, refuses_what_is_no_number_and_columns_of_other_lengths) {
  const auto list = make_coo(4, {{0, 1}, {1, 2}, {2, 3}});
  const auto said = [&](const auto& weights, const std::string& variant = "auto") -> std::string {
    return thrown<error>([&] { weighted_forest(list.view(), weights_view{std::span{weights}}, {.variant = variant}); });
  };
  for (const double nan : {std::nan(""), -std::nan("")}) {
    EXPECT_EQ(said(std::vector<double>{1, nan, 2}), "weights: found one that is not a number at position 1, expected numbers");
    EXPECT_EQ(said(std::vector<float>{1, 2, static_cast<float>(nan)}),
              "weights: found one that is not a number at position 2, expected numbers");
  }
  EXPECT_EQ(said(std::vector<double>{1, 2}), "weights must have one for each edge, 3, not 2");
  EXPECT_EQ(
      said(std::vector<double>{1, 2, 3}, "threads.prim"),
      "there is no variant threads.prim; use one of auto, serial.kruskal, serial.filter_kruskal, serial.boruvka, serial.filter_boruvka, "
      "threads.kruskal, threads.filter_kruskal, threads.boruvka, threads.filter_boruvka" +
          std::string{built_with_cuda() ? ", cuda.filter_boruvka, cuda.ecl_mst" : ""});
}

}  // namespace
}  // namespace copse::test
