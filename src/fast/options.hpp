// Options of the fast path for rows. The library chooses the route and asks for the report; tests set the limits so that small graphs take
// every way.
#pragma once
#include <cstddef>
#include <cstdint>

namespace copse::fast {

enum class route : std::uint8_t { automatic, sampled, unsampled };

struct fast_report;

struct fast_options {
  route way = route::automatic;
  std::size_t chunk_vertices = 0;  ///< 0: from n and the threads; otherwise a multiple of 64
  double least_coverage = 0.25;    ///< sampled: with fewer votes nothing is skipped: one end of each edge is less than all arcs of most
  double least_scattered = 0.75;   ///< unsampled: from this share of scattered arcs up, prefetch
  fast_report* report = nullptr;   ///< filled when not null
};

}  // namespace copse::fast
