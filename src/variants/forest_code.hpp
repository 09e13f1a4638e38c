// The code behind the variants of spanning forests, for one backend and width of ids: the samplers of components, and each union-find
// rule in the form that records its links. Compiled once for each backend and width, in units that CMake generates (src/CMakeLists.txt).
#pragma once
#include <core/phase_times.hpp>
#include <core/request.hpp>
#include <drivers/spanning_forest.hpp>
#include <loops/serial.hpp>
#include <loops/threads.hpp>
#include <variants/axes.hpp>
#include <variants/functions.hpp>
#include <variants/validity.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace copse::variant {

/// Returns the function by which a rule records the edge of each link; null if the rule cannot do so, or is not valid on the backend.
template <class Backend, class Id, class Entry>
constexpr backend::finish_function<Backend, Id> recorder_of() {
  if constexpr (forest_refusal_of(Entry::entry, Backend::concurrent).empty()) {
    return Entry::finish_type::template record<Backend, Id>;
  } else {
    return nullptr;
  }
}
template <class Backend, class Id, class... Entries>
constexpr std::array<backend::finish_function<Backend, Id>, sizeof...(Entries)> recorders_of(type_list<Entries...>) {
  return {recorder_of<Backend, Id, Entries>()...};
}

template <class Backend, class Id>
struct forest_code {
  /// Runs the variant of sampler_entries[sampler] and finish_entries[finish] for a forest. `labels` has one label per vertex, or none if
  /// labels are not wanted. Precondition: the variant is valid for this graph.
  static buffer<edge<Id>> run(std::size_t sampler, std::size_t finish, const backend::arc_set<Id>& graph, std::span<Id> labels,
                              const solve_request& options, phase_times& times);
};

template <class Backend, class Id>
buffer<edge<Id>> forest_code<Backend, Id>::run(std::size_t sampler, std::size_t finish, const backend::arc_set<Id>& graph,
                                               std::span<Id> labels, const solve_request& options, phase_times& times) {
  static constexpr auto recorders = recorders_of<Backend, Id>(united_entries{});
  static constexpr auto samplings = samplings_of<Backend, Id>(samplers{});
  const drivers::plan<Backend, Id> plan{samplings[sampler], sampler_entries[sampler].skips_giant, sampler_entries[sampler].regroups_edges,
                                        recorders[finish], finish_entries[finish].traits};
  return drivers::spanning_forest(Backend{options.threads, options.observer}, graph, plan, labels, options, times);
}

extern template struct forest_code<backend::serial, std::uint32_t>;
extern template struct forest_code<backend::serial, std::uint64_t>;
extern template struct forest_code<backend::threads, std::uint32_t>;
extern template struct forest_code<backend::threads, std::uint64_t>;

}  // namespace copse::variant
