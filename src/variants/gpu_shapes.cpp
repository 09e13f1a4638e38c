// The limits were fitted to 22 variants on about 2,600 generated graphs of 20,000 to 8.4 million vertices on an H100: 60 kinds, ids as
// generated and shuffled, rows sorted and unsorted. What the kinds have in common:
//
// - Where walks of two or three arcs hardly ever come back (random graphs, webs), and rows are long, there is a giant: the fast path finds
//   it by a sample. Below about three arcs per vertex a sample would read most arcs.
// - Where they do, and ids are far apart, no thread finds what it needs in a cache, and trees grow slowly: comparing parents before any
//   find gains most, as long as all vertices are in flight at once or rows are short.
// - Where ids are near each other, such comparisons walk along paths as long as the graph is wide. Unites that shorten paths win as long
//   as vertices are few; the fast path wins on lattices, paths and chains, because its first hook flattens whole tiles of them.
// - Disjoint cliques are solved by the hooks; what remains is to check all arcs.
#include <variants/gpu_shapes.hpp>

namespace copse::variant {
namespace {

constexpr const char *sampled = "cuda.hb.fast", *unsampled = "cuda.none.fast", *shortened = "cuda.none.rem_cas.naive.halve_one",
                     *compared = "cuda.none.afforest", *two_compared = "cuda.kout.afforest", *early = "cuda.none.early.naive",
                     *two_split = "cuda.kout.rem_cas.naive.split_one";

// Numbers of vertices at which another variant becomes the fastest. Up to most_for_one_launch most time is spent on launches; up to
// `few`, on launches and on waiting for memory; up to `in_flight` the GPU works on all vertices at once, and their parents are in the L2
// cache. The others were fitted to measurements and have no such meaning.
constexpr std::uint64_t fewest = 250'000, few = 600'000, some = 1'100'000, in_flight = 1'570'000, many = 3'000'000;

// From this number of arcs per vertex up (vertices without arcs do not count), a variant with a sampler is faster, for graphs in which
// random walks of two or three arcs hardly ever end at a neighbour of their start; the second limit is for more than `many` vertices.
constexpr double long_rows = 3.2, long_rows_of_many = 3.5;
constexpr double least_path = 1.9;  ///< lower limit of the arcs per vertex of a path
constexpr double most_tree = 2.05;  ///< upper limit of the arcs per vertex of a tree
// The least shares of random walks that end at a neighbour of their start: of walks of two arcs in geometric graphs (points joined to those
// around them) and in chains of cliques, and of walks of three arcs in lattices.
constexpr double least_clustered = .25;
constexpr double least_cliques = .65;
constexpr double least_lattice = .1;
// In geometric graphs, the least sum of two shares: of the random walks of two arcs, and of those of three arcs, that end at a neighbour of
// their start. Points joined to their nearest neighbours have .68 or more, a mesh with diagonals has .58.
constexpr double least_points = .63;
constexpr double mostly_descending = .93;

/// The facts about a graph by which a variant is chosen.
struct sampled_shape {
  std::uint64_t n;
  bool sorted;
  const backend::row_sample& sample;
  double density;  ///< arcs per vertex that has some
  double hubs;     ///< mean row length of random neighbours, divided by that of all vertices with arcs

