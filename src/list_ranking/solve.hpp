// The algorithms by name, on one thread and on many. An algorithm that works from the other end only gets the list reversed.
#pragma once
#include <list_ranking/list.hpp>
#include <list_ranking/settings.hpp>

#include <span>

namespace copse::list_ranking {

enum class algorithm : std::uint8_t { walk, wyllie, helman_jaja, fis };

/// Throw broken_list when the successors are no set of lists. `threads` 1 is the backend serial; the settings' numbers are in their ranges.
template <unsigned_index Id>
void count_on_cpu(algorithm method, unsigned threads, observer* watcher, std::span<const Id> successors, std::span<Id> ranks,
                  const settings& tuning, outcome& report);
template <unsigned_index Id>
void scan_on_cpu(algorithm method, unsigned threads, observer* watcher, std::span<const Id> successors,
                 std::span<const std::int64_t> weights, rank_operation operation, std::span<std::int64_t> ranks, const settings& tuning,
                 outcome& report);

}  // namespace copse::list_ranking
