// The table itself: how many variants, unique names that parse back, and a reason for everything that is none.
#include <gtest/gtest.h>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/variants.hpp>
#include <variants/axes.hpp>
#include <variants/validity.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "copse/components.hpp"

namespace copse::test {
namespace {

std::ptrdiff_t variant_count(std::string_view backend, input_kind input) {
  return std::ranges::count_if(variants(), [&](const auto& v) { return v.backend == backend && v.input == input; });
}

struct stores_roots : find::naive {
  static constexpr bool writes_root = true;
};

// A find rule of a user that declares that it stores roots is refused where compress is.
static_assert(!variant::refusal_of(unite::rem_cas<stores_roots, splice::splice_atomic>::traits, true).empty());
static_assert(!variant::refusal_of(unite::rem_cas<find::compress, splice::splice_atomic>::traits, true).empty());
static_assert(variant::refusal_of(unite::rem_cas<find::naive, splice::splice_atomic>::traits, true).empty());

TEST(table, has_exactly_these_variants) {
  // Unites with a find: async, hooks, early, ecl 4 each, jtb 2. With a splice: rem_cas and rem_lock 4 x 3 each, less compress with
  // splice_atomic. Alone: ecl, afforest; for one thread rem and union_find too.
  constexpr int unites = 18 + 2 * 11 + 2, serial_unites = unites + 2;
  // Rounds: liu_tarjan 6 (16 on edge lists, where 10 more alter the edges), stergiou, shiloach_vishkin, label_propagation.
  constexpr int gconn_rounds = 6 + 3, gconn_edge_list_rounds = 16 + 3;
  // Cong and Muzio: cc, sv, rem_verify and what it does with prefetches switched; on edge lists cc_updt, sv_updt, cc_sort too. The thesis,
  // on edge lists: soman, segments.
  constexpr int rounds = gconn_rounds + 4, edge_list_rounds = gconn_edge_list_rounds + 4 + 3 + 2;
  // Never sampled, on rows: ecl_cc, ecl_af, ligra, bfs_cc; for one thread dfs too.
  constexpr int from_scratch = 4, serial_from_scratch = from_scratch + 1;
  // Samplers: none, kout, three more kinds of it, hb, bfs, ldd on rows; none and stages on edge lists.
  constexpr int samplers = 8, edge_list_samplers = 2;
  constexpr int fast = 2, fast_list = 1;  // the fast path: on rows with hb and with none; on edge lists, but not on a GPU
  EXPECT_EQ(variant_count("serial", input_kind::csr), (serial_unites + rounds) * samplers + serial_from_scratch + fast);
  EXPECT_EQ(variant_count("serial", input_kind::coo), (serial_unites + edge_list_rounds) * edge_list_samplers + fast_list);
  EXPECT_EQ(variant_count("threads", input_kind::csr), (unites + rounds) * samplers + from_scratch + fast);
  EXPECT_EQ(variant_count("threads", input_kind::coo), (unites + edge_list_rounds) * edge_list_samplers + fast_list);
  // On a GPU the same as on many threads.
  const bool gpu = built_with_cuda();
  EXPECT_EQ(variant_count("cuda", input_kind::csr), gpu ? (unites + rounds) * samplers + from_scratch + fast : 0);
  EXPECT_EQ(variant_count("cuda", input_kind::coo), gpu ? (unites + edge_list_rounds) * edge_list_samplers : 0);
  EXPECT_EQ(variants().size(), 463u + 145u + 446u + 141u + (gpu ? 446u + 140u : 0u));
}

/// The names of Hong, Dhulipala and Shun's variants, without backend and sampler.
std::vector<std::string> finishes_of_the_gconn_paper(input_kind input) {
  const std::vector<std::string> finds{"naive", "compress", "split", "halve"};
  std::vector<std::string> names{"jtb.naive", "jtb.two_try_split", "stergiou", "shiloach_vishkin", "label_propagation"};
  for (const std::string unite : {"async", "hooks", "early", "ecl", "afforest"}) {
    for (const auto& find : finds) names.push_back(unite == "afforest" && find == "naive" ? unite : unite + "." + find);
  }
  for (const std::string unite : {"rem_cas", "rem_lock"}) {
    for (const auto& find : finds) {
      for (const std::string splice : {"halve_one", "split_one", "splice_atomic"}) {
        if (find != "compress" || splice != "splice_atomic") names.push_back(unite + "." + find + "." + splice);
      }
    }
  }
  for (const std::string rule : {"PUS", "PRS", "EUS", "PUF", "PRF", "EUF"}) names.push_back("liu_tarjan." + rule);
  if (input == input_kind::coo) {
    for (const std::string rule : {"CUSA", "CRSA", "PUSA", "PRSA", "EUSA", "CUFA", "CRFA", "PUFA", "PRFA", "EUFA"}) {
      names.push_back("liu_tarjan." + rule);
    }
  }
  return names;
}

TEST(table, has_the_339_variants_of_the_gconn_paper_on_every_backend) {
  for (const std::string backend : {"serial", "threads", "cuda"}) {
    if (backend == "cuda" && !built_with_cuda()) continue;
    std::set<std::pair<std::string, input_kind>> found;
    const auto expect = [&](const std::string& name, input_kind input) {
      EXPECT_NE(find_variant(name, input), nullptr) << name;
      found.emplace(name, input);
    };
    for (const std::string sampler : {"none", "kout", "hb", "bfs"}) {
      for (const auto& finish : finishes_of_the_gconn_paper(input_kind::csr))
        expect(backend + "." + sampler + "." + finish, input_kind::csr);
    }
    for (const std::string sampler : {"none", "stages"}) {
      for (const auto& finish : finishes_of_the_gconn_paper(input_kind::coo))
        expect(backend + "." + sampler + "." + finish, input_kind::coo);
    }
    expect(backend + ".none.bfs_cc", input_kind::csr);
    EXPECT_EQ(found.size(), 339u);
  }
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
  std::set<std::string> samplers, finishes, finds{""}, splices{""};
  for (const auto& v : variants()) samplers.emplace(v.sampler);
  for (const auto& entry : variant::finish_entries) {
    finishes.emplace(entry.finish);
    finds.emplace(entry.find);
    splices.emplace(entry.splice);
  }
  std::size_t valid = 0, refused = 0, aliases = 0;
  for (const auto input : {input_kind::csr, input_kind::coo}) {
    for (const std::string backend : {"serial", "threads", "cuda"}) {
      for (const auto& sampler : samplers) {
        for (const auto& finish : finishes) {
          for (const auto& find : finds) {
            for (const auto& splice : splices) {
              if (find.empty() && !splice.empty()) continue;
              const std::string name =
                  backend + "." + sampler + "." + finish + (find.empty() ? "" : "." + find) + (splice.empty() ? "" : "." + splice);
              if (const auto* variant = find_variant(name, input); variant != nullptr) {
                ++(variant->name == name ? valid : aliases);
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
  EXPECT_EQ(valid, variants().size());
  const std::size_t backends = built_with_cuda() ? 3 : 2;
  EXPECT_EQ(aliases, 3 * backends * (8 + 2));  // afforest.compress, .split and .halve, for 8 samplers on rows and 2 on edge lists
  EXPECT_GT(refused, valid);
}

TEST(table, says_why) {
  EXPECT_EQ(*refusal("threads.none.rem", input_kind::csr),
            "threads.none.rem: it is for one thread only: between its load and its store nothing may change");
  EXPECT_EQ(*refusal("threads.kout.async.naive", input_kind::coo),
            "threads.kout.async.naive: an edge list has no rows to sample arcs from");
  EXPECT_EQ(*refusal("serial.none.dfs", input_kind::coo), "serial.none.dfs: it walks rows, which an edge list does not have");
  EXPECT_EQ(*refusal("serial.kout.dfs", input_kind::csr),
            "serial.kout.dfs: it does not start from the sampled forest, so sampling would be wasted");
  EXPECT_EQ(*refusal("gpu.none.async.naive", input_kind::csr),
            std::string{"unknown backend 'gpu'; known: serial, threads"} + (built_with_cuda() ? ", cuda" : ""));
  if (built_with_cuda()) {
    EXPECT_EQ(*refusal("cuda.none.rem", input_kind::csr),
              "cuda.none.rem: it is for one thread only: between its load and its store nothing may change");
    EXPECT_EQ(*refusal("cuda.none.dfs", input_kind::csr),
              "cuda.none.dfs: it is for one thread only: between its load and its store nothing may change");
    EXPECT_EQ(*refusal("cuda.kout.fast", input_kind::csr), "cuda.kout.fast: it is made with hook-based sampling, or with none");
    EXPECT_EQ(*refusal("cuda.stages.cc", input_kind::csr), "cuda.stages.cc: it regroups an edge list; rows have samplers of their own");
    EXPECT_EQ(*refusal("cuda.bfs.ligra", input_kind::csr),
              "cuda.bfs.ligra: it does not start from the sampled forest, so sampling would be wasted");
  } else {
    EXPECT_EQ(*refusal("cuda.none.async.naive", input_kind::csr), "cuda.none.async.naive: this build has no GPU part");
  }
  EXPECT_EQ(*refusal("threads.some.async.naive", input_kind::csr),
            "unknown sampler 'some'; known: none, kout, kout_random, kout_mixed, kout_maxdeg, hb, bfs, ldd, stages");
  EXPECT_EQ(
      *refusal("threads.none.asink.naive", input_kind::csr),
      "unknown finish 'asink'; known: async, hooks, early, ecl, jtb, rem_cas, rem_lock, afforest, rem, union_find, liu_tarjan, stergiou, "
      "shiloach_vishkin, label_propagation, cc, cc_updt, cc_sort, sv, sv_updt, rem_verify, soman, segments, ecl_cc, ecl_af, ligra, bfs_cc, "
      "dfs, fast");
  EXPECT_EQ(*refusal("threads.none.async", input_kind::csr), "unknown find or rule of async ''; known: naive, compress, split, halve");
  EXPECT_EQ(*refusal("threads.none.async.naive.split_one", input_kind::csr), "unknown splice of async 'split_one'; known: nothing");
  EXPECT_EQ(*refusal("threads.none.rem_cas.naive", input_kind::csr),
            "unknown splice of rem_cas ''; known: halve_one, split_one, splice_atomic");
  EXPECT_EQ(
      *refusal("threads.none.rem_lock.compress.splice_atomic", input_kind::coo),
      "threads.none.rem_lock.compress.splice_atomic: its find stores an old root in a vertex that splice_atomic may meanwhile have moved "
      "below that root's tree");
  EXPECT_EQ(
      *refusal("threads.none.liu_tarjan.CUS", input_kind::coo),
      "threads.none.liu_tarjan.CUS: connect C without alter sees only the original ends, and stops at a forest of hooks to the smallest "
      "neighbour");
  EXPECT_EQ(
      *refusal("threads.none.liu_tarjan.ERFA", input_kind::coo),
      "threads.none.liu_tarjan.ERFA: connect E offers the other end a label that update R discards: it is connect P at a higher price");
  EXPECT_EQ(*refusal("threads.none.liu_tarjan.PUSA", input_kind::csr),
            "threads.none.liu_tarjan.PUSA: it moves the ends of edges, which rows cannot");
  EXPECT_EQ(*refusal("threads.kout.fast", input_kind::csr), "threads.kout.fast: it is made with hook-based sampling, or with none");
  EXPECT_EQ(*refusal("threads.none.soman", input_kind::csr), "threads.none.soman: it works on a list of edges, which rows are not");
  EXPECT_EQ(*refusal("serial.none.cc_updt", input_kind::csr), "serial.none.cc_updt: it moves the ends of edges, which rows cannot");
  EXPECT_EQ(*refusal("threads.hb.ecl_cc", input_kind::csr),
            "threads.hb.ecl_cc: it does not start from the sampled forest, so sampling would be wasted");
  EXPECT_EQ(*refusal("threads.none.ligra", input_kind::coo), "threads.none.ligra: it walks rows, which an edge list does not have");
  EXPECT_EQ(*refusal("threads.stages.async.naive", input_kind::csr),
            "threads.stages.async.naive: it regroups an edge list; rows have samplers of their own");
}

TEST(table, patterns_match_as_in_a_shell) {
  EXPECT_EQ(variants_matching("").size(), variants().size());
  EXPECT_EQ(variants_matching("*").size(), variants().size());
  EXPECT_EQ(variants_matching("serial.none.re?").size(), 2u);  // on rows and on edge lists
  EXPECT_EQ(variants_matching("threads.*").size(), 446u + 141u);
  for (const char* other : {"threads.kout.afforest.halve", "threads.kout.afforest.split", "threads.kou?.afforest.compress"}) {
    ASSERT_EQ(variants_matching(other).size(), 1u) << other;
    EXPECT_EQ(variants_matching(other).front()->name, "threads.kout.afforest");
  }
  EXPECT_TRUE(variants_matching("threads.kout.afforest.naive").empty());
  EXPECT_TRUE(variants_matching("threads").empty());
}

TEST(components, refuses_an_unknown_variant) {
  const coo_view<std::uint32_t> none{};
  EXPECT_THROW(components(graph_view{none}, {.variant = "threads.none.rem"}), usage_error);
}

}  // namespace
}  // namespace copse::test
