// Decides whether the fast path samples a graph for a giant, so that most arcs inside the giant are skipped, or unites all arcs. The
// decision depends on what costs nothing to see (n, arcs, symmetry) and, if these speak for a sample, on a short probe. If sampling then
// finds no giant, all arcs are united after all. Also the options of a solve by the fast path, and its report.
#pragma once
#include <copse/errors.hpp>
#include <copse/views.hpp>
#include <core/random.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace copse::fast {

enum class route : std::uint8_t { automatic, sampled, unsampled };

struct fast_report;

/// The library chooses the route and asks for the report; tests set the limits so that small graphs take every way.
struct fast_options {
  route way = route::automatic;
  std::size_t chunk_vertices = 0;  ///< 0: chosen from n and the number of threads; otherwise a multiple of 64
  double least_coverage = 0.25;    ///< share of the votes that a giant needs; with a smaller one no vertex is skipped
  /// Without a sample, parents are prefetched if at least this share of arcs is scattered: leads to vertices whose parents are in no cache.
  double least_scattered = 0.75;
  fast_report* report = nullptr;  ///< filled when not null
};

// Probes read random places, which takes some tenths of a millisecond even if no part of the graph is in a cache. One probe asks whether
// sampled vertices are in components of any size: bounded searches from some random vertices with arcs visit at most 32 vertices each, by
// the first 16 arcs of each row. If most searches end because they have visited their whole component, no giant can form, and a sample is
// wasted.

/// Returns how many vertices a bounded search from `start` reaches, at most 32. Also returns 32 if the search meets a row as long as an
/// eighth of all vertices: a hub's, or one of a dense graph, where the first arcs of all rows lead to the same few vertices.
template <class Id, class Offset>
std::size_t reach(csr_view<Id, Offset> g, Id start) {
  constexpr std::size_t most_arcs = 16, share_of_hub = 8;
  std::array<Id, 32> seen{start};
  std::size_t count = 1;
  for (std::size_t head = 0; head < count; ++head) {
    const std::size_t first = g.offsets[seen[head]], length = g.offsets[seen[head] + 1] - first;
    if (length >= most_arcs && length >= g.vertices() / share_of_hub) return seen.size();
    for (std::size_t a = first; a < first + std::min(length, most_arcs); ++a) {
      const auto end = seen.begin() + static_cast<std::ptrdiff_t>(count);
      if (std::find(seen.begin(), end, g.targets[a]) != end) continue;
      seen[count++] = g.targets[a];
      if (count == seen.size()) return count;
    }
  }
  return count;
}

/// Starts bounded searches (reach) at random vertices that have arcs. Returns the share of the searches that reached their bound, which
/// are in large components; 1 if no vertex with arcs was drawn.
template <class Id, class Offset>
double share_in_large_components(csr_view<Id, Offset> g, std::uint64_t seed) {
  constexpr std::uint64_t starts = 16, draws = 64;
  std::uint64_t asked = 0, large = 0;
  for (std::uint64_t k = 0; k < draws && asked < starts && g.vertices() != 0; ++k) {
    const auto v = static_cast<Id>(random_stream{seed, 5}.below(k, g.vertices()));
    if (g.offsets[v] == g.offsets[v + 1]) continue;
    ++asked;
    if (reach(g, v) == 32) ++large;
  }
  return asked == 0 ? 1 : static_cast<double>(large) / static_cast<double>(asked);
}

/// True if the parents of both vertices are within 64 KiB of each other (32-bit ids), so that one is in a cache soon after the other.
template <class Id>
constexpr bool are_near(Id a, Id b) noexcept {
  return (a < b ? b - a : a - b) < Id{1} << 14;
}

/// Returns the share of sampled vertices whose first arc is scattered: its target has at most four arcs (vertices with more are hubs, whose
/// parents stay in the caches), and is far both from the vertex and from the first targets of the eight rows before. Loading the parents of
/// such targets misses the caches and is worth a prefetch, which elsewhere only costs time.
template <class Id, class Offset>
double share_of_scattered_arcs(csr_view<Id, Offset> g, std::uint64_t seed) {
  constexpr std::uint64_t draws = 128, hub_arcs = 5;
  constexpr Id before = 8;
  std::uint64_t asked = 0, scattered = 0;
  for (std::uint64_t k = 0; k < draws && g.vertices() > before; ++k) {
    const auto v = static_cast<Id>(before + random_stream{seed, 6}.below(k, g.vertices() - before));
    if (g.offsets[v] == g.offsets[v + 1]) continue;
    ++asked;
    const Id target = g.targets[g.offsets[v]];
    bool met = are_near(v, target) || g.offsets[target + 1] - g.offsets[target] >= hub_arcs;
    for (Id u = v - before; u < v && !met; ++u) met = g.offsets[u] != g.offsets[u + 1] && are_near(g.targets[g.offsets[u]], target);
    if (!met) ++scattered;
  }
  return asked == 0 ? 0 : static_cast<double>(scattered) / static_cast<double>(asked);
}

