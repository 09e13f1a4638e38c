// Rows built from an edge list by the plainest means, in all the states that a caller may bring them: both directions or one, sorted or
// not, with loops and repeats or without. Shares no code with the library's builder.
#pragma once
#include <copse/views.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace copse::test {

enum class row_state : std::uint8_t { simple, raw, one_sided, undeclared };

inline constexpr std::string_view to_string(row_state state) {
  switch (state) {
    case row_state::simple:
      return "simple";  // both directions, sorted, no loops, no repeats
    case row_state::raw:
      return "raw";  // both directions, reverse order, loops and repeats kept
    case row_state::one_sided:
      return "one_sided";  // each edge in the row of its first end only
    case row_state::undeclared:
      return "undeclared";  // as simple, but the view does not say so
  }
  return {};
}

/// Holds rows; view() borrows from it.
template <class Id, class Offset>
struct test_rows {
  std::vector<Offset> offsets;
  std::vector<Id> targets;
  row_state state;

  [[nodiscard]] csr_view<Id, Offset> view() const {
    const bool simple = state == row_state::simple;
    const symmetry both = state == row_state::undeclared ? symmetry::unknown : state == row_state::one_sided ? symmetry::no : symmetry::yes;
    return {offsets, targets, both, simple};
  }
};

template <class Id, class Offset, class EdgeId>
test_rows<Id, Offset> make_test_rows(coo_view<EdgeId> graph, row_state state) {
  std::vector<std::vector<Id>> rows(graph.vertices());
  for (const auto [u, v] : graph.edges) {
    rows[u].push_back(static_cast<Id>(v));
    if (state != row_state::one_sided) rows[v].push_back(static_cast<Id>(u));
  }
  test_rows<Id, Offset> result{{0}, {}, state};
  for (std::size_t v = 0; v < rows.size(); ++v) {
    auto& row = rows[v];
    std::sort(row.begin(), row.end());
    if (state == row_state::raw) {
      std::reverse(row.begin(), row.end());
    } else if (state != row_state::one_sided) {
      row.erase(std::unique(row.begin(), row.end()), row.end());
      row.erase(std::remove(row.begin(), row.end(), static_cast<Id>(v)), row.end());
    }
    result.targets.insert(result.targets.end(), row.begin(), row.end());
    result.offsets.push_back(static_cast<Offset>(result.targets.size()));
  }
  return result;
}

}  // namespace copse::test
