// Which variant of cuda is fastest for a graph whose shape a sample of its rows shows. Only `auto` asks.
#pragma once
#include <loops/row_sample.hpp>
#include <variants/choosers.hpp>

#include <cstdint>
#include <string>

namespace copse::variant {

/// A graph has hubs if the row of a random neighbour is on average at least this many times as long as the mean row (in random graphs it is
/// 1.5 times as long).
inline constexpr double hub_ratio = 2.2;
/// In a star, the row of a random neighbour has on average at least this share of all vertices.
inline constexpr double star_share = 1. / 16;

/// From this density on the choice is never cuda.none.fast, which needs more memory than the other variants that may be chosen.
inline constexpr double most_unsampled_density = 5.5;

/// Graphs of at most this many vertices are solved by one kernel of the fast path, whatever their shape.
inline constexpr std::uint64_t most_for_one_launch = 45'000;

/// The choice for the components of rows that store both directions of every edge. `density`: arcs per vertex that has some. `seen` begins
/// the explanation. Precondition: some sampled vertex has arcs.
choice for_shape_on_gpu(std::uint64_t vertices, double density, bool sorted, const backend::row_sample& sample, const std::string& seen);

}  // namespace copse::variant
