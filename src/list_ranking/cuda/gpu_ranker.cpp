// What goes into the memory of a GPU and out of it; the kernels are in counts.cu and scans.cu.
#include <gpu/runtime/checked.hpp>
#include <gpu/runtime/staged_copy.hpp>
#include <list_ranking/cuda/parts.hpp>
#include <list_ranking/list.hpp>

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

gpu_ranker::gpu_ranker(unsigned device, observer* watcher, unsigned threads, std::pmr::memory_resource* source)
    : parts_{std::make_unique<parts>(device, watcher, threads, source)} {}
gpu_ranker::~gpu_ranker() = default;

tracked_memory& gpu_ranker::memory() noexcept { return parts_->memory; }

buffer<std::uint32_t> gpu_ranker::copy_in(std::span<const std::uint32_t> from) { return copied_in(from, *parts_); }
buffer<std::int64_t> gpu_ranker::copy_in(std::span<const std::int64_t> from) { return copied_in(from, *parts_); }
void gpu_ranker::copy_out(const buffer<std::uint32_t>& from, std::span<std::uint32_t> to) { copied_out(from, to, *parts_); }
void gpu_ranker::copy_out(const buffer<std::int64_t>& from, std::span<std::int64_t> to) { copied_out(from, to, *parts_); }

double gpu_ranker::count(const gpu_job& job, std::span<const std::uint32_t> successors, std::span<std::uint32_t> ranks,
                         const settings& tuning, outcome& report) {
  if (successors.empty()) return 0;
  const backend::gpu_stopwatch watch{parts_->on};
  backend::gpu_laps laps{parts_->on};
  count_lists({parts_->on, &parts_->memory, parts_->watcher, job, tuning, report, laps}, successors, ranks);
  const double seconds = watch.seconds();
  laps.add_to(report.phases);
  return seconds;
}

double gpu_ranker::scan(const gpu_job& job, std::span<const std::uint32_t> successors, std::span<const std::int64_t> weights,
                        rank_operation operation, std::span<std::int64_t> ranks, const settings& tuning, outcome& report) {
  if (successors.empty()) return 0;
  const backend::gpu_stopwatch watch{parts_->on};
  backend::gpu_laps laps{parts_->on};
  scan_lists({parts_->on, &parts_->memory, parts_->watcher, job, tuning, report, laps}, successors, weights, operation, ranks);
  const double seconds = watch.seconds();
  laps.add_to(report.phases);
  return seconds;
}

}  // namespace copse::list_ranking
