// Boruvka's algorithm (1926), on edges rather than rows: every edge offers itself to the trees of both its ends, by an atomic minimum;
// every tree takes the first edge, in the order of edges, that it was offered; the trees that these edges join become vertices of the next
// round, and edges inside a tree are removed. A round at least halves the number of trees that have edges.
// The best offer to a tree is one word: the edge's prefix in the upper half, the number of its record in the lower half. Edges of equal
// prefix are compared by their records. Offers are published with release and read with acquire, because a comparison reads the record of
// an offer.
// The order of edges is total, so a cycle of trees that take edges consists of two trees that take the same edge: the smaller one stays a
// root.
// Chunks are compacted in place while their edges make offers: the number that a record gets then is valid for the round.
// When few edges are left, Kruskal's algorithm takes them: each of the last rounds would join a few trees only, but visit all trees.
// Cost: O(edges + trees) per round, two random words per edge.
#pragma once
#include <core/new_pages.hpp>
#include <weighted/contraction.hpp>
#include <weighted/kruskal.hpp>
#include <weighted/picks.hpp>
#include <weighted/records.hpp>

#include <copse/errors.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace copse::weighted {

template <class Backend, class Source>
class boruvka_rounds {
  using id = typename Source::id;
  using record_type = typename Source::record_type;
  using list_type = record_list<record_type>;

public:
  boruvka_rounds(const Backend& loops, list_type& list, id count, const Source& source, picks& forest, std::pmr::memory_resource* memory)
      : loops_{loops}, list_{list}, source_{source}, forest_{forest}, memory_{memory}, best_{count, memory}, parents_{count, memory} {
    if (list.chunks().size() > std::numeric_limits<std::uint32_t>::max() / list_type::chunk_records) {
      throw resource_error{"weighted forest: found " + std::to_string(list.size()) +
                           " edges, expected fewer than 2^32 for this variant; use one that filters, such as threads.filter_boruvka"};
    }
    touch_pages(loops.threads(), best_.span());
    touch_pages(loops.threads(), parents_.span());
  }

  /// Runs all rounds, and returns the contraction of each, in order.
  std::vector<contraction<id>> run() {
    const std::size_t few = std::min<std::size_t>(most_of_few, list_.size() / 64);
    std::vector<contraction<id>> rounds;
    for (id trees = static_cast<id>(parents_.size());; trees = rounds.back().count) {
      offer_all(trees, rounds.empty() ? nullptr : rounds.back().number.data());
      if (list_.size() == 0) return rounds;
      if (list_.size() <= few) {
        rounds.push_back(kruskal::solve(loops_, list_, trees, source_, forest_, memory_));
        return rounds;
      }
      hook_all(trees);
      rounds.push_back(contract(loops_, parents_.span().first(trees), memory_));
    }
  }

private:
  static constexpr std::uint64_t no_offer = ~std::uint64_t{0};
  static constexpr std::size_t records_ahead = 16, most_of_few = std::size_t{1} << 15;

  /// Renumbers the ends of the edges, and offers each edge to both its trees. `number`: the tree of each vertex of the round before; null
  /// in the first round.
  void offer_all(id trees, const id* number) {
    loops_.for_blocks(trees, [best = best_.data()](std::size_t begin, std::size_t end) { std::fill(best + begin, best + end, no_offer); });
    auto& chunks = list_.chunks();
    loops_.for_chunks(chunks.size(), 1, [this, &chunks, number](std::size_t c, std::size_t) {
      record_type* const records = chunks[c].first;
      if (number != nullptr) chunks[c].size = renumber(records, chunks[c].size, number);
      const std::size_t size = chunks[c].size;
      for (std::size_t i = 0; i < size; ++i) {
        const record_type& later = records[std::min(i + records_ahead, size - 1)];
        __builtin_prefetch(&best_[later.u], 1);
        __builtin_prefetch(&best_[later.v], 1);
        const std::uint64_t offer = std::uint64_t{records[i].prefix} << 32 | (c * list_type::chunk_records + i);
        make(offer, records[i].u);
        make(offer, records[i].v);
      }
    });
    // The elements of best_ name a record by the number of its chunk and its index there, so no chunk may be removed, not even an empty
    // one.
    list_.count_only();
  }

