// The trees of a solve on a GPU, with the functions that loops/forest.hpp has on the host. The bodies of its loops are named types, so that
// kernels can run them. The giant is guessed by a vote, the most frequent label of random vertices, whose result stays on the GPU.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <copse/memory.hpp>
#include <gpu/loops/cuda.cuh>
#include <gpu/steps/first_hook.cuh>
#include <gpu/steps/roots.cuh>
#include <gpu/steps/vote.cuh>
#include <loops/flatten.hpp>
#include <loops/forest.hpp>
#include <loops/links.hpp>
#include <parents/aux_arrays.hpp>
#include <parents/device.cuh>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace copse::backend {

template <class P, class ParentOf>
struct plant_vertex {
  P p;
  ParentOf parent_of;
  __device__ void operator()(std::size_t i) const {
    const auto v = static_cast<typename P::id>(i), parent = parent_of(v);
    p.store(v, parent == v ? p.root(v) : p.link(parent));
  }
};
template <class P>
struct exchange_label {
  P p;
  typename P::id giant;
  __device__ void operator()(std::size_t i) const {
    const auto v = static_cast<typename P::id>(i), label = p.load(v);
    if (label == 0) p.store(v, giant);
    if (label == giant) p.store(v, 0);
  }
};
template <class P>
struct exchange_words {
  P p;
  typename P::id a, b;
  __device__ void operator()(std::size_t) const {
    const auto word = p.load(a);
    p.store(a, p.load(b));
    p.store(b, word);
  }
};
template <class P>
struct label_of_flat {
  P p;
  __device__ typename P::id operator()(typename P::id v) const { return p.parent(p.load(v)); }
};
template <class P, class Renamed>
struct renamed_root {
  P p;
  Renamed renamed;
  __device__ typename P::id operator()(typename P::id v) const { return renamed(p.parent(p.load(renamed(v)))); }
};

/// Returns the label by which a sampled vertex votes for the giant. A vertex without arcs does not vote, because it is not in a giant.
template <class P>
struct root_of_voter {
  any_rows<typename P::id> rows;
  P p;
  __device__ typename P::id operator()(typename P::id v) const {
    return rows.degree(v) == 0 ? no_vertex<typename P::id> : find::naive{}(p, v);
  }
};

/// Counts and the giant's label, which a pass of a solve writes to the memory of the GPU for later passes. All are 0 at first.
template <class Id>
struct forest_facts {
  unsigned listed, near_tiles, outside;
  Id giant;
  unsigned long long pieces;
};
// the least share of the sampled vertices that a tree must have to be the giant; otherwise there is no giant, and no vertex is skipped
inline constexpr float least_giant = .25f;

/// The trees of a solve in the memory of a GPU, with the lists of vertices that one pass writes and a later pass walks. `Backend` is cuda,
/// or a backend that counts the accesses of cuda.
template <class Backend, class Id>
class gpu_forest {
public:
  using plain_parents = typename Backend::template parents<Id>;
  using fresh_parents = typename Backend::template fresh_parents<Id>;
  using flagged_parents = typename Backend::template flagged_parents<fresh_parents>;
  using wide_words = typename Backend::template fresh_parents<std::uint64_t>;
  using ranked_parents = typename Backend::template ranked_parents<wide_words, Id>;

  gpu_forest(std::span<Id> words, aux_array aux, std::pmr::memory_resource* memory)
      : vertices_{static_cast<Id>(words.size())},
        memory_{memory},
        words_{words},
        ranks_(aux == aux_array::ranks ? words.size() : 0, memory),
        flags_(aux == aux_array::flags ? (words.size() + 3) / 4 * 4 : 0, memory) {}

  [[nodiscard]] Id vertices() const noexcept { return vertices_; }
  [[nodiscard]] std::pmr::memory_resource* memory() const noexcept { return memory_; }

  [[nodiscard]] plain_parents plain() noexcept { return plain_parents{words_.data()}; }
  [[nodiscard]] fresh_parents fresh() noexcept { return fresh_parents{words_.data()}; }
  [[nodiscard]] flagged_parents flagged() noexcept { return {fresh(), parents::device_flags{flags_.data()}}; }
  [[nodiscard]] ranked_parents ranked() noexcept { return ranked_parents{wide_words{ranks_.data()}}; }

  /// Returns the parent of v after all earlier loops, for which it waits.
  [[nodiscard]] Id parent(const cuda& loops, Id v) {
    return ranks_.empty() ? loops.fetched(words_.data() + v) : ranked().parent(loops.fetched(ranks_.data() + v));
  }

