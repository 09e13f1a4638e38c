// Memory limits that cannot do: what is known of the files before the work where that is certain, and otherwise when memory has ended.
#pragma once
#include <copse/execution.hpp>
#include <copse/io.hpp>
#include <core/memory_error.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace copse::plan {

/// The limit of on.memory, if that is a tracked_memory with one.
std::optional<std::uint64_t> limit_of(const execution& on);

/// The bytes of a list of edges in memory, at least, if a look at a few pieces of the files says that they are surely more than `limit`.
/// Reads nothing of files that are so small that they may fit.
std::optional<std::uint64_t> bytes_of_list_above(std::span<const std::filesystem::path> paths, const io::read_options& input,
                                                 std::uint64_t limit, const execution& on);

/// Throws memory_error for files that are to be held, if they have so many edges that their list alone is larger than the limit of memory.
void expect_room(std::span<const std::filesystem::path> paths, const io::read_options& input, const execution& on);

/// For the end of an error under a memory limit: the ways that plan knows for these files, and their bytes, behind `; copse plan: `. Empty
/// without a limit, and for files that cannot be looked at in a moment.
std::string ways_text(std::span<const std::filesystem::path> paths, const io::read_options& input, const execution& on);

/// The error with ways_text() behind it, unless it has that already.
memory_error with_ways(const memory_error& problem, std::span<const std::filesystem::path> paths, const io::read_options& input,
                       const execution& on);

}  // namespace copse::plan
