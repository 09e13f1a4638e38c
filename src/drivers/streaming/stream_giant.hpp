// The giant of a stream. One bit per vertex says that the vertex is known to be in the giant, so that edges inside are skipped before any
// parent is touched. Workers never wait for each other. One of them looks for a giant when fast::giant_schedule says so: once as many edges
// have come as there are ids, and again whenever their number has doubled. Then each worker raises the bits of one chunk of ids whenever it
// comes with edges, until all chunks are done. Trees grow at the same time: a bit is raised if the vertex's path ends at the giant, and
// what is in the giant stays there.
#pragma once
#include <copse/errors.hpp>
#include <copse/extend/rules/find/naive.hpp>
#include <copse/views.hpp>
#include <drivers/streaming/address_range.hpp>
#include <drivers/streaming/inverted_parents.hpp>
#include <fast/giant_filter.hpp>
#include <fast/giant_probe.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace copse::streaming {

/// Reads edges whose ids are of type `EdgeId` as edges with ids of type `Id`, in which the ids fit.
template <class Id, class EdgeId = std::uint64_t>
struct narrow_edges {
  std::span<const edge<EdgeId>> wide;
  edge<Id> operator[](std::size_t i) const noexcept { return {static_cast<Id>(wide[i].u), static_cast<Id>(wide[i].v)}; }
};

/// When a giant is searched for in a stream, and used. Tests set these limits so that short streams do both.
struct giant_limits {
  /// A giant is used if at least this share of the edges is inside it. Must be above 0: if a sample has loops only, the vote on it returns
  /// a share of 0 and root 0, which may be no vertex.
  double least_inside = fast::least_share_inside;
  std::uint64_t fewest_ids = fast::giant_schedule{}.fewest_vertices;  ///< with fewer ids no giant is looked for
  /// Number of ids whose bits a worker raises at a time: a power of two, at least 64.
  std::uint64_t chunk_ids = std::uint64_t{1} << 16;
};

/// The state of the search for a giant, which all workers share.
template <class Id>
struct giant_search {
  std::atomic<Id> giant{no_vertex<Id>};
  std::atomic_flag looking;
  alignas(64) std::atomic<std::uint64_t> seen{0};
  alignas(64) std::atomic<std::uint64_t> next_look{0};
  std::atomic<std::uint64_t> next_chunk{0}, chunks{0}, done{0}, ids{0};
};

template <class Id>
class stream_giant {
public:
  /// For ids below `limit`. No giant is ever known if the system refuses the address space for bits. If memory for bits is refused later,
  /// the giant is not searched for again.
  stream_giant(std::uint64_t limit, std::pmr::memory_resource* memory, const giant_limits& options = {})
      : options_{options}, schedule_{.fewest_vertices = options.fewest_ids} {
    if (limit >= options.fewest_ids)
      bits_ = address_range::reserve((limit + ids_per_page - 1) / ids_per_page * address_range::page_bytes, memory);
    if (bits_ == nullptr) {
      search_.next_look = never;
      return;
    }
    search_.next_look = schedule_.first(0);
    words_ = static_cast<std::uint64_t*>(bits_->data());
  }
  stream_giant(const stream_giant&) = delete;

  /// The bits of the giant; their words are null if no giant is known.
  [[nodiscard]] fast::giant_bits<Id> inside() const noexcept {
    const Id giant = search_.giant.load(std::memory_order_acquire);
    return {giant == no_vertex<Id> ? nullptr : words_, giant};
  }

  /// Called by a worker before it unites `edges`. Searches for a giant if that is due. After a search that found one, the ids are checked
  /// chunk by chunk: this call checks the next chunk, or all chunks if `Shared` is false, and sets the bits (inside()) of the ids that are
  /// in the giant. The ids so far are below `slots`; all ids of `edges` are below the constructor's `limit`.
  template <bool Shared>
  void before(flat_words<Id> forest, std::span<const edge<std::uint64_t>> edges, std::uint64_t slots) {
    const std::uint64_t seen = search_.seen.fetch_add(edges.size(), std::memory_order_relaxed) + edges.size();
    if (seen >= search_.next_look.load(std::memory_order_relaxed) && !search_.looking.test_and_set(std::memory_order_acquire)) {
      look<Shared>(forest, edges, seen, slots);
      search_.looking.clear(std::memory_order_release);
    }
    do {
      if (search_.next_chunk.load(std::memory_order_relaxed) >= search_.chunks.load(std::memory_order_acquire)) return;
      raise_bits_of_next_chunk<Shared>(forest);
    } while (!Shared);
  }

private:
  static constexpr std::uint64_t never = UINT64_MAX;
  /// Told to the schedule as the share of edges inside the giant, whatever the share is, because the schedule makes searches rarest for a
  /// share of 1. A search that finds the giant takes long: after it, workers look at all ids again, chunk by chunk, to set bits.
  static constexpr double every_edge = 1;
  static constexpr std::uint64_t ids_per_page = address_range::page_bytes * 8;

