// The functions of samplers and finishes for one backend and width of ids, one function each.
#pragma once
#include <drivers/components.hpp>
#include <variants/type_list.hpp>
#include <variants/validity.hpp>

#include <array>

namespace copse::variant {

template <class Backend, class Id, class... Samplers>
constexpr std::array<drivers::sampling<Backend, Id>, sizeof...(Samplers)> samplings_of(type_list<Samplers...>) {
  return {Samplers::template sample<Backend, Id>...};
}

/// Returns the function that runs a finish. Null if the finish is not valid on the backend (refusal_of() says why), and for the fast path,
/// which drivers call directly.
template <class Backend, class Id, class Entry>
constexpr backend::finish_function<Backend, Id> finish_function_of() {
  if constexpr (!Entry::entry.traits.fast_path && refusal_of(Entry::entry.traits, Backend::concurrent).empty()) {
    return Entry::finish_type::template run<Backend, Id>;
  } else {
    return nullptr;
  }
}
template <class Backend, class Id, class... Entries>
constexpr std::array<backend::finish_function<Backend, Id>, sizeof...(Entries)> finish_functions_of(type_list<Entries...>) {
  return {finish_function_of<Backend, Id, Entries>()...};
}

}  // namespace copse::variant
