// What components would need for a graph, for every class of variants.
#pragma once
#include <copse/graph.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "degrees.hpp"

namespace copse::cli {

struct memory_need {
  std::string variants;  ///< which ones, in words
  std::uint64_t bytes = 0;
};

/// One entry for each input (rows, list) and each number of aux bytes in the table of variants: the graph held, the labels, the aux.
std::vector<memory_need> memory_needs(const graph& g, const edge_summary& counted);

}  // namespace copse::cli
