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

/// Throws memory_error for files that are to be held, if the list of their edges alone is larger than the limit of memory.
void expect_room(std::span<const std::filesystem::path> paths, const io::read_options& input, const execution& on);

/// The error, unless it has that already, with the ways that plan knows for these files, and their bytes, behind `; copse plan: `: under a
/// memory limit, and for files that can be looked at in a moment.
memory_error with_ways(const memory_error& problem, std::span<const std::filesystem::path> paths, const io::read_options& input,
                       const execution& on);

}  // namespace copse::plan
