// The finishes of the backend cuda: one function each, for 32-bit ids. They are many kernels, so they are compiled in parallel units.
#pragma once
// Replacements for host headers of the same names come before the headers that call them: see visit() there.
#include <gpu/loops/binned.cuh>
#include <gpu/loops/busiest.cuh>
#include <gpu/loops/cuda.cuh>
#include <gpu/loops/frontier.cuh>
#include <gpu/loops/gather.cuh>
#include <gpu/loops/heaviest.cuh>
#include <gpu/loops/partition.cuh>
#include <gpu/loops/visit.cuh>
//
#include <finish/moving_edges.cuh>
#include <finish/written_edges.cuh>
#include <gpu/loops/forest.cuh>
#include <loops/solve_context.hpp>
#include <variants/entries.hpp>
#include <variants/validity.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace copse::variant {

using cuda_finish = backend::finish_function<backend::cuda, std::uint32_t>;

/// Null where the backend refuses it, and for the fast path, which is no finish.
template <class Entry>
constexpr cuda_finish cuda_finish_function() {
  if constexpr (!Entry::entry.traits.fast_path && refusal_of(Entry::entry.traits, true).empty()) {
    return Entry::finish_type::template run<backend::cuda, std::uint32_t>;
  } else {
    return nullptr;
  }
}
/// Of all these entries, in their order.
template <class... Entries>
constexpr std::array<cuda_finish, sizeof...(Entries)> cuda_finish_functions(type_list<Entries...>) {
  return {cuda_finish_function<Entries>()...};
}
/// Of a unite: they come first in `finishes`.
cuda_finish cuda_unite_function(std::size_t finish);
/// Of all other finishes, counted from the first of them.
cuda_finish cuda_rounds_function(std::size_t finish);

}  // namespace copse::variant
