// List ranking: how far is each element from the end of its list, or from its head?
#pragma once
#include <copse/core/list_error.hpp>
#include <copse/core/rank_options.hpp>
#include <copse/core/types.hpp>

#include <cstdint>
#include <span>
#include <string_view>

namespace copse {

/// A way to rank lists. Names are `backend.algorithm`.
struct rank_variant {
  std::string_view name, backend, algorithm;
  std::string_view summary;  ///< one line about the algorithm
};
/// All that this build has, in the order of the help.
std::span<const rank_variant> rank_variants() noexcept;

template <class Rank>
struct rank_result {
  buffer<Rank> ranks;
  rank_report report;
};

/// Ranks of the elements 0 .. n - 1 of one list or many. `successors[i]` is the element after i; a list ends where it is i itself or all
/// ones
/// (-1 of a signed array). Ranks count links: to the end of the list, so that the tail has 0, or from its head.
///
/// Throws list_error when the array is no set of lists, usage_error for an unknown variant or an option out of range, resource_error when
/// memory ends, cancelled. O(n) work but for wyllie's O(n log n); memory beside the ranks: little for helman_jaja, about 12 to 28 bytes an
/// element for wyllie and fis.
rank_result<std::uint32_t> rank_list(std::span<const std::uint32_t> successors, const rank_options& options = {});
rank_result<std::uint64_t> rank_list(std::span<const std::uint64_t> successors, const rank_options& options = {});

/// Weighted: the rank of i is the sum (or minimum, or maximum) of the weights from i to the end of its list, both included; from the head:
/// from the head to i. Throws usage_error besides when there are not as many weights as elements, resource_error when the positive or the
/// negative weights add up to more than 64 bits hold.
rank_result<std::int64_t> rank_list(std::span<const std::uint32_t> successors, std::span<const std::int64_t> weights,
                                    rank_operation operation, const rank_options& options = {});
rank_result<std::int64_t> rank_list(std::span<const std::uint64_t> successors, std::span<const std::int64_t> weights,
                                    rank_operation operation, const rank_options& options = {});

}  // namespace copse
