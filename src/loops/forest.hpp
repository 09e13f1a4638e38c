// The trees of a solve, in the array that its rule requires: ids, ids and flags, or words of rank and parent. Samplers and drivers use only
// what all of these support, so that they are compiled once.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <copse/memory.hpp>
#include <loops/flatten.hpp>
#include <parents/aux_arrays.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace copse::backend {

template <class Backend, class Id>
class forest {
public:
  using plain_parents = typename Backend::template parents<Id>;
  using flagged_parents = parents::flagged<plain_parents, Backend::concurrent>;
  using ranked_parents = parents::ranked<typename Backend::template parents<std::uint64_t>, Id>;

  /// Trees in which every vertex is a root; but nothing is initialised before plant(). `words` has one element per vertex; it holds the
  /// parents, and receives the labels at the end. But for a rule that needs ranks, parents are in 64-bit words with these, in an array of
  /// their own.
  forest(std::span<Id> words, aux_array aux, std::pmr::memory_resource* memory)
      : vertices_{static_cast<Id>(words.size())},
        memory_{memory},
        words_{words},
        ranks_(aux == aux_array::ranks ? words.size() : 0, memory),
        flags_(aux == aux_array::flags ? words.size() : 0, memory) {}

  [[nodiscard]] Id vertices() const noexcept { return vertices_; }
  [[nodiscard]] std::pmr::memory_resource* memory() const noexcept { return memory_; }

  /// The accessor of parents for most rules.
  [[nodiscard]] plain_parents plain() noexcept { return plain_parents{words_.data()}; }
  /// The accessor for rules that must not read stale parents. On the host no load is stale, so it is the plain one.
  [[nodiscard]] plain_parents fresh() noexcept { return plain(); }
  [[nodiscard]] flagged_parents flagged() noexcept { return {plain(), flags_.data()}; }
  [[nodiscard]] ranked_parents ranked() noexcept {
    return ranked_parents{typename Backend::template parents<std::uint64_t>{ranks_.data()}};
  }

  /// Initialises the parents: every vertex v gets the parent `parent_of(v)`, which is at most v.
  template <class ParentOf>
  void plant(const Backend& backend, ParentOf parent_of) {
    with_parents([&](auto p) {
      backend.for_blocks(vertices_, [=, flags = flags_.data()](std::size_t begin, std::size_t end) {
        ParentOf own = parent_of;  // a copy for the block, because `parent_of` may have state
        for (std::size_t i = begin; i < end; ++i) {
          const Id v = static_cast<Id>(i), parent = own(v);
          p.store(v, parent == v ? p.root(v) : p.link(parent));
        }
        if (flags != nullptr) std::fill(flags + begin, flags + end, std::uint8_t{0});
      });
    });
  }

  void flatten(const Backend& backend) {
    with_parents([&](auto p) { backend::flatten(backend, p, vertices_); });
  }

  /// Returns the parent of v, which is v itself if v is a root.
  [[nodiscard]] Id parent(Id v) noexcept { return ranks_.empty() ? plain().parent(plain().load(v)) : ranked().parent(ranked().load(v)); }

  /// Returns the parent of v. May be called between the loops of a backend.
  [[nodiscard]] Id parent(const Backend& /*loops*/, Id v) noexcept { return parent(v); }

  /// Exchanges the ids of the giant's root and of vertex 0 in all parents, for rules that work in rounds, which treat the giant as vertex 0
  /// (arc_set::names). Preconditions: the trees are flat, and parents are stored without ranks.
  void exchange(const Backend& backend, Id giant) {
    if (giant == 0) return;
    const auto p = plain();
    backend.for_blocks(vertices_, [=](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) {
        const Id label = p.load(static_cast<Id>(v));
        if (label == 0) p.store(static_cast<Id>(v), giant);
        if (label == giant) p.store(static_cast<Id>(v), 0);
      }
    });
    std::swap(words_[0], words_[giant]);
  }

  /// Flattens the trees and replaces parents by canonical labels. `roots_are_smallest` is true if every root is the smallest vertex of its
  /// tree and no ids are exchanged, so that it is the label; otherwise the smallest vertex of each tree is searched for. `renamed` maps
  /// vertices to their ids after exchange(), and back.
  template <class Renamed>
  void label(const Backend& backend, bool roots_are_smallest, Renamed renamed) {
    flatten(backend);
    if (roots_are_smallest && ranks_.empty()) return;
    buffer<Id> beside{ranks_.empty() ? vertices_ : Id{0}, memory_};  // receives the labels while parents are still read
    Id* const labels = ranks_.empty() ? beside.data() : words_.data();
    with_parents([&](auto p) {
      label_by_smallest(backend, plain_parents{labels}, vertices_, [=](Id v) { return renamed(p.parent(p.load(renamed(v)))); });
    });
    if (beside.empty()) return;
    backend.for_blocks(vertices_, [=, words = words_.data()](std::size_t begin, std::size_t end) {
      std::copy(labels + begin, labels + end, words + begin);
    });
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

private:
  Id vertices_;
  std::pmr::memory_resource* memory_;
  std::span<Id> words_;
  buffer<std::uint64_t> ranks_;
  buffer<std::uint8_t> flags_;
};

}  // namespace copse::backend
