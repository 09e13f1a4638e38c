// The code behind the rows of incremental connectivity, of one backend and width of ids, and what each can do.
#pragma once
#include <backend/omp/omp.hpp>
#include <backend/serial/serial.hpp>
#include <copse/rules/find/halve.hpp>
#include <drivers/incremental/insert_batch.hpp>
#include <drivers/incremental/mixed_batch.hpp>
#include <drivers/incremental/query_batch.hpp>
#include <drivers/incremental/round_batch.hpp>
#include <registry/entries.hpp>
#include <registry/validity.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace copse::registry {

/// Of a row that is valid. Empty when queries may run beside its inserts.
constexpr std::string_view concurrent_refusal_of(const rule_traits& traits, bool backend_is_concurrent) noexcept {
  if (traits.synchronous)
    return "it inserts in rounds, between which no moment exists that an answer could be of: insert first, then query";
  if (traits.moves_subtrees && backend_is_concurrent) {
    return "splice_atomic cuts a vertex from its tree for a moment: insert first, then query";
  }
  return {};
}

/// Of a row that is valid. Empty when it can say which edge made a link.
constexpr std::string_view forest_refusal_of(const rule_traits& traits, bool backend_is_concurrent) noexcept {
  if (traits.synchronous) return "it hooks by an atomic minimum, where no edge wins";
  if (traits.moves_subtrees && backend_is_concurrent) {
    return "splice_atomic moves a subtree before the roots join: one edge may be recorded twice and another lost";
  }
  return {};
}

/// What a row can do; `mixed` is null where queries may not run beside inserts.
template <class Backend, class Id>
struct incremental_row {
  using forest = drivers::live_forest<Backend, Id>;
  void (*insert)(const Backend&, forest&, drivers::batch_part<Id>) = nullptr;
  void (*query)(const Backend&, forest&, drivers::batch_part<Id>, std::uint64_t*) = nullptr;
  void (*mixed)(const Backend&, forest&, drivers::batch_part<Id>, std::uint64_t*) = nullptr;
};

/// The find that queries use: the rule's, or halving where it has none of its own.
template <class Rule>
struct query_find {
  using type = find::halve;
};
template <class Rule>
requires requires { typename Rule::find_rule; }
struct query_find<Rule> {
  using type = typename Rule::find_rule;
};

template <class Backend, class Id, class Entry>
constexpr incremental_row<Backend, Id> incremental_row_of() {
  constexpr finish_entry entry = Entry::entry;
  if constexpr (!incremental_refusal_of(entry, Backend::concurrent).empty()) {
    return {};
  } else if constexpr (entry.traits.synchronous) {
    return {drivers::round_batch<typename Entry::finish_type, Backend, Id>, drivers::query_batch<find::halve, aux_array::none, Backend, Id>,
            nullptr};
  } else {
    using rule = typename Entry::finish_type::rule;
    using find = typename query_find<rule>::type;
    incremental_row<Backend, Id> row{drivers::insert_batch<rule, Backend, Id>, drivers::query_batch<find, entry.traits.aux, Backend, Id>,
                                     nullptr};
    if constexpr (concurrent_refusal_of(entry.traits, Backend::concurrent).empty())
      row.mixed = drivers::mixed_batch<rule, find, Backend, Id>;
    return row;
  }
}

template <class Backend, class Id, class... Entries>
constexpr std::array<incremental_row<Backend, Id>, sizeof...(Entries)> incremental_rows_of(type_list<Entries...>) {
  return {incremental_row_of<Backend, Id, Entries>()...};
}

/// The row of finish_entries[finish]. Precondition: it is valid.
template <class Backend, class Id>
const incremental_row<Backend, Id>& find_incremental_row(std::size_t finish) {
  static constexpr auto rows = incremental_rows_of<Backend, Id>(finishes{});
  return rows[finish];
}

// Compiled once each, in incremental_<backend>_<width>.cpp.
extern template const incremental_row<backend::serial, std::uint32_t>& find_incremental_row<backend::serial, std::uint32_t>(std::size_t);
extern template const incremental_row<backend::serial, std::uint64_t>& find_incremental_row<backend::serial, std::uint64_t>(std::size_t);
extern template const incremental_row<backend::omp, std::uint32_t>& find_incremental_row<backend::omp, std::uint32_t>(std::size_t);
extern template const incremental_row<backend::omp, std::uint64_t>& find_incremental_row<backend::omp, std::uint64_t>(std::size_t);

}  // namespace copse::registry
