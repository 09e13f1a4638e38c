// The rows of the backend cuda but for their finishes: the samplers, the driver, and what moves in and out.
#include <registry/settlers_cuda.cuh>
//
#include <backend/cuda/gpu_memory.hpp>
#include <backend/cuda/gpu_stopwatch.hpp>
#include <drivers/solve.hpp>
#include <own/cuda/solve_own.hpp>

#include <array>
#include <optional>

namespace copse::registry {
namespace {

using id = std::uint32_t;
using gpu_loops = backend::cuda;

template <class... Samplers>
constexpr std::array<drivers::sampling<gpu_loops, id>, sizeof...(Samplers)> samplings_of(type_list<Samplers...>) {
  return {Samplers::template sample<gpu_loops, id>...};
}

template <class T>
buffer<T> copied(const T* first, std::size_t count, std::pmr::memory_resource* memory, cudaStream_t stream) {
  buffer<T> copy{count, memory};
  if (count != 0)
    backend::checked(cudaMemcpyAsync(copy.data(), first, count * sizeof(T), cudaMemcpyHostToDevice, stream), "copying the graph");
  return copy;
}

}  // namespace

struct cuda_solver::parts {
  explicit parts(const settings& how)
      : on{how.device},
        device{on},
        memory{how.memory_limit_bytes, &device},
        most_blocks{how.most_blocks},
        rows{how.rows},
        time_phases{how.time_phases} {}

  backend::gpu on;
  backend::gpu_memory device;
  tracked_memory memory;
  unsigned most_blocks;
  backend::row_loop rows;
  bool time_phases;
};

cuda_solver::cuda_solver(const settings& how) : parts_{std::make_unique<parts>(how)} {}
cuda_solver::~cuda_solver() = default;

tracked_memory& cuda_solver::memory() noexcept { return parts_->memory; }

cuda_solver::device_graph cuda_solver::copy_in(const graph& host) {
  device_graph copy;
  copy.view_ = host;
  auto* const memory = &parts_->memory;
  const cudaStream_t stream = parts_->on.stream();
  if (host.is_rows) {
    const auto& offsets = host.rows.offsets;
    const std::size_t bytes = host.vertices == 0 ? 0 : (std::size_t{host.vertices} + 1) * offsets.width_bytes();
    copy.offsets_ = copied(static_cast<const std::byte*>(offsets.data()), bytes, memory, stream);
    copy.targets_ = copied(host.rows.targets, host.rows.arcs, memory, stream);
    copy.view_.rows.offsets = offsets.moved_to(copy.offsets_.data());
    copy.view_.rows.targets = copy.targets_.data();
  } else {
    copy.edges_ = copied(host.edges.data(), host.edges.size(), memory, stream);
    copy.view_.edges = copy.edges_.span();
  }
  backend::checked(cudaStreamSynchronize(stream), "copying the graph");
  return copy;
}

cuda_solver::solved cuda_solver::solve(std::size_t sampler, std::size_t finish, const graph& on_device, const solve_options& options,
                                       phase_times& times) {
  static constexpr auto samplings = samplings_of(samplers{});
  const auto settler = finish < unite_count ? cuda_settler_of_unite(finish) : cuda_settler_of_rounds(finish - unite_count);
  const drivers::plan<gpu_loops, id> plan{samplings[sampler], sampler_entries[sampler].skips_giant, sampler_entries[sampler].regroups_edges,
                                          settler, finish_entries[finish].traits};
  solve_options here = options;
  here.memory = &parts_->memory;
  const gpu_loops loops{parts_->on, here.memory, here.observer, parts_->most_blocks, parts_->rows};
  const backend::gpu_stopwatch whole{parts_->on};
  if (!finish_entries[finish].traits.own_path) {
    auto labels = drivers::solve(loops, on_device, plan, here, times);
    return {std::move(labels), whole.seconds()};
  }
  std::optional<backend::gpu_laps> laps;
  if (parts_->time_phases) laps.emplace(parts_->on);
  auto labels = own::solve_own_on_gpu(loops, on_device, sampler_entries[sampler].skips_giant, here, {}, laps ? &*laps : nullptr);
  const double seconds = whole.seconds();
  loops.wait();
  if (laps) laps->add_to(times);
  return {std::move(labels), seconds};
}

buffer<id> cuda_solver::copy_out(const buffer<id>& labels, std::pmr::memory_resource* memory) {
  buffer<id> copy{labels.size(), memory};
  const cudaStream_t stream = parts_->on.stream();
  if (!copy.empty()) {
    backend::checked(cudaMemcpyAsync(copy.data(), labels.data(), labels.size() * sizeof(id), cudaMemcpyDeviceToHost, stream),
                     "copying labels");
  }
  backend::checked(cudaStreamSynchronize(stream), "copying labels");
  return copy;
}

}  // namespace copse::registry
