// Counts the edges that rules in rounds inspect while they insert a stream of edges, as in GConn's Figure 9. Only the laboratory measures
// this: nothing is timed, and calls of the library do not pay for it.
#pragma once
#include <copse/views.hpp>
#include <drivers/incremental/round_batch.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace copse::variant {

struct round_counts {
  std::uint64_t edges = 0;       ///< inspected edges, over all rounds of all batches
  std::uint64_t components = 0;  ///< number of components at the end
};

/// Returns the names of the variants for which count_rounds() can count inspected edges: those of incremental connectivity, on the CPU,
/// that work in rounds. All other variants inspect each edge once.
std::vector<std::string_view> counted_in_rounds();

/// Inserts the edges in batches of `batch` into a graph of `vertices` vertices without edges. Only one call may run at a time, because all
/// calls share the counters of the process. Throws usage_error for a variant that counted_in_rounds() does not list.
round_counts count_rounds(std::string_view name, unsigned threads, std::uint32_t vertices, std::span<const edge<std::uint32_t>> stream,
                          std::size_t batch, drivers::round_edges visited);

}  // namespace copse::variant
