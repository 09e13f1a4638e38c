// copse bench --zoo: auto against a fixed list of variants on a fixed set of graphs, most of which it was not tuned on.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "options.hpp"

namespace copse::cli {

struct zoo_options {
  bool on_gpu = false;
  std::vector<std::uint64_t> sizes;  ///< approximate numbers of vertices; empty: the default sizes of the device
  double budget_seconds = 480;       ///< seconds after which no further graph is begun
  std::vector<unsigned> threads;     ///< numbers of threads on a CPU; empty: one, and all cores
  unsigned trials = 5;
  std::uint64_t seed = 1;
  std::string json_path;
};

/// Measures, and writes a line for each graph. Returns the exit code.
int run_speed_zoo(zoo_options options, const run_options& run);

}  // namespace copse::cli
