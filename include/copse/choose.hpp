// What a chooser picks, without solving.
#pragma once
#include <copse/graph.hpp>
#include <copse/options.hpp>

#include <string>
#include <string_view>

namespace copse {

struct chosen_name {
  std::string variant;
  std::string explanation;  ///< what was found in the graph, what was chosen, and why
};

/// What `chooser` (one of choosers()) picks for a graph in host memory: of the CPU, or where options.gpu is set among the variants of a
/// GPU. Takes threads and seed from the options. Throws usage_error for a name that is no chooser.
chosen_name choose(std::string_view chooser, graph_view in_host_memory, const solve_options& options = {});

}  // namespace copse
