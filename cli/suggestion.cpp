#include "suggestion.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace copse::cli {
namespace {

/// Levenshtein's distance. O(lengths multiplied).
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> above(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = above[0]++;
    for (std::size_t k = 0; k < b.size(); ++k) {
      const std::size_t changed = diagonal + (a[i] == b[k] ? 0 : 1);
      diagonal = above[k + 1];
      above[k + 1] = std::min({changed, above[k] + 1, above[k + 1] + 1});
    }
  }
  return above.back();
}

}  // namespace

std::string suggestion_for(std::string_view word, std::span<const std::string> known) {
  std::size_t least = std::min<std::size_t>(2, word.size() / 3) + 1;
  std::string_view nearest;
  for (const std::string& candidate : known) {
    const std::size_t edits = edits_between(word, candidate);
    if (edits >= least) continue;
    least = edits;
    nearest = candidate;
  }
  return nearest.empty() ? std::string{} : std::string{"; did you mean "}.append(nearest).append("?");
}

}  // namespace copse::cli
