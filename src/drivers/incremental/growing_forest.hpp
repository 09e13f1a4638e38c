// The trees of a growing graph: the array that its rule needs, which vertices exist, the number of links and, on request, the edge that
// made each link; for the fast path also which vertices are in the giant. New ids are initialised in bulk, at the start of a batch, so that
// no access has to check whether its word is initialised (GConn takes a lock at the first touch of a word, which made it 1.73 times
// slower).
//
// A vertex exists once an edge has named it. Marking both ends of every edge would cost a second random access per edge. But a vertex that
// was alone changes trees only by a link of an edge that ends there, so the thread whose link succeeds marks the ends of its own edge, and
// only loops are marked separately. With splice_atomic on many threads this does not hold, because another thread's link may carry a moved
// subtree along, so its variants mark all ends. Inserts that sort edges by ranges of vertices (fast/unite_by_ranges.hpp) move children,
// too; they are used only if all vertices exist.
#pragma once
#include <copse/errors.hpp>
#include <copse/extend/parents/plain.hpp>
#include <copse/extend/rule_traits.hpp>
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <core/new_pages.hpp>
#include <drivers/incremental/vertex_marks.hpp>
#include <fast/giant_filter.hpp>
#include <fast/giant_probe.hpp>
#include <fast/passes.hpp>
#include <fast/unite_by_ranges.hpp>
#include <loops/flatten.hpp>
#include <loops/forest.hpp>
#include <parents/aux_arrays.hpp>
#include <parents/ordered.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace copse::drivers {

/// Limits of inserts by the fast path; tests set them so that few edges among few vertices take every way.
struct insert_options {
  /// A giant is used if at least this share of the edges is inside it. Must be above 0: if a sample has loops only, the vote on it returns
  /// a share of 0 and root 0, which may be no vertex.
  double least_inside = fast::least_share_inside;
  /// In graphs of fewer vertices a giant is first searched for as late as in a graph of this many.
  std::uint64_t fewest_edges = fast::giant_schedule{}.fewest_vertices;
  /// True: sort edges by ranges of vertices and insert them range by range whenever many threads work, even where that does not pay.
  bool any_ranges = false;
  std::size_t worth_a_thread = 1024;  ///< the fewest edges per thread for which one more thread pays
};

/// The giant of a forest that grows by batches: one bit for each vertex that is known to be in it, and the number of edges after which it
/// is searched for again (fast::giant_schedule). Between searches bits are missing, which costs time, but never gives a wrong answer. A
/// search marks the vertices of the giant only if the edges to come pay for that. Within a batch, the rest of the batch has to; at the
/// beginning of a batch, any number of edges is assumed to come.
template <class Backend, class Id>
class giant_watch {
public:
  explicit giant_watch(std::pmr::memory_resource* memory, const insert_options& options = {})
      : options_{options}, schedule_{.early = Backend::concurrent, .fewest_vertices = options.fewest_edges}, bits_{memory} {}

  [[nodiscard]] const insert_options& options() const noexcept { return options_; }

  /// The bits of the giant; their words are null if no giant is known.
  [[nodiscard]] fast::giant_bits<Id> inside() noexcept { return {knows_giant_ ? bits_.data() : nullptr, giant_}; }
  /// Returns a filter that drops the edges with both ends in the giant; ends must be below `limit`. The giant's bits are set only between
  /// two loops over edges, never while threads filter. `named`: true if the filter may replace ends in the giant by the giant's root.
  [[nodiscard]] fast::giant_filter<Id> filter(Id limit, bool named) noexcept { return {inside(), limit, named}; }

  /// Makes room for the vertices below `slots`. New ones are outside the giant.
  void grow(const Backend& loops, Id slots) {
    if (!knows_giant_) return;
    const std::size_t used = fast::words_of_bits(slots_), needed = fast::words_of_bits(slots);
    bits_.reserve(loops, used, needed);
    std::fill(bits_.data() + used, bits_.data() + needed, std::uint64_t{0});
    slots_ = slots;
  }

