// The labels at the beginning of a round, beside the ones that the round makes.
#pragma once
#include <copse/core/memory.hpp>
#include <finish/rounds.hpp>

namespace copse::finish {

template <class Backend, class Id>
class labels_before {
public:
  using parents = typename Backend::template parents<Id>;

  explicit labels_before(backend::solving<Backend, Id>& with) : with_{with}, words_(with.trees.vertices(), with.trees.memory()) {
    for_vertices(with_, [before = labels(), now = with_.trees.plain()](Id v) { before.store(v, now.load(v)); });
  }

  [[nodiscard]] parents labels() noexcept { return parents{words_.data()}; }

  /// The round is over: what it made is what the next one begins with. Did anything change?
  bool take_over() {
    changes any;
    for_vertices(with_, [before = labels(), now = with_.trees.plain(), &any](Id v) {
      const Id label = now.load(v);
      if (before.load(v) == label) return;
      before.store(v, label);
      any.note();
    });
    return any.happened();
  }

private:
  backend::solving<Backend, Id>& with_;
  buffer<Id> words_;
};

}  // namespace copse::finish
