// Decides whether the fast path samples a graph for a giant, so that most arcs inside the giant are skipped, or unites all arcs. The
// decision depends on what costs nothing to see (n, arcs, symmetry) and, unless these speak against a sample, on a few random rows. If
// sampling then finds no giant, all arcs are united after all. Also the options of a solve by the fast path, and its report.
#pragma once
#include <copse/errors.hpp>
#include <copse/views.hpp>
#include <core/random.hpp>
#include <loops/row_sample.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace copse::fast {

enum class route : std::uint8_t { automatic, sampled, unsampled };

struct fast_report;

/// The library chooses the route and asks for the report; tests set the limits so that small graphs take every way.
struct fast_options {
  route way = route::automatic;
  std::size_t chunk_vertices = 0;  ///< 0: chosen from n and the number of threads; otherwise a multiple of 64
  /// Share of the votes that a giant needs; with a smaller one no vertex is skipped. Vertices outside unite their arcs in both directions,
  /// so that one thread gains only if more than half of the vertices are inside. Empty: chosen from the number of threads.
  std::optional<double> least_coverage{};
  /// Without a sample, parents are prefetched if at least this share of arcs is scattered: leads to vertices whose parents are in no cache.
  double least_scattered = 0.75;
  fast_report* report = nullptr;  ///< filled when not null
};

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
  double closed = -1;     ///< share of random walks of two arcs that end at a neighbour of their start; negative: no rows were sampled
  double scattered = -1;  ///< share of the probed arcs that lead to vertices whose parents are in no cache; negative: not probed
  unsigned threads = 1;
};

// The limits below are where the times of both ways cross. They were fitted to generated graphs of 65,000 to 520,000 vertices on 1, 4 and
// 16 cores: 70 kinds, ids as generated and shuffled, rows sorted and unsorted.

/// Which graphs are not sampled, whatever their rows show.
struct sampling_limits {
  double least_arcs = 2.7;  ///< arcs per vertex; a sample of two arcs per vertex reads most of a graph with fewer
  bool by_hook = true;      ///< true if a sample pays wherever the first hook alone joins all, even in graphs with fewer arcs
};
/// For components by the fast path. One thread passes quickly over sorted rows, of which it reads only the smaller half.
constexpr sampling_limits limits_of_fast_path(unsigned threads, bool sorted) noexcept {
  return {.least_arcs = threads == 1 && sorted ? 3.6 : 2.7};
}
/// For spanning forests. One thread finds them fast by sequential Rem.
constexpr sampling_limits limits_of_forests(unsigned threads) noexcept { return {threads == 1 ? 4 : 2.7, false}; }

/// True if every sampled vertex with arcs has a smaller neighbour, so that the first hook alone joins all, such as paths and lattices in
/// row order. In unsorted rows only a few targets are looked at, so neighbours must be adjacent, too.
inline bool hook_joins_all(const backend::row_sample& rows, bool sorted, const sampling_limits& limits) {
  constexpr double mostly_adjacent = .4;
  return rows.descending + rows.without_arcs == rows.rows && (sorted || (limits.by_hook && rows.share_adjacent() >= mostly_adjacent));
}

/// Looks at random rows: at a few, which mostly suffice, and at more if walks come back or if the first hook may join all in a graph of few
/// arcs. Precondition: there are vertices.
template <class Id>
backend::row_sample sample_for(const route_decision& seen, const backend::any_rows<Id>& g, std::uint64_t seed,
                               const sampling_limits& limits) {
  constexpr unsigned few = 16, more = 64;
  backend::row_sample rows;
  backend::add_rows(rows, g, seed, 0, few);
  const bool suffice = rows.closed_wedges == 0 && (seen.arcs_per_vertex >= limits.least_arcs || !hook_joins_all(rows, g.sorted, limits));
  if (!suffice) backend::add_rows(rows, g, seed, few, more);
  return rows;
}

/// Decides by a few random rows.
inline route decide_by_rows(route_decision& seen, const backend::row_sample& rows, bool sorted, const sampling_limits& limits) {
  const double arcs = seen.arcs_per_vertex, closed = rows.share_closed_wedges();
  const auto decided = [&seen](route way, std::string_view reason) {
    seen.reason = reason;
    return way;
  };
  seen.closed = closed;
  if (hook_joins_all(rows, sorted, limits)) return decided(route::sampled, "all vertices have smaller neighbours: hook");
  if (arcs < limits.least_arcs) return decided(route::unsampled, "few arcs per vertex: a sample would read most of them");
  constexpr double of_cliques = .72;
  // Trees in cliques are soon whole components. Many threads gain by a sample where the ids of a clique are far apart and rows are not
  // sorted, so that which arcs lead to smaller neighbours is not known: all are then compared after the paths have become short.
  if (closed >= of_cliques && (seen.threads == 1 || sorted || rows.leads_nearby())) {
    return decided(route::unsampled, "walks come back as in cliques: no giant can form");
  }
  // Points that are joined to the points around them: their giant forms late.
  constexpr double few_of_near = 6.5, few_of_far = 4.3;
  if (rows.back_as_among_points() && arcs < (rows.leads_nearby() ? few_of_near : few_of_far)) {
    return decided(route::unsampled, "walks come back as among points, and arcs are few: a giant forms late");
  }
  return decided(route::sampled, "rows are long and components large: hook, find the giant, skip it");
}

template <class Id, class Offset>
route_decision decide(csr_view<Id, Offset> g, unsigned threads, std::uint64_t seed, const sampling_limits& limits) {
  route_decision v{.vertices = g.vertices(), .arcs = g.arcs(), .threads = threads};
  v.arcs_per_vertex = v.vertices == 0 ? 0 : static_cast<double>(v.arcs) / static_cast<double>(v.vertices);
  if (g.symmetric != symmetry::yes) {
    v.reason = "not known to hold both directions: read as a list";
  } else if (v.arcs == 0 || (v.arcs_per_vertex < limits.least_arcs && (g.sorted || !limits.by_hook))) {
    v.reason = "few arcs per vertex: a sample would read most of them";
  } else if (constexpr double share_of_dense = .125; v.arcs_per_vertex >= share_of_dense * static_cast<double>(v.vertices)) {
    v.way = route::sampled;
    v.reason = "dense: hook, find the giant, skip it";
  } else {
    v.way = decide_by_rows(v, sample_for(v, backend::any_rows<Id>{g}, seed, limits), g.sorted, limits);
  }
  return v;
}
template <class Id, class Offset>
route_decision decide(csr_view<Id, Offset> g, unsigned threads, std::uint64_t seed) {
  return decide(g, threads, seed, limits_of_fast_path(threads, g.sorted));
}

/// Returns the decision of decide(), or the path that the caller asked for, with all that a solve needs. Throws usage_error if that is a
/// sample of rows that may lack a direction.
template <class Id, class Offset>
route_decision decide_with(csr_view<Id, Offset> g, unsigned threads, std::uint64_t seed, route asked) {
  if (asked == route::sampled && g.symmetric != symmetry::yes) {
    throw usage_error{"the sampled path skips arcs: it needs rows that hold both directions of every edge"};
  }
  route_decision v{.way = asked, .reason = "as asked", .vertices = g.vertices(), .arcs = g.arcs(), .threads = threads};
  v.arcs_per_vertex = v.vertices == 0 ? 0 : static_cast<double>(v.arcs) / static_cast<double>(v.vertices);
  if (asked == route::automatic) v = decide(g, threads, seed);
  if (v.way == route::unsampled) v.scattered = share_of_scattered_arcs(g, seed);
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
