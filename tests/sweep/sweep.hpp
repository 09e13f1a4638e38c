// What every sweep shares: which seeds and thread counts to run, the graphs with their answers, and how a failure is reported.
#pragma once
#include <gtest/gtest.h>
#include <copse/components.hpp>
#include <copse/variants.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/reference.hpp"
#include "support/sweep_length.hpp"
#include "support/zoo.hpp"

namespace copse::test {

// Three seeds and 1, 2 and 7 threads, unless COPSE_SWEEP=quick.
inline std::vector<std::uint64_t> seeds() { return quick() ? std::vector<std::uint64_t>{1} : std::vector<std::uint64_t>{1, 2, 3}; }
inline std::vector<unsigned> thread_counts() { return quick() ? std::vector<unsigned>{7} : std::vector<unsigned>{1, 2, 7}; }

struct solved_graph {
  std::uint64_t seed;
  std::string name;
  coo<std::uint32_t> edges;
  std::vector<std::uint32_t> labels;
};

/// The zoo for all seeds, with reference labels; made once.
inline const std::vector<solved_graph>& solved_zoo() {
  static const std::vector<solved_graph> graphs = [] {
    std::vector<solved_graph> solved;
    for (const auto seed : seeds()) {
      for (auto& g : zoo(seed)) {
        auto labels = reference_labels(g.edges.view());
        solved.push_back({seed, std::move(g.name), std::move(g.edges), std::move(labels)});
      }
    }
    return solved;
  }();
  return graphs;
}

/// A variant is a sampler and a finish, each compiled once. Every finish alone and every sampler with one finish of each kind are tried on
/// all seeds, thread counts and states of the input; what is only another pair of these, on fewer.
inline bool is_pair_of_tried_parts(const variant_info& variant) {
  constexpr std::array<std::string_view, 6> one_of_each_kind{"async", "jtb", "rem", "label_propagation", "sv", "rem_verify"};
  return variant.sampler != "none" && std::ranges::find(one_of_each_kind, variant.finish) == one_of_each_kind.end();
}

/// Row names as GoogleTest accepts them.
inline std::string test_name(std::string name) {
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

template <class Labels>
::testing::AssertionResult same_labels(const Labels& labels, const solved_graph& g) {
  if (labels.size() != g.labels.size())
    return ::testing::AssertionFailure() << labels.size() << " labels for " << g.labels.size() << " vertices";
  for (std::size_t v = 0; v < g.labels.size(); ++v) {
    if (labels[v] != g.labels[v]) {
      return ::testing::AssertionFailure() << "vertex " << v << " is labelled " << labels[v] << ", its component's smallest vertex is "
                                           << g.labels[v];
    }
  }
  return ::testing::AssertionSuccess();
}

/// What to type to see a failure again, and which graph it was.
inline std::string context(const solved_graph& g, unsigned threads, std::string_view state) {
  return "graph " + g.name + ", seed " + std::to_string(g.seed) + ", " + std::to_string(threads) + " threads, " + std::string{state} +
         "\nreproduce: " + ::testing::internal::GetArgvs().front() +
         " --gtest_filter=" + ::testing::UnitTest::GetInstance()->current_test_info()->test_suite_name() + "." +
         ::testing::UnitTest::GetInstance()->current_test_info()->name();
}

}  // namespace copse::test
