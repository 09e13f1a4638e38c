// The unite of the fast path: sequential Rem where one thread works, Rem with a swap where many do.
#pragma once
#include <copse/extend/rules/find/naive.hpp>
#include <copse/extend/rules/splice/halve_one.hpp>
#include <copse/extend/rules/unite/rem.hpp>
#include <copse/extend/rules/unite/rem_cas.hpp>

#include <type_traits>

namespace copse::fast {

template <class Backend>
using unite_of = std::conditional_t<Backend::concurrent, unite::rem_cas<find::naive, splice::halve_one>, unite::rem>;

template <class P>
typename P::id parent_of(P p, typename P::id v) noexcept {
  return p.parent(p.load(v));
}

/// Runs f with `chosen` as a type, so that inner loops need no branch.
template <class F>
void as_constants(bool chosen, F f) {
  if (chosen) {
    f(std::true_type{});
  } else {
    f(std::false_type{});
  }
}

}  // namespace copse::fast
