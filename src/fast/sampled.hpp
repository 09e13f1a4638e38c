// The sampled path, for rows with a giant: hook every vertex once (first_hook), hook the remaining roots once more (second_hook), vote for
// the giant, and unite the vertices outside it along all their arcs (finish_outside). Invariant: p[v] <= v.
#pragma once
#include <copse/extend/rules/find/naive.hpp>
#include <copse/views.hpp>
#include <core/most_frequent.hpp>
#include <core/random.hpp>
#include <core/request.hpp>
#include <fast/decide.hpp>
#include <fast/in_flight.hpp>
#include <fast/labels.hpp>
#include <fast/passes.hpp>
#include <fast/unsampled.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace copse::fast {

// The first pass (GConn's hook-based sampler): p[v] becomes the first neighbour if that is smaller, by a store of the thread that owns v.
// One arc per vertex is read, no parent of another vertex is loaded, there is no compare-and-swap, and nothing needs to be initialised
// before, because no thread reads a word of another thread. If the same thread has just hooked the neighbour too, v takes the neighbour's
// parent: a chain then leaves a thread's share in one step, and one thread, whose share is the whole graph, is left with flat trees. The
// remaining roots are marked by one bit each, so that the next pass need not read all vertices again.

/// Returns the neighbour that a vertex is hooked to if that is smaller. In a sorted row it is the first, which is the smallest. In an
/// unsorted row it is the smallest of the first four, because the first alone would leave half of all vertices as roots. Precondition:
/// first < last.
template <bool Sorted, class Id, class Offset>
Id hook_target(csr_view<Id, Offset> g, Offset first, Offset last) {
  Id least = g.targets[first];
  if constexpr (!Sorted) {
    constexpr Offset looked_at = 4;
    for (Offset k = 1; k < looked_at; ++k) least = std::min(least, g.targets[std::min<Offset>(first + k, last - 1)]);
  }
  return least;
}

/// `roots`: one bit per vertex, set to whether the vertex has arcs and no smaller neighbour to hook to.
template <bool Sorted, class Backend, class Id, class Offset>
void first_hook(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, std::size_t chunk,
                std::uint64_t* roots) {
  const std::size_t n = g.vertices();
  backend.for_runs(n, chunk, [=](std::size_t begin, std::size_t end, std::size_t run) {
    Offset first = g.offsets[begin];
    // Hooks v. Returns true if v has arcs and is left as a root.
    const auto hook = [&](std::size_t v) {
      prefetch(g.targets.data() + g.offsets[std::min(v + far_distance, n)]);
      const Offset last = g.offsets[v + 1];
      auto parent = static_cast<Id>(v);
      bool left = false;
      if (first != last) {
        const Id target = hook_target<Sorted>(g, first, last);
        if (target < v) {
          parent = target >= run ? parent_of(p, target) : target;
        } else {
          left = true;
        }
      }
      p.store(static_cast<Id>(v), p.link(parent));
      first = last;
      return left;
    };
    for (std::size_t block = begin; block < end; block += 64) {
      std::uint64_t marks = 0;
      const std::size_t stop = std::min(end, block + 64);
      for (std::size_t v = block; v < stop; ++v) {
        if (hook(v)) marks |= std::uint64_t{1} << (v % 64);
      }
      roots[block / 64] = marks;
    }
  });
}

// The second pass: the remaining roots, whose first neighbours are not smaller, unite their first arcs. In a random graph about 1 in degree
// + 1 vertices is such a root, and together with the first hooks they make the giant. In some graphs they do not, such as lattices in
// random order, where the neighbours of a small vertex have all hooked to it. Then a quarter of all vertices unite their last arc. The
// largest neighbour is the one that the arcs used so far are least likely to lead to, so these few arcs join what the hooks left apart. (On
// a shuffled grid 96 % of the vertices are then in the giant; the second arcs of all vertices make it 100 %, at four times the unites.)
// Another quarter follows, up to all four, while last arcs still join trees of like size or the largest tree has grown by a lot (points in
// the plane, where the giant only just forms). No quarter follows if trees are nearly components already (ten giants, chains of cliques).

/// Unites every remaining root with its first neighbours. `roots`: one bit per vertex, set if it has arcs and no smaller neighbour to hook
/// to.
template <class Backend, class Id, class Offset>
void second_hook(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, const Id* words,
                 std::size_t chunk, const std::uint64_t* roots) {
  using parents = typename Backend::template parents<Id>;
  backend.for_chunks(g.vertices(), chunk, [=](std::size_t begin, std::size_t end) {
    constexpr std::size_t arcs = 2;  // number of arcs that a root unites
    in_flight<parents, Id, Offset> waiting{g, p, words};
    const auto hook = [=](Id v) {
      const std::size_t first = g.offsets[v], last = std::min<std::size_t>(g.offsets[v + 1], first + arcs);
      Id joined = v;
      for (std::size_t a = first; a < last; ++a) joined = unite_of<Backend>{}(p, joined, g.targets[a]);
    };
    each_marked(roots, begin, end, [&](std::size_t v) { waiting.hold(static_cast<Id>(v), hook); });
    waiting.flush(hook);
  });
}

