// The functions of a forest in GPU memory that rules do not use: it grows, starts from labels, and is turned into labels.
#include <drivers/incremental/cuda/device_forest.cuh>
#include <drivers/incremental/vertex_marks.hpp>
#include <gpu/loops/forest.cuh>
#include <loops/flatten.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace copse::drivers {
namespace {

constexpr gpu_edge no_edge{no_vertex<gpu_id>, no_vertex<gpu_id>};

template <class P>
struct plant_roots {
  P p;
  gpu_edge* slots;
  gpu_id first;
  __device__ void operator()(std::size_t i) const {
    const gpu_id v = first + static_cast<gpu_id>(i);
    p.store(v, p.root(v));
    if (slots != nullptr) slots[v] = no_edge;
  }
};
/// Sets the bits of [begin, end) that are in the i-th word after the one with bit `begin`.
struct raise_bits {
  std::uint64_t* words;
  std::uint64_t begin, end;
  __device__ void operator()(std::size_t i) const {
    const std::uint64_t word = begin / 64 + i, first = word * 64;
    std::uint64_t bits = ~std::uint64_t{0};
    if (begin > first) bits &= bits << (begin - first);
    if (end < first + 64) bits &= ~std::uint64_t{0} >> (first + 64 - end);
    words[word] |= bits;
  }
};
template <class P>
struct adopt_label {
  P p;
  const gpu_id* labels;
  device_marks exists, died;
  gpu_tally* tally;
  __device__ void operator()(std::size_t i) const {
    const auto v = static_cast<gpu_id>(i), label = labels[v];
    if (label == no_vertex<gpu_id>) return;
    if (exists.raise(v) != 0) atomicAdd(&tally->vertices, 1ull);
    if (label == v) return;
    p.store(v, p.link(label));
    if (died) died.raise(v);
    atomicAdd(&tally->links, 1ull);
  }
};
struct label_unless_absent {
  const gpu_id* from;
  gpu_id* to;
  device_marks exists;
  __device__ void operator()(std::size_t v) const { to[v] = exists.has(static_cast<gpu_id>(v)) ? from[v] : no_vertex<gpu_id>; }
};

/// Returns a larger buffer for `held`, with room for `count` elements and with the first `used` elements copied.
template <class T>
buffer<T> widened(const backend::cuda& loops, const buffer<T>& held, std::size_t used, std::size_t count) {
  buffer<T> wider{count, loops.memory()};
  loops.copy(wider.data(), held.data(), used * sizeof(T));
  return wider;
}

}  // namespace

void device_forest::grow(gpu_id slots) {
  if (slots <= slots_) return;
  const std::size_t old = slots_, now = slots;
  const std::size_t old_words = mark_words(old), now_words = mark_words(now);
  if (now > room_) {
    const std::size_t room = std::max(now, room_ + room_ / 2), room_words = mark_words(room);
    auto words = widened(loops_, words_, ranked_ ? 0 : old, ranked_ ? 0 : room);
    auto ranks = widened(loops_, ranks_, ranked_ ? old : 0, ranked_ ? room : 0);
    auto flags = widened(loops_, flags_, flagged_ ? old : 0, flagged_ ? (room + 3) / 4 * 4 : 0);
    auto before = widened(loops_, before_, 0, rounds_ ? room : 0);
    auto dead = widened(loops_, dead_, rounds_ ? old_words : 0, rounds_ ? room_words : 0);
    auto seen = widened(loops_, seen_, old_words, room_words);
    auto links = widened(loops_, slots_of_roots_, records_ ? old : 0, records_ ? room : 0);
    if (state_ != nullptr) state_->fit(room);
    words_ = std::move(words);
    ranks_ = std::move(ranks);
    flags_ = std::move(flags);
    before_ = std::move(before);
    dead_ = std::move(dead);
    seen_ = std::move(seen);
    slots_of_roots_ = std::move(links);
    room_ = room;
  }
  gpu_edge* const links = records_ ? slots_of_roots_.data() : nullptr;
  if (ranked_) {
    loops_.for_each(now - old, plant_roots<ranked_parents>{ranked(), links, slots_});
  } else {
    loops_.for_each(now - old, plant_roots<plain_parents>{plain(), links, slots_});
  }
  if (flagged_) loops_.clear(flags_.data() + old, now - old);
  loops_.clear(seen_.data() + old_words, (now_words - old_words) * sizeof(std::uint64_t));
  if (rounds_) loops_.clear(dead_.data() + old_words, (now_words - old_words) * sizeof(std::uint64_t));
  slots_ = slots;
  if (state_ != nullptr) state_->resized();
}

void device_forest::declare(gpu_id begin) {
  if (begin >= slots_) return;
  loops_.for_each(mark_words(slots_) - begin / 64, raise_bits{seen_.data(), begin, slots_});
  declared_ += slots_ - begin;
  vertices_ += slots_ - begin;
}

void device_forest::adopt(const gpu_id* labels, std::size_t count) {
  const device_marks exists{seen_.data()}, died{rounds_ ? dead_.data() : nullptr};
  if (ranked_) {
    loops_.for_each(count, adopt_label<ranked_parents>{ranked(), labels, exists, died, tally()});
  } else {
    loops_.for_each(count, adopt_label<plain_parents>{plain(), labels, exists, died, tally()});
  }
}

const gpu_id* device_forest::labels(buffer<gpu_id>& beside) {
  const gpu_id* found = words_.data();
  if (ranked_) {
    backend::flatten(loops_, ranked(), slots_);
    beside = buffer<gpu_id>{slots_, loops_.memory()};
    backend::label_by_smallest(loops_, plain_parents{beside.data()}, slots_, backend::label_of_flat<ranked_parents>{ranked()});
    found = beside.data();
  } else {
    backend::flatten(loops_, plain(), slots_);
  }
  if (all_exist()) return found;
  if (beside.empty()) beside = buffer<gpu_id>{slots_, loops_.memory()};
  loops_.for_each(slots_, label_unless_absent{found, beside.data(), device_marks{seen_.data()}});
  return beside.data();
}

}  // namespace copse::drivers
