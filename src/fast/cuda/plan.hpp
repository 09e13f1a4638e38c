// How a solve by the fast path goes on after a sample of its rows: with hooks that may leave a giant to skip, or if rows are short, by
// uniting along all arcs in one of several ways. The first kernel decides. The limits were fitted to generated graphs of 20,000 to 8.4
// million vertices on an H100 and an H200: 60 kinds, ids as generated and shuffled, rows sorted and unsorted. What the kinds have in
// common:
//
// - Where walks of two or three arcs hardly ever come back (random graphs, webs), and rows are long, there is a giant, which a vote finds.
//   Below about three arcs per vertex, hooks would read most arcs.
// - Where they do, and ids are far apart, no thread finds what it needs in a cache, and trees grow slowly: comparing parents before any
//   find gains most, as long as all vertices are in flight at once.
// - Where ids are near each other, such comparisons walk along paths as long as the graph is wide. Climbing, which shortens paths, wins as
//   long as vertices are few; hooks win on lattices, paths and chains, because the first one flattens whole tiles of them.
// - Disjoint cliques are solved by the hooks; what remains is to check all arcs.
//
// The same source is compiled for the GPU and for the host, where tests call it.
#pragma once
#include <copse/extend/host_device.hpp>
#include <fast/cuda/beginning.hpp>
#include <fast/cuda/workspace.hpp>
#include <loops/row_sample.hpp>

#include <cstdint>

namespace copse::fast {

// Numbers of vertices at which another course becomes the fastest. Up to `few`, most time is spent on launches and on waiting for memory;
// up to `in_flight` the GPU works on all vertices at once, and their parents are in the L2 cache. The others were fitted to measurements
// and have no such meaning.
inline constexpr std::uint64_t fewest = 250'000, few = 600'000, some = 1'100'000, in_flight = 1'570'000, many = 3'000'000;

inline constexpr unsigned foreseen_rows = 256;  ///< number of rows that one block samples to foresee what the first hook leads to
inline constexpr unsigned few_to_check = 7;     ///< in a graph of at most this many arcs per vertex, checking all arcs costs little
inline constexpr unsigned least_of = 4;         ///< targets at the beginning of an unsorted row of which the first hook takes the smallest

/// The facts about a graph by which a course is chosen.
struct sampled_shape {
  std::uint64_t n;
  bool sorted;
  const backend::row_sample& sample;
  float density;  ///< arcs per vertex that has some
  float hubs;     ///< mean row length of random neighbours, divided by that of all vertices with arcs