/// Unites the last arcs of 64 consecutive vertices in every 256. `quarter`, 0 to 3, chooses which 64.
template <class Backend, class Id, class Offset>
void top_up(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, const Id* words, std::size_t chunk,
            std::size_t quarter) {
  using parents = typename Backend::template parents<Id>;
  backend.for_chunks(g.vertices(), chunk, [=](std::size_t begin, std::size_t end) {
    in_flight<parents, Id, Offset, true> waiting{g, p, words};
    const auto has_arcs = [=](Id v) { return g.offsets[std::size_t{v} + 1] != g.offsets[v]; };
    const auto unite_last = [=](Id v) { unite_of<Backend>{}(p, v, g.targets[g.offsets[std::size_t{v} + 1] - 1]); };
    constexpr std::size_t every = 256, chosen = 64;
    for (std::size_t first = begin + quarter * chosen; first < end; first += every) {
      waiting.each(first, std::min(end, first + chosen), has_arcs, unite_last);
    }
    waiting.flush(unite_last);
  });
}

/// The result of a vote among sampled vertices: the most frequent root, and its share. Only vertices with arcs vote, as the others cost the
/// finish nothing. A wrong giant costs time, but never gives a wrong answer.
template <class Id>
struct giant_vote {
  std::vector<Id> roots{};  ///< roots of the vertices that voted, in ascending order
  Id root = 0;
  double coverage = 0;  ///< share of the votes that are for `root`
  double direct = 0;    ///< share of all sampled vertices, also of those without arcs, whose parent is `root`
};

template <class Backend, class P, class Id, class Offset>
giant_vote<Id> vote(const Backend& backend, csr_view<Id, Offset> g, P p, const Id* words, unsigned samples, std::uint64_t seed) {
  std::vector<Id> roots(std::max(1u, samples));
  for (std::size_t k = 0; k < roots.size(); ++k) {
    roots[k] = static_cast<Id>(random_stream{seed, 7}.below(k, g.vertices()));
    prefetch(g.offsets.data() + roots[k]);
    prefetch(words + roots[k]);
  }
  const std::vector<Id> sampled = roots;
  std::erase_if(roots, [=](Id v) { return g.offsets[v] == g.offsets[v + 1]; });
  if (roots.empty()) return {};
  // Paths may have as many steps as there are chunks, because a thread shortens paths only inside its chunk; so threads share the walks.
  backend.for_chunks(roots.size(), walks_together, [p, first = roots.data()](std::size_t begin, std::size_t end) {
    walk_to_roots(p, std::span{first + begin, end - begin});
  });
  const auto [root, votes] = most_frequent(std::span{roots});
  const auto pointing = std::count_if(sampled.begin(), sampled.end(), [p, root = root](Id v) { return p.parent(p.load(v)) == root; });
  const auto share = [](auto part, std::size_t whole) { return static_cast<double>(part) / static_cast<double>(whole); };
  const double coverage = share(votes, roots.size());
  return {std::move(roots), root, coverage, share(pointing, sampled.size())};
}

/// If at least this share of last arcs join trees of like size, uniting more of them can make a giant.
inline constexpr double enough_alike = 0.03;

/// Returns the share of sampled vertices with arcs whose last arc leads to another tree of like size: both trees have at least two voters
/// of `votes`, or neither has. If it is small, uniting more arcs makes no giant: the trees are nearly components, or the few large ones
/// would only take in what is left of their own components.
template <class Backend, class Id, class Offset, class P>
double share_joining_alike(const Backend& backend, csr_view<Id, Offset> g, P p, const giant_vote<Id>& votes, unsigned samples,
                           std::uint64_t seed) {
  std::vector<Id> ends;  // pairs of a vertex and its last neighbour
  for (std::size_t k = 0; k < samples; ++k) {
    const auto v = static_cast<Id>(random_stream{seed, 8}.below(k, g.vertices()));
    const Offset last = g.offsets[std::size_t{v} + 1];
    if (g.offsets[v] != last) ends.insert(ends.end(), {v, g.targets[last - 1]});
  }
  if (ends.empty()) return 0;
  backend.for_chunks(ends.size(), walks_together, [p, first = ends.data()](std::size_t begin, std::size_t end) {
    walk_to_roots(p, std::span{first + begin, end - begin});
  });
  const auto is_large = [&votes](Id root) {
    const auto [first, last] = std::equal_range(votes.roots.begin(), votes.roots.end(), root);
    return last - first >= 2;
  };
  std::size_t joining = 0;
  for (std::size_t i = 0; i < ends.size(); i += 2) joining += ends[i] != ends[i + 1] && is_large(ends[i]) == is_large(ends[i + 1]) ? 1 : 0;
  return static_cast<double>(2 * joining) / static_cast<double>(ends.size());
}

