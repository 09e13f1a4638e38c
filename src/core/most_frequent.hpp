// Finds the most frequent value of a sample.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

namespace copse {

template <class T>
struct vote_count {
  T winner;
  std::size_t votes;
};

/// Returns the most frequent of `votes`, the smallest one if there are several, and its number of occurrences. Sorts `votes`. O(k log k)
/// for k votes. Precondition: `votes` is not empty.
template <class T>
vote_count<T> most_frequent(std::span<T> votes) {
  std::sort(votes.begin(), votes.end());
  vote_count<T> best{votes.front(), 0};
  for (auto first = votes.begin(); first != votes.end();) {
    const auto last = std::upper_bound(first, votes.end(), *first);
    if (const auto count = static_cast<std::size_t>(last - first); count > best.votes) best = {*first, count};
    first = last;
  }
  return best;
}

}  // namespace copse
