// Copies lists to the memory of a GPU and ranks back; the kernels are in rank.cu. Also ranks lists in host memory, by copying them in,
// ranking them and copying the ranks back.
#include <list_ranking/cuda/gpu_ranker.hpp>

#include <copse/errors.hpp>
#include <core/devices.hpp>
#include <core/request.hpp>
#include <gpu/runtime/gpu.hpp>
#include <gpu/runtime/staged_copy.hpp>
#include <list_ranking/cuda/parts.hpp>
#include <list_ranking/list.hpp>
#include <list_ranking/variants.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <type_traits>

namespace copse::list_ranking {
namespace {

template <class T, class Parts>
buffer<T> copied_in(std::span<const T> from, Parts& parts) {
  buffer<T> copy{from.size(), &parts.memory};
  backend::copy_in(parts.on, copy.data(), from.data(), from.size_bytes(), "copying a list", parts.copies);
  backend::checked(cudaStreamSynchronize(parts.on.stream()), "copying a list");
  return copy;
}

template <class T, class Parts>
void copied_out(const buffer<T>& from, std::span<T> to, const Parts& parts) {
  backend::copy_out(parts.on, to.data(), from.data(), to.size_bytes(), "copying ranks", parts.copies);
}

}  // namespace

gpu_ranker::gpu_ranker(unsigned device, observer* watcher, unsigned threads, std::pmr::memory_resource* source,
                       std::uint64_t memory_limit_bytes)
    : parts_{std::make_unique<parts>(device, watcher, threads, source, memory_limit_bytes)} {}
gpu_ranker::~gpu_ranker() = default;

tracked_memory& gpu_ranker::memory() noexcept { return parts_->memory; }

buffer<std::uint32_t> gpu_ranker::copy_in(std::span<const std::uint32_t> from) { return copied_in(from, *parts_); }
buffer<std::int64_t> gpu_ranker::copy_in(std::span<const std::int64_t> from) { return copied_in(from, *parts_); }
void gpu_ranker::copy_out(const buffer<std::uint32_t>& from, std::span<std::uint32_t> to) { copied_out(from, to, *parts_); }
void gpu_ranker::copy_out(const buffer<std::int64_t>& from, std::span<std::int64_t> to) { copied_out(from, to, *parts_); }

double gpu_ranker::count(const gpu_job& job, std::span<const std::uint32_t> successors, std::span<std::uint32_t> ranks,
                         const list_settings& tuning, list_outcome& report) {
  if (successors.empty()) return 0;
  const backend::gpu_stopwatch watch{parts_->on};
  backend::gpu_laps laps{parts_->on};
  count_lists({parts_->on, &parts_->memory, parts_->watcher, job, tuning, report, laps}, successors, ranks);
  const double seconds = watch.seconds();
  laps.add_to(report.phases);
  return seconds;
}

double gpu_ranker::scan(const gpu_job& job, std::span<const std::uint32_t> successors, std::span<const std::int64_t> weights,
                        rank_operation operation, std::span<std::int64_t> ranks, const list_settings& tuning, list_outcome& report) {
  if (successors.empty()) return 0;
  const backend::gpu_stopwatch watch{parts_->on};
  backend::gpu_laps laps{parts_->on};
  scan_lists({parts_->on, &parts_->memory, parts_->watcher, job, tuning, report, laps}, successors, weights, operation, ranks);
  const double seconds = watch.seconds();
  laps.add_to(report.phases);
  return seconds;
}

namespace {

using narrow = std::uint32_t;

/// Converts a list with 64-bit ids to 32-bit ids. A list that needs 64-bit ids would not fit into the memory of a GPU anyway.
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
void run(const list_table_entry& chosen, const request<rank_options>& options, std::span<const Id> successors, solve_report& report,
         Rank rank) {
  const auto start = std::chrono::steady_clock::now();
  const unsigned index = gpu_of_hybrid(options).value_or(0);
  gpu_ranker ranker{index, options.observer, report.threads, nullptr, options.gpu_memory};
  report.device = "cuda:" + std::to_string(index);
  const gpu_job job{.method = chosen.method,
                    .bits_from_cpu = chosen.where == list_device::hybrid,
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
void count_on_gpu(const list_table_entry& chosen, const request<rank_options>& options, std::span<const Id> successors, std::span<Id> ranks,
                  list_settings tuning, list_outcome& found, solve_report& report) {
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
void scan_on_gpu(const list_table_entry& chosen, const request<rank_options>& options, std::span<const Id> successors,
                 std::span<const std::int64_t> weights, rank_operation operation, std::span<std::int64_t> ranks, list_settings tuning,
                 list_outcome& found, solve_report& report) {
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
template void count_on_gpu(const list_table_entry&, const request<rank_options>&, std::span<const narrow>, std::span<narrow>, list_settings,
                           list_outcome&, solve_report&);
template void count_on_gpu(const list_table_entry&, const request<rank_options>&, std::span<const wide>, std::span<wide>, list_settings,
                           list_outcome&, solve_report&);
template void scan_on_gpu(const list_table_entry&, const request<rank_options>&, std::span<const narrow>, std::span<const weight>,
                          rank_operation, std::span<weight>, list_settings, list_outcome&, solve_report&);
template void scan_on_gpu(const list_table_entry&, const request<rank_options>&, std::span<const wide>, std::span<const weight>,
                          rank_operation, std::span<weight>, list_settings, list_outcome&, solve_report&);

}  // namespace copse::list_ranking
