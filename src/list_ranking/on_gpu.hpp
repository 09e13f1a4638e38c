// Lists of the host's memory ranked on a GPU: there, ranked, and back.
#pragma once
#include <list_ranking/settings.hpp>
#include <list_ranking/variants.hpp>

#include <span>

namespace copse::list_ranking {

/// Fill in of the report what is the GPU's: device, solve and copy seconds, splitters. Throw broken_list, resource_error.
template <unsigned_index Id>
void count_on_gpu(const row& chosen, const rank_options& options, std::span<const Id> successors, std::span<Id> ranks, settings tuning,
                  outcome& found, rank_report& told);
template <unsigned_index Id>
void scan_on_gpu(const row& chosen, const rank_options& options, std::span<const Id> successors, std::span<const std::int64_t> weights,
                 rank_operation operation, std::span<std::int64_t> ranks, settings tuning, outcome& found, rank_report& told);

}  // namespace copse::list_ranking
