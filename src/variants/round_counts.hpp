// What rules that work in rounds inspect of a stream of inserts: GConn's Figure 9. A measurement of the laboratory: nothing is timed, and
// no caller of the library pays for it.
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
  std::uint64_t edges = 0;       ///< inspected, over all rounds of all batches
  std::uint64_t components = 0;  ///< in the end
};

/// The variants that can be counted: those of incremental connectivity, on the CPU, that work in rounds. All others inspect an edge once.
std::vector<std::string_view> counted_in_rounds();

/// Inserts the edges in batches of `batch` into a graph of `vertices` vertices without edges. One call at a time: the counters are the
/// process's. Throws usage_error for a variant that is none of these.
round_counts count_rounds(std::string_view name, unsigned threads, std::uint32_t vertices, std::span<const edge<std::uint32_t>> stream,
                          std::size_t batch, drivers::round_edges visited);

}  // namespace copse::variant
