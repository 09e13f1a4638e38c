#include <list_ranking/fis.hpp>
#include <list_ranking/helman_jaja.hpp>
#include <list_ranking/survey.hpp>
#include <list_ranking/variants.hpp>
#include <list_ranking/walk.hpp>
#include <list_ranking/wyllie.hpp>
#include <loops/serial.hpp>
#include <loops/threads.hpp>

namespace copse::list_ranking {
namespace {

template <class Backend, unsigned_index Id>
void count(list_algorithm method, const Backend& loops, std::span<const Id> successors, std::span<Id> ranks, const list_settings& tuning,
           list_outcome& report) {
  if (method == list_algorithm::walk) return count_by_walking(loops, successors, ranks, tuning, report);
  if (method == list_algorithm::helman_jaja) {
    if (count_by_sublists<Id>(loops, successors, ranks, tuning, report)) return;
    report = {};
    if (!count_by_sublists<std::uint64_t>(loops, successors, ranks, tuning, report))
      throw resource_error{"list: found " + std::to_string(successors.size()) + " elements, expected fewer than 2^62 for helman_jaja"};
    return;
  }
  buffer<Id> reversed_list;
  if (tuning.from == rank_origin::head) {
    reversed_list = reversed(loops, successors, tuning, report);
    successors = reversed_list.span();
  }
  if (method == list_algorithm::wyllie) return scan_by_jumping<sum>(loops, successors, link_weights<Id>{}, ranks, tuning, report);
  scan_by_independent_sets<sum>(loops, successors, link_weights<Id>{}, ranks, tuning, report);
}

template <class Op, class Backend, unsigned_index Id>
void scan(list_algorithm method, const Backend& loops, std::span<const Id> successors, std::span<const std::int64_t> weights,
          std::span<std::int64_t> ranks, const list_settings& tuning, list_outcome& report) {
  const bool sums_from_head = method == list_algorithm::walk || method == list_algorithm::helman_jaja;
  buffer<Id> reversed_list;
  if (sums_from_head != (tuning.from == rank_origin::head)) {
    reversed_list = reversed(loops, successors, tuning, report);
    successors = reversed_list.span();
  }
  const given_weights<std::int64_t> given{weights.data()};
  switch (method) {
    case list_algorithm::walk:
      return scan_by_walking<Op>(loops, successors, weights, ranks, tuning, report);
    case list_algorithm::helman_jaja:  // a weight has 8 bytes, so a narrower word next to it would save nothing
      return scan_by_sublists<Op, std::uint64_t>(loops, successors, given, ranks, tuning, report);
    case list_algorithm::wyllie:
      return scan_by_jumping<Op>(loops, successors, given, ranks, tuning, report);
    case list_algorithm::fis:
      return scan_by_independent_sets<Op>(loops, successors, given, ranks, tuning, report);
  }
}

template <class Use>
void on_backend(unsigned threads, observer* watcher, Use use) {
  if (threads == 1) return use(backend::serial{1, watcher});
  use(backend::threads{threads, watcher});
}

}  // namespace

template <unsigned_index Id>
void count_on_cpu(list_algorithm method, unsigned threads, observer* watcher, std::span<const Id> successors, std::span<Id> ranks,
                  const list_settings& tuning, list_outcome& report) {
  on_backend(threads, watcher, [&](const auto& loops) { count(method, loops, successors, ranks, tuning, report); });
}

template <unsigned_index Id>
void scan_on_cpu(list_algorithm method, unsigned threads, observer* watcher, std::span<const Id> successors,
                 std::span<const std::int64_t> weights, rank_operation operation, std::span<std::int64_t> ranks,
                 const list_settings& tuning, list_outcome& report) {
  on_backend(threads, watcher, [&](const auto& loops) {
    switch (operation) {
      case rank_operation::sum:
        return scan<sum>(method, loops, successors, weights, ranks, tuning, report);
      case rank_operation::min:
        return scan<minimum>(method, loops, successors, weights, ranks, tuning, report);
      case rank_operation::max:
        return scan<maximum>(method, loops, successors, weights, ranks, tuning, report);
    }
  });
}

using narrow = std::uint32_t;
using wide = std::uint64_t;
using weight = std::int64_t;
template void count_on_cpu(list_algorithm, unsigned, observer*, std::span<const narrow>, std::span<narrow>, const list_settings&,
                           list_outcome&);
template void count_on_cpu(list_algorithm, unsigned, observer*, std::span<const wide>, std::span<wide>, const list_settings&,
                           list_outcome&);
template void scan_on_cpu(list_algorithm, unsigned, observer*, std::span<const narrow>, std::span<const weight>, rank_operation,
                          std::span<weight>, const list_settings&, list_outcome&);
template void scan_on_cpu(list_algorithm, unsigned, observer*, std::span<const wide>, std::span<const weight>, rank_operation,
                          std::span<weight>, const list_settings&, list_outcome&);

}  // namespace copse::list_ranking
