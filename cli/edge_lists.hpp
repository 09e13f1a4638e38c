// Lists of edges as a bench solves them: of rows, as they are read, or shuffled.
#pragma once
#include <copse/graph.hpp>
#include <copse/memory.hpp>
#include <cstdint>

namespace copse::cli {

/// How the edges of a list follow each other. `sorted` are those of rows, each once, from its larger end where both directions are stored,
/// in the order of the rows: neither loops nor repeats. The others are those of the file or generator, all of them.
enum class edge_order : std::uint8_t { file, sorted, random };

/// The sorted list of rows.
graph list_of(const graph& rows, std::pmr::memory_resource* memory);
/// A copy in random order; the same on every machine. O(edges) random accesses, on one thread.
graph shuffled(const graph& list, std::uint64_t seed, std::pmr::memory_resource* memory);

}  // namespace copse::cli
