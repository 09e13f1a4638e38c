// The labels at the beginning of a round, beside the new ones.
#pragma once
#include <copse/memory.hpp>
#include <finish/rounds.hpp>

namespace copse::finish {

template <class P>
struct copy_label {
  P from, to;
  COPSE_HOST_DEVICE void operator()(typename P::id v) const noexcept { to.store(v, from.load(v)); }
};
template <class P, class Noter>
struct take_over_label {
  P now, before;
  Noter any;
  COPSE_HOST_DEVICE void operator()(typename P::id v) const {
    const auto label = now.load(v);
    if (before.load(v) == label) return;
    before.store(v, label);
    any.note();
  }
};
template <class P, class Noter>
take_over_label(P, P, Noter) -> take_over_label<P, Noter>;

template <class Backend, class Id>
class labels_before {
public:
  using parents = typename Backend::template parents<Id>;

  explicit labels_before(backend::solve_context<Backend, Id>& context)
      : context_{context}, words_(context.trees.vertices(), context.trees.memory()), any_{context} {
    for_vertices(context_, copy_label<parents>{context_.trees.plain(), labels()});
  }

  [[nodiscard]] parents labels() noexcept { return parents{words_.data()}; }

  /// Ends the round: its labels are those that the next one begins with. Did anything change?
  bool take_over() {
    for_vertices(context_, take_over_label{context_.trees.plain(), labels(), any_.notes()});
    return any_.happened();
  }

private:
  backend::solve_context<Backend, Id>& context_;
  buffer<Id> words_;
  change_flag<Backend, Id> any_;
};

}  // namespace copse::finish
