// A vertex of high degree: the highest of some random ones.
#pragma once
#include <core/random.hpp>
#include <loops/arcs.hpp>

namespace copse::backend {

/// Precondition: there are vertices.
template <class Backend, class Id>
Id busiest_of(const Backend& /*loops*/, const any_rows<Id>& rows, unsigned samples, random_stream random) {
  Id best = 0;
  for (unsigned k = 0; k < samples; ++k) {
    const Id v = static_cast<Id>(random.below(k, rows.vertices()));
    if (rows.degree(v) > rows.degree(best)) best = v;
  }
  return best;
}

}  // namespace copse::backend
