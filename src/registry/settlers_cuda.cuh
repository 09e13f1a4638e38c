// The finishes of the backend cuda: a function each, for 32-bit ids. They are many kernels, so units of them are compiled side by side.
#pragma once
// What stands in for the headers of the same names on the host comes before those that call it: see visit() there.
#include <backend/cuda/binned.cuh>
#include <backend/cuda/busiest.cuh>
#include <backend/cuda/cuda.cuh>
#include <backend/cuda/frontier.cuh>
#include <backend/cuda/gather.cuh>
#include <backend/cuda/heaviest.cuh>
#include <backend/cuda/partition.cuh>
#include <backend/cuda/visit.cuh>
//
#include <backend/cuda/forest.cuh>
#include <backend/solving.hpp>
#include <finish/moving_edges.cuh>
#include <finish/written_edges.cuh>
#include <registry/entries.hpp>
#include <registry/validity.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace copse::registry {

using cuda_settler = backend::settler<backend::cuda, std::uint32_t>;

/// Null where the backend refuses it, and for our own path, which is no finish.
template <class Entry>
constexpr cuda_settler cuda_settler_of() {
  if constexpr (!Entry::entry.traits.own_path && refusal_of(Entry::entry.traits, true).empty()) {
    return Entry::finish_type::template settle<backend::cuda, std::uint32_t>;
  } else {
    return nullptr;
  }
}
/// Of finish number `finish` among these entries.
template <class... Entries>
cuda_settler cuda_settler_of(type_list<Entries...>, std::size_t finish) {
  static constexpr std::array<cuda_settler, sizeof...(Entries)> settlers{cuda_settler_of<Entries>()...};
  return settlers[finish];
}

/// solvers_cuda_unites.cu: the entries that are unites come first in `finishes`.
cuda_settler cuda_settler_of_unite(std::size_t finish);
/// solvers_cuda_rounds.cu: all others, counted from the first of them.
cuda_settler cuda_settler_of_rounds(std::size_t finish);

}  // namespace copse::registry
