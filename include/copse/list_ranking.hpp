// Ranks of linked lists.
#pragma once
#include <copse/errors.hpp>
#include <copse/execution.hpp>
#include <copse/memory.hpp>
#include <copse/report.hpp>
#include <copse/types.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

// What a caller may ask of list ranking, and what it tells of a run.

/// Where ranks begin to count: the end of the list (rank 0 is the tail), or its head.
enum class rank_origin : std::uint8_t { end, head };

/// How weights along a list are put together.
enum class rank_operation : std::uint8_t { sum, min, max };

struct rank_options {
  std::string variant = "auto";  ///< a name of variants(problem_kind::list_ranking), or auto
  rank_origin from = rank_origin::end;
  /// r of the variants fis: rounds that remove a fractional independent set. Not set: 4 log log n, as the paper found best.
  std::optional<unsigned> rounds = std::nullopt;
  /// s of the variants helman_jaja and fis: the number of elements at which sublists are cut. Not set: some per thread.
  std::optional<std::uint64_t> splitters = std::nullopt;
  unsigned in_flight = 64;  ///< sublists that one thread of the CPU walks at once, 1 to 256
  std::uint64_t seed = 1;   ///< seed of everything random; the ranks do not depend on it
};

/// One round of a variant fis, as Table II of the paper has it. On the CPU there is nothing to generate ahead or to transfer.
struct rank_round {
  std::uint64_t elements = 0;   ///< elements of the list when the round began
  double generate_seconds = 0;  ///< hybrid: random bits, on the CPU, while the GPU is busy with the round before
  double transfer_seconds = 0;  ///< hybrid: these bits to the GPU
  double remove_seconds = 0;    ///< the independent set found and taken out
};

// List ranking: how far is each element from the end of its list, or from its head?

template <class Rank>
struct rank_result {
  buffer<Rank> ranks;
  std::uint64_t lists = 0;
  std::uint64_t splitters = 0;     ///< s; 0 where there are none
  std::vector<rank_round> rounds;  ///< the rounds of fis
  solve_report report;             ///< the check included; phases of fis: reduce, rank, reinsert are the paper's phases I, II, III
};

/// Ranks of the elements 0 .. n - 1 of one list or many. `successors[i]` is the element after i; a list ends where it is i itself or all
/// ones
/// (-1 of a signed array). Ranks count links: to the end of the list, so that the tail has 0, or from its head.
///
/// Throws list_error when the array is no set of lists, usage_error for an unknown variant or an option out of range, resource_error when
/// memory ends, cancelled. O(n) work but for wyllie's O(n log n); memory in addition to the ranks: little for helman_jaja, about 12 to 28
/// bytes per element for wyllie and fis.
[[nodiscard]] rank_result<std::uint32_t> rank_list(std::span<const std::uint32_t> successors, const rank_options& options = {},
                                                   const execution& on = {});
[[nodiscard]] rank_result<std::uint64_t> rank_list(std::span<const std::uint64_t> successors, const rank_options& options = {},
                                                   const execution& on = {});

/// Weighted ranks: the rank of i is the sum (or minimum, or maximum) of the weights from i to the end of its list, both included; from the
/// head: from the head to i. Throws usage_error besides when there are not as many weights as elements, resource_error when the positive or
/// the negative weights add up to more than 64 bits hold.
[[nodiscard]] rank_result<std::int64_t> rank_list(std::span<const std::uint32_t> successors, std::span<const std::int64_t> weights,
                                                  rank_operation operation, const rank_options& options = {}, const execution& on = {});
[[nodiscard]] rank_result<std::int64_t> rank_list(std::span<const std::uint64_t> successors, std::span<const std::int64_t> weights,
                                                  rank_operation operation, const rank_options& options = {}, const execution& on = {});

}  // namespace copse
