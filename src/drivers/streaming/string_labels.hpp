// The answer over vertices that are named by strings, from the table that numbered them and the forest over the numbers.
#pragma once
#include <copse/labels.hpp>

#include "vertex_numbers.hpp"

namespace copse::streaming {

/// Names ascending by bytes, labels their indices. Records of the table that have the same string are united, and are one vertex. The table
/// is used up, and the forest is flattened. `positions`: of the strings among the names, by the numbers of their records,
/// unless it is null; for tables without repeated strings. `most_packed_bytes`: how far from the first string of a block others may lie for
/// the way that takes least memory; tests make it small.
labelling take_string_labels(string_numbers& table, compact_forest& forest, unsigned threads, std::pmr::memory_resource* memory,
                             buffer<std::uint32_t>* positions = nullptr, std::uint64_t most_packed_bytes = UINT32_MAX);

}  // namespace copse::streaming
