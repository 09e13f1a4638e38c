// What may not be in one cluster, by vertices of one graph; and which components break it.
#pragma once
#include <copse/cluster.hpp>
#include <copse/memory.hpp>
#include <core/radix_sort.hpp>

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <utility>
#include <vector>

namespace copse::clusters {

/// Borrows the values and copies the pairs.
class constraints {
public:
  /// Throws usage_error for what is wrong with the options.
  constraints(const cluster_options& options, std::uint64_t vertices, std::pmr::memory_resource* memory);

  [[nodiscard]] bool any() const noexcept { return max_records != cluster_rules::no_limit || !limits.empty() || !apart.empty(); }
  /// The vertices that must not be in one cluster with `v`, ascending, each as an edge from v.
  [[nodiscard]] std::span<const edge<std::uint64_t>> apart_from(std::uint64_t v) const noexcept {
    const auto first = std::ranges::lower_bound(apart, v, {}, &edge<std::uint64_t>::u);
    const auto last = std::ranges::upper_bound(first, apart.end(), v, {}, &edge<std::uint64_t>::u);
    return {first, last};
  }
  [[nodiscard]] bool are_apart(std::uint64_t u, std::uint64_t v) const noexcept {
    return std::ranges::binary_search(apart, edge<std::uint64_t>{u, v});
  }

  std::uint64_t max_records;
  std::vector<value_limit> limits;
  std::pmr::vector<edge<std::uint64_t>> apart;  ///< each pair in both directions, ascending
};

/// Marks the labels of the components that break a constraint. `labels`: the component of each vertex, by its smallest one. O(n) memory.
template <unsigned_index Id>
buffer<unsigned char> broken_components(std::span<const Id> labels, const constraints& limits, const execution& on) {
  const std::size_t n = labels.size();
  buffer<unsigned char> broken{n, on.memory};
  std::ranges::fill(broken.span(), 0);
  if (!limits.any()) return broken;
  buffer<Id> sizes{n, on.memory};
  std::ranges::fill(sizes.span(), Id{0});
  for (const Id label : labels) ++sizes[label];
  for (std::size_t v = 0; v < n; ++v) broken[v] = sizes[v] > limits.max_records ? 1 : 0;
  for (const auto& [u, v] : limits.apart) {
    if (labels[u] == labels[v]) broken[labels[u]] = 1;
  }
  struct labelled_value {
    std::uint64_t label, value;
    auto operator<=>(const labelled_value&) const = default;
  };
  for (const value_limit& limit : limits.limits) {
    const auto may_break = [&](std::size_t v) {
      return limit.values[v] != value_limit::no_value && sizes[labels[v]] > limit.most && broken[labels[v]] == 0;
    };
    std::size_t count = 0;
    for (std::size_t v = 0; v < n; ++v) count += may_break(v) ? 1 : 0;
    buffer<labelled_value> found{count, on.memory};
    count = 0;
    for (std::size_t v = 0; v < n; ++v) {
      if (may_break(v)) found[count++] = {labels[v], limit.values[v]};
    }
    radix_sort(found.span(), &labelled_value::label, std::less<>{}, usable_threads(on.threads));
    for (std::size_t i = 0; i + limit.most < count; ++i) {
      if (found[i] == found[i + limit.most]) broken[found[i].label] = 1;
    }
  }
  return broken;
}

}  // namespace copse::clusters