  template <class ParentOf>
  void plant(const cuda& loops, ParentOf parent_of) {
    with_parents([&]<class P>(P p) { loops.for_each(vertices_, plant_vertex<P, ParentOf>{p, parent_of}); });
    loops.clear(flags_.data(), flags_.size());
  }
  /// Initialises the parents by the first hook (first_hook.cuh): a vertex gets its first neighbour as its parent if that is smaller.
  /// Returns the list of the vertices with arcs that got no parent. If `near` is true, hooks within a tile of consecutive vertices are
  /// flattened at once where most parents are close to their vertices by number, and the roots of the trees within such tiles are listed
  /// along with these vertices.
  template <class Recorder>
  [[nodiscard]] device_facts<Id> hook(const cuda& loops, const any_rows<Id>& rows, bool near, Id* seconds, Recorder recorder) {
    expect_lists(loops);
    loops.clear(flags_.data(), flags_.size());
    device_facts<Id> facts;
    if (vertices_ == 0) return facts;
    facts.listed = list_.data();
    facts.listed_count = &facts_.data()->listed;
    const first_hook_task<Id> task{rows, {list_.data(), &facts_.data()->listed}, near ? &facts_.data()->near_tiles : nullptr, seconds};
    with_parents([&]<class P>(P p) {
      loops.before_launch();
      launch_after(loops, loops.places(first_hook_blocks), threads_a_block, first_hook<P, Recorder>, task, p, recorder);
      loops.launched();
      if (!near) return;
      launch_after(loops, loops.places(), threads_a_block, flatten_list<P>, p, std::size_t{vertices_}, facts.listed, facts.listed_count,
                   &facts_.data()->near_tiles, nullptr);
      loops.launched();
    });
    return facts;
  }
  /// Enqueues a kernel that takes the most frequent label of random vertices as the giant's, and returns pointers by which the pass over
  /// the vertices outside the giant finds the label in the GPU's memory. With `flattens`, sampling has not flattened the trees; that pass
  /// makes every vertex point to its root, so that label() has few vertices left to flatten.
  [[nodiscard]] device_facts<Id> vote(const cuda& loops, const any_rows<Id>& rows, unsigned samples, std::uint64_t seed, bool flattens) {
    if (list_.empty()) expect_lists(loops);
    forest_facts<Id>* const facts = facts_.data();
    with_parents([&]<class P>(P p) { start_vote(loops, vertices_, root_of_voter<P>{rows, p}, samples, seed, least_giant, &facts->giant); });
    flattened_ = flattens;
    return {nullptr, nullptr, &facts->giant, list_.data(), &facts->outside, &facts->pieces, flattens};
  }
  void flatten(const cuda& loops) {
    if (vertices_ == 0) return;
    with_parents([&]<class P>(P p) {
      // a backend that counts accesses runs the same loop as on the host
      if constexpr (Backend::counts) return backend::flatten(loops, p, vertices_);
      loops.before_launch();
      launch_after(loops, loops.blocks_in_order((std::size_t{vertices_} + threads_a_block - 1) / threads_a_block), threads_a_block,
                   flatten_vertices<P>, p, std::size_t{vertices_});
      loops.launched();
    });
  }
  void exchange(const cuda& loops, Id giant) {
    if (giant == 0) return;
    loops.for_each(vertices_, exchange_label<plain_parents>{plain(), giant});
    loops.for_each(1, exchange_words<plain_parents>{plain(), 0, giant});
  }
  /// Returns the most frequent label among `samples` random vertices. Precondition: the trees are flat.
  [[nodiscard]] Id most_frequent_label(const cuda& loops, unsigned samples, std::uint64_t seed) {
    Id giant = 0;
    with_parents([&]<class P>(P p) { giant = backend::most_frequent_label(loops, vertices_, label_of_flat<P>{p}, samples, seed); });
    return giant;
  }
  template <class Renamed>
  void label(const cuda& loops, bool roots_are_smallest, Renamed renamed) {
    if (flattened_) {
      flatten_outside(loops);
    } else {
      flatten(loops);
    }
    if (roots_are_smallest && ranks_.empty()) return;
    buffer<Id> beside{ranks_.empty() ? vertices_ : Id{0}, memory_};  // receives the labels while parents are still read
    Id* const labels = ranks_.empty() ? beside.data() : words_.data();
    with_parents([&]<class P>(P p) { label_by_smallest(loops, plain_parents{labels}, vertices_, renamed_root<P, Renamed>{p, renamed}); });
    if (!beside.empty()) loops.copy(words_.data(), labels, words_.size_bytes());
  }

  /// Calls f(p) with the accessor of the parents, which are stored alone or, if the rule needs ranks, in 64-bit words with these.
  template <class F>
  void with_parents(F f) {
    if (ranks_.empty()) {
      f(plain());
    } else {
      f(ranked());
    }
  }

  /// Calls f with an accessor of the parents that does not count accesses, whatever the backend.
  template <class F>
  void with_uncounted_parents(F f) {
    if (ranks_.empty()) {
      f(parents::cached<Id>{words_.data()});
    } else {
      f(parents::ranked<parents::cached<std::uint64_t>, Id>{parents::cached<std::uint64_t>{ranks_.data()}});
    }
  }

private:
  void expect_lists(const cuda& loops) {
    list_ = buffer<Id>{vertices_, memory_};
    facts_ = buffer<forest_facts<Id>>{1, memory_};
    loops.clear(facts_.data(), sizeof(forest_facts<Id>));
  }
  /// Flattens the vertices that were outside the giant. All others point at the giant's root; if that has joined another tree, all are
  /// flattened.
  void flatten_outside(const cuda& loops) {
    const forest_facts<Id>* const facts = facts_.data();
    with_parents([&]<class P>(P p) {
      loops.before_launch();
      launch_after(loops, loops.blocks_for(vertices_), threads_a_block, flatten_list<P>, p, std::size_t{vertices_}, list_.data(),
                   &facts->outside, nullptr, &facts->giant);
      loops.launched();
    });
  }

  Id vertices_;
  std::pmr::memory_resource* memory_;
  std::span<Id> words_;
  buffer<std::uint64_t> ranks_;
  buffer<std::uint8_t> flags_;
  buffer<Id> list_;  ///< first the vertices that the first hook left without a parent, later the vertices outside the giant
  buffer<forest_facts<Id>> facts_;
  bool flattened_ = false;
};

template <class Id>
class forest<cuda, Id> : public gpu_forest<cuda, Id> {
public:
  using gpu_forest<cuda, Id>::gpu_forest;
};
/// This backend records no edges of a spanning forest: kernels that do are compiled for recording_cuda (recording.cuh).
template <class Id>
class links<cuda, Id> {
public:
  using recorder = no_recorder;
};

}  // namespace copse::backend
