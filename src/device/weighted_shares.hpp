// The weighted forest of a graph in host memory by several GPUs, or by one that cannot hold the graph. What is in no forest of some edges
// is in no forest of more: so each GPU solves shares of the edges, one after the other, and keeps the forest of those; then forests are
// solved pair by pair, in log2(p) rounds. The host sees the places of forest edges only, at most n - 1 of each GPU. Compiled without
// CUDA's headers.
#pragma once
#include <copse/memory.hpp>
#include <copse/options.hpp>
#include <copse/report.hpp>
#include <copse/weighted_forest.hpp>
#include <weighted/variants.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace copse::device {

struct share_settings {
  std::span<const unsigned> gpus;    ///< one that stands here twice takes two parts
  std::uint64_t memory_limit_bytes;  ///< of each
  weighted::algorithm method;
  forest_goal goal;
  unsigned threads;
  observer* watcher;
  std::pmr::memory_resource* memory;
};

/// Where the edges of the forest stand in the list, or their arcs in the rows, ascending. Phases "shares" and "merge". Throws input_error
/// for a weight that is not a number, with its place; resource_error, with the numbers, where a GPU has no room for two forests.
buffer<std::uint64_t> weighted_forest_by_shares(const weighted::shape<std::uint32_t>& g, const weights_view& weights,
                                                const share_settings& how, phase_times& times);

}  // namespace copse::device
