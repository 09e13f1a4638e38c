// Parents that are initialised at the first access, as in GConn's incremental structure: a batch may bring any vertices, so every
// load asks whether the vertex has a word yet. A word is the parent and one, so that memory of zeros has none. GConn
// takes a lock for the first access; a swap is enough, since all threads would write the same.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/parent_array.hpp>

namespace copse::lab {

/// `Words`: the accessor to the words, whose ids are what it loads, on a CPU or a GPU.
template <class Words>
class first_touch_parents : public id_words<typename Words::id> {
public:
  using id = typename Words::id;

  COPSE_HOST_DEVICE explicit first_touch_parents(Words words) noexcept : words_{words} {}

  COPSE_HOST_DEVICE id load(id v) const noexcept {
    id seen = words_.load(v);
    if (seen == 0) {
      const cas_result<id> first = words_.cas(v, 0, v + 1);
      if (first.ok) return v;
      seen = first.seen;
    }
    return seen - 1;
  }
  COPSE_HOST_DEVICE void store(id v, id w) const noexcept { words_.store(v, w + 1); }
  COPSE_HOST_DEVICE cas_result<id> cas(id v, id expected, id desired) const noexcept {
    const cas_result<id> swap = words_.cas(v, expected + 1, desired + 1);
    return {swap.ok, swap.seen - 1};
  }
  COPSE_HOST_DEVICE id fetch_min(id v, id w) const noexcept {
    id seen = load(v);
    for (cas_result<id> swap{}; w < seen && !(swap = cas(v, seen, w)).ok;) seen = swap.seen;
    return seen;
  }

private:
  Words words_;
};

}  // namespace copse::lab