  /// Searches for the giant if that is due. `edges` are the next edges. Returns how many of them to insert before the next search, at least
  /// one.
  template <class P>
  std::size_t before(const Backend& loops, P p, const Id* words, Id slots, bool any_links, std::span<const edge<Id>> edges) {
    const std::uint64_t to_come = edges.size(), first = schedule_.first(slots);
    if (seen_ < first && !knows_giant_) {
      next_look_ = first;
    } else if (seen_ >= next_look_) {
      double share = 0;
      if (any_links) {
        const fast::edges_of_known<std::span<const edge<Id>>, Id> known{edges, slots};  // edges with larger ids name new vertices
        const auto vote = fast::vote_of_edges(p, words, known, 0, edges.size(), seen_);
        share = vote.inside;
        if (!pass_if_it_pays(loops, p, slots, vote, within_batch_ ? to_come : no_end)) {
          seen_ += to_come;
          within_batch_ = false;
          return edges.size();
        }
      }
      next_look_ = schedule_.next(seen_, slots, share);
    }
    std::uint64_t part = std::min(to_come, next_look_ - seen_);
    if (!fast::look_pays(schedule_.counted(slots), to_come - part)) part = to_come;
    seen_ += part;
    within_batch_ = part < to_come;
    return static_cast<std::size_t>(part);
  }

private:
  template <class P>
  bool pass_if_it_pays(const Backend& loops, P p, Id slots, const fast::edge_vote<Id>& vote, std::uint64_t to_come) {
    auto giant = inside();
    const bool in_time = fast::pass_if_it_pays(loops, p, slots, vote, to_come, options_.least_inside, giant, [&] {
      bits_.reserve(loops, 0, fast::words_of_bits(slots));
      slots_ = slots;
      return bits_.data();
    });
    knows_giant_ = giant.words != nullptr;
    giant_ = giant.giant;
    return in_time;
  }

  static constexpr std::uint64_t no_end = UINT64_MAX;

  insert_options options_;
  fast::giant_schedule schedule_;
  growing<std::uint64_t> bits_;
  bool knows_giant_ = false;
  Id giant_ = 0, slots_ = 0;
  std::uint64_t seen_ = 0, next_look_ = 0;
  bool within_batch_ = false;  // true if a part of the batch was inserted already
};

/// What one thread's links changed.
struct link_tally {
  std::uint64_t links = 0;     ///< roots that became children
  std::uint64_t vertices = 0;  ///< vertices that did not exist before
};

template <class Backend, class Id>
class growing_forest {
public:
  using plain_parents = typename Backend::template parents<Id>;
  using wide_parents = typename Backend::template parents<std::uint64_t>;
  using marks = vertex_marks<Backend::concurrent>;

  growing_forest(const rule_traits& traits, bool record, std::pmr::memory_resource* memory, const insert_options& options = {})
      : memory_{memory},
        ranked_{traits.aux == aux_array::ranks},
        flagged_{traits.aux == aux_array::flags},
        rounds_{traits.synchronous},
        records_{record},
        words_{memory},
        ranks_{memory},
        flags_{memory},
        before_{memory},
        seen_{memory},
        dead_{memory},
        slots_of_roots_{memory},
        giant_{memory, options} {}

