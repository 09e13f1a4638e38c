// What a caller may ask of a solve; samplers and finishes read their numbers here.
#pragma once
#include <copse/core/memory.hpp>
#include <copse/core/observer.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace copse {

struct solve_options {
  std::string variant = "auto";   ///< a name of variants(), or auto
  unsigned threads = 0;           ///< 0: all cores that the process may use
  unsigned kout_rounds = 2;       ///< k of the kout sampler
  unsigned hb_arcs = 2;           ///< arcs that each remaining root joins in the hb sampler (paper: 4)
  double ldd_beta = .2;           ///< share of edges that the ldd sampler cuts, about
  double stages_q = 1;            ///< edges a vertex in one group of the stages sampler
  unsigned giant_samples = 1024;  ///< vertices asked for the giant's label
  bool count = false;             ///< count what the solve does, in report.work, instead of solving fast (32-bit ids only)
  std::uint64_t seed = 1;         ///< of everything random
  /// Solve on this GPU, by a row of the backend cuda (auto chooses one). Without it such rows run on GPU 0.
  std::optional<unsigned> gpu = std::nullopt;
  copse::observer* observer = nullptr;
  std::pmr::memory_resource* memory = host_memory();
};

}  // namespace copse
