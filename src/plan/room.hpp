// Errors about memory limits that are too small: thrown before the work if that is certain from the files, or extended by the possible ways
// when memory has run out.
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

/// Throws memory_error if the edge list of these files alone is larger than the memory limit. For solves that hold the list.
void expect_room(std::span<const std::filesystem::path> paths, const io::read_options& input, const execution& on);

/// Returns `problem` with more text: `; copse plan: `, then the ways to solve these files and the bytes that each takes. Returns it
/// unchanged if it has such text already, if there is no memory limit, or for files that cannot be looked at quickly.
memory_error with_ways(const memory_error& problem, std::span<const std::filesystem::path> paths, const io::read_options& input,
                       const execution& on);

}  // namespace copse::plan
