// From "which tree" to "which component": the label of a component is the first of its vertices in the order of the names.
#pragma once
#include <copse/memory.hpp>

#include <cstdint>
#include <span>

#include "compact_forest.hpp"

namespace copse::streaming {

/// On entry order[i] is the index, in `forest`, of the i-th vertex by name, and every vertex of the forest points at its root; on return
/// order[i] is the label of i: the smallest j in the same tree. 4 bytes per vertex while it runs.
void rank_labels(std::span<std::uint32_t> order, const compact_forest& forest, unsigned threads, std::pmr::memory_resource* memory);

}  // namespace copse::streaming