// The finish: vertices outside the giant unite along all their arcs, and leave the row as soon as their root is the giant's. This is right
// if both directions are stored: an edge is dropped only if both ends stopped, and then both are in the giant, which no vertex ever leaves.
// The giant's root may itself be hooked under a smaller one, so a thread follows the parents of `giant` again each time it needs the root,
// which is one load of a word in the cache. (A reserved value as the giant's label would have to be replaced by its root at the end.) With
// many threads, the vertices outside were marked when the trees were flattened. One thread looks at every vertex, and flattens in the same
// pass. If nearly all vertices point at the giant already, it runs a loop that stops at the first one that does not, which the processor
// predicts well; otherwise every vertex takes the same steps, without a branch on whether it is in the giant.

/// Unites one vertex outside the giant along its arcs.
template <class Unite, class P, class Id, class Offset>
struct outside_vertex {
  csr_view<Id, Offset> g;
  P p;
  Id giant;

  void operator()(Id v, std::size_t first, std::size_t last) {
    giant = find::naive{}(p, giant);
    if (parent_of(p, v) == giant) return;
    Id joined = v;
    for (std::size_t a = first; a < last; ++a) {
      joined = Unite{}(p, joined, g.targets[a]);
      if (joined == giant || parent_of(p, joined) == giant) return;
    }
  }
};

/// The finish by one thread: points every vertex at its root, and unites the vertices outside the giant along their arcs. `all_inside`:
/// true if nearly all vertices point at the giant's root already. Returns true if any vertex outside had arcs.
template <class Backend, class Id, class Offset>
bool finish_outside(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, const Id* words,
                    std::size_t chunk, const giant_vote<Id>& giant, bool all_inside) {
  using parents = typename Backend::template parents<Id>;
  using outside = outside_vertex<unite_of<Backend>, parents, Id, Offset>;
  bool any = false;
  backend.for_chunks(g.vertices(), chunk, [=, &any](std::size_t begin, std::size_t end) {
    outside unite_row{g, p, find::naive{}(p, giant.root)};
    const Id skipped = unite_row.giant;
    const auto is_outside = [=](Id v) {
      const Id parent = parent_of(p, v);
      // Two steps nearly always reach the root, so this code hardly ever takes an unpredictable branch.
      Id root = parent_of(p, parent);
      if (const Id above = parent_of(p, root); above != root) root = find::naive{}(p, above);
      p.store(v, p.link(root));
      return (root != skipped) & (g.offsets[v] != g.offsets[std::size_t{v} + 1]);
    };
    in_flight<parents, Id, Offset> waiting{g, p, words};
    const auto unite_start = [&](Id v) {
      any = true;
      unite_row(v, g.offsets[v], g.offsets[v + 1]);
    };
    const std::size_t step = all_inside ? 64 : end - begin;
    for (std::size_t block = begin; block < end; block += step) {
      const std::size_t stop = std::min(end, block + step);
      std::size_t first = block;
      if (all_inside) {
        while (first < stop && parent_of(p, static_cast<Id>(first)) == skipped) ++first;
      }
      waiting.each(first, stop, is_outside, unite_start);
    }
    waiting.flush(unite_start);
  });
  return any;
}

