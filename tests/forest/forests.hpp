// What the tests of forests share: is an answer right, by the oracle and by the reference?
#pragma once
#include <copse/spanning_forest.hpp>
#include <copse/verify.hpp>

#include <set>

#include "sweep/sweep.hpp"

namespace copse::test {

/// The forest of `view`, which is g in some state: the oracle accepts it, and it has as many trees as the reference has components.
inline ::testing::AssertionResult is_right(const forest_result& found, const solved_graph& g, graph_view view) {
  const verdict proved = verify_forest(view, found.edges);
  if (!proved) return ::testing::AssertionFailure() << proved.reason;
  const std::set<std::uint32_t> components(g.labels.begin(), g.labels.end());
  if (proved.components != components.size() || found.count() != components.size()) {
    return ::testing::AssertionFailure() << proved.components << " trees for " << components.size() << " components";
  }
  if (!found.labels) return ::testing::AssertionSuccess();
  return std::visit([&](const auto& labels) { return same_labels(labels, g); }, found.labels->labels());
}

}  // namespace copse::test
