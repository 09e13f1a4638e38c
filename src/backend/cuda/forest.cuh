// The trees of a solve on a GPU: what forest.hpp is on the host, with steps that kernels can be made of, and a vote that stays there.
#pragma once
#include <backend/cuda/cuda.cuh>
#include <backend/cuda/vote.cuh>
#include <backend/flatten.hpp>
#include <backend/forest.hpp>
#include <backend/links.hpp>
#include <copse/core/memory.hpp>
#include <copse/core/rule_traits.hpp>
#include <copse/parents/device.cuh>
#include <copse/parents/ranked.hpp>

#include <cstddef>
#include <cstdint>
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

/// Of a backend that is cuda, or counts what cuda does.
template <class Backend, class Id>
class gpu_forest {
public:
  using plain_parents = typename Backend::template parents<Id>;
  using fresh_parents = typename Backend::template fresh_parents<Id>;
  using flagged_parents = typename Backend::template flagged_parents<fresh_parents>;
  using wide_words = typename Backend::template fresh_parents<std::uint64_t>;
  using ranked_parents = typename Backend::template ranked_parents<wide_words, Id>;

  gpu_forest(Id vertices, aux_array aux, std::pmr::memory_resource* memory)
      : vertices_{vertices},
        memory_{memory},
        words_(aux == aux_array::ranks ? 0 : vertices, memory),
        ranks_(aux == aux_array::ranks ? vertices : 0, memory),
        flags_(aux == aux_array::flags ? (std::size_t{vertices} + 3) / 4 * 4 : 0, memory) {}

  [[nodiscard]] Id vertices() const noexcept { return vertices_; }
  [[nodiscard]] std::pmr::memory_resource* memory() const noexcept { return memory_; }

  [[nodiscard]] plain_parents plain() noexcept { return plain_parents{words_.data()}; }
  [[nodiscard]] fresh_parents fresh() noexcept { return fresh_parents{words_.data()}; }
  [[nodiscard]] flagged_parents flagged() noexcept { return {fresh(), parents::device_flags{flags_.data()}}; }
  [[nodiscard]] ranked_parents ranked() noexcept { return ranked_parents{wide_words{ranks_.data()}}; }

  /// The parent of v, between loops. Waits for them.
  [[nodiscard]] Id parent(const cuda& loops, Id v) {
    return ranks_.empty() ? loops.fetched(words_.data() + v) : ranked().parent(loops.fetched(ranks_.data() + v));
  }

  template <class ParentOf>
  void plant(const cuda& loops, ParentOf parent_of) {
    with_parents([&]<class P>(P p) { loops.for_each(vertices_, plant_vertex<P, ParentOf>{p, parent_of}); });
    loops.clear(flags_.data(), flags_.size());
  }
  void flatten(const cuda& loops) {
    with_parents([&](auto p) { backend::flatten(loops, p, vertices_); });
  }
  void exchange(const cuda& loops, Id giant) {
    if (giant == 0) return;
    loops.for_each(vertices_, exchange_label<plain_parents>{plain(), giant});
    loops.for_each(1, exchange_words<plain_parents>{plain(), 0, giant});
  }
  /// Precondition: flat.
  [[nodiscard]] Id most_frequent_label(const cuda& loops, unsigned samples, std::uint64_t seed) {
    Id giant = 0;
    with_parents([&]<class P>(P p) { giant = backend::most_frequent_label(loops, vertices_, label_of_flat<P>{p}, samples, seed); });
    return giant;
  }
  template <class Renamed>
  [[nodiscard]] buffer<Id> labels(const cuda& loops, bool roots_are_smallest, Renamed renamed) {
    flatten(loops);
    if (roots_are_smallest) return std::move(words_);
    buffer<Id> labels{vertices_, memory_};
    with_parents([&]<class P>(P p) {
      label_by_smallest(loops, plain_parents{labels.data()}, vertices_, renamed_root<P, Renamed>{p, renamed});
    });
    return labels;
  }

  /// f(p) with the accessor that fits.
  template <class F>
  void with_parents(F f) {
    if (ranks_.empty()) {
      f(plain());
    } else {
      f(ranked());
    }
  }

  /// The same with one that nothing counts.
  template <class F>
  void with_uncounted_parents(F f) {
    if (ranks_.empty()) {
      f(parents::cached<Id>{words_.data()});
    } else {
      f(parents::ranked<parents::cached<std::uint64_t>, Id>{parents::cached<std::uint64_t>{ranks_.data()}});
    }
  }

private:
  Id vertices_;
  std::pmr::memory_resource* memory_;
  buffer<Id> words_;
  buffer<std::uint64_t> ranks_;
  buffer<std::uint8_t> flags_;
};

template <class Id>
class forest<cuda, Id> : public gpu_forest<cuda, Id> {
public:
  using gpu_forest<cuda, Id>::gpu_forest;
};
/// Kernels that note links are compiled for a backend of their own (recording.cuh).
template <class Id>
class links<cuda, Id> {
public:
  using recorder = no_recorder;
};

}  // namespace copse::backend
