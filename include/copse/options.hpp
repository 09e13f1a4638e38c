// Options of a solve, without those of its execution: the variant, and the parameters of samplers and finishes.
#pragma once
#include <copse/execution.hpp>
#include <copse/hybrid.hpp>

#include <cstdint>
#include <string>

namespace copse {

struct solve_options {
  std::string variant = "auto";   ///< a name of variants(), or auto
  unsigned kout_rounds = 2;       ///< k of the kout sampler: arcs sampled per vertex
  unsigned hb_arcs = 2;           ///< hb sampler: arcs united for each vertex whose first neighbour is not its parent (Hong et al.: 4)
  double ldd_beta = .2;           ///< approximate share of edges that the ldd sampler cuts
  double stages_q = 1;            ///< stages sampler: edges per vertex of the graph in each of the groups that it solves in turn
  unsigned giant_samples = 1024;  ///< number of vertices sampled to find the label of the giant component
  bool count = false;             ///< count operations, for report.work, instead of solving fast (32-bit ids only)
  std::uint64_t seed = 1;         ///< seed of everything random
  bool with_labels = false;       ///< also find the labels of a spanning forest, which costs the label pass of components()
  hybrid_options hybrid = {};     ///< options of hybrid variants
};

}  // namespace copse
