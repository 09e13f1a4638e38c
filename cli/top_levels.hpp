// The weakest merges of the largest component: its dendrogram from the root down, as far as one can look at it.
#pragma once
#include <copse/weighted_forest.hpp>

#include "input.hpp"
#include "json.hpp"

namespace copse::cli {

/// `leaves` (label, size) are the clusters that are left when the weakest edges of the largest component are gone, at most `most` of them,
/// in the order of their labels; `merges` (first, second, weight, size) join them again, the heaviest edge first, as SciPy counts: merge i
/// makes cluster leaves + i.
json top_levels(const weighted_forest_result& forest, std::size_t most, resources& context);

}  // namespace copse::cli
