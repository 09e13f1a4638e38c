// Forests of a stream: how parents are kept, how trees become labels, and which rules unite.
//
// Parents are kept as their complement, so that memory fresh from the system (zero) reads as "no such vertex yet" and needs no
// initialisation. Rules see ordinary parents. `Words` locates the word of a vertex: `id& operator[](id)`. With several threads, a
// vertex appears (by a store to its own word) before another word names it, and a third thread that follows that name must not read the
// old zero. Release stores and acquire loads ensure this; on x86-64 they compile to the same instructions as relaxed ones.
#pragma once
#include <copse/extend/parent_array.hpp>
#include <copse/extend/rules/find/naive.hpp>
#include <copse/extend/rules/splice/halve_one.hpp>
#include <copse/extend/rules/unite/rem.hpp>
#include <copse/extend/rules/unite/rem_cas.hpp>
#include <core/parallel.hpp>

#include <atomic>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace copse::streaming {

/// The `Words` of parents that are in one array: the word of vertex v, its inverted parent, is element v.
template <unsigned_index Id>
class flat_words {
public:
  using id = Id;
  explicit flat_words(Id* first) noexcept : first_{first} {}
  Id& operator[](Id v) const noexcept { return first_[v]; }

private:
  Id* first_;
};

/// Parents that are stored as their complements, for one thread.
template <class Words>
class plain_inverted : public id_words<typename Words::id> {
public:
  using id = typename Words::id;
  explicit plain_inverted(Words words) noexcept : words_{words} {}

  [[nodiscard]] bool absent(id v) const noexcept { return words_[v] == 0; }
  /// Makes an absent vertex its own root. Returns false if it was present already.
  bool appear(id v) const noexcept {
    if (words_[v] != 0) return false;
    words_[v] = static_cast<id>(~v);
    return true;
  }

  id load(id v) const noexcept { return static_cast<id>(~words_[v]); }
  void store(id v, id w) const noexcept { words_[v] = static_cast<id>(~w); }
  cas_result<id> cas(id v, id expected, id desired) const noexcept {
    const id seen = load(v);
    if (seen != expected) return {false, seen};
    store(v, desired);
    return {true, seen};
  }
  id fetch_min(id v, id w) const noexcept {
    const id seen = load(v);
    if (w < seen) store(v, w);
    return seen;
  }

private:
  Words words_;
};

/// Parents that are stored as their complements, for many threads.
template <class Words>
class shared_inverted : public id_words<typename Words::id> {
public:
  using id = typename Words::id;
  explicit shared_inverted(Words words) noexcept : words_{words} {}

  [[nodiscard]] bool absent(id v) const noexcept { return at(v).load(std::memory_order_acquire) == 0; }
  bool appear(id v) const noexcept {
    id expected = 0;
    return at(v).compare_exchange_strong(expected, static_cast<id>(~v), std::memory_order_acq_rel, std::memory_order_acquire);
  }

  id load(id v) const noexcept { return static_cast<id>(~at(v).load(std::memory_order_acquire)); }
  void store(id v, id w) const noexcept { at(v).store(static_cast<id>(~w), std::memory_order_release); }
  cas_result<id> cas(id v, id expected, id desired) const noexcept {
    id held = static_cast<id>(~expected);
    const bool ok = at(v).compare_exchange_strong(held, static_cast<id>(~desired), std::memory_order_acq_rel, std::memory_order_acquire);
    return {ok, static_cast<id>(~held)};
  }
  id fetch_min(id v, id w) const noexcept {
    id seen = load(v);
    while (w < seen) {
      const auto swap = cas(v, seen, w);
      if (swap.ok) break;
      seen = swap.seen;
    }
    return seen;
  }

private:
  std::atomic_ref<id> at(id v) const noexcept { return std::atomic_ref<id>{words_[v]}; }

  Words words_;
};

// The last pass: parents, which are stored as their complements, become labels, in place. Because a parent is never larger than its child,
// one ascending pass of one thread finds every parent already labelled. Several threads first point every vertex at its root, and then
// replace each stored word by its complement.

inline constexpr std::size_t flatten_block = std::size_t{1} << 16;

/// Points every present vertex below `count` at its root. Parents are still stored as complements.
template <class Words>
void point_at_roots(Words words, std::size_t count, unsigned threads) {
  using id = typename Words::id;
  if (threads <= 1) {
    const plain_inverted<Words> parents{words};
    for (std::size_t v = 0; v < count; ++v) {
      const id x = static_cast<id>(v);
      if (!parents.absent(x)) parents.store(x, parents.load(parents.load(x)));
    }
    return;
  }
  parallel_blocks(threads, count, flatten_block, [words](std::size_t begin, std::size_t end) {
    const shared_inverted<Words> parents{words};
    for (std::size_t v = begin; v < end; ++v) {
      const id x = static_cast<id>(v);
      if (parents.absent(x)) continue;
      const id root = find::naive{}(parents, x);
      if (root != parents.load(x)) parents.store(x, root);
    }
  });
}

/// Turns words 0 .. count - 1 into labels. An absent vertex gets no_vertex, which is the complement of its word.
template <unsigned_index Id>
void turn_into_labels(Id* words, std::size_t count, unsigned threads) {
  if (threads <= 1) {
    for (std::size_t v = 0; v < count; ++v) {
      const Id parent = static_cast<Id>(~words[v]);
      words[v] = parent >= v ? parent : words[parent];  // v is a root or absent; otherwise its parent is labelled already
    }
    return;
  }
  point_at_roots(flat_words<Id>{words}, count, threads);
  parallel_blocks(threads, count, flatten_block, [words](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) words[v] = static_cast<Id>(~words[v]);
  });
}

// The rules that unite the edges of a stream, and the variants that the report names for them: sequential Rem for one worker, Rem with
// compare-and-swap at the root for several workers.

inline constexpr std::string_view serial_variant = "serial.none.rem";
inline constexpr std::string_view shared_variant = "threads.none.rem_cas.naive.halve_one";

template <bool Shared>
using unite_rule = std::conditional_t<Shared, unite::rem_cas<find::naive, splice::halve_one>, unite::rem>;

template <bool Shared, class Words>
using parents_of = std::conditional_t<Shared, shared_inverted<Words>, plain_inverted<Words>>;

}  // namespace copse::streaming