  void make(std::uint64_t offer, id tree) {
    const std::atomic_ref<std::uint64_t> best{best_[tree]};
    std::uint64_t seen = best.load(std::memory_order_acquire);
    while (is_before(offer, seen)) {
      if constexpr (!Backend::concurrent) {
        best_[tree] = offer;
        return;
      } else if (best.compare_exchange_weak(seen, offer, std::memory_order_acq_rel, std::memory_order_acquire)) {
        return;
      }
    }
  }

  [[nodiscard]] bool is_before(std::uint64_t a, std::uint64_t b) const noexcept {
    if (a >> 32 != b >> 32) return a < b;
    if (b == no_offer) return true;
    return source_.before(taken_by(a).at, taken_by(b).at);
  }

  void hook_all(id trees) {
    loops_.for_blocks(trees, [this](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        ask_ahead(i, end);
        hook(i);
      }
    });
  }

  /// Prefetches what hook() will read for later trees: the record of the tree's best edge, and the best edge of the tree at its other end.
  /// Without this both reads miss the cache.
  void ask_ahead(std::size_t i, std::size_t end) const noexcept {
    if (i + 2 * records_ahead < end) {
      if (const std::uint64_t later = best_[i + 2 * records_ahead]; later != no_offer) __builtin_prefetch(&taken_by(later));
    }
    if (i + records_ahead < end) {
      if (const std::uint64_t soon = best_[i + records_ahead]; soon != no_offer) {
        const record_type& r = taken_by(soon);
        __builtin_prefetch(&best_[r.u == i + records_ahead ? r.v : r.u]);
        forest_.prefetch(r.at);
      }
    }
  }

  void hook(std::size_t i) {
    const id tree = static_cast<id>(i);
    const std::uint64_t taken = best_[i];
    parents_[i] = tree;
    if (taken == no_offer) return;
    const record_type& r = taken_by(taken);
    const id other = r.u == tree ? r.v : r.u;
    const bool both = best_[other] == taken;
    if (!both || tree < other) forest_.mark(r.at);
    if (!both || tree > other) parents_[i] = other;
  }

  [[nodiscard]] const record_type& taken_by(std::uint64_t offer) const noexcept { return list_[static_cast<std::uint32_t>(offer)]; }

  const Backend& loops_;
  list_type& list_;
  const Source& source_;
  picks& forest_;
  std::pmr::memory_resource* memory_;
  buffer<std::uint64_t> best_;
  buffer<id> parents_;
};

struct boruvka {
  static constexpr bool by_rounds = true;
  /// As kruskal::solve(): marks the edges of the minimum spanning forest of `list` in `forest`, and returns the tree of each vertex.
  template <class Backend, class Source>
  static contraction<typename Source::id> solve(const Backend& loops, record_list<typename Source::record_type>& list,
                                                typename Source::id count, const Source& source, picks& forest,
                                                std::pmr::memory_resource* memory) {
    auto rounds = boruvka_rounds<Backend, Source>{loops, list, count, source, forest, memory}.run();
    return compose(loops, count, std::move(rounds), memory);
  }
  /// Marks the edges that solve() marks, but does not number the trees.
  template <class Backend, class Source>
  static void mark(const Backend& loops, record_list<typename Source::record_type>& list, typename Source::id count, const Source& source,
                   picks& forest, std::pmr::memory_resource* memory) {
    static_cast<void>(boruvka_rounds<Backend, Source>{loops, list, count, source, forest, memory}.run());
  }
};

}  // namespace copse::weighted
