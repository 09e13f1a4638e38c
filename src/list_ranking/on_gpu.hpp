// Lists in the host's memory, ranked on a GPU: copied in, ranked, and copied back.
#pragma once
#include <list_ranking/settings.hpp>
#include <list_ranking/variants.hpp>

#include <span>

namespace copse::list_ranking {

/// Fill in the GPU's part of the report: device, solve and copy seconds, splitters. Throw broken_list, resource_error.
template <unsigned_index Id>
void count_on_gpu(const table_entry& chosen, const rank_options& options, std::span<const Id> successors, std::span<Id> ranks,
                  settings tuning, outcome& found, rank_report& report);
template <unsigned_index Id>
void scan_on_gpu(const table_entry& chosen, const rank_options& options, std::span<const Id> successors,
                 std::span<const std::int64_t> weights, rank_operation operation, std::span<std::int64_t> ranks, settings tuning,
                 outcome& found, rank_report& report);

}  // namespace copse::list_ranking