/// The finish by many threads: unites the marked vertices, which are outside the giant, along their arcs, and clears the marks of vertices
/// without arcs. Returns true if any marked vertex had arcs. Precondition: trees are flat.
template <class Backend, class Id, class Offset>
bool finish_marked(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, const Id* words,
                   std::size_t chunk, Id giant, std::uint64_t* marks) {
  using parents = typename Backend::template parents<Id>;
  using outside = outside_vertex<unite_of<Backend>, parents, Id, Offset>;
  shared_flag long_ones, any;
  backend.for_chunks(g.vertices(), chunk, [=, &long_ones, &any](std::size_t begin, std::size_t end) {
    outside unite_row{g, p, find::naive{}(p, giant)};
    in_flight<parents, Id, Offset> waiting{g, p, words};
    const auto unite_start = [&](Id v) {
      const std::size_t first = g.offsets[v], length = g.offsets[v + 1] - first;
      any.raise();
      if (length > long_row<Backend>) long_ones.raise();
      unite_row(v, first, first + std::min(length, long_row<Backend>));
    };
    for (std::size_t word = begin / 64; word < (end + 63) / 64; ++word) {
      std::uint64_t with_arcs = 0;
      each_marked(marks, word * 64, word * 64 + 64, [&](std::size_t v) {
        const bool has_arcs = g.offsets[v] != g.offsets[v + 1];
        with_arcs |= std::uint64_t{has_arcs} << (v % 64);
        waiting.hold_if(has_arcs, static_cast<Id>(v), unite_start);
      });
      marks[word] = with_arcs;
    }
    waiting.flush(unite_start);
  });
  for_long_rows(backend, g, long_ones, [=](Id v, Offset first, Offset last) { outside{g, p, giant}(v, first, last); });
  return any.raised();
}

/// Number of vertices in a chunk where many threads flatten sampled trees. A walk is short if the chunks of smaller vertices are flat
/// already; in small chunks there are fewer vertices that other threads have still to flatten.
template <class Backend>
inline constexpr std::size_t flat_front = Backend::concurrent ? 8192 : std::size_t{1} << 16;

/// If more than this share of the vertices have the giant's root as their parent, one thread skips these in an inner loop (finish_outside),
/// whose branch the processor then predicts well.
inline constexpr double nearly_all = 0.98;

/// Solves by sampling. Precondition: g has vertices, and both directions of every edge. `marks`: scratch memory of one bit per vertex.
template <class Backend, class Id, class Offset>
void solve_sampled(const Backend& backend, csr_view<Id, Offset> g, Id* words, std::uint64_t* marks, const solve_request& options,
                   const fast_options& settings) {
  using parents = typename Backend::template parents<Id>;
  const parents p{words};
  const std::size_t chunk = chunk_of(backend, g.vertices(), settings.chunk_vertices), near = std::min(chunk, flat_front<Backend>);
  report_clock watch{settings.report};
  as_constants(g.sorted, [&](auto sorted) { first_hook<sorted()>(backend, g, p, chunk, marks); });
  watch.lap(&fast_report::hook_seconds);
  second_hook(backend, g, p, words, chunk, marks);
  watch.lap(&fast_report::second_hook_seconds);
  giant_vote<Id> giant = vote(backend, g, p, words, options.giant_samples, options.seed);
  watch.lap(&fast_report::vote_seconds);
  const double least_coverage = settings.least_coverage.value_or(Backend::concurrent ? .4 : .55);
  double before = 1;  // the coverage before the last quarter; 1 at first, so that the first coverage never counts as grown
  unsigned quarters = 0;
  for (; quarters < 4 && giant.coverage < least_coverage; ++quarters) {
    const bool grows = giant.coverage >= 3 * before;
    if (!grows && share_joining_alike(backend, g, p, giant, options.giant_samples / 4, options.seed) < enough_alike) break;
    before = giant.coverage;
    top_up(backend, g, p, words, chunk, quarters);
    watch.lap(&fast_report::second_hook_seconds);
    giant = vote(backend, g, p, words, options.giant_samples, options.seed);
    watch.lap(&fast_report::vote_seconds);
  }
  const bool skips = giant.coverage >= least_coverage;
  if (settings.report != nullptr) {
    settings.report->coverage = giant.coverage;
    settings.report->quarters = quarters;
    settings.report->skipped_giant = skips;
  }
  if (!skips) {
    flatten(backend, p, g.vertices(), near);
    watch.lap(&fast_report::flatten_seconds);
    unite_flat(backend, g, p);
    watch.lap(&fast_report::finish_seconds);
    flatten(backend, p, g.vertices(), near);
  } else if constexpr (Backend::concurrent) {
    flatten_and_mark(backend, p, g.vertices(), near, giant.root, marks);
    watch.lap(&fast_report::flatten_seconds);
    const bool any = finish_marked(backend, g, p, words, chunk, giant.root, marks);
    watch.lap(&fast_report::finish_seconds);
    if (parent_of(p, giant.root) != giant.root) {
      flatten(backend, p, g.vertices(), near);
    } else if (any) {
      flatten_marked(backend, p, g.vertices(), chunk, marks);
    }
  } else {
    const bool any = finish_outside(backend, g, p, words, chunk, giant, giant.direct > nearly_all);
    watch.lap(&fast_report::finish_seconds);
    if (any) flatten(backend, p, g.vertices(), near);
  }
  watch.lap(&fast_report::label_seconds);
}

}  // namespace copse::fast
