// Options of the fast path for rows: each idea is a switch, so that its gain can be measured alone (bench/fast.cpp). All are on by default;
// users never see them.
#pragma once
#include <cstddef>
#include <cstdint>

namespace copse::fast {

enum class route : std::uint8_t { automatic, sampled, unsampled };

struct fast_report;

struct fast_options {
  route way = route::automatic;
  unsigned hook_arcs = 2;          ///< sampled: arcs that a vertex unites if it is still a root after the first hook
  bool flat_hooks = true;          ///< the first hook takes the neighbour's parent where the same thread has just hooked it
  bool top_up = true;              ///< sampled: without a giant yet, a quarter of the vertices unite one more arc before the next vote
  bool early_exit = true;          ///< sampled: a vertex leaves its row once its root is the giant's
  bool fused_finish = true;        ///< sampled, one thread: flatten in the pass that finishes
  bool prefetch = true;            ///< ask for parents (and rows) before they are needed, several vertices in flight
  bool touch = true;               ///< many threads: clear each huge page once, not by all threads that meet in it
  std::size_t chunk_vertices = 0;  ///< 0: from n and the threads; otherwise a multiple of 64
  double least_coverage = 0.25;    ///< sampled: with fewer votes nothing is skipped: one end of each edge is less than all arcs of most
  double least_scattered = 0.75;   ///< unsampled: from this share of scattered arcs up, prefetch
  fast_report* report = nullptr;   ///< filled when not null
};

}  // namespace copse::fast