struct route_decision {
  route way = route::unsampled;
  std::string_view reason{};
  std::uint64_t vertices = 0, arcs = 0;
  double arcs_per_vertex = 0;
  double in_large_components = -1;  ///< share of the probed vertices; negative: not probed
  double scattered = -1;            ///< share of the probed arcs that lead to vertices whose parents are in no cache; negative: not probed
  unsigned threads = 1;
};

/// Returns the share of sampled vertices whose first arc leads to a near vertex; vertices without arcs do not count.
template <class Id, class Offset>
double share_of_near_arcs(csr_view<Id, Offset> g, std::uint64_t seed) {
  constexpr std::uint64_t draws = 128;
  std::uint64_t asked = 0, near = 0;
  for (std::uint64_t k = 0; k < draws && g.vertices() != 0; ++k) {
    const auto v = static_cast<Id>(random_stream{seed, 9}.below(k, g.vertices()));
    if (g.offsets[v] == g.offsets[std::size_t{v} + 1]) continue;
    ++asked;
    near += are_near(v, g.targets[g.offsets[v]]) ? 1 : 0;
  }
  return asked == 0 ? 0 : static_cast<double>(near) / static_cast<double>(asked);
}

/// Graphs with fewer arcs per vertex are not sampled, as a sample of two arcs per vertex reads most of such a graph anyway. The break-even
/// was measured between 2.5 arcs per vertex (random graphs lose 7 % by a sample, roads at 2.4 half) and 2.9 (a sample makes sparse web
/// graphs 2.3 times as fast, and random graphs at 3.0 1.35 times).
inline constexpr double sampling_arcs_per_vertex = 2.7;

/// The limit for one thread where it unites all arcs quickly: in sorted rows of near vertices (below this limit, lattices in row order take
/// up to 1.4 times as long with a sample), and by sequential Rem, which finds forests (up to 1.7 times).
inline constexpr double sampling_arcs_of_one_thread = 4;

/// Rows with fewer than `least_arcs` arcs per vertex are not sampled.
template <class Id, class Offset>
route_decision decide(csr_view<Id, Offset> g, unsigned threads, std::uint64_t seed, double least_arcs = sampling_arcs_per_vertex) {
  route_decision v{.vertices = g.vertices(), .arcs = g.arcs(), .threads = threads};
  v.arcs_per_vertex = v.vertices == 0 ? 0 : static_cast<double>(v.arcs) / static_cast<double>(v.vertices);
  if (g.symmetric != symmetry::yes) {
    v.reason = "not known to hold both directions: read as a list";
  } else if (v.arcs_per_vertex < least_arcs) {
    v.reason = "few arcs per vertex: a sample would read most of them";
  } else if (threads == 1 && g.sorted && v.arcs_per_vertex < sampling_arcs_of_one_thread && share_of_near_arcs(g, seed) >= 0.75) {
    v.reason = "few arcs per vertex, to near vertices: one thread passes over them quickly";
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

/// Returns the decision of decide(), or the path that the caller asked for. Throws usage_error if that is a sample of rows that may lack a
/// direction.
template <class Id, class Offset>
route_decision decide_with(csr_view<Id, Offset> g, unsigned threads, std::uint64_t seed, route asked) {
  if (asked == route::automatic) return decide(g, threads, seed);
  if (asked == route::sampled && g.symmetric != symmetry::yes) {
    throw usage_error{"the sampled path skips arcs: it needs rows that hold both directions of every edge"};
  }
  route_decision v{.way = asked, .reason = "as asked", .vertices = g.vertices(), .arcs = g.arcs(), .threads = threads};
  v.arcs_per_vertex = v.vertices == 0 ? 0 : static_cast<double>(v.arcs) / static_cast<double>(v.vertices);
  if (asked == route::unsampled) v.scattered = share_of_scattered_arcs(g, seed);
  return v;
}

/// Returns the line that --explain prints.
std::string explain(const route_decision& v);

/// What a solve by the fast path saw and where its time went.
struct fast_report {
  route_decision decision;
  double coverage = 0;    ///< sampled: share of the sampled vertices with arcs that are in the giant before the finish
  unsigned quarters = 0;  ///< sampled: number of times that a quarter of the vertices united its last arcs, because there was no giant
  bool skipped_giant = false;
  double decide_seconds = 0, touch_seconds = 0, hook_seconds = 0, second_hook_seconds = 0, vote_seconds = 0, flatten_seconds = 0,
         finish_seconds = 0, label_seconds = 0;
};

/// Adds the time since the last lap to a field of the report. Called once per phase, so its cost does not matter.
class report_clock {
public:
  explicit report_clock(fast_report* report) noexcept : report_{report}, last_{clock::now()} {}

  void lap(double fast_report::*field) noexcept {
    if (report_ == nullptr) return;
    const auto now = clock::now();
    report_->*field += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

private:
  using clock = std::chrono::steady_clock;

  fast_report* report_;
  clock::time_point last_;
};

}  // namespace copse::fast
