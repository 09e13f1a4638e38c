// The options of a solve that do not say how it runs: the variant, and the parameters of samplers and finishes.
#pragma once
#include <copse/execution.hpp>
#include <copse/hybrid.hpp>

#include <cstdint>
#include <string>

namespace copse {

struct solve_options {
  std::string variant = "auto";   ///< a name of variants(), or auto
  unsigned kout_rounds = 2;       ///< k of the kout sampler
  unsigned hb_arcs = 2;           ///< arcs that each remaining root joins in the hb sampler (paper: 4)
  double ldd_beta = .2;           ///< share of edges that the ldd sampler cuts, about
  double stages_q = 1;            ///< edges per vertex in one group of the stages sampler
  unsigned giant_samples = 1024;  ///< vertices asked for the giant's label
  bool count = false;             ///< count what the solve does, in report.work, instead of solving fast (32-bit ids only)
  std::uint64_t seed = 1;         ///< seed of everything random
  bool with_labels = false;       ///< also find the labels of a spanning forest, which costs the label pass of components()
  hybrid_options hybrid = {};     ///< for hybrid variants
};

}  // namespace copse
