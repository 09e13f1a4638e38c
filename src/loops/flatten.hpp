// Flattening makes every vertex point to its root. It is done between rounds of a sampler, and at the end of a solve, when roots are
// labels.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/rules/find/naive.hpp>
#include <copse/types.hpp>

#include <cstddef>

namespace copse::backend {

/// Walks from v to its root, and stores the root as v's parent.
template <class P>
struct flatten_by_walk {
  P p;
  COPSE_HOST_DEVICE void operator()(std::size_t i) const noexcept {
    const auto v = static_cast<typename P::id>(i);
    const auto word = p.load(v);
    if (p.is_root(v, word)) return;
    const auto root = find::naive{}(p, p.parent(word));
    if (root != p.parent(word)) p.store(v, p.link(root));
  }
};

/// Flattens trees: each vertex walks to its root and stores it. Every parent is a root afterwards, unless other threads change the trees at
/// the same time.
template <class Backend, class P>
void flatten_by_walks(const Backend& backend, P p, typename P::id n) {
  backend.for_each(n, flatten_by_walk<P>{p});
}

/// Makes every vertex point to its root, by a walk from each vertex. With one thread and minimal roots it is one ascending pass instead,
/// because p[v] <= v has been flattened before v. That pass does not change trees that are already flat, whatever their roots.
template <class Backend, class P>
void flatten(const Backend& backend, P p, typename P::id n) {
  if constexpr (Backend::concurrent || !P::minimal_roots) {
    flatten_by_walks(backend, p, n);
  } else {
    using id = typename P::id;
    backend.for_each(n, [p](std::size_t v) { p.store(static_cast<id>(v), p.load(p.parent(p.load(static_cast<id>(v))))); });
  }
}

/// The first step of label_by_smallest: every vertex gets its own id as its label.
template <class Labels>
struct name_by_itself {
  Labels labels;
  COPSE_HOST_DEVICE void operator()(std::size_t v) const noexcept {
    labels.store(static_cast<typename Labels::id>(v), static_cast<typename Labels::id>(v));
  }
};
/// The second step of label_by_smallest: every vertex offers its id to its root, whose label becomes the smallest offer.
template <class Labels, class Root>
struct offer_to_root {
  Labels labels;
  Root root;
  COPSE_HOST_DEVICE void operator()(std::size_t i) const noexcept {
    const auto v = static_cast<typename Labels::id>(i), top = root(v);
    if (v < labels.load(top)) labels.fetch_min(top, v);
  }
};
/// The last step of label_by_smallest: every vertex takes the label of its root.
template <class Labels, class Root>
struct name_as_root {
  Labels labels;
  Root root;
  COPSE_HOST_DEVICE void operator()(std::size_t i) const noexcept {
    const auto v = static_cast<typename Labels::id>(i), top = root(v);
    if (top != v) labels.store(v, labels.load(top));
  }
};

/// Sets labels[v] to the smallest vertex of v's set, where `root(v)` identifies the set. Precondition: trees are flat, root(root(v)) ==
/// root(v).
template <class Backend, class Labels, class Root>
void label_by_smallest(const Backend& backend, Labels labels, typename Labels::id n, Root root) {
  backend.for_each(n, name_by_itself<Labels>{labels});
  // A root's label is final only when all vertices of its set have offered their ids, so a second loop reads it.
  backend.for_each(n, offer_to_root<Labels, Root>{labels, root});
  backend.for_each(n, name_as_root<Labels, Root>{labels, root});
}

}  // namespace copse::backend
