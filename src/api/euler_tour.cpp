// euler_tour(): a forest checked and turned into rows, toured, timed.
#include <api/forest_rows.hpp>
#include <copse/rooted_forest.hpp>
#include <core/phase_times.hpp>
#include <drivers/rooting/tour.hpp>

#include <chrono>

namespace copse {

tour_result euler_tour(const graph& forest, const tour_options& options) {
  const auto start = std::chrono::steady_clock::now();
  tour_result result;
  phase_times times;
  const solve_options how{.threads = options.threads, .observer = options.observer, .memory = options.memory};
  result.tour = api::of_forest_rows<forest_tour>(forest, how, times, [&](auto rows, auto labels) {
    return forest_tour{drivers::tour(rows, labels, options, result.report, times), forest.names()};
  });
  result.report.solve_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.report.phases = times.all();
  return result;
}

}  // namespace copse
