// The interface of accessors: all operations that a rule may apply to the parent array. A backend decides how an access is made (plain or
// atomic, and at which scope); a rule decides which accesses to make, and never touches the array in any other way.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/types.hpp>

#include <concepts>

namespace copse {

/// Result of a compare-and-swap. Rules must test `ok`, not `seen == expected`, which is also true after a spurious failure.
template <class Word>
struct cas_result {
  bool ok;
  Word seen;  ///< the value before the swap; after a failure rules continue from it instead of loading again
};

/// Accessor of a parent array. `word` is the unit of one atomic access: the parent's id, or more (jtb has rank and parent in 64 bits).
///
///   load(v)                 the word of v; may be stale only if the accessor documents it and the rule's traits allow it
///   parent(w)               the parent that the word w contains
///   is_root(v, w)           true if w, loaded from v, says that v is a root
///   root(v)                 the word of a root v, as it is initially
///   link(p)                 the word of a vertex that is no root and whose parent is p
///   minimal_roots           true if every rule for this accessor keeps p[v] <= v
///   cas(v, expected, w)     replace the word of v if it is `expected`
///   store(v, w)             plain overwrite: by an ancestor of v, or by the only thread that may link v
///   fetch_min(v, w)         lower the word of v to w if w is smaller; returns the previous word (for rules that propagate labels)
///   prefetch(v)             optional hint: the word of v will be needed soon
///
/// Accessors are small and cheap to copy; they do not own the array. All accesses are relaxed: the array is the only data that threads
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

/// Base of accessors to an array of plain parents: the unit of an atomic access (the word) is the id of the parent.
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
