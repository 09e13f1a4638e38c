// Parents whose accesses all threads see in one order, for queries that run concurrently with inserts. Relaxed accesses keep the forest
// right, but an answer is more than that: a thread that has seen one link and not another must not contradict a thread that saw them the
// other way round, and a query must not be reordered before a link that the same thread has made. So loads and swaps are sequentially
// consistent, on x86-64 the instructions of relaxed ones. Stores that only shorten paths do not change what is connected and stay relaxed;
// where a rule links by a store (hooks, rem_lock), that store is in the order too, which does cost.
#pragma once
#include <copse/extend/parents/atomic.hpp>

namespace copse::parents {

/// `Links`: stores may link, so they are in the order.
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

/// The accessor that sees in one order what `P` accesses. Of one thread's accessor: itself.
template <class P, bool Links>
struct in_one_order {
  using type = P;
};
template <unsigned_index Id, bool Links>
struct in_one_order<atomic<Id>, Links> {
  using type = ordered<Id, Links>;
};

}  // namespace copse::parents
