// What may hold the largest component together: the bridges in it, the vertices of most edges, and how it falls apart as the threshold on
// the weights rises.
#pragma once
#include <copse/bridges.hpp>
#include <copse/hierarchy.hpp>
#include <copse/weighted_graph.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "input.hpp"
#include "json.hpp"

namespace copse::cli {

struct giant_report {
  struct hub {
    std::uint64_t vertex, degree;
  };

  component which;                     ///< label and size
  std::uint64_t bridge_count = 0;      ///< of it
  std::vector<std::uint64_t> bridges;  ///< places in bridges_result, by the smaller side, the largest first
  std::vector<hub> hubs;               ///< by degree, the largest first
  std::vector<threshold_point> curve;  ///< of the largest component alone; empty without weights
};

/// `top` bridges and hubs, `points` thresholds. `g.weights` may be empty. simple: degrees count edges that repeat another once.
giant_report study_giant(const weighted_graph& g, const bridges_result& found, bool simple, std::size_t top, std::uint64_t points,
                         resources& context);

std::string giant_text(const giant_report& giant, const weighted_graph& g, const io::edge_numbers& numbers, const bridges_result& found);
json giant_json(const giant_report& giant, const weighted_graph& g, const io::edge_numbers& numbers, const bridges_result& found);

}  // namespace copse::cli
