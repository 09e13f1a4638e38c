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

// Options of list ranking, and the report of each round.

/// Where ranks begin to count: the end of the list (rank 0 is the tail), or its head.
enum class rank_origin : std::uint8_t { end, head };

/// The operation that combines the weights along a list.
enum class rank_operation : std::uint8_t { sum, min, max };

struct rank_options {
  std::string variant = "auto";  ///< a name of variants(problem_kind::list_ranking), or auto
  rank_origin from = rank_origin::end;
  /// The parameter r of the fis variants: the number of rounds that remove a fractional independent set. Not set: 4 log log n, which
  /// Banerjee and Kothapalli found best.
  std::optional<unsigned> rounds = std::nullopt;
  /// The parameter s of the variants helman_jaja and fis: the number of elements at which lists are cut into sublists. Not set: a number
  /// proportional to the threads.
  std::optional<std::uint64_t> splitters = std::nullopt;
  unsigned in_flight = 64;  ///< number of sublists that one CPU thread traverses concurrently, 1 to 256
  std::uint64_t seed = 1;   ///< seed of everything random; the ranks do not depend on it
};

/// One round of a fis variant, as in Table II of Banerjee and Kothapalli (HiPC 2011). The times for generating and transferring
/// random bits are 0 for all variants but hybrid.fis.
struct rank_round {
  std::uint64_t elements = 0;   ///< number of elements in the list when the round began
  double generate_seconds = 0;  ///< hybrid.fis: time in which the CPU generates random bits, while the GPU runs the previous round
  double transfer_seconds = 0;  ///< hybrid.fis: time to transfer the random bits to the GPU
  double remove_seconds = 0;    ///< time to find the independent set and remove it
};

// List ranking: the distance of each element from the end of its list, or from its head.

template <class Rank>
struct rank_result {
  buffer<Rank> ranks;
  std::uint64_t lists = 0;
  std::uint64_t splitters = 0;     ///< number of elements at which lists were cut; 0 if none
  std::vector<rank_round> rounds;  ///< one for each round of a fis variant
  /// Times include checking the lists. The phases reduce, rank and reinsert of the fis variants (fractional independent set) are phases I,
  /// II and III of Banerjee and Kothapalli.
  solve_report report;
};

/// Ranks the elements 0 .. n - 1 of one list or several. `successors[i]` is the element after i; at the end of a list it is i itself or all
/// ones (-1 in a signed array). The rank is the number of links to the end of the list, so that the last element has 0, or from its head.
///
/// Throws list_error if the array does not describe a set of lists, usage_error for an unknown variant or an option out of range,
/// resource_error when memory runs out, cancelled. O(n) work, except for wyllie with O(n log n); memory in addition to the ranks: little
/// for helman_jaja, about 12 to 28 bytes per element for wyllie and fis.
[[nodiscard]] rank_result<std::uint32_t> rank_list(std::span<const std::uint32_t> successors, const rank_options& options = {},
                                                   const execution& on = {});
[[nodiscard]] rank_result<std::uint64_t> rank_list(std::span<const std::uint64_t> successors, const rank_options& options = {},
                                                   const execution& on = {});

/// Weighted ranks: the rank of i is the sum (or minimum, or maximum) of the weights from i to the end of its list, both included, or with
/// rank_origin::head from the head to i. Throws also usage_error unless there are as many weights as elements, and resource_error if the
/// positive or the negative weights have a sum that exceeds 64 bits.
[[nodiscard]] rank_result<std::int64_t> rank_list(std::span<const std::uint32_t> successors, std::span<const std::int64_t> weights,
                                                  rank_operation operation, const rank_options& options = {}, const execution& on = {});
[[nodiscard]] rank_result<std::int64_t> rank_list(std::span<const std::uint64_t> successors, std::span<const std::int64_t> weights,
                                                  rank_operation operation, const rank_options& options = {}, const execution& on = {});

}  // namespace copse
