// Constraints on the vertices of one cluster, and a search for the components that break one.
#pragma once
#include <clusters/cached_adds.hpp>
#include <clusters/value_codes.hpp>
#include <copse/cluster.hpp>
#include <copse/memory.hpp>
#include <core/parallel_buffers.hpp>
#include <core/radix_sort.hpp>
#include <core/team.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory_resource>
#include <span>
#include <utility>
#include <vector>

namespace copse::clusters {

/// The constraints of the options, for the vertices of one graph. Keeps views of the values; copies the pairs.
class constraints {
public:
  static constexpr std::size_t most_limits = 60000;

  /// Throws usage_error for invalid options.
  constraints(const cluster_options& options, std::uint64_t vertices, const execution& on);

  /// True if there is only one reason for which a pair can be refused.
  [[nodiscard]] bool is_one() const noexcept {
    return (max_records == cluster_rules::no_limit ? 0 : 1) + (apart.empty() ? 0 : 1) + limits.size() == 1;
  }
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
  /// for each limit, a code below 64 for the value of each vertex; empty unless the limit allows one record per value and there are at most
  /// 64 values
  std::vector<value_codes> codes;
  std::pmr::vector<edge<std::uint64_t>> apart;  ///< cannot-link pairs, each in both directions, ascending
};

/// Counts the vertices of each label.
template <unsigned_index Id>
buffer<Id> component_sizes(std::span<const Id> labels, unsigned threads, std::pmr::memory_resource* memory) {
  buffer<Id> sizes = filled(labels.size(), Id{0}, threads, memory);
  parallel_blocks(threads, labels.size(), items_per_block, [&](std::size_t begin, std::size_t end) {
    cached_adds<Id> counts{sizes.span()};
    for (std::size_t v = begin; v < end; ++v) counts.add_one(labels[v]);
  });
  return sizes;
}

/// Marks the components that have a value more often than `limit` allows. Components that are marked already may be skipped.
template <unsigned_index Id>
void mark_broken(std::span<const Id> labels, const value_limit& limit, std::span<const Id> sizes, std::span<unsigned char> broken,
                 const execution& on) {
  struct labelled_value {
    std::uint64_t label, value;
    auto operator<=>(const labelled_value&) const = default;
  };
  const auto may_break = [&](std::size_t v) {
    return limit.values[v] != value_limit::no_value && sizes[labels[v]] > limit.most && broken[labels[v]] == 0;
  };
  auto found = selected<labelled_value>(
      labels.size(), may_break,
      [&](std::size_t v) {
        return labelled_value{labels[v], limit.values[v]};
      },
      usable_threads(on.threads), on.memory);
  radix_sort(found.span(), &labelled_value::label, std::less<>{}, usable_threads(on.threads));
  for (std::size_t i = 0; i + limit.most < found.size(); ++i) {
    if (found[i] == found[i + limit.most]) broken[found[i].label] = 1;
  }
}
/// Marks the components in which two records have the same value, for a limit of one record per value and at most 64 values.
template <unsigned_index Id>
void mark_broken(std::span<const Id> labels, const value_codes& codes, std::span<unsigned char> broken, const execution& on) {
  const unsigned threads = usable_threads(on.threads);
  buffer<std::uint64_t> seen = filled(labels.size(), std::uint64_t{0}, threads, on.memory);
  parallel_blocks(threads, labels.size(), items_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const Id label = labels[v];
      const std::uint64_t bit = bit_of(codes, v);
      const std::atomic_ref<unsigned char> mark{broken[label]};
      if (bit == 0 || mark.load(std::memory_order_relaxed) != 0) continue;
      if ((std::atomic_ref{seen[label]}.fetch_or(bit, std::memory_order_relaxed) & bit) != 0) mark.store(1, std::memory_order_relaxed);
    }
  });
}

/// Returns a mark per label: nonzero for components that break a constraint. `labels`: the component of each vertex, named by its smallest
/// vertex. O(n) memory.
template <unsigned_index Id>
buffer<unsigned char> broken_components(std::span<const Id> labels, const constraints& limits, const execution& on) {
  const unsigned threads = usable_threads(on.threads);
  buffer<unsigned char> broken = filled(labels.size(), static_cast<unsigned char>(0), threads, on.memory);
  if (!limits.any()) return broken;
  for (const auto& [u, v] : limits.apart) {
    if (labels[u] == labels[v]) broken[labels[u]] = 1;
  }
  for (const value_codes& codes : limits.codes) {
    if (!codes.empty()) mark_broken(labels, codes, broken.span(), on);
  }
  if (limits.max_records == cluster_rules::no_limit && !std::ranges::any_of(limits.codes, &value_codes::empty)) return broken;
  const buffer<Id> sizes = component_sizes(labels, threads, on.memory);
  parallel_blocks(threads, labels.size(), items_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      if (sizes[v] > limits.max_records) broken[v] = 1;
    }
  });
  for (std::size_t i = 0; i < limits.limits.size(); ++i) {
    if (limits.codes[i].empty()) mark_broken(labels, limits.limits[i], sizes.span(), broken.span(), on);
  }
  return broken;
}

}  // namespace copse::clusters
