// A sample of rows in host memory, as the GPU takes it.
#pragma once
#include <loops/arcs.hpp>
#include <loops/row_sample.hpp>

#include <cstdint>

namespace copse {

template <class Id>
backend::row_sample sample_of(const backend::any_rows<Id>& rows, std::uint64_t seed, unsigned sampled = backend::sampled_rows) {
  backend::row_sample found;
  backend::add_rows(found, rows, seed, 0, sampled);
  return found;
}

}  // namespace copse