  template <class P>
  static bool both_known(P parents, edge<std::uint64_t> e) noexcept {
    return !parents.absent(static_cast<Id>(e.u)) && !parents.absent(static_cast<Id>(e.v));
  }
  /// The edges as a vote on the giant reads them: an edge that names a new id appears as a loop at a known id, and loops have no vote.
  template <class P>
  struct edges_of_known {
    std::span<const edge<std::uint64_t>> edges;
    P parents;
    Id known;
    edge<Id> operator[](std::size_t i) const noexcept {
      return both_known(parents, edges[i]) ? narrow_edges<Id>{edges}[i] : edge<Id>{known, known};
    }
  };

  template <bool Shared>
  void look(flat_words<Id> forest, std::span<const edge<std::uint64_t>> edges, std::uint64_t seen, std::uint64_t slots) {
    if (seen < search_.next_look.load(std::memory_order_relaxed)) return;  // another worker has searched just now
    if (search_.done.load(std::memory_order_acquire) < search_.chunks.load(std::memory_order_relaxed))
      return;  // bits of the giant that the last search found are still to be raised
    if (const std::uint64_t first = schedule_.first(slots); seen < first) {
      search_.next_look = first;
      return;
    }
    search_.next_look = schedule_.next(seen, slots, every_edge);
    const parents_of<Shared, flat_words<Id>> parents{forest};
    const auto first = std::find_if(edges.begin(), edges.end(), [&](auto e) { return both_known(parents, e); });
    if (first == edges.end()) return;
    const edges_of_known<parents_of<Shared, flat_words<Id>>> sample{edges, parents, static_cast<Id>(first->u)};
    const auto vote = fast::vote_of_edges(parents, &forest[0], sample, 0, edges.size(), seen);
    if (vote.inside < options_.least_inside) return;
    if (search_.giant.load(std::memory_order_relaxed) == no_vertex<Id>) search_.giant.store(vote.root, std::memory_order_release);
    search_.ids.store(slots, std::memory_order_relaxed);
    search_.done.store(0, std::memory_order_relaxed);
    search_.next_chunk.store(0, std::memory_order_relaxed);
    search_.chunks.store((slots + options_.chunk_ids - 1) / options_.chunk_ids, std::memory_order_release);
  }

  template <bool Shared>
  void raise_bits_of_next_chunk(flat_words<Id> forest) {
    const std::uint64_t chunk = search_.next_chunk.fetch_add(1, std::memory_order_acq_rel);
    if (chunk >= search_.chunks.load(std::memory_order_acquire)) return;
    const parents_of<Shared, flat_words<Id>> parents{forest};
    const Id giant = search_.giant.load(std::memory_order_acquire), root = find::naive{}(parents, giant);
    const std::uint64_t ids = search_.ids.load(std::memory_order_relaxed), begin = chunk * options_.chunk_ids,
                        end = std::min(begin + options_.chunk_ids, ids);
    try {
      for (std::uint64_t id = begin; id < end; id += ids_per_page) bits_->touch(id / ids_per_page);
      for (std::uint64_t block = begin; block < end; block += 64) {
        const std::atomic_ref<std::uint64_t> word{words_[block / 64]};
        std::uint64_t raised = word.load(std::memory_order_relaxed);
        for (std::uint64_t left = ~raised; left != 0; left &= left - 1) {
          const auto bit = static_cast<unsigned>(std::countr_zero(left));
          const Id v = static_cast<Id>(block + bit);
          if (v >= end) break;
          if (parents.absent(v)) continue;
          const Id top = fast::root_or_giant(parents, v, giant);
          raised |= std::uint64_t{top == giant || top == root} << bit;
        }
        word.store(raised, std::memory_order_relaxed);
      }
    } catch (const resource_error&) {  // no memory for more bits: those that exist stay right, and no giant is searched for again
      search_.next_look = never;
    }
    search_.done.fetch_add(1, std::memory_order_release);
  }

  giant_limits options_;
  fast::giant_schedule schedule_;
  giant_search<Id> search_;
  std::unique_ptr<address_range> bits_;
  std::uint64_t* words_ = nullptr;
};

}  // namespace copse::streaming
