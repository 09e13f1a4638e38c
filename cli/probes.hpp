// What is found out about a graph and the machine before the graph is read: how large it is, from pieces of its file, and how fast this
// machine is, from small runs; and what follows: where --device auto solves it, and whether it fits --memory.
#pragma once
#include <copse/errors.hpp>
#include <copse/execution.hpp>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string>

#include "estimate.hpp"
#include "input.hpp"

namespace copse::cli {

/// How large a graph is.
struct sized {
  graph_size size;  ///< vertices: at most
  std::string how;  ///< counted, or from how many pieces
};

/// Sixteen pieces of a large file that can be cut stand for all of it; others are read.
sized look_at(const input& source, const execution& on);

/// The rates that copse plan and --device auto count with, for a graph of such ids, those of rows if it has rows; a second or two. By
/// threads and memory of `how`; what is run is small enough for `limit_bytes` of it, down to the least of least_planning_bytes.
machine_rates measure_rates(id_shape ids, bool rows, const execution& how, std::uint64_t limit_bytes);

/// Planning takes so much, however small the limit of what is planned.
inline constexpr std::uint64_t least_planning_bytes = std::uint64_t{8} << 20;

/// Why the graph cannot be probed before it is read, so that the CPU takes it; empty if it can be.
std::string hidden(const input& graph);

/// Where to solve `graph`. Nothing is measured, and CUDA is not initialised, if measuring would take longer than solving, unless
/// `explained` asks for the seconds in the reason. `gpu_memory_bytes`: the most memory to take of a GPU.
device_choice device_for(const input& graph, std::uint64_t gpu_memory_bytes, bool explained, resources& context);

// --memory that cannot do: what copse plan says of the graph, before the work where that is certain, and otherwise when memory has ended.

/// Bytes of a list of edges in memory, at least, when a look at the file says that they are surely more than `limit`.
std::optional<std::uint64_t> bytes_of_list_above(const input& graph, std::uint64_t limit, resources& context);

/// Throws resource_error for a graph that is to be held, if its text has so many edges that their list alone is larger than --memory.
/// Reads a few pieces of the file, and only if it is so large that they may not fit.
void expect_room(const input& graph, resources& context);

/// The error, and behind it, on its line, the ways that plan knows for such a graph. The same error where --memory was not given, or the
/// file cannot be looked at in a moment.
resource_error with_ways(const resource_error& problem, const input& graph, resources& context);

}  // namespace copse::cli
