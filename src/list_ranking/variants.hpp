// The table of variants that rank lists, the choice of `auto` among them, and the functions that run a variant on the CPU or on a GPU.
#pragma once
#include <copse/list_ranking.hpp>
#include <core/devices.hpp>
#include <core/named_entries.hpp>
#include <core/request.hpp>
#include <list_ranking/list.hpp>

#include <span>
#include <string>

namespace copse::list_ranking {

enum class list_algorithm : std::uint8_t { walk, wyllie, helman_jaja, fis };
enum class list_device : std::uint8_t { serial, threads, cuda, hybrid };

struct list_table_entry {
  named_variant described;
  list_device where;
  list_algorithm method;
  bool splitters_on_cpu = false;  ///< for cuda: the CPU ranks the list of splitters, as Wei and JaJa do
};

/// All variants of this build, in the order of the help.
std::span<const list_table_entry> entries() noexcept;

/// Returns the variant with that name. Throws usage_error with the known names.
const list_table_entry& entry_named(std::string_view name);

/// The variant that was chosen, and why.
struct list_variant_choice {
  std::string_view name;
  std::string why;
};
list_variant_choice choose(std::uint64_t elements, unsigned threads, const named_devices& devices);

// The variants for the CPU, on one thread or many. An algorithm that sums only from one end is given the reversed list for the other
// direction.

/// Throw broken_list if the successors are not those of a set of lists. `threads` 1 selects the serial backend. Precondition: the numbers
/// in the settings are in their ranges.
template <unsigned_index Id>
void count_on_cpu(list_algorithm method, unsigned threads, observer* watcher, std::span<const Id> successors, std::span<Id> ranks,
                  const list_settings& tuning, list_outcome& report);
template <unsigned_index Id>
void scan_on_cpu(list_algorithm method, unsigned threads, observer* watcher, std::span<const Id> successors,
                 std::span<const std::int64_t> weights, rank_operation operation, std::span<std::int64_t> ranks,
                 const list_settings& tuning, list_outcome& report);

// Lists in host memory are ranked on a GPU: copied in, ranked, and the ranks copied back.

/// count_on_gpu() and scan_on_gpu() fill in the GPU's part of the report: device, seconds of solving and copying, splitters. They throw
/// broken_list and resource_error.
template <unsigned_index Id>
void count_on_gpu(const list_table_entry& chosen, const request<rank_options>& options, std::span<const Id> successors, std::span<Id> ranks,
                  list_settings tuning, list_outcome& found, solve_report& report);
template <unsigned_index Id>
void scan_on_gpu(const list_table_entry& chosen, const request<rank_options>& options, std::span<const Id> successors,
                 std::span<const std::int64_t> weights, rank_operation operation, std::span<std::int64_t> ranks, list_settings tuning,
                 list_outcome& found, solve_report& report);

}  // namespace copse::list_ranking