  [[nodiscard]] bool near() const { return sample.leads_nearby(); }
};

struct reasoned {
  const char* variant;
  const char* reason;
};

/// Returns the variant for graphs in which all sampled walks of two and of three arcs end at a neighbour of their start.
reasoned for_disjoint_cliques(const sampled_shape& g) {
  constexpr double least_large = 30, least_middling = 4.5, most_middling = 12, small = 3.2, pairs = 1.5;
  constexpr std::uint64_t most_checked = 4'400'000;
  if (g.near()) {
    const bool of_all_sizes = g.sample.share_without_arcs() > .2;
    if (g.density >= least_large || (g.sorted && of_all_sizes && g.n <= most_checked))
      return {sampled, "cliques: check all arcs after the first hook"};
    return {shortened, "small cliques side by side: unite all, paths are short"};
  }
  if (g.sorted && (g.density < small || (g.density < least_middling && g.n > in_flight)))
    return {unsampled, "cliques of few vertices: unite all"};
  if (!g.sorted && g.n > in_flight && (g.density < pairs || (g.density >= least_middling && g.density < most_middling)))
    return {shortened, "cliques in no order: unite all, paths are shortened on the way"};
  return {sampled, "cliques: check all arcs after the first hook"};
}

reasoned for_chains_of_cliques(const sampled_shape& g) {
  constexpr double large = 18, most_compared = 9, most_compared_of_few = 24;
  if (g.near()) {
    if (!g.sorted && g.density >= large) return {early, "a chain of large cliques in no order: unite all"};
    return {sampled, "a chain of cliques: flatten its stretches first"};
  }
  if (g.density < (g.n <= in_flight ? most_compared_of_few : most_compared))
    return {compared, "overlapping cliques far apart: unite all in one kernel, parents are compared first"};
  return {sampled, "overlapping cliques: sample"};
}

/// Returns the variant for geometric graphs, whose vertices are points that are joined to the points around them.
reasoned for_points(const sampled_shape& g) {
  constexpr std::uint64_t most_sampled = 1'200'000;
  constexpr double sparse = 3.2, fuller = 4.5, middling = most_unsampled_density, dense = 7.05, denser = 9.5, dense_unsorted = 13,
                   densest = 17;
  const double x = g.density;
  if (!g.near()) {
    constexpr const char* far = "points joined to those around them, ids far apart: parents are compared first";
    if (x < middling || (x < dense && g.n <= some) || (x < denser && g.n <= fewest)) return {compared, far};
    if (x < dense || (x < densest && g.n <= some)) return {two_compared, far};
    return {sampled, "points joined to many around them: skip the giant"};
  }
  constexpr const char* near = "points joined to near ones: unite all, paths are shortened on the way";
  if (x < sparse) return {g.n <= few ? shortened : compared, near};
  if (x < (g.n <= fewest ? densest : g.n <= few ? dense : 0)) return {early, near};
  if (g.n > few && x < (g.n > most_sampled ? middling : fuller))
    return {unsampled, "points joined to near ones: flatten their stretches first"};
  if (g.n > few && g.n <= most_sampled && x < middling) return {sampled, "points joined to near ones: skip the giant"};
  if (x < dense || (x < densest && (g.sorted || (g.n <= few && x < dense_unsorted))))
    return {two_split, "points joined to near ones: unite two arcs per vertex, then skip the giant"};
  return {sampled, "points joined to many near ones: skip the giant"};
}

reasoned for_lattices(const sampled_shape& g) {
  constexpr double flat = 4.5, cubic = 6.5;
  if (!g.near() && g.n <= some && (g.density < flat || (g.sorted && g.density < cubic && g.n <= few)))
    return {compared, "a lattice with ids far apart: parents are compared first"};
  return {sampled, "a lattice: the first hook flattens its stretches, or the second makes a giant"};
}

/// Returns the variant for trees, paths, roads, and sets of small trees in which neighbours have near ids: there are few arcs, and random
/// walks of two or three arcs hardly ever end at a neighbour of their start.
reasoned for_near_trees(const sampled_shape& g) {
  constexpr double mostly_adjacent = .9, least_road = .3, most_road = .62, few_legs = 5, some_legs = 8, many_hubs = 64, some_adjacent = .15;
  const double adjacent = g.sample.share_adjacent();
  if (g.density >= least_path && adjacent >= mostly_adjacent) return {sampled, "a path, or a tree along one: flatten its stretches first"};
  if (g.density > most_tree && adjacent >= least_road && adjacent < most_road) return {unsampled, "roads: flatten their stretches first"};
  if (g.hubs >= hub_ratio) {
    if (g.hubs < few_legs || (g.hubs < some_legs && g.n <= many)) return {sampled, "a tree along a path: flatten its stretches first"};
    if (g.hubs >= many_hubs && g.sorted && g.n <= some) return {sampled, "stars side by side"};
    if (g.hubs >= many_hubs) return {shortened, "stars side by side: unite all, paths are shortened on the way"};
    return {early, "trees with hubs: unite all in one kernel"};
  }
  if (g.sorted && g.n > in_flight && adjacent >= some_adjacent) return {unsampled, "small trees side by side: unite all"};
  return {early, "trees: unite all in one kernel"};
}

/// Returns the variant for trees, paths, roads, and sets of small trees in which most neighbours have ids far apart: there are few arcs,
/// and random walks of two or three arcs hardly ever end at a neighbour of their start.
reasoned for_far_trees(const sampled_shape& g) {
  constexpr double least_road = .2, most_road = .62, many_hubs = 64, some_hubs = 8, few_without = .05, least_random_without = .03;
  constexpr double least_random = 2.1, denser_random = 2.3, densest_random = 2.6;
  const double adjacent = g.sample.share_adjacent(), without = g.sample.share_without_arcs();
  if (g.density > most_tree && adjacent >= least_road && adjacent < most_road) return {unsampled, "roads: flatten their stretches first"};
  if (g.hubs >= many_hubs) {
    if (g.n <= fewest) return {compared, "stars: unite all in one kernel, parents are compared first"};
    if (g.n <= some) return {sampled, "stars: skip the giant"};
    return {shortened, "stars: unite all, paths are shortened on the way"};
  }
  if (g.hubs >= some_hubs && g.density >= least_random) return {sampled, "hubs: skip the giant"};
  if (g.hubs >= some_hubs) return {g.sorted && g.n > in_flight ? unsampled : early, "trees with hubs: unite all"};
  if (g.density < most_tree && without < few_without && g.sample.share_descending() >= mostly_descending)
    return {g.sorted ? sampled : early, "trees with ids that descend to the root: unite all"};
  constexpr const char* far = "ids far apart: unite all in one kernel, parents are compared first";
  const bool random = g.density >= least_random && without >= least_random_without;
  if (g.n <= (g.density >= least_random ? std::uint64_t{1} << 21 : in_flight)) return {compared, far};
  if (random && g.n > many && g.density >= (g.sorted ? densest_random : denser_random)) return {early, "a sparse random graph: unite all"};
  if (g.sorted && !(random && g.density >= densest_random)) return {unsampled, "short rows: unite all as they stand"};
  return {compared, far};
}

reasoned for_trees(const sampled_shape& g) {
  constexpr double least_with_hubs = 2.8, least_of_few = 3.05, mostly_isolated = .5, least_beside_isolated = 2.5;
  // A random graph in which half of the vertices have no arcs has no giant: the others have 1.4 arcs each. If these have far more, there is
  // a giant among them.
  const bool isolated_aside = g.sample.share_without_arcs() >= mostly_isolated && g.density >= least_beside_isolated;
  const bool hubs = g.density >= least_with_hubs && g.hubs >= hub_ratio;
  if (hubs && g.near() && g.sorted && g.n > some && g.density < long_rows_of_many)
    return {two_compared, "hubs and near neighbours: unite two arcs per vertex, then skip the giant"};
  if (g.density >= (g.n > many ? long_rows_of_many : long_rows) || (g.density >= least_of_few && g.sorted && g.n <= few) || hubs ||
      isolated_aside)
    return {sampled, "rows long enough to sample and skip the giant"};
  return g.near() ? for_near_trees(g) : for_far_trees(g);
}

reasoned for_shape(const sampled_shape& g) {
  if (g.n <= most_for_one_launch) return {sampled, "few vertices: one kernel does it all"};
  if (g.hubs >= hub_ratio && g.hubs * g.density >= star_share * static_cast<double>(g.n)) return {sampled, "a star: skip the giant"};
  const double wedges = g.sample.share_closed_wedges(), squares = g.sample.share_closed_squares();
  const bool points = wedges >= least_clustered && wedges < least_cliques && (wedges + squares >= least_points || g.density < long_rows);
  if (g.sample.all_closed()) return for_disjoint_cliques(g);
  if (wedges >= least_cliques) return for_chains_of_cliques(g);
  if (points) return for_points(g);
  if (wedges >= least_clustered || squares >= least_lattice) return for_lattices(g);
  return for_trees(g);
}

}  // namespace

choice for_shape_on_gpu(std::uint64_t vertices, double density, bool sorted, const backend::row_sample& sample, const std::string& seen) {
  const auto [variant, reason] = for_shape({vertices, sorted, sample, density, sample.mean_arcs_met() / density});
  return {variant, seen + ", " + reason};
}

}  // namespace copse::variant
