// Parents that are initialised at the first access, as GConn's incremental structure has them: nobody knows beforehand which vertices a
// batch brings, so every load asks whether the vertex has a word yet. A word is the parent and one, so that memory of zeros has none. GConn
// takes a lock for the first access; a swap is enough, since whoever is first writes the same.
#pragma once
#include <copse/extend/parent_array.hpp>

#include <atomic>

namespace copse::lab {

template <unsigned_index Id>
class first_touch_parents : public id_words<Id> {
public:
  explicit first_touch_parents(Id* words) noexcept : words_{words} {}

  Id load(Id v) const noexcept {
    Id seen = at(v).load(std::memory_order_relaxed);
    if (seen == 0 && at(v).compare_exchange_strong(seen, v + 1, std::memory_order_relaxed)) return v;
    return seen - 1;
  }
  void store(Id v, Id w) const noexcept { at(v).store(w + 1, std::memory_order_relaxed); }
  cas_result<Id> cas(Id v, Id expected, Id desired) const noexcept {
    Id seen = expected + 1;
    const bool ok = at(v).compare_exchange_strong(seen, desired + 1, std::memory_order_relaxed);
    return {ok, seen - 1};
  }
  Id fetch_min(Id v, Id w) const noexcept {
    Id seen = load(v);
    for (cas_result<Id> swap{}; w < seen && !(swap = cas(v, seen, w)).ok;) seen = swap.seen;
    return seen;
  }

private:
  std::atomic_ref<Id> at(Id v) const noexcept { return std::atomic_ref<Id>{words_[v]}; }

  Id* words_;
};

}  // namespace copse::lab
