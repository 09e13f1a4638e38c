// Parents kept as their complement, so that memory fresh from the system (zero) reads "no such vertex yet" and needs no initialisation.
// Rules see ordinary parents. `Words` locates the word of a vertex: `id& operator[](id)`.
// The shared form publishes: a vertex appears (a store to its own word) before another word names it, and a third thread that follows
// that name must not read the old zero. Release stores and acquire loads ensure that; on x86-64 they compile to the same instructions as
// relaxed ones.
#pragma once
#include <copse/extend/parent_array.hpp>

#include <atomic>

namespace copse::streaming {

/// The words of all vertices in one array.
template <unsigned_index Id>
class flat_words {
public:
  using id = Id;
  explicit flat_words(Id* first) noexcept : first_{first} {}
  Id& operator[](Id v) const noexcept { return first_[v]; }

private:
  Id* first_;
};

/// For one thread.
template <class Words>
class plain_inverted : public id_words<typename Words::id> {
public:
  using id = typename Words::id;
  explicit plain_inverted(Words words) noexcept : words_{words} {}

  [[nodiscard]] bool absent(id v) const noexcept { return words_[v] == 0; }
  /// Makes an absent vertex its own root; false if it was present already.
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

/// For many threads.
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

}  // namespace copse::streaming
