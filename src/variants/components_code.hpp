// The code behind the variants of components, for one backend and width of ids: one function per finish, one per sampler, one driver.
// Compiled once for each backend and width, in units that CMake generates (src/CMakeLists.txt).
#pragma once
#include <core/phase_times.hpp>
#include <core/request.hpp>
#include <drivers/components.hpp>
#include <instruments/counting.hpp>
#include <loops/serial.hpp>
#include <loops/threads.hpp>
#include <variants/added_code.hpp>
#include <variants/axes.hpp>
#include <variants/functions.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace copse::variant {

template <class Backend, class Id>
struct components_code {
  /// Runs the variant of sampler_at(sampler) and finish_at(finish). `labels` has one label per vertex. Precondition: the variant is valid
  /// for this graph.
  static void run(std::size_t sampler, std::size_t finish, const backend::arc_set<Id>& graph, std::span<Id> labels,
                  const solve_request& options, phase_times& times, work_counts* work = nullptr);
};

template <class Backend, class Id>
void components_code<Backend, Id>::run(std::size_t sampler, std::size_t finish, const backend::arc_set<Id>& graph, std::span<Id> labels,
                                       const solve_request& options, phase_times& times, work_counts* work) {
  static constexpr auto functions = finish_functions_of<Backend, Id>(finishes{});
  const auto plan = plan_of<Backend, Id>(sampler, finish, finish < functions.size() ? functions[finish] : nullptr);
  drivers::solve(Backend{options.threads, options.observer}, graph, labels, plan, options, times, work);
}

/// The backends with parents that count accesses (32-bit ids only).
using counting_serial = backend::basic_serial<parents::counting>;
using counting_threads = backend::basic_threads<parents::counting>;

extern template struct components_code<backend::serial, std::uint32_t>;
extern template struct components_code<backend::serial, std::uint64_t>;
extern template struct components_code<backend::threads, std::uint32_t>;
extern template struct components_code<backend::threads, std::uint64_t>;
extern template struct components_code<counting_serial, std::uint32_t>;
extern template struct components_code<counting_threads, std::uint32_t>;

}  // namespace copse::variant
