// How one random case is solved: the route, thresholds and sizes of chunks, drawn such that small graphs take every way.
#pragma once
#include <fmt/format.h>
#include <drivers/incremental/growing_forest.hpp>
#include <drivers/streaming/stream_giant.hpp>
#include <fast/decide.hpp>
#include <fast/solve_list.hpp>

#include <initializer_list>
#include <string>
#include <vector>

#include "fast/random_graphs.hpp"

namespace copse::test {

inline double one_of(dice& random, std::initializer_list<double> values) { return values.begin()[random.below(values.size())]; }

inline void draw(fast::fast_options& o, dice& random) {
  o.way = random.below(4) == 0 ? fast::route::automatic : random.below(3) == 0 ? fast::route::unsampled : fast::route::sampled;
  o.chunk_vertices = 64 * random.below(4);
  o.least_coverage = one_of(random, {0, 0, .25, 1.1});
  o.least_scattered = one_of(random, {0, .75});
}
inline std::string described(const fast::fast_options& o) {
  return fmt::format("route {}, chunk_vertices {}, least_coverage {}, least_scattered {}", static_cast<int>(o.way), o.chunk_vertices,
                     *o.least_coverage, o.least_scattered);
}

inline void draw(fast::list_options& o, dice& random) {
  o.least_inside = one_of(random, {0, .05, .3});
  o.first_edges = random.below(3) == 0 ? 0 : 1 + random.below(64);
  o.any_ranges = random.below(2) == 0;
  o.look_at_ends = random.below(2) == 0;
}
inline std::string described(const fast::list_options& o) {
  return fmt::format("least_inside {}, first_edges {}, any_ranges {}, look_at_ends {}", o.least_inside, o.first_edges, o.any_ranges,
                     o.look_at_ends);
}

inline void draw(drivers::insert_options& o, dice& random) {
  o.least_inside = one_of(random, {.001, .05, .3});
  o.fewest_edges = 1 + random.below(64);
  o.any_ranges = random.below(2) == 0;
  o.worth_a_thread = 1 + random.below(32);
}
inline std::string described(const drivers::insert_options& o) {
  return fmt::format("least_inside {}, fewest_edges {}, any_ranges {}, worth_a_thread {}", o.least_inside, o.fewest_edges, o.any_ranges,
                     o.worth_a_thread);
}

inline void draw(streaming::giant_limits& o, dice& random) {
  o.least_inside = one_of(random, {.001, .05, .3});
  o.fewest_ids = 1 + random.below(64);
  o.chunk_ids = 64u << random.below(4);
}
inline std::string described(const streaming::giant_limits& o) {
  return fmt::format("least_inside {}, fewest_ids {}, chunk_ids {}", o.least_inside, o.fewest_ids, o.chunk_ids);
}

/// The ways in which a case is solved.
template <class Options>
std::vector<Options> draw_ways(dice& random) {
  std::vector<Options> ways(5);
  for (Options& way : ways) draw(way, random);
  return ways;
}

}  // namespace copse::test
