// Which path a graph takes, from what costs nothing to see (n, arcs, symmetry) and, when these speak for a sample, a short probe. The
// sampled path corrects itself once more: when the vote finds no giant, it unites everything after all.
#pragma once
#include <copse/errors.hpp>
#include <copse/views.hpp>
#include <fast/options.hpp>
#include <fast/probe.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace copse::fast {

struct verdict {
  route way = route::unsampled;
  std::string_view reason{};
  std::uint64_t vertices = 0, arcs = 0;
  double arcs_per_vertex = 0;
  double in_large_components = -1;  ///< of probed vertices; negative: not probed
  double scattered = -1;            ///< of probed arcs; negative: not asked
  unsigned threads = 1;
};

/// Below it a sample of two arcs per vertex reads most of the graph anyway. With several threads, whose hooks are stores of their own where
/// unites contend, break-even was seen between 2.5 (random graphs lose 7 % by a sample, roads at 2.4 half) and 2.9 (sparse web graphs gain
/// 2.3 times, random ones at 3.0 1.35 times).
constexpr double sampling_arcs_per_vertex(unsigned threads) noexcept { return threads == 1 ? 4 : 2.7; }

template <class Id, class Offset>
verdict decide(csr_view<Id, Offset> g, unsigned threads, std::uint64_t seed) {
  verdict v{.vertices = g.vertices(), .arcs = g.arcs(), .threads = threads};
  v.arcs_per_vertex = v.vertices == 0 ? 0 : static_cast<double>(v.arcs) / static_cast<double>(v.vertices);
  if (g.symmetric != symmetry::yes) {
    v.reason = "not known to hold both directions: read as a list";
  } else if (v.arcs_per_vertex < sampling_arcs_per_vertex(threads)) {
    v.reason = "few arcs per vertex: a sample would read most of them";
  } else {
    v.in_large_components = share_in_large_components(g, seed);
    if (v.in_large_components < 0.5) {
      v.reason = "components are small: no giant can form";
    } else {
      v.way = route::sampled;
      v.reason = "rows are long and components large: hook, find the giant, skip it";
    }
  }
  if (v.way == route::unsampled) v.scattered = share_of_scattered_arcs(g, seed);
  return v;
}

/// As decide, unless the caller insists. Throws usage_error for a sample of rows that may lack a direction.
template <class Id, class Offset>
verdict decide_with(csr_view<Id, Offset> g, unsigned threads, std::uint64_t seed, route asked) {
  if (asked == route::automatic) return decide(g, threads, seed);
  if (asked == route::sampled && g.symmetric != symmetry::yes) {
    throw usage_error{"the sampled path skips arcs: it needs rows that hold both directions of every edge"};
  }
  verdict v{.way = asked, .reason = "as asked", .vertices = g.vertices(), .arcs = g.arcs(), .threads = threads};
  v.arcs_per_vertex = v.vertices == 0 ? 0 : static_cast<double>(v.arcs) / static_cast<double>(v.vertices);
  if (asked == route::unsampled) v.scattered = share_of_scattered_arcs(g, seed);
  return v;
}

/// One line for --explain.
std::string explain(const verdict& v);

}  // namespace copse::fast
