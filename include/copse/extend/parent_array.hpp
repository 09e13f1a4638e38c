// The accessor contract: all that a rule may do to the parent array. Backends decide what an access is (plain, atomic, of which scope);
// rules decide which accesses to make. A rule never touches the array in any other way.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/types.hpp>

#include <concepts>

namespace copse {

/// What a compare-and-swap saw. Rules test `ok`, never `seen == expected`: a spurious failure would read as success.
template <class Word>
struct cas_result {
  bool ok;
  Word seen;  ///< the value before the swap; a failed rule continues from it, not from another load
};

/// `word` is what one atomic access moves: the parent's id, or more (jtb keeps rank and parent in 64 bits).
///
///   load(v)                 the word of v; may be stale only where the accessor says so and the rule's traits allow it
///   parent(w)               the parent that w names
///   is_root(v, w)           true if w, loaded from v, says that v is a root
///   root(v)                 the word of a vertex that is its own root, before anything was united
///   link(p)                 the word of a vertex that is no root and whose parent is p
///   minimal_roots           true if every rule for this accessor keeps p[v] <= v
///   cas(v, expected, w)     replace the word of v if it is `expected`
///   store(v, w)             plain overwrite; by rules that unite only with an ancestor of v
///   fetch_min(v, w)         lower the word of v to w if w is smaller; returns the word before (rounds of messages need it)
///   prefetch(v)             accessors may have it: the word of v will be needed soon
///
/// Accessors are small and copied freely; they borrow the array. All accesses are relaxed: the array is the only data that threads
/// share, and the swap of a root is the linearisation point.
template <class P>
concept parent_array = std::copyable<P> && requires(const P p, typename P::id v, typename P::word w) {
  requires unsigned_index<typename P::id>;
  { p.load(v) } -> std::same_as<typename P::word>;
  { p.parent(w) } -> std::same_as<typename P::id>;
  { p.is_root(v, w) } -> std::same_as<bool>;
  { p.root(v) } -> std::same_as<typename P::word>;
  { p.link(v) } -> std::same_as<typename P::word>;
  { P::minimal_roots } -> std::convertible_to<bool>;
  { p.cas(v, w, w) } -> std::same_as<cas_result<typename P::word>>;
  { p.store(v, w) } -> std::same_as<void>;
  { p.fetch_min(v, w) } -> std::same_as<typename P::word>;
};

/// The word of most accessors is the parent's id itself.
template <unsigned_index Id>
struct id_words {
  using id = Id;
  using word = Id;
  static constexpr bool minimal_roots = true;
  COPSE_HOST_DEVICE static constexpr Id parent(Id w) noexcept { return w; }
  COPSE_HOST_DEVICE static constexpr bool is_root(Id v, Id w) noexcept { return v == w; }
  COPSE_HOST_DEVICE static constexpr Id root(Id v) noexcept { return v; }
  COPSE_HOST_DEVICE static constexpr Id link(Id p) noexcept { return p; }
};

}  // namespace copse