  [[nodiscard]] COPSE_HOST_DEVICE bool near() const { return sample.leads_nearby(); }
  /// True if rows of random neighbours are on average 2.2 times as long as the mean row or longer (in random graphs they are 1.5 times as
  /// long).
  [[nodiscard]] COPSE_HOST_DEVICE bool has_hubs() const { return hubs >= 2.2f; }
  /// True if the row of a random neighbour has on average at least a 16th of all vertices.
  [[nodiscard]] COPSE_HOST_DEVICE bool is_star() const { return has_hubs() && hubs * density * 16 >= static_cast<float>(n); }
  [[nodiscard]] COPSE_HOST_DEVICE bool is_forest() const { return density < 2.05f; }
  [[nodiscard]] COPSE_HOST_DEVICE bool mostly_descends() const { return sample.share_descending() >= .93f; }
  /// True if the graph consists of trees that the first hook joins: hardly any vertex but the roots has no smaller neighbour.
  [[nodiscard]] COPSE_HOST_DEVICE bool hooks_all() const { return sorted && is_forest() && mostly_descends(); }
};

/// Returns the course for graphs in which all sampled walks of two and of three arcs end at a neighbour of their start.
COPSE_HOST_DEVICE inline course for_disjoint_cliques(const sampled_shape& g) {
  constexpr float large = 30, middling = 4.5f, small = 3.2f, pairs = 1.5f;
  if (g.near()) {
    const bool of_all_sizes = g.sample.share_without_arcs() > .2f;
    return g.density >= large || of_all_sizes ? course::skip_giant : course::climb;
  }
  if (g.sorted && (g.density < small || (g.density < middling && g.n > in_flight))) return course::unite_listed;
  return !g.sorted && g.n > in_flight && g.density < pairs ? course::climb : course::skip_giant;
}

/// Returns the course for geometric graphs, whose vertices are points that are joined to the points around them.
COPSE_HOST_DEVICE inline course for_points(const sampled_shape& g) {
  constexpr float sparse = 3.2f, middling = 5.5f;
  if (!g.near()) return g.density < middling ? course::compare_parents : course::skip_giant;
  if (g.density >= sparse) return course::skip_giant;
  return g.n <= few ? course::climb : course::compare_parents;
}

COPSE_HOST_DEVICE inline course for_lattices(const sampled_shape& g) {
  constexpr float flat = 4.5f;
  return !g.near() && g.n <= some && g.density < flat ? course::compare_parents : course::skip_giant;
}

// The next two functions are for trees, paths, roads, and sets of small trees: there are few arcs, and random walks of two or three arcs
// hardly ever end at a neighbour of their start. In roads, some neighbours have adjacent ids; trees with hubs have legs; with many legs
// these trees are stars.
inline constexpr float many_legs = 64, most_road = .62f;

/// Returns the course for trees and the like in which neighbours have near ids.
COPSE_HOST_DEVICE inline course for_near_trees(const sampled_shape& g) {
  constexpr float least_path = 1.9f, mostly_adjacent = .9f, least_road = .3f, few_legs = 5, some_legs = 8, some_adjacent = .15f;
  const float adjacent = g.sample.share_adjacent();
  const course of_hooks = g.hooks_all() ? course::unite_listed : course::skip_giant;
  if (g.density >= least_path && adjacent >= mostly_adjacent) return of_hooks;  // a path, or a tree along one
  if (!g.is_forest() && adjacent >= least_road && adjacent < most_road) return course::unite_listed;
  if (!g.has_hubs()) return g.sorted && g.n > in_flight && adjacent >= some_adjacent ? course::unite_listed : course::climb;
  if (g.hubs < few_legs || (g.hubs < some_legs && g.n <= many)) return course::skip_giant;
  return g.hubs >= many_legs && g.sorted && g.n <= some ? of_hooks : course::climb;
}

/// Returns the course for trees and the like in which most neighbours have ids far apart.
COPSE_HOST_DEVICE inline course for_far_trees(const sampled_shape& g) {
  constexpr float least_road = .2f, some_legs = 8, few_without = .05f, least_random_without = .03f;
  constexpr float least_random = 2.1f, denser_random = 2.3f, densest_random = 2.6f;
  const float adjacent = g.sample.share_adjacent(), without = g.sample.share_without_arcs();
  if (!g.is_forest() && adjacent >= least_road && adjacent < most_road) return course::unite_listed;
  if (g.hubs >= many_legs) return g.n <= fewest ? course::compare_parents : g.n <= some ? course::skip_giant : course::climb;
  if (g.hubs >= some_legs && g.density >= least_random) return course::skip_giant;
  if (g.hubs >= some_legs) return g.sorted && g.n > in_flight ? course::unite_listed : course::climb;
  if (g.hooks_all()) return course::unite_listed;
  if (g.is_forest() && without < few_without && g.mostly_descends()) return course::climb;
  if (g.n <= (g.density >= least_random ? most_in_flight : in_flight)) return course::compare_parents;
  const bool random = g.density >= least_random && without >= least_random_without;
  if (random && g.n > many && g.density >= (g.sorted ? densest_random : denser_random)) return course::climb;
  return g.sorted && !(random && g.density >= densest_random) ? course::unite_listed : course::compare_parents;
}

COPSE_HOST_DEVICE inline course for_trees(const sampled_shape& g) {
  // From this number of arcs per vertex with arcs up, there is a giant, and hooks leave few arcs outside it.
  constexpr float long_rows = 3.2f, long_rows_of_many = 3.5f, long_rows_of_few = 3.05f, long_rows_with_hubs = 2.8f;
  constexpr float mostly_isolated = .5f, least_beside_isolated = 2.5f;
  // A random graph in which half of the vertices have no arcs has no giant: the others have 1.4 arcs each. If these have far more, there is
  // a giant among them.
  const bool isolated_aside = g.sample.share_without_arcs() >= mostly_isolated && g.density >= least_beside_isolated;
  const bool hubs = g.density >= long_rows_with_hubs && g.has_hubs();
  if (hubs && g.near() && g.sorted && g.n > some && g.density < long_rows_of_many) return course::compare_parents;
  if (g.density >= (g.n > many ? long_rows_of_many : long_rows) || (g.density >= long_rows_of_few && g.sorted && g.n <= few) || hubs ||
      isolated_aside)
    return course::skip_giant;
  return g.near() ? for_near_trees(g) : for_far_trees(g);
}

// The least shares of random walks that end at a neighbour of their start: of walks of two arcs in chains of cliques, and of walks of three
// arcs in lattices. In random graphs, each share is below .1.
inline constexpr float of_cliques = .65f, lattice = .1f;

/// Returns the course for the components of a graph.
COPSE_HOST_DEVICE inline course for_shape(const sampled_shape& g) {
  constexpr float sparse = 3.2f;
  if (g.is_star()) return g.hooks_all() ? course::unite_listed : course::skip_giant;
  if (g.sample.all_closed()) return for_disjoint_cliques(g);
  const float wedges = g.sample.share_closed_wedges(), squares = g.sample.share_closed_squares();
  if (wedges >= of_cliques) return course::skip_giant;
  const bool clustered = g.sample.is_clustered();
  if (g.sample.back_as_among_points() || (clustered && g.density < sparse)) return for_points(g);
  return clustered || squares >= lattice ? for_lattices(g) : for_trees(g);
}

/// Returns the course for a spanning forest, of which hooks record the links at less cost than other ways.
COPSE_HOST_DEVICE inline course for_forest(const sampled_shape& g) {
  constexpr float least_with_hubs = 2.8f;  // from this number of arcs per vertex with arcs up, a graph with hubs has a giant around them
  const bool has_giant = g.density >= least_sampled_density(g.n, g.sorted) || g.is_star() || (g.has_hubs() && g.density >= least_with_hubs);
  return has_giant ? course::skip_giant : course::unite_listed;
}

/// If no sampled vertex has arcs, the density is infinite.
COPSE_HOST_DEVICE inline sampled_shape shape_of(std::uint64_t n, std::uint64_t arcs, bool sorted, const backend::row_sample& sample) {
  const float density = static_cast<float>(arcs) / static_cast<float>(n) / (1 - sample.share_without_arcs());
  return {n, sorted, sample, density, sample.mean_arcs_met() / density};
}

/// Returns how a solve of rows that store both directions of every edge goes on, by what a sample of them shows. `forest`: links are
/// recorded.
COPSE_HOST_DEVICE inline course planned(std::uint64_t n, std::uint64_t arcs, bool sorted, bool forest, const backend::row_sample& sample) {
  if (sample.rows == sample.without_arcs) return course::unite_listed;
  const sampled_shape shape = shape_of(n, arcs, sorted, sample);
  return forest ? for_forest(shape) : for_shape(shape);
}

/// How a solve goes on after the first hook.
struct after_first_hook {
  course next = course::skip_giant;  ///< skip_giant: the second hook makes a giant if there can be one, and a vote finds it
  unsigned spacing = 1;              ///< for top_up (see decision)
};

/// Returns how a solve that begins with hooks goes on after the first one. The second hook makes a giant of a random graph. In lattices, in
/// chains of cliques and among points it joins each tree to some around it. If ids are far apart, it takes longer than to unite along so
/// many more arcs that a giant forms (course::top_up), or if there are few arcs, along all of them. Disjoint cliques are solved by the
/// first hook, if it finds the smallest neighbour of each vertex.
COPSE_HOST_DEVICE inline after_first_hook planned_after_first_hook(const sampled_shape& g) {
  constexpr float regular = 1.5f;  // rows of random neighbours are less than 1.5 times as long as the mean row, as in random graphs
  constexpr float flat = 5, sparse = 5.5f, dense = 8.5f, densest = 24;
  constexpr unsigned among_cliques = 8, most_of_few = 2;
  // In graphs of fewer vertices, parents are compared before any find, because most threads would otherwise change the same few roots.
  constexpr std::uint64_t united_vertices = std::uint64_t{5} << 18;
  if (g.sample.all_closed() && g.near() && g.density <= few_to_check) return {course::compare_parents};
  if (g.sample.all_closed()) return {g.sorted || g.density <= least_of ? course::check : course::skip_giant};
  if (g.hubs >= regular) return {};
  const float wedges = g.sample.share_closed_wedges(), squares = g.sample.share_closed_squares();
  const bool points = g.sample.back_as_among_points() && wedges < of_cliques;
  if (g.near()) return {points && g.density <= few_to_check ? course::unite : course::skip_giant};
  if ((points || wedges >= of_cliques) && g.density < sparse) return {g.n < united_vertices ? course::compare_parents : course::unite};
  if (wedges >= of_cliques) return {course::top_up, among_cliques};
  unsigned spacing = 0;
  if (points) {
    spacing = g.density < dense ? 1 : g.density < densest ? 2 : 4;
  } else if (g.sample.is_clustered()) {
    spacing = 2;
  } else if (squares >= lattice) {
    spacing = g.density < flat ? 2 : 4;
  } else {
    return {};
  }
  return {course::top_up, g.n <= some && spacing > most_of_few ? most_of_few : spacing};
}

}  // namespace copse::fast
