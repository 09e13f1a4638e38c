// The vote: the root that most of some sampled vertices have, and how many have it. Only vertices with arcs vote: the others cost the
// finish nothing. A wrong giant is never wrong, only slow.
#pragma once
#include <copse/views.hpp>
#include <core/random.hpp>
#include <fast/in_flight.hpp>
#include <fast/walk.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace copse::fast {

template <class Id>
struct giant_vote {
  Id root = 0;
  double coverage = 0;  ///< share of the votes
  double share = 0;     ///< share of the sampled vertices, those without arcs included
  double direct = 0;    ///< share of these that point at the root itself
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
  // Trees may be as deep as there are chunks, so the walks are shared among the threads.
  backend.for_chunks(roots.size(), walks_together, [p, first = roots.data()](std::size_t begin, std::size_t end) {
    walk_to_roots(p, std::span{first + begin, end - begin});
  });
  std::sort(roots.begin(), roots.end());
  giant_vote<Id> best;
  std::ptrdiff_t most = 0;
  for (auto first = roots.begin(); first != roots.end();) {
    const auto last = std::upper_bound(first, roots.end(), *first);
    if (last - first > most) {
      most = last - first;
      best.root = *first;
    }
    first = last;
  }
  best.coverage = static_cast<double>(most) / static_cast<double>(roots.size());
  best.share = static_cast<double>(most) / static_cast<double>(sampled.size());
  const auto pointing = std::count_if(sampled.begin(), sampled.end(), [=](Id v) { return p.parent(p.load(v)) == best.root; });
  best.direct = static_cast<double>(pointing) / static_cast<double>(sampled.size());
  return best;
}

}  // namespace copse::fast
