// The functions that cuda_incremental.hpp declares, for all finishes of a list. The units that compile kernels include this file.
#pragma once
#include <drivers/incremental/cuda/rounds.cuh>
#include <drivers/incremental/cuda/rule_batches.cuh>
#include <variants/axes.hpp>
#include <variants/cuda_incremental.hpp>
#include <variants/validity.hpp>

#include <array>

namespace copse::variant {

template <class Entry>
constexpr bool inserts_on_gpu = !Entry::entry.traits.fast_path && incremental_refusal_of(Entry::entry, true).empty();

template <class Entry>
constexpr cuda_inserter insert_function_of() {
  if constexpr (!inserts_on_gpu<Entry>) {
    return nullptr;
  } else if constexpr (Entry::entry.traits.synchronous) {
    return drivers::insert_in_rounds<typename Entry::finish_type>;
  } else {
    return drivers::insert_by<typename Entry::finish_type::rule>;
  }
}
template <class Entry>
constexpr cuda_answerer mix_function_of() {
  if constexpr (inserts_on_gpu<Entry> && concurrent_refusal_of(Entry::entry.traits, true).empty()) {
    using rule = typename Entry::finish_type::rule;
    return drivers::mix_by<rule, typename query_find<rule>::type>;
  } else {
    return nullptr;
  }
}
template <class Entry>
constexpr cuda_answerer query_function_of() {
  if constexpr (!inserts_on_gpu<Entry>) {
    return nullptr;
  } else if constexpr (Entry::entry.traits.synchronous) {
    return drivers::query_by<find::halve, aux_array::none>;
  } else {
    constexpr auto aux = Entry::entry.traits.aux == aux_array::ranks ? aux_array::ranks : aux_array::none;
    return drivers::query_by<typename query_find<typename Entry::finish_type::rule>::type, aux>;
  }
}

template <class... Entries>
constexpr std::array<cuda_inserter, sizeof...(Entries)> insert_functions_of(type_list<Entries...>) {
  return {insert_function_of<Entries>()...};
}
template <class... Entries>
constexpr std::array<cuda_answerer, sizeof...(Entries)> mix_functions_of(type_list<Entries...>) {
  return {mix_function_of<Entries>()...};
}
template <class... Entries>
constexpr std::array<cuda_answerer, sizeof...(Entries)> query_functions_of(type_list<Entries...>) {
  return {query_function_of<Entries>()...};
}

}  // namespace copse::variant
