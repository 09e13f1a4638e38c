// Takes the pairs of components that break a constraint one by one. Each component is the work of one thread, except for those with more
// pairs than a thread's share: their pairs come in batches, and all threads first find the pairs of a batch whose outcome is certain. Two
// vertices in one cluster stay together, and what prevents two clusters from uniting still does when they grow. So few pairs are left for
// the one thread.
#pragma once
#include <clusters/grouped_pairs.hpp>
#include <clusters/growing_clusters.hpp>
#include <clusters/level.hpp>
#include <clusters/outcome.hpp>
#include <copse/errors.hpp>
#include <core/parallel.hpp>
#include <core/parallel_buffers.hpp>
#include <core/radix_sort.hpp>
#include <core/team.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace copse::clusters {

template <unsigned_index Id>
struct refused_union {
  std::uint64_t key;
  Id u, v;
  clusters::outcome outcome;
};

template <unsigned_index Id>
struct unions {
  /// A spanning forest of the clusters: in components that break a constraint, the pairs that united two clusters; in the others, the
  /// edges of the maximum spanning forest.
  pair_buffer<Id> forest;
  buffer<refused_union<Id>> refused;  ///< in the order in which pairs are taken; each pair once
  std::uint64_t careful = 0;          ///< how many pairs were taken one by one
};

/// Of refused pairs with the same two vertices, keeps only the one that was taken first. Precondition: the pairs of a component are
/// contiguous, in the order in which they were taken.
template <unsigned_index Id>
void drop_repeats(buffer<refused_union<Id>>& refused, const execution& on) {
  struct placed_ends {
    std::uint64_t u, v;
    std::size_t place;
    auto operator<=>(const placed_ends&) const = default;
  };
  const unsigned threads = usable_threads(on.threads);
  auto ends = made<placed_ends>(
      refused.size(),
      [&](std::size_t i) {
        return placed_ends{refused[i].u, refused[i].v, i};
      },
      threads, on.memory);
  radix_sort(ends.span(), &placed_ends::u, std::less<>{}, threads);
  buffer<unsigned char> repeats = filled(refused.size(), static_cast<unsigned char>(0), threads, on.memory);
  std::atomic<bool> any{false};
  parallel_blocks(threads, ends.size(), items_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = std::max<std::size_t>(begin, 1); i < end; ++i) {
      if (ends[i].u != ends[i - 1].u || ends[i].v != ends[i - 1].v) continue;
      repeats[ends[i].place] = 1;
      any.store(true, std::memory_order_relaxed);
    }
  });
  if (!any) return;
  refused = selected<refused_union<Id>>(
      refused.size(), [&](std::size_t i) { return repeats[i] == 0; }, [&](std::size_t i) { return refused[i]; }, threads, on.memory);
}

/// Unites clusters by the pairs of one component, on all threads, and writes the outcome of each pair. Precondition: pairs are in
/// descending order of their scores.
template <unsigned_index Id>
void unite_together(cluster_forest<Id>& clusters, std::span<const scored_pair<Id>> pairs, std::span<outcome> outcomes,
                    const execution& on) {
  constexpr std::size_t batch = std::size_t{1} << 17, block = std::size_t{1} << 11;
  typename cluster_forest<Id>::worker worker{clusters};
  for (std::size_t first = 0; first < pairs.size(); first += batch) {
    if (on.observer != nullptr && on.observer->cancel_requested()) throw cancelled{};
    const std::size_t count = std::min(batch, pairs.size() - first);
    parallel_blocks(usable_threads(on.threads), count, block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = first + begin; i < first + end; ++i) outcomes[i] = worker.foreseen(pairs[i].u, pairs[i].v);
    });
    for (std::size_t i = first; i < first + count; ++i) {
      if (outcomes[i] == is_open) outcomes[i] = worker.take(pairs[i].u, pairs[i].v);
    }
  }
}

/// Unites clusters by the pairs inside the components that break a constraint, one by one in descending order of score, and returns the
/// result for all vertices. `parts` must have all of these pairs (at.wants() is true for them), and may have others. Uses up the forest of
/// `at`.
template <unsigned_index Id>
unions<Id> unite_one_by_one(level<Id>& at, const constraints& limits, std::span<const std::span<const scored_pair<Id>>> parts,
                            const execution& on) {
  const unsigned threads = usable_threads(on.threads);
  grouped_pairs<Id> groups = grouped(at, parts, on);
  const std::size_t all = groups.pairs.size();
  buffer<outcome> outcomes{all, on.memory};
  const auto outcomes_of = [&](std::size_t c) { return outcomes.span().subspan(groups.begins[c], groups.count_of(c)); };
  cluster_forest<Id> clusters{limits, std::as_const(at.components).span(), threads, on.memory};
  std::vector<std::size_t> order;  // the components that are processed by one thread each; large ones first, as they take longest
  for (const bool are_large : {true, false}) {
    for (std::size_t c = 0; c < groups.components(); ++c) {
      if ((groups.count_of(c) >= large_component) != are_large) continue;
      if (are_large) radix_sort(groups.of(c), &scored_pair<Id>::key, std::less<>{}, threads);
      if (are_large && groups.count_of(c) > all / threads && threads > 1) {
        unite_together<Id>(clusters, groups.of(c), outcomes_of(c), on);
      } else {
        order.push_back(c);
      }
    }
  }
  std::atomic<std::size_t> next{0};
  on_workers(threads, [&](unsigned) {
    typename cluster_forest<Id>::worker worker{clusters};
    for (std::size_t i = next++; i < order.size(); i = next++) {
      if (on.observer != nullptr && on.observer->cancel_requested()) throw cancelled{};
      const auto component = groups.of(order[i]);
      const auto found = outcomes_of(order[i]);
      if (component.size() < large_component) std::ranges::sort(component);
      worker.next_component();
      for (std::size_t p = 0; p < component.size(); ++p) found[p] = worker.take(component[p].u, component[p].v);
    }
  });

  unions<Id> done;
  done.careful = all;
  const std::size_t kept = at.forest.size();
  done.forest = selected<scored_pair<Id>>(
      kept + all, [&](std::size_t i) { return i < kept ? !at.is_broken(at.forest[i].u) : outcomes[i - kept] == has_united; },
      [&](std::size_t i) { return i < kept ? at.forest[i] : groups.pairs[i - kept]; }, threads, on.memory);
  at.forest = {};
  done.refused = selected<refused_union<Id>>(
      all, [&](std::size_t i) { return is_refusal(outcomes[i]); },
      [&](std::size_t i) {
        const scored_pair<Id>& p = groups.pairs[i];
        return refused_union<Id>{p.key, p.u, p.v, outcomes[i]};
      },
      threads, on.memory);
  groups = {};
  drop_repeats(done.refused, on);
  const auto is_before = [](const refused_union<Id>& a, const refused_union<Id>& b) {
    return std::tie(a.key, a.u, a.v) < std::tie(b.key, b.u, b.v);
  };
  if (!std::ranges::is_sorted(done.refused.span(), is_before)) radix_sort(done.refused.span(), &refused_union<Id>::key, is_before, threads);
  return done;
}

}  // namespace copse::clusters
