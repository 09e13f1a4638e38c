// rank_list(): checks the options, runs the variant, and reports what is wrong with a list.
#include <copse/errors.hpp>
#include <copse/list_ranking.hpp>
#include <copse/memory.hpp>
#include <core/devices.hpp>
#include <core/gpu_part.hpp>
#include <core/request.hpp>
#include <list_ranking/coin.hpp>
#include <list_ranking/helman_jaja.hpp>
#include <list_ranking/list.hpp>
#include <list_ranking/variants.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>

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

/// Returns the predecessor of each element, all ones for heads.
template <unsigned_index Id>
buffer<Id> predecessors_of(std::span<const Id> successors, std::pmr::memory_resource* memory) {
  buffer<Id> before{successors.size(), memory};
  std::fill(before.begin(), before.end(), no_vertex<Id>);
  Id smallest = no_vertex<Id>;  // the smallest element that follows two others
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

namespace copse {
namespace {

using namespace list_ranking;

constexpr unsigned most_rounds = 1000;
// The number of splitters for each walk that a thread runs at once: enough that all threads end together, few enough that the arrays with
// an entry per sublist stay in the thread's cache.
constexpr std::uint64_t splitters_a_lane = 16;
// The least average number of elements of a sublist: to begin a shorter one takes longer than to walk it.
constexpr std::uint64_t least_elements_a_splitter = 64;
// The most splitters on a GPU: several for each of the threads that an H200 runs at once.
constexpr std::uint64_t most_splitters_on_gpu = std::uint64_t{1} << 20;

void require_range(const char* name, std::uint64_t value, std::uint64_t low, std::uint64_t high) {
  if (value >= low && value <= high) return;
  throw usage_error{std::string{name} + " must be from " + std::to_string(low) + " to " + std::to_string(high) + ", not " +
                    std::to_string(value)};
}

/// Sums in any order fit 64 bits if the sum of the positive and the sum of the negative weights do.
void require_small_sums(std::span<const std::int64_t> weights) {
  __extension__ using wide = __int128;
  wide positive = 0, negative = 0;
  for (const std::int64_t w : weights) (w > 0 ? positive : negative) += w;
  if (positive <= std::numeric_limits<std::int64_t>::max() && negative >= std::numeric_limits<std::int64_t>::min()) return;
  throw resource_error{"weights: found positive or negative ones that add up to 2^63 or more, expected sums that 64 bits hold"};
}

list_settings settings_of(const request<rank_options>& options, std::uint64_t elements, unsigned threads, bool on_gpu) {
  require_range("in_flight", options.in_flight, 1, most_in_flight);
  if (options.rounds) require_range("rounds", *options.rounds, 0, most_rounds);
  list_settings tuning;
  tuning.from = options.from;
  tuning.rounds = options.rounds.value_or(rounds_for(elements));
  tuning.in_flight = options.in_flight;
  tuning.seed = options.seed;
  tuning.memory = options.memory;
  if (options.splitters) {
    tuning.splitters = std::min(*options.splitters, elements);
  } else if (on_gpu) {
    tuning.splitters = std::min(most_splitters_on_gpu, elements / least_elements_a_splitter);
  } else {
    tuning.splitters = std::min(threads * std::uint64_t{options.in_flight} * splitters_a_lane, elements / least_elements_a_splitter);
  }
  return tuning;
}

/// Runs `solve(entry, settings, ranks, outcome, report)`, and throws a description of the fault if the list is broken.
template <class Rank, unsigned_index Id, class Solve>
rank_result<Rank> run(std::span<const Id> successors, const request<rank_options>& options, Solve solve) {
  rank_result<Rank> result;
  result.ranks = buffer<Rank>{successors.size(), options.memory};
  solve_report& report = result.report;
  const unsigned usable = usable_threads(options.threads);
  const std::optional<unsigned> gpu = gpu_of_hybrid(options);
  std::string name = options.variant;
  const auto start = std::chrono::steady_clock::now();
  if (name == "auto") {
    list_variant_choice chosen = choose(successors.size(), usable, devices_of(options));
    name = chosen.name;
    report.explanation = std::move(chosen.why);
  }
  const list_table_entry& chosen = entry_named(name);
  const bool on_gpu = chosen.where == list_device::cuda || chosen.where == list_device::hybrid;
  if (gpu && !on_gpu) throw usage_error{"device cuda:" + std::to_string(*gpu) + " needs a variant of cuda or hybrid, not " + name};
  if (successors.size() > std::uint64_t{no_vertex<Id>})
    throw resource_error{"list: found " + std::to_string(successors.size()) + " elements, expected fewer than 2^32 for 32-bit ids"};
  report.variant = name;
  report.threads = chosen.where == list_device::serial || chosen.where == list_device::cuda ? 1 : usable;
  const list_settings tuning = settings_of(options, successors.size(), report.threads, on_gpu);
  list_outcome found;
  try {
    solve(chosen, tuning, result.ranks.span(), found, report);
  } catch (const broken_list&) {
    diagnose(successors, options.memory);
    throw error{name + ": found a fault in a list that has none; this is a bug"};
  }
  result.lists = found.lists;
  result.rounds = std::move(found.rounds);
  result.splitters = chosen.method == list_algorithm::helman_jaja || chosen.method == list_algorithm::fis ? tuning.splitters : 0;
  report.phases = found.phases.all();
  if (!on_gpu) report.solve_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

template <unsigned_index Id>
rank_result<Id> count_links(std::span<const Id> successors, const request<rank_options>& options) {
  return run<Id>(
      successors, options,
      [&](const list_table_entry& chosen, const list_settings& tuning, std::span<Id> ranks, list_outcome& found, solve_report& out) {
        if constexpr (has_gpu_part) {
          if (chosen.where == list_device::cuda || chosen.where == list_device::hybrid)
            return count_on_gpu<Id>(chosen, options, successors, ranks, tuning, found, out);
        }
        count_on_cpu<Id>(chosen.method, out.threads, options.observer, successors, ranks, tuning, found);
      });
}

template <unsigned_index Id>
rank_result<std::int64_t> scan_weights(std::span<const Id> successors, std::span<const std::int64_t> weights, rank_operation operation,
                                       const request<rank_options>& options) {
  if (weights.size() != successors.size())
    throw usage_error{"weights must have one for each of " + std::to_string(successors.size()) + " elements, not " +
                      std::to_string(weights.size())};
  if (operation == rank_operation::sum) require_small_sums(weights);
  return run<std::int64_t>(successors, options,
                           [&](const list_table_entry& chosen, const list_settings& tuning, std::span<std::int64_t> ranks,
                               list_outcome& found, solve_report& out) {
                             if constexpr (has_gpu_part) {
                               if (chosen.where == list_device::cuda || chosen.where == list_device::hybrid)
                                 return scan_on_gpu<Id>(chosen, options, successors, weights, operation, ranks, tuning, found, out);
                             }
                             scan_on_cpu<Id>(chosen.method, out.threads, options.observer, successors, weights, operation, ranks, tuning,
                                             found);
                           });
}

}  // namespace

rank_result<std::uint32_t> rank_list(std::span<const std::uint32_t> successors, const rank_options& options, const execution& on) {
  return count_links(successors, {options, on});
}
rank_result<std::uint64_t> rank_list(std::span<const std::uint64_t> successors, const rank_options& options, const execution& on) {
  return count_links(successors, {options, on});
}
rank_result<std::int64_t> rank_list(std::span<const std::uint32_t> successors, std::span<const std::int64_t> weights,
                                    rank_operation operation, const rank_options& options, const execution& on) {
  return scan_weights(successors, weights, operation, {options, on});
}
rank_result<std::int64_t> rank_list(std::span<const std::uint64_t> successors, std::span<const std::int64_t> weights,
                                    rank_operation operation, const rank_options& options, const execution& on) {
  return scan_weights(successors, weights, operation, {options, on});
}

}  // namespace copse
