// The code behind the rows of spanning forests of one backend and width of ids: the samplers of components, and of each union-find rule the
// form that records its links.
#pragma once
#include <drivers/span.hpp>
#include <registry/entries.hpp>
#include <registry/samplings.hpp>
#include <registry/validity.hpp>

#include <array>
#include <cstddef>

namespace copse::registry {

/// Null for rules that the backend refuses.
template <class Backend, class Id, class Entry>
constexpr backend::settler<Backend, Id> recorder_of() {
  if constexpr (forest_refusal_of(Entry::entry, Backend::concurrent).empty()) {
    return Entry::finish_type::template record<Backend, Id>;
  } else {
    return nullptr;
  }
}
template <class Backend, class Id, class... Entries>
constexpr std::array<backend::settler<Backend, Id>, sizeof...(Entries)> recorders_of(type_list<Entries...>) {
  return {recorder_of<Backend, Id, Entries>()...};
}

/// Runs the row of sampler_entries[sampler] and finish_entries[finish] for a forest. Precondition: it is valid for this graph.
template <class Backend, class Id>
drivers::spanned<Id> span_row(std::size_t sampler, std::size_t finish, const backend::arc_set<Id>& graph, const solve_options& options,
                              phase_times& times, bool with_labels) {
  static constexpr auto recorders = recorders_of<Backend, Id>(united_entries{});
  static constexpr auto samplings = samplings_of<Backend, Id>(samplers{});
  const drivers::plan<Backend, Id> plan{samplings[sampler], sampler_entries[sampler].skips_giant, sampler_entries[sampler].regroups_edges,
                                        recorders[finish], finish_entries[finish].traits};
  return drivers::span(Backend{options.threads, options.observer}, graph, plan, options, times, with_labels);
}

}  // namespace copse::registry
