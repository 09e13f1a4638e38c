// The code behind the variants of incremental connectivity, for one backend and width of ids, and what each can do. Compiled once for each
// backend and width, in units that CMake generates (src/CMakeLists.txt).
#pragma once
#include <copse/extend/rules/find/halve.hpp>
#include <drivers/incremental/insert_batch.hpp>
#include <drivers/incremental/insert_past_giant.hpp>
#include <drivers/incremental/round_batch.hpp>
#include <loops/serial.hpp>
#include <loops/threads.hpp>
#include <variants/axes.hpp>
#include <variants/validity.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace copse::variant {

/// The functions of a variant. `mixed` is null if queries may not run concurrently with inserts. `insert_growing` inserts edges whose ends
/// may be vertices that the forest does not have yet; if it is null, the caller makes the forest larger first.
template <class Backend, class Id>
struct incremental_functions {
  using forest = drivers::growing_forest<Backend, Id>;
  void (*insert)(const Backend&, forest&, drivers::batch_part<Id>) = nullptr;
  void (*query)(const Backend&, forest&, drivers::batch_part<Id>, std::uint64_t*) = nullptr;
  void (*mixed)(const Backend&, forest&, drivers::batch_part<Id>, std::uint64_t*) = nullptr;
  void (*insert_growing)(const Backend&, forest&, std::span<const edge<Id>>) = nullptr;
};

template <class Backend, class Id, class Entry>
constexpr incremental_functions<Backend, Id> make_incremental_functions() {
  constexpr finish_entry entry = Entry::entry;
  if constexpr (!incremental_refusal_of(entry, Backend::concurrent).empty()) {
    return {};
  } else if constexpr (entry.traits.fast_path) {
    using rule = fast::unite_of<Backend>;
    return {drivers::insert_batch<rule, Backend, Id>, drivers::query_batch<find::halve, aux_array::none, Backend, Id>,
            drivers::mixed_batch<rule, find::halve, Backend, Id>, drivers::insert_past_giant<Backend, Id>};
  } else if constexpr (entry.traits.synchronous) {
    return {drivers::round_batch<typename Entry::finish_type, Backend, Id>, drivers::query_batch<find::halve, aux_array::none, Backend, Id>,
            nullptr, nullptr};
  } else {
    using rule = typename Entry::finish_type::rule;
    using find = typename query_find<rule>::type;
    incremental_functions<Backend, Id> functions{drivers::insert_batch<rule, Backend, Id>,
                                                 drivers::query_batch<find, entry.traits.aux, Backend, Id>, nullptr, nullptr};
    if constexpr (concurrent_refusal_of(entry.traits, Backend::concurrent).empty())
      functions.mixed = drivers::mixed_batch<rule, find, Backend, Id>;
    return functions;
  }
}

template <class Backend, class Id, class... Entries>
constexpr std::array<incremental_functions<Backend, Id>, sizeof...(Entries)> all_incremental_functions(type_list<Entries...>) {
  return {make_incremental_functions<Backend, Id, Entries>()...};
}

template <class Backend, class Id>
struct incremental_code {
  /// Returns the functions of the variant of finish_entries[finish]. Precondition: the variant is valid.
  static const incremental_functions<Backend, Id>& of(std::size_t finish);
};

template <class Backend, class Id>
const incremental_functions<Backend, Id>& incremental_code<Backend, Id>::of(std::size_t finish) {
  static constexpr auto functions = all_incremental_functions<Backend, Id>(finishes{});
  return functions[finish];
}

extern template struct incremental_code<backend::serial, std::uint32_t>;
extern template struct incremental_code<backend::serial, std::uint64_t>;
extern template struct incremental_code<backend::threads, std::uint32_t>;
extern template struct incremental_code<backend::threads, std::uint64_t>;

}  // namespace copse::variant
