// The vote: the root that most of some sampled vertices have, and how many have it. Only vertices with arcs vote: the others cost the
// finish nothing. A wrong giant is never wrong, only slow.
#pragma once
#include <copse/views.hpp>
#include <core/most_frequent.hpp>
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
  double direct = 0;    ///< share of the sampled vertices, with arcs or without, that point at the root itself
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
  const auto [root, votes] = most_frequent(std::span{roots});
  const auto pointing = std::count_if(sampled.begin(), sampled.end(), [p, root = root](Id v) { return p.parent(p.load(v)) == root; });
  const auto share = [](auto part, std::size_t whole) { return static_cast<double>(part) / static_cast<double>(whole); };
  return {root, share(votes, roots.size()), share(pointing, sampled.size())};
}

}  // namespace copse::fast
