// How large a graph is, told from a look at its file.
#pragma once
#include <memory_resource>
#include <string>

#include "estimate.hpp"
#include "input.hpp"

namespace copse::cli {

struct sized {
  graph_size size;  ///< vertices: at most
  std::string how;  ///< counted, or from how many pieces
};

/// Sixteen pieces of a large file that can be cut stand for all of it; others are read. Reads in `memory`.
sized look_at(const input& source, std::pmr::memory_resource* memory);

}  // namespace copse::cli
