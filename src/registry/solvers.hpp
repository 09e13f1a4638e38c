// The code behind the rows of one backend and width of ids: one function a finish, one a sampler, one driver.
#pragma once
#include <drivers/solve.hpp>
#include <registry/entries.hpp>
#include <registry/samplings.hpp>
#include <registry/validity.hpp>

#include <array>
#include <cstddef>

namespace copse::registry {

/// Null for finishes that the backend refuses, and for our own path, which is no finish.
template <class Backend, class Id, class... Entries>
constexpr std::array<backend::settler<Backend, Id>, sizeof...(Entries)> settlers_of(type_list<Entries...>) {
  const auto settler = []<class Entry>() -> backend::settler<Backend, Id> {
    if constexpr (!Entry::entry.traits.own_path && refusal_of(Entry::entry.traits, Backend::concurrent).empty()) {
      return Entry::finish_type::template settle<Backend, Id>;
    } else {
      return nullptr;
    }
  };
  return {settler.template operator()<Entries>()...};
}

/// Runs the row of sampler_entries[sampler] and finish_entries[finish]. Precondition: it is valid for this graph.
template <class Backend, class Id>
buffer<Id> solve_row(std::size_t sampler, std::size_t finish, const backend::arc_set<Id>& graph, const solve_options& options,
                     phase_times& times, work_counts* work = nullptr) {
  static constexpr auto settlers = settlers_of<Backend, Id>(finishes{});
  static constexpr auto samplings = samplings_of<Backend, Id>(samplers{});
  const drivers::plan<Backend, Id> plan{samplings[sampler], sampler_entries[sampler].skips_giant, sampler_entries[sampler].regroups_edges,
                                        settlers[finish], finish_entries[finish].traits};
  return drivers::solve(Backend{options.threads, options.observer}, graph, plan, options, times, work);
}

}  // namespace copse::registry
