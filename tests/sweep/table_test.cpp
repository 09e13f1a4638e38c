// The table itself: how many rows, unique names that parse back, and a reason for everything that is no row.
#include <gtest/gtest.h>
#include <copse/core/error.hpp>
#include <copse/registry/variants.hpp>
#include <registry/axes.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "copse/components.hpp"

namespace copse::test {
namespace {

std::ptrdiff_t rows_of(std::string_view backend, input_kind input) {
  return std::ranges::count_if(variants(), [&](const auto& v) { return v.backend == backend && v.input == input; });
}

TEST(table, has_exactly_these_rows) {
  // async 4, ecl 4 + 1, rem_cas 4 x 2, afforest: 18 finishes for any backend; rem and union_find for one thread; each with none and kout
  // on rows, with none on edge lists; dfs on rows for one thread, not sampled.
  EXPECT_EQ(rows_of("serial", input_kind::csr), 20 * 2 + 1);
  EXPECT_EQ(rows_of("serial", input_kind::coo), 20);
  EXPECT_EQ(rows_of("omp", input_kind::csr), 18 * 2);
  EXPECT_EQ(rows_of("omp", input_kind::coo), 18);
  EXPECT_EQ(variants().size(), 41u + 20u + 36u + 18u);
}

TEST(table, names_are_unique_and_parse_back) {
  std::set<std::pair<std::string, input_kind>> names;
  for (const auto& v : variants()) {
    EXPECT_TRUE(names.emplace(v.name, v.input).second) << v.name;
    EXPECT_EQ(find_variant(v.name, v.input), &v);
    EXPECT_EQ(refusal(v.name, v.input), std::nullopt);
  }
}

TEST(table, every_other_combination_of_words_is_refused_with_a_reason) {
  std::set<std::string> finishes, finds{""}, splices{""};
  for (const auto& v : variants()) {
    finishes.emplace(v.finish);
    finds.emplace(v.find);
    splices.emplace(v.splice);
  }
  std::size_t rows = 0, refused = 0, aliases = 0;
  for (const auto input : {input_kind::csr, input_kind::coo}) {
    for (const std::string backend : {"serial", "omp"}) {
      for (const std::string sampler : {"none", "kout"}) {
        for (const auto& finish : finishes) {
          for (const auto& find : finds) {
            for (const auto& splice : splices) {
              if (find.empty() && !splice.empty()) continue;
              const std::string name =
                  backend + "." + sampler + "." + finish + (find.empty() ? "" : "." + find) + (splice.empty() ? "" : "." + splice);
              if (const auto* row = find_variant(name, input); row != nullptr) {
                ++(row->name == name ? rows : aliases);
              } else {
                ASSERT_TRUE(refusal(name, input).has_value()) << name;
                EXPECT_GT(refusal(name, input)->size(), name.size() / 2) << name;
                ++refused;
              }
            }
          }
        }
      }
    }
  }
  EXPECT_EQ(rows, variants().size());
  EXPECT_EQ(aliases, 3u * (2 * 2 + 2));  // afforest.compress, .split and .halve, for two samplers on rows and one on edge lists
  EXPECT_GT(refused, rows);
}

TEST(table, says_why) {
  EXPECT_EQ(*refusal("omp.none.rem", input_kind::csr),
            "omp.none.rem: it is for one thread only: between its load and its store nothing may change");
  EXPECT_EQ(*refusal("omp.kout.async.naive", input_kind::coo), "omp.kout.async.naive: an edge list has no rows to sample arcs from");
  EXPECT_EQ(*refusal("serial.none.dfs", input_kind::coo), "serial.none.dfs: it walks rows, which an edge list does not have");
  EXPECT_EQ(*refusal("serial.kout.dfs", input_kind::csr),
            "serial.kout.dfs: it does not start from the sampled forest, so sampling would be wasted");
  EXPECT_EQ(*refusal("gpu.none.async.naive", input_kind::csr), "unknown backend 'gpu'; known: serial, omp");
  EXPECT_EQ(*refusal("omp.some.async.naive", input_kind::csr), "unknown sampler 'some'; known: none, kout");
  EXPECT_EQ(*refusal("omp.none.asink.naive", input_kind::csr),
            "unknown finish 'asink'; known: async, ecl, rem_cas, afforest, rem, union_find, dfs");
  EXPECT_EQ(*refusal("omp.none.async", input_kind::csr), "unknown find of async ''; known: naive, compress, split, halve");
  EXPECT_EQ(*refusal("omp.none.async.naive.split_one", input_kind::csr), "unknown splice of async 'split_one'; known: nothing");
  EXPECT_EQ(*refusal("omp.none.rem_cas.naive", input_kind::csr), "unknown splice of rem_cas ''; known: halve_one, split_one");
}

TEST(table, patterns_match_as_in_a_shell) {
  EXPECT_EQ(variants_matching("").size(), variants().size());
  EXPECT_EQ(variants_matching("*").size(), variants().size());
  EXPECT_EQ(variants_matching("serial.none.re?").size(), 2u);  // on rows and on edge lists
  EXPECT_EQ(variants_matching("omp.*").size(), 54u);
  EXPECT_TRUE(variants_matching("omp").empty());
}

TEST(components, refuses_an_unknown_variant) {
  const coo_view<std::uint32_t> none{};
  EXPECT_THROW(components(graph_view{none}, {.variant = "omp.none.rem"}), usage_error);
}

}  // namespace
}  // namespace copse::test
