// --memory that cannot do: what copse plan says of the graph, before the work where that is certain, and otherwise when memory has ended.
#pragma once
#include <copse/errors.hpp>
#include <cstdint>
#include <optional>

#include "input.hpp"

namespace copse::cli {

/// Bytes of a list of edges in memory, at least, when a look at the file says that they are surely more than `limit`.
std::optional<std::uint64_t> bytes_of_list_above(const input& graph, std::uint64_t limit);

/// Of a graph that is to be held: throws resource_error where a text has so many edges that their list alone is larger than --memory. Looks
/// at a few pieces of the file, and only where it is so large that they may not fit.
void expect_room(const input& graph, const resources& context);

/// The error, and behind it, on its line, the ways that plan knows for such a graph. The same error where --memory was not given, or the
/// file cannot be looked at in a moment.
resource_error with_ways(const resource_error& problem, const input& graph, const resources& context);

}  // namespace copse::cli
