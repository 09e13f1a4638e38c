#include <copse/errors.hpp>
#include <list_ranking/cuda/gpu_ranker.hpp>
#include <list_ranking/list.hpp>
#include <list_ranking/on_gpu.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <type_traits>

namespace copse::list_ranking {
namespace {

using narrow = std::uint32_t;

/// Ids of 64 bits where those of 32 do: a list of so many elements is no list for a GPU anyway.
buffer<narrow> narrowed(std::span<const std::uint64_t> successors, std::pmr::memory_resource* memory) {
  if (successors.size() >= std::uint64_t{1} << 31) {
    throw resource_error{"cuda: found a list of " + std::to_string(successors.size()) + " elements, expected fewer than 2147483648"};
  }
  buffer<narrow> list{successors.size(), memory};
  for (std::size_t e = 0; e < successors.size(); ++e) {
    const std::uint64_t s = successors[e];
    if (s >= successors.size() && s != no_vertex<std::uint64_t>) throw broken_list{};
    list[e] = static_cast<narrow>(s);
  }
  return list;
}

template <unsigned_index Id, class Rank>
void run(const table_entry& chosen, const rank_options& options, std::span<const Id> successors, rank_report& report, Rank rank) {
  const auto start = std::chrono::steady_clock::now();
  const unsigned index = options.gpu.value_or(0);
  gpu_ranker ranker{index, options.observer, report.threads};
  report.device = "cuda:" + std::to_string(index);
  const gpu_job job{.method = chosen.method,
                    .bits_from_cpu = chosen.where == device::hybrid,
                    .splitters_on_cpu = chosen.splitters_on_cpu,
                    .threads = report.threads};
  if constexpr (std::is_same_v<Id, narrow>) {
    report.solve_seconds = rank(ranker, job, ranker.copy_in(successors));
  } else {
    const buffer<narrow> list = narrowed(successors, options.memory);
    report.solve_seconds = rank(ranker, job, ranker.copy_in(list.span()));
  }
  const double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.copy_seconds = std::max(0., all - report.solve_seconds);
}

}  // namespace

template <unsigned_index Id>
void count_on_gpu(const table_entry& chosen, const rank_options& options, std::span<const Id> successors, std::span<Id> ranks,
                  settings tuning, outcome& found, rank_report& report) {
  run(chosen, options, successors, report, [&](gpu_ranker& ranker, const gpu_job& job, const buffer<narrow>& list) {
    buffer<narrow> out{list.size(), &ranker.memory()};
    const double seconds = ranker.count(job, list.span(), out.span(), tuning, found);
    if constexpr (std::is_same_v<Id, narrow>) {
      ranker.copy_out(out, ranks);
    } else {
      buffer<narrow> narrow_ranks{out.size(), options.memory};
      ranker.copy_out(out, narrow_ranks.span());
      std::copy(narrow_ranks.begin(), narrow_ranks.end(), ranks.begin());
    }
    return seconds;
  });
}

template <unsigned_index Id>
void scan_on_gpu(const table_entry& chosen, const rank_options& options, std::span<const Id> successors,
                 std::span<const std::int64_t> weights, rank_operation operation, std::span<std::int64_t> ranks, settings tuning,
                 outcome& found, rank_report& report) {
  run(chosen, options, successors, report, [&](gpu_ranker& ranker, const gpu_job& job, const buffer<narrow>& list) {
    const buffer<std::int64_t> device_weights = ranker.copy_in(weights);
    buffer<std::int64_t> out{list.size(), &ranker.memory()};
    const double seconds = ranker.scan(job, list.span(), device_weights.span(), operation, out.span(), tuning, found);
    ranker.copy_out(out, ranks);
    return seconds;
  });
}

using wide = std::uint64_t;
using weight = std::int64_t;
template void count_on_gpu(const table_entry&, const rank_options&, std::span<const narrow>, std::span<narrow>, settings, outcome&,
                           rank_report&);
template void count_on_gpu(const table_entry&, const rank_options&, std::span<const wide>, std::span<wide>, settings, outcome&,
                           rank_report&);
template void scan_on_gpu(const table_entry&, const rank_options&, std::span<const narrow>, std::span<const weight>, rank_operation,
                          std::span<weight>, settings, outcome&, rank_report&);
template void scan_on_gpu(const table_entry&, const rank_options&, std::span<const wide>, std::span<const weight>, rank_operation,
                          std::span<weight>, settings, outcome&, rank_report&);

}  // namespace copse::list_ranking
