// The trees of a growing graph in the memory of a GPU, with 32-bit ids; the counterpart of growing_forest.hpp.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <copse/memory.hpp>
#include <copse/operations.hpp>
#include <copse/views.hpp>
#include <drivers/incremental/gpu_rule.hpp>
#include <gpu/loops/cuda.cuh>
#include <parents/aux_arrays.hpp>
#include <parents/device.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace copse::drivers {

// What inserts on a GPU note in addition to the parents: which vertices exist, the edge of each link, and how many there were.

using gpu_id = std::uint32_t;
using gpu_edge = edge<gpu_id>;
static_assert(sizeof(gpu_edge) == sizeof(uint2));

/// What kernels counted; the host reads it when it waits.
struct gpu_tally {
  unsigned long long links;     ///< roots that became children
  unsigned long long refused;   ///< edges with an id that is no vertex
  unsigned long long vertices;  ///< vertices that did not exist before
};

/// One bit per vertex, which is set but never cleared.
class device_marks {
public:
  device_marks() = default;
  explicit device_marks(std::uint64_t* words) noexcept : words_{reinterpret_cast<std::uint32_t*>(words)} {}

  /// False if there is nothing to mark, because all vertices exist.
  __device__ explicit operator bool() const { return words_ != nullptr; }
  /// Sets the bit of v. Returns 1 in the one thread that set it, otherwise 0.
  __device__ unsigned raise(gpu_id v) const {
    const std::uint32_t bit = 1u << (v % 32);
    return (words_[v / 32] & bit) == 0 && (atomicOr(words_ + v / 32, bit) & bit) == 0 ? 1 : 0;
  }
  [[nodiscard]] __device__ bool has(gpu_id v) const { return (words_[v / 32] >> (v % 32) & 1) != 0; }

private:
  std::uint32_t* words_ = nullptr;  // the host reads the same bits as 64-bit words, because it is little-endian, too
};

__device__ inline void add_to(unsigned long long* sum, unsigned part) {
  const unsigned of_warp = __reduce_add_sync(0xffffffffu, part);
  if (threadIdx.x % 32 == 0 && of_warp != 0) atomicAdd(sum, of_warp);
}

/// The links that one thread has counted.
struct counted_links {
  unsigned links = 0, refused = 0, vertices = 0;

  /// Adds the counts of all threads of a warp to the tally. All threads of the warp call it.
  __device__ void add_to_tally(gpu_tally* tally) const {
    add_to(&tally->links, links);
    add_to(&tally->refused, refused);
    add_to(&tally->vertices, vertices);
  }
};

/// The arrays in which kernels note links and vertices; passed to kernels by value.
struct device_notes {
  device_marks exists;
  gpu_edge* slots;  ///< the edge that made each root a child; null: not recorded
  gpu_tally* tally;

  __device__ void mark(gpu_edge e, counted_links& own) const {
    if (exists) own.vertices += exists.raise(e.u) + exists.raise(e.v);
  }
};

/// Called by a rule for each link: counts it, marks both ends of the edge as existing, and stores the edge if a forest is recorded.
struct note_device_link {
  const device_notes& to;
  gpu_edge e;
  counted_links& own;

  __device__ void operator()(gpu_id root, gpu_id /*parent*/) const {
    ++own.links;
    to.mark(e, own);
    if (to.slots != nullptr) to.slots[root] = e;  // no other thread links this root, ever
  }
};

// Functors that read the pairs of one batch.

/// Reads a batch in which all operations are of the wanted kind. Each operation is read once, by loads that leave the caches to the
/// parents.
struct whole_batch {
  const gpu_edge* pairs;
  std::size_t count;

  __device__ bool wanted(std::size_t i) const { return i < count; }
  __device__ gpu_edge pair(std::size_t i) const {
    const uint2 e = __ldcs(reinterpret_cast<const uint2*>(pairs) + i);
    return {e.x, e.y};
  }
};
/// Reads the operations of one kind in the batch.
struct of_kind {
  const gpu_edge* pairs;
  std::size_t count;
  const operation* kinds;
  operation kind;

  __device__ bool wanted(std::size_t i) const { return i < count && kinds[i] == kind; }
  __device__ gpu_edge pair(std::size_t i) const { return pairs[i]; }
};

/// Calls f(reader) with a reader of the batch's operations of one kind: whole_batch if all operations are of this kind, otherwise of_kind.
template <class F>
void with_reader(gpu_batch batch, operation kind, F f) {
  if (batch.kinds == nullptr) {
    f(whole_batch{batch.pairs, batch.count});
  } else {
    f(of_kind{batch.pairs, batch.count, batch.kinds, kind});
  }
}

class device_forest {
public:
  using plain_parents = parents::cached<gpu_id>;
  using ranked_parents = parents::ranked<parents::fresh<std::uint64_t>, gpu_id>;

  device_forest(const backend::cuda& loops, const rule_traits& traits, bool record)
      : loops_{loops},
        ranked_{traits.aux == aux_array::ranks},
        flagged_{traits.aux == aux_array::flags},
        rounds_{traits.synchronous},
        records_{record},
        tally_{1, loops.memory()} {
    loops.clear(tally_.data(), sizeof(gpu_tally));
  }

