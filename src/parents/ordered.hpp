// Parents whose accesses have a single order for all threads, for queries that run concurrently with inserts. Relaxed accesses keep the
// forest correct, but answers need more: two threads must not see two links in opposite orders, and a query must not be reordered before a
// link that its own thread has made. So loads and swaps are sequentially consistent; on x86-64 they compile to the same instructions as
// relaxed ones. Stores that only compress paths do not change which vertices are connected, and stay relaxed. Where a rule links by a store
// (hooks, rem_lock), that store is sequentially consistent, too, which does cost time.
#pragma once
#include <copse/extend/parents/atomic.hpp>

namespace copse::parents {

/// An accessor of an array of parents whose loads and swaps are sequentially consistent. `Links` means that stores may link roots, and so
/// are sequentially consistent, too.
template <unsigned_index Id, bool Links>
class ordered : public id_words<Id> {
public:
  explicit ordered(Id* words) noexcept : words_{words} {}

  Id load(Id v) const noexcept { return at(v).load(std::memory_order_seq_cst); }
  void store(Id v, Id w) const noexcept { at(v).store(w, Links ? std::memory_order_seq_cst : std::memory_order_relaxed); }
  cas_result<Id> cas(Id v, Id expected, Id desired) const noexcept {
    const bool ok = at(v).compare_exchange_strong(expected, desired, std::memory_order_seq_cst);
    return {ok, expected};
  }
  Id fetch_min(Id v, Id w) const noexcept {
    Id seen = load(v);
    while (w < seen && !at(v).compare_exchange_weak(seen, w, std::memory_order_seq_cst)) {
    }
    return seen;
  }
  void prefetch(Id v) const noexcept { __builtin_prefetch(words_ + v); }

private:
  std::atomic_ref<Id> at(Id v) const noexcept { return std::atomic_ref<Id>{words_[v]}; }

  Id* words_;
};

/// `type` is an accessor of the same parents as the accessor `P`, but with sequentially consistent loads and swaps if `P` is for several
/// threads; otherwise it is `P` itself.
template <class P, bool Links>
struct in_one_order {
  using type = P;
};
template <unsigned_index Id, bool Links>
struct in_one_order<atomic<Id>, Links> {
  using type = ordered<Id, Links>;
};

}  // namespace copse::parents