  [[nodiscard]] Id slots() const noexcept { return slots_; }
  [[nodiscard]] std::pmr::memory_resource* memory() const noexcept { return memory_; }
  [[nodiscard]] std::uint64_t vertices() const noexcept { return vertices_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t links() const noexcept { return links_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool is_ranked() const noexcept { return ranked_; }

  /// Makes room for the ids below `slots`; new ids are roots that do not exist yet. Changes nothing if it throws.
  void grow(const Backend& loops, Id slots) {
    if (slots <= slots_) return;
    const std::size_t old = slots_, now = slots;
    if (ranked_) {
      ranks_.reserve(loops, old, now);
    } else {
      words_.reserve(loops, old, now);
    }
    if (flagged_) flags_.reserve(loops, old, now);
    if (rounds_) {
      before_.reserve(loops, old, now);
      dead_.reserve(loops, mark_words(old), mark_words(now));
    }
    if (records_) slots_of_roots_.reserve(loops, old, now);
    seen_.reserve(loops, mark_words(old), mark_words(now));

    if constexpr (Backend::concurrent) {
      if (!ranked_) touch_pages(loops.threads(), std::span{words_.data() + old, now - old});
    }
    with_parents([&](auto p) {
      loops.for_blocks(now - old, [=, this](std::size_t begin, std::size_t end) {
        for (std::size_t v = old + begin; v < old + end; ++v) p.store(static_cast<Id>(v), p.root(static_cast<Id>(v)));
        if (flagged_) std::fill(flags_.data() + old + begin, flags_.data() + old + end, std::uint8_t{0});
        if (records_) std::fill(slots_of_roots_.data() + old + begin, slots_of_roots_.data() + old + end, no_edge);
      });
    });
    const std::size_t first = mark_words(old), last = mark_words(now);
    std::fill(seen_.data() + first, seen_.data() + last, std::uint64_t{0});
    if (rounds_) std::fill(dead_.data() + first, dead_.data() + last, std::uint64_t{0});
    giant_.grow(loops, slots);
    slots_ = slots;
  }

  /// Makes the ids from `begin` to slots() - 1 exist as vertices, each alone in its tree. Precondition: none of them existed.
  void declare(Id begin) noexcept {
    raise_range(seen_.data(), begin, slots_);
    vertices_ += slots_ - begin;
  }

  /// Makes every v exist whose label is not no_vertex, as a child of labels[v] or as a root. Precondition: nothing but grow() was called
  /// before; labels[labels[v]] == labels[v] <= v.
  void adopt(const Backend& loops, const Id* labels, std::size_t count) {
    with_parents([&](auto p) {
      loops.for_chunks(count, adopted_at_once, [=, this](std::size_t begin, std::size_t end) {
        link_tally tally;
        for (std::size_t i = begin; i < end; ++i) {
          const Id v = static_cast<Id>(i), label = labels[i];
          if (label == no_vertex<Id>) continue;
          tally.vertices += exists().raise(v);
          if (label == v) continue;
          p.store(v, p.link(label));
          if (rounds_) died().raise(v);
          ++tally.links;
        }
        add(tally);
      });
    });
  }

  [[nodiscard]] plain_parents plain() noexcept { return plain_parents{words_.data()}; }
  /// The parents with plain loads and stores, for one thread that works alone, whatever the backend.
  [[nodiscard]] copse::parents::plain<Id> of_one_thread() noexcept { return copse::parents::plain<Id>{words_.data()}; }
  /// The array of parents.
  [[nodiscard]] const Id* words() const noexcept { return words_.data(); }
  /// The state of inserts that skip the edges inside a giant.
  [[nodiscard]] giant_watch<Backend, Id>& giant() noexcept { return giant_; }
  /// Returns the memory for inserts that sort edges by ranges of vertices, for vertices below slots(); null if there is not enough memory.
  [[nodiscard]] fast::edges_by_range<Id>* ranges(unsigned threads) {
    if (ranges_ && ranges_->vertices() == slots_) return &*ranges_;
    return fast::make_room(ranges_, slots_, threads, memory_) ? &*ranges_ : nullptr;
  }
  void drop_ranges() noexcept { ranges_.reset(); }
  /// The accessor for rules that need the array `Aux`. `InOneOrder`: true if queries run at the same time as inserts, which needs
  /// sequentially consistent accesses (parents/ordered.hpp).
  template <aux_array Aux, bool InOneOrder>
  [[nodiscard]] auto parents() noexcept {
    if constexpr (Aux == aux_array::ranks) {
      using words = accessor_of<wide_parents, InOneOrder, false>;
      return copse::parents::ranked<words, Id>{words{ranks_.data()}};
    } else if constexpr (Aux == aux_array::flags) {  // rules with flags link by stores, which must be sequentially consistent if InOneOrder
      using words = accessor_of<plain_parents, InOneOrder, true>;
      return copse::parents::flagged<words, Backend::concurrent>{words{words_.data()}, flags_.data()};
    } else {
      return accessor_of<plain_parents, InOneOrder, false>{words_.data()};
    }
  }
  /// The array of labels at the beginning of a round, for rules that work in rounds; set only for vertices that the batch touches.
  [[nodiscard]] plain_parents before() noexcept { return plain_parents{before_.data()}; }
  [[nodiscard]] marks exists() noexcept { return marks{seen_.data()}; }
  [[nodiscard]] marks died() noexcept { return marks{dead_.data()}; }
  [[nodiscard]] const std::uint64_t* existing() const noexcept { return seen_.data(); }
  /// The words of the bits that say which vertices exist. Callers set them by vertex_marks, with atomic operations if several threads work.
  [[nodiscard]] std::uint64_t* existing_words() noexcept { return seen_.data(); }
  /// The edge that made each root a child, or no_edge; nullptr if they are not recorded.
  [[nodiscard]] edge<Id>* link_slots() noexcept { return records_ ? slots_of_roots_.data() : nullptr; }
  static constexpr edge<Id> no_edge{no_vertex<Id>, no_vertex<Id>};

  void add(const link_tally& tally) noexcept {
    if (tally.links != 0) links_.fetch_add(tally.links, std::memory_order_relaxed);
    if (tally.vertices != 0) vertices_.fetch_add(tally.vertices, std::memory_order_relaxed);
  }

  /// Returns the canonical label of each id below slots(), no_vertex for ids that do not exist. Shortens all paths.
  [[nodiscard]] buffer<Id> labels(const Backend& loops) {
    buffer<Id> labels{slots_, memory_};
    write_labels(loops, labels.data());
    return labels;
  }
  void write_labels(const Backend& loops, Id* labels) {
    with_parents([&](auto p) { backend::flatten(loops, p, slots_); });
    if (ranked_) {
      const auto p = ranked_parents();
      backend::label_by_smallest(loops, plain_parents{labels}, slots_, [p](Id v) { return p.parent(p.load(v)); });
    }
    loops.for_blocks(slots_, [to = labels, from = ranked_ ? nullptr : words_.data(), seen = exists()](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) {
        if (!seen.has(v)) {
          to[v] = no_vertex<Id>;
        } else if (from != nullptr) {
          to[v] = from[v];
        }
      }
    });
  }

private:
  static constexpr std::size_t adopted_at_once = std::size_t{1} << 16;  // a multiple of 64: no two chunks set bits in one word

  template <class P, bool InOneOrder, bool Links>
  using accessor_of = std::conditional_t<InOneOrder, typename copse::parents::in_one_order<P, Links>::type, P>;

  [[nodiscard]] copse::parents::ranked<wide_parents, Id> ranked_parents() noexcept {
    return copse::parents::ranked<wide_parents, Id>{wide_parents{ranks_.data()}};
  }
  template <class F>
  void with_parents(F f) {
    if (ranked_) {
      f(ranked_parents());
    } else {
      f(plain());
    }
  }

  std::pmr::memory_resource* memory_;
  bool ranked_, flagged_, rounds_, records_;
  Id slots_ = 0;
  growing<Id> words_;
  growing<std::uint64_t> ranks_;
  growing<std::uint8_t> flags_;
  growing<Id> before_;
  growing<std::uint64_t> seen_, dead_;
  growing<edge<Id>> slots_of_roots_;
  giant_watch<Backend, Id> giant_;
  std::optional<fast::edges_by_range<Id>> ranges_;
  std::atomic<std::uint64_t> links_{0}, vertices_{0};
};

}  // namespace copse::drivers
