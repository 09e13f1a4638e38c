#include <copse/list_ranking.hpp>
#include <drivers/rooting/ascending.hpp>
#include <drivers/rooting/read_tour.hpp>
#include <drivers/rooting/successors.hpp>
#include <drivers/rooting/tour.hpp>
#include <loops/serial.hpp>
#include <loops/threads.hpp>

#include <cstdint>
#include <utility>

namespace copse::drivers {
namespace {

template <class Loops, unsigned_index Id, unsigned_index Offset>
forest_tour::arrays<Id> tour_by(const Loops& loops, csr_view<Id, Offset> rows, std::span<const Id> labels, const tour_options& options,
                                tour_report& report, phase_times& times) {
  buffer<Id> roots;
  buffer<Offset> places;
  {
    buffer<Offset> after;
    {
      const phase_timer timing{times, "successors"};
      roots = ascending<Id>(
          loops, labels.size(), [root = labels.data()](std::size_t v) { return root[v] == v; }, options.memory);
      after = tour_successors(loops, rows, std::span<const Id>{roots.span()}, options.memory);
    }
    const phase_timer timing{times, "rank"};
    auto ranked = rank_list(after.span(), {.variant = options.ranking,
                                           .from = rank_origin::head,
                                           .threads = options.threads,
                                           .gpu = options.gpu,
                                           .observer = options.observer,
                                           .memory = options.memory});
    report.ranking = std::move(ranked.report.variant);
    report.device = std::move(ranked.report.device);
    places = std::move(ranked.ranks);
  }
  const phase_timer timing{times, "read"};
  return read_tour(loops, rows, labels, std::span<const Id>{roots.span()}, std::span<const Offset>{places.span()}, options.memory);
}

}  // namespace

template <unsigned_index Id, unsigned_index Offset>
forest_tour::arrays<Id> tour(csr_view<Id, Offset> rows, std::span<const Id> labels, const tour_options& options, tour_report& report,
                             phase_times& times) {
  report.threads = usable_threads(options.threads);
  if (report.threads == 1) return tour_by(backend::serial{1, options.observer}, rows, labels, options, report, times);
  return tour_by(backend::threads{report.threads, options.observer}, rows, labels, options, report, times);
}

using narrow = std::uint32_t;
using wide = std::uint64_t;
template forest_tour::arrays<narrow> tour(csr_view<narrow, narrow>, std::span<const narrow>, const tour_options&, tour_report&,
                                          phase_times&);
template forest_tour::arrays<narrow> tour(csr_view<narrow, wide>, std::span<const narrow>, const tour_options&, tour_report&, phase_times&);
template forest_tour::arrays<wide> tour(csr_view<wide, wide>, std::span<const wide>, const tour_options&, tour_report&, phase_times&);

}  // namespace copse::drivers
