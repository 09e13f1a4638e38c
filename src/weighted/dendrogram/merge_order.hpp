// The edges of a forest in the order in which they merge clusters: the heaviest first, equally heavy ones by their ends.
#pragma once
#include <copse/errors.hpp>
#include <copse/views.hpp>
#include <weighted/sort_records.hpp>
#include <weighted/sources.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

namespace copse::weighted {

/// Records with the ends and the place of each edge. Throws input_error for a weight that is not a number.
template <class Loops, unsigned_index Id, class Weight>
buffer<record<Id, Id>> in_merge_order(const Loops& loops, coo_view<Id> forest, std::span<const Weight> weights,
                                      std::pmr::memory_resource* memory) {
  using word = std::conditional_t<sizeof(Weight) == 4, std::uint32_t, std::uint64_t>;
  const std::size_t m = forest.edges.size();
  weight_order<word> order{weights, forest_goal::maximum};
  if (const auto bad = order.survey(loops, m))
    throw input_error{"weights: found one that is not a number at position " + std::to_string(*bad) + ", expected numbers"};
  if (m == 0) return {};
  const Id* const ids = &forest.edges.front().u;
  const pairs_source<Id, Id, word> source{forest.vertices(), ids, ids + 1, 2, m, order};
  record_list<record<Id, Id>> list{loops.threads(), memory};
  source.collect(loops, list, [](Id, Id, std::uint32_t) { return true; });
  return sorted_records(loops, list, source, memory);
}

}  // namespace copse::weighted
