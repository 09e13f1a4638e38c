// `auto`: the variant for someone who does not want to choose.
#pragma once
#include <copse/graph/graph.hpp>

#include <string>

namespace copse::choose {

struct choice {
  std::string variant;
  std::string explanation;  ///< what was seen, what was chosen, why
};

/// O(1): looks at the kind of graph, n, the arcs and the threads.
choice choose(graph_view g, unsigned threads);

}  // namespace copse::choose
