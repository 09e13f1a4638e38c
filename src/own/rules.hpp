// The unite of our own path: sequential Rem where one thread works, Rem with a swap where many do.
#pragma once
#include <copse/rules/find/naive.hpp>
#include <copse/rules/splice/halve_one.hpp>
#include <copse/rules/unite/rem.hpp>
#include <copse/rules/unite/rem_cas.hpp>

#include <type_traits>

namespace copse::own {

template <class Backend>
using unite_of = std::conditional_t<Backend::concurrent, unite::rem_cas<find::naive, splice::halve_one>, unite::rem>;

template <class P>
typename P::id parent_of(P p, typename P::id v) noexcept {
  return p.parent(p.load(v));
}

/// Runs f with the switch as a type, so that inner loops do not ask.
template <class F>
void with(bool chosen, F f) {
  if (chosen) {
    f(std::true_type{});
  } else {
    f(std::false_type{});
  }
}

}  // namespace copse::own