  [[nodiscard]] const backend::cuda& loops() const noexcept { return loops_; }
  [[nodiscard]] gpu_id slots() const noexcept { return slots_; }
  [[nodiscard]] bool records() const noexcept { return records_; }
  [[nodiscard]] bool is_ranked() const noexcept { return ranked_; }

  /// Makes room for the ids below `slots`; new ids are roots that do not exist yet. Changes nothing if it throws. Defined in
  /// device_forest.cu, like all functions that rules do not use.
  void grow(gpu_id slots);
  /// Makes the ids from `begin` to slots() - 1 exist as vertices, each alone in its tree. Precondition: none of them existed.
  void declare(gpu_id begin);
  /// Starts from `count` labels in GPU memory: makes every v exist whose label is not no_vertex, as a child of labels[v] or as a root.
  /// Precondition: nothing but grow() was called before; labels[labels[v]] == labels[v] <= v.
  void adopt(const gpu_id* labels, std::size_t count);
  /// Returns the canonical label of each id below slots(), no_vertex for ids that do not exist; valid until the forest changes. They are in
  /// the array of parents if it can hold them, otherwise in `beside`, which is then allocated.
  [[nodiscard]] const gpu_id* labels(buffer<gpu_id>& beside);

  // Accessors of the parents, by the array that a rule needs in addition to these (Aux). inserting(): for inserts; loads see what other
  // threads have stored if `Fresh`, otherwise they may be stale. mixing(): for inserts and queries at the same time, which need loads that
  // stay in order.
  [[nodiscard]] plain_parents plain() noexcept { return plain_parents{words_.data()}; }
  [[nodiscard]] ranked_parents ranked() noexcept { return ranked_parents{parents::fresh<std::uint64_t>{ranks_.data()}}; }
  template <aux_array Aux, bool Fresh>
  [[nodiscard]] auto inserting() noexcept {
    if constexpr (Aux == aux_array::ranks) {
      return ranked();
    } else if constexpr (Aux == aux_array::flags) {
      return flagged<parents::fresh<gpu_id>>();
    } else if constexpr (Fresh) {
      return parents::fresh<gpu_id>{words_.data()};
    } else {
      return plain();
    }
  }
  template <aux_array Aux>
  [[nodiscard]] auto mixing() noexcept {
    if constexpr (Aux == aux_array::ranks) {
      using words = parents::device_ordered<std::uint64_t>;
      return parents::ranked<words, gpu_id>{words{ranks_.data()}};
    } else if constexpr (Aux == aux_array::flags) {
      return flagged<parents::device_ordered<gpu_id>>();
    } else {
      return parents::device_ordered<gpu_id>{words_.data()};
    }
  }
  /// An accessor whose loads may be stale.
  template <aux_array Aux>
  [[nodiscard]] auto looking() noexcept {
    if constexpr (Aux == aux_array::ranks) {
      using words = parents::cached<std::uint64_t>;
      return parents::ranked<words, gpu_id>{words{ranks_.data()}};
    } else {
      return plain();
    }
  }
  /// The array of labels at the beginning of a round, for rules that work in rounds.
  [[nodiscard]] plain_parents before() noexcept { return plain_parents{before_.data()}; }
  [[nodiscard]] device_marks died() noexcept { return device_marks{dead_.data()}; }

  [[nodiscard]] device_notes notes() noexcept {
    return {all_exist() ? device_marks{} : device_marks{seen_.data()}, records_ ? slots_of_roots_.data() : nullptr, tally_.data()};
  }
  [[nodiscard]] gpu_tally* tally() noexcept { return tally_.data(); }
  [[nodiscard]] std::uint64_t* existing() noexcept { return seen_.data(); }
  [[nodiscard]] gpu_edge* link_slots() noexcept { return slots_of_roots_.data(); }

  /// Waits, and returns what kernels have counted so far; the vertices that declare() made exist are included.
  gpu_tally counted() {
    gpu_tally found = loops_.fetched(tally_.data());
    vertices_ = found.vertices += declared_;
    return found;
  }

  void keep(std::unique_ptr<rule_state> state) noexcept { state_ = std::move(state); }
  [[nodiscard]] rule_state* state() noexcept { return state_.get(); }

private:
  template <class Words>
  [[nodiscard]] auto flagged() noexcept {
    return parents::basic_flagged<Words, parents::device_flags>{Words{words_.data()}, parents::device_flags{flags_.data()}};
  }
  /// True if all ids below slots() existed as vertices when counted() last read the counts; more may exist by now.
  [[nodiscard]] bool all_exist() const noexcept { return vertices_ == slots_; }

  const backend::cuda& loops_;
  bool ranked_, flagged_, rounds_, records_;
  gpu_id slots_ = 0;
  std::size_t room_ = 0;  ///< number of ids that the arrays have room for
  std::uint64_t declared_ = 0, vertices_ = 0;
  buffer<gpu_id> words_, before_;
  buffer<std::uint64_t> ranks_, seen_, dead_;
  buffer<std::uint8_t> flags_;
  buffer<gpu_edge> slots_of_roots_;
  buffer<gpu_tally> tally_;
  std::unique_ptr<rule_state> state_;
};

}  // namespace copse::drivers
