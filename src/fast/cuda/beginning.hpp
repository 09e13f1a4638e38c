// How the first kernel of a solve by the fast path on a GPU begins, as far as the sizes of the graph tell.
#pragma once
#include <copse/extend/host_device.hpp>

#include <cstdint>

namespace copse::fast {

/// What the first kernel does.
enum class begins : std::uint8_t {
  with_hooks,  ///< hooks, which may make a giant (course::skip_giant)
  with_lists,  ///< hooks, and lists vertices that have more arcs to unite along (course::unite_listed)
  by_sample,   ///< samples rows, and then what they suggest (plan.hpp)
};

// From about 3.5 arcs per vertex up, hooks leave few arcs to the finish, and mostly a giant. Below that density a sample of the rows is
// worth the 7 microseconds for which all wait for it.
inline constexpr float sampling_density = 3.5f;
// The density for sorted rows of more than least_in_flight and at most most_in_flight vertices. So few vertices are all in flight at once:
// if there is a giant, uniting all takes three times as long, because all threads swap the same few roots. Measured on an H100, at 3 arcs
// per vertex.
inline constexpr float sampling_density_in_flight = 2.95f;
inline constexpr std::uint64_t least_in_flight = std::uint64_t{1} << 18, most_in_flight = std::uint64_t{1} << 21;

COPSE_HOST_DEVICE inline float least_sampled_density(std::uint64_t n, bool sorted) {
  return sorted && n > least_in_flight && n <= most_in_flight ? sampling_density_in_flight : sampling_density;
}

/// Graphs of at most this many vertices begin with hooks, whatever their shape.
inline constexpr std::uint64_t most_unplanned = 45'000;

/// How a solve of rows that store both directions of every edge begins.
inline begins beginning_of(std::uint64_t n, std::uint64_t arcs, bool sorted) {
  const bool is_short = static_cast<float>(arcs) < least_sampled_density(n, sorted) * static_cast<float>(n);
  return is_short && n > most_unplanned ? begins::by_sample : begins::with_hooks;
}

}  // namespace copse::fast
