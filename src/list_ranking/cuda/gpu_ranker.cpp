// What goes into the memory of a GPU and out of it; the kernels are in counts.cu and scans.cu.
#include <backend/cuda/checked.hpp>
#include <list_ranking/cuda/parts.hpp>
#include <list_ranking/list.hpp>

namespace copse::list_ranking {
namespace {

template <class T>
buffer<T> copied_in(std::span<const T> from, std::pmr::memory_resource* memory, const backend::gpu& on) {
  buffer<T> copy{from.size(), memory};
  if (!from.empty()) {
    backend::checked(cudaMemcpyAsync(copy.data(), from.data(), from.size_bytes(), cudaMemcpyHostToDevice, on.stream()), "copying a list");
    backend::checked(cudaStreamSynchronize(on.stream()), "copying a list");
  }
  return copy;
}

template <class T>
void copied_out(const buffer<T>& from, std::span<T> to, const backend::gpu& on) {
  if (from.empty()) return;
  backend::checked(cudaMemcpyAsync(to.data(), from.data(), to.size_bytes(), cudaMemcpyDeviceToHost, on.stream()), "copying ranks");
  backend::checked(cudaStreamSynchronize(on.stream()), "copying ranks");
}

}  // namespace

gpu_ranker::gpu_ranker(unsigned device, observer* watcher) : parts_{std::make_unique<parts>(device, watcher)} {}
gpu_ranker::~gpu_ranker() = default;

tracked_memory& gpu_ranker::memory() noexcept { return parts_->memory; }

buffer<std::uint32_t> gpu_ranker::copy_in(std::span<const std::uint32_t> from) { return copied_in(from, &parts_->memory, parts_->on); }
buffer<std::int64_t> gpu_ranker::copy_in(std::span<const std::int64_t> from) { return copied_in(from, &parts_->memory, parts_->on); }
void gpu_ranker::copy_out(const buffer<std::uint32_t>& from, std::span<std::uint32_t> to) { copied_out(from, to, parts_->on); }
void gpu_ranker::copy_out(const buffer<std::int64_t>& from, std::span<std::int64_t> to) { copied_out(from, to, parts_->on); }

double gpu_ranker::count(const gpu_job& job, std::span<const std::uint32_t> successors, std::span<std::uint32_t> ranks,
                         const settings& with, outcome& report) {
  if (successors.empty()) return 0;
  const backend::gpu_stopwatch watch{parts_->on};
  backend::gpu_laps laps{parts_->on};
  count_lists({parts_->on, &parts_->memory, parts_->watcher, job, with, report, laps}, successors, ranks);
  const double seconds = watch.seconds();
  laps.add_to(report.phases);
  return seconds;
}

double gpu_ranker::scan(const gpu_job& job, std::span<const std::uint32_t> successors, std::span<const std::int64_t> weights,
                        rank_operation operation, std::span<std::int64_t> ranks, const settings& with, outcome& report) {
  if (successors.empty()) return 0;
  const backend::gpu_stopwatch watch{parts_->on};
  backend::gpu_laps laps{parts_->on};
  scan_lists({parts_->on, &parts_->memory, parts_->watcher, job, with, report, laps}, successors, weights, operation, ranks);
  const double seconds = watch.seconds();
  laps.add_to(report.phases);
  return seconds;
}

}  // namespace copse::list_ranking
