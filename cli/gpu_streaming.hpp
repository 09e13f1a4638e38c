// Solving by edges that are streamed through one GPU or several: a graph that no GPU has to hold.
#pragma once
#include <string>

#include "solution.hpp"

namespace copse::cli {

/// Is it a list in a file that is surely too large for the memory of the GPU, or for what --gpu-memory leaves of it? Then what was found
/// and expected. Empty otherwise, also when nobody can tell without reading the file.
std::string too_large_for_gpu(const input& graph, const solver_options& options);

/// From host memory where the graph is held already, or has to be made or read there; otherwise straight from its files. `why`: what the
/// explanation begins with.
void solve_streaming(solution& solved, const input& graph, const solver_options& options, const solve_options& settings,
                     const std::string& why);

}  // namespace copse::cli
