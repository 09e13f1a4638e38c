// root_forest(): by levels; where too many of them are narrow, by an Euler tour, which takes as long whatever the depth.
#include <api/forest_rows.hpp>
#include <copse/options.hpp>
#include <copse/spanning_forest.hpp>
#include <core/phase_times.hpp>
#include <drivers/rooting/levels.hpp>
#include <drivers/rooting/tour.hpp>
#include <loops/threads.hpp>

#include <utility>

namespace copse {
namespace {

// A level of few vertices takes one thread as long as a tour takes for so many vertices.
constexpr std::size_t vertices_a_level = 32;

template <class Id, class Offset>
rooted_forest::arrays<Id> rooted(csr_view<Id, Offset> rows, std::span<const Id> labels, const solve_options& options) {
  const backend::threads loops{usable_threads(options.threads), options.observer};
  // A tour of all vertices may be begun when levels have cost as much: twice the time of the better way at most, about.
  const std::size_t most_narrow = drivers::few_vertices + labels.size() / (vertices_a_level * loops.threads());
  if (auto by_levels = drivers::root_by_levels(loops, rows, labels, most_narrow, options.memory)) return std::move(*by_levels);
  tour_report report;
  phase_times times;
  auto by_tour =
      drivers::tour(rows, labels, {.threads = options.threads, .observer = options.observer, .memory = options.memory}, report, times);
  return {std::move(by_tour.parents), std::move(by_tour.depths)};
}

}  // namespace

rooted_forest root_forest(const graph& forest, const solve_options& options) {
  phase_times times;
  return api::of_forest_rows<rooted_forest>(forest, options, times, [&](auto rows, auto labels) {
    return rooted_forest{rooted(rows, labels, options), forest.names()};
  });
}

}  // namespace copse
