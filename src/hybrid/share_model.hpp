// The CPU's share of a graph for callers that give none: a model of the time that each side takes alone.
#pragma once
#include <hybrid/cpu_part.hpp>

#include <cstdint>
#include <string>

namespace copse::hybrid {

/// The inputs of the model.
struct modelled_solve {
  std::uint64_t vertices = 0, arcs = 0;
  double scattered = 1;   ///< fraction of arcs that are likely cache misses on the CPU
  bool resident = false;  ///< true if the graph is in the GPU's memory and the labels stay there
  cpu_part part = cpu_part::fast;
  unsigned threads = 1;
};

struct chosen_share {
  double share;        ///< percent of the vertices for the CPU; 0: the GPU alone, 100: the CPU alone
  std::string reason;  ///< one line
};

/// Returns the share that the model expects to be fastest. A larger `scattered` never gives a larger share.
chosen_share modelled_share(const modelled_solve& solve);

}  // namespace copse::hybrid
