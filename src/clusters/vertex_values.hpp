// Constraints from files: the values of vertices in the columns of tables, and pairs that must not be in one cluster.
#pragma once
#include <clusters/known_vertices.hpp>
#include <copse/cluster.hpp>
#include <copse/io.hpp>
#include <copse/memory.hpp>

#include <cstdint>
#include <filesystem>
#include <memory_resource>
#include <span>
#include <vector>

namespace copse::clusters {

/// Returns, for each limit, the value of each vertex in that column of `input.vertex_tables`, as a number; value_limit::no_value if it has
/// none. Throws usage_error if there is no table, and input_error for a vertex with two values.
std::vector<buffer<std::uint64_t>> values_of_vertices(known_vertices& known, const io::read_options& input,
                                                      std::span<const column_limit> limits, const execution& on);

/// Reads a table of pairs, and returns the vertices of their ids. Throws input_error if both ids of a pair are the same record.
known_pairs read_pairs_apart(const std::filesystem::path& path, const vertex_names& names, const io::read_options& input,
                             const execution& on);

}  // namespace copse::clusters
