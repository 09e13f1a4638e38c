#include <copse/errors.hpp>
#include <copse/memory.hpp>
#include <list_ranking/list.hpp>

#include <algorithm>
#include <string>

namespace copse::list_ranking {
namespace {

template <unsigned_index Id>
void refuse_out_of_range(std::span<const Id> successors) {
  for (std::size_t e = 0; e < successors.size(); ++e) {
    if (successors[e] < successors.size() || successors[e] == no_vertex<Id>) continue;
    throw list_error{"list: found " + std::to_string(successors[e]) + " after element " + std::to_string(e) +
                     ", expected an element below " + std::to_string(successors.size()) + ", or itself or all ones where a list ends"};
  }
}

/// The element before each, all ones at heads.
template <unsigned_index Id>
buffer<Id> predecessors_of(std::span<const Id> successors, std::pmr::memory_resource* memory) {
  buffer<Id> before{successors.size(), memory};
  std::fill(before.begin(), before.end(), no_vertex<Id>);
  Id smallest = no_vertex<Id>;  // of those behind two others
  for (std::size_t e = 0; e < successors.size(); ++e) {
    if (ends_at(static_cast<Id>(e), successors[e])) continue;
    Id& known = before[successors[e]];
    if (known != no_vertex<Id>) {
      smallest = std::min(smallest, successors[e]);
    } else {
      known = static_cast<Id>(e);
    }
  }
  if (smallest == no_vertex<Id>) return before;
  std::size_t second = before[smallest] + std::size_t{1};
  while (successors[second] != smallest || second == smallest) ++second;
  throw list_error{"list: found element " + std::to_string(smallest) + " after " + std::to_string(before[smallest]) + " and after " +
                   std::to_string(second) + ", expected one predecessor at most"};
}

}  // namespace

template <unsigned_index Id>
void diagnose(std::span<const Id> successors, std::pmr::memory_resource* memory) {
  refuse_out_of_range(successors);
  const buffer<Id> before = predecessors_of(successors, memory);
  buffer<bool> seen{successors.size(), memory};
  std::fill(seen.begin(), seen.end(), false);
  for (std::size_t head = 0; head < successors.size(); ++head) {
    if (before[head] != no_vertex<Id>) continue;
    Id e = static_cast<Id>(head);
    for (seen[e] = true; !ends_at(e, successors[e]); seen[e] = true) e = successors[e];
  }
  const auto left = std::find(seen.begin(), seen.end(), false);
  if (left == seen.end()) return;
  throw list_error{"list: found element " + std::to_string(left - seen.begin()) + " on a cycle, expected every list to end"};
}

template void diagnose(std::span<const std::uint32_t>, std::pmr::memory_resource*);
template void diagnose(std::span<const std::uint64_t>, std::pmr::memory_resource*);

}  // namespace copse::list_ranking
