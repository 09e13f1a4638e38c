// busiest.hpp on a GPU: the samples meet in an atomic maximum of degree and vertex.
#pragma once
#include <copse/memory.hpp>
#include <copse/types.hpp>
#include <gpu/loops/cuda.cuh>
#include <loops/busiest.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::backend {

struct offer_degree {
  any_rows<std::uint32_t> rows;
  random_stream random;
  unsigned long long* best;
  __device__ void operator()(std::size_t k) const {
    const auto v = static_cast<std::uint32_t>(random.below(k, rows.vertices()));
    const std::uint64_t degree = rows.degree(v), most = no_vertex<std::uint32_t>;
    atomicMax(best, static_cast<unsigned long long>((degree < most ? degree : most) << 32 | (most - v)));  // the smallest of equals
  }
};

inline std::uint32_t busiest_of(const cuda& loops, const any_rows<std::uint32_t>& rows, unsigned samples, random_stream random) {
  if (samples == 0) return 0;
  buffer<unsigned long long> best{1, loops.memory()};
  loops.clear(best.data(), sizeof(unsigned long long));
  loops.for_each(samples, offer_degree{rows, random, best.data()});
  return no_vertex<std::uint32_t> - static_cast<std::uint32_t>(loops.fetched(best.data()));
}

}  // namespace copse::backend
