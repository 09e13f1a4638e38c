#include <gpu/loops/gather.cuh>
#include <gpu/loops/sort_and_sum.hpp>
#include <gpu/loops/visit.cuh>
#include <gpu/runtime/staged_copy.hpp>
#include <hybrid/contracting_gpu_part.hpp>
#include <hybrid/cuda/gpu_part_kernels.hpp>
#include <hybrid/keeping_gpu_part.hpp>
#include <hybrid/listed_edges.hpp>

#include <utility>
#include <variant>

namespace copse::hybrid {
namespace {

using id = std::uint32_t;

class gpu_device {
public:
  using backend_type = backend::cuda;

  gpu_device(const backend::gpu& on, std::pmr::memory_resource* memory, observer* watcher, unsigned most_blocks, unsigned threads)
      : on_{on}, loops_{on, memory, watcher, most_blocks}, threads_{threads} {}

  [[nodiscard]] const backend::cuda& loops() const noexcept { return loops_; }
  [[nodiscard]] std::pmr::memory_resource* memory() const noexcept { return loops_.memory(); }
  template <class Walk>
  void walk(std::size_t rows, std::uint64_t arcs, Walk walk) const {
    backend::walk_all<id>(loops_, rows, arcs, walk);
  }
  void sum_up(std::uint64_t* counts, std::size_t items) const { backend::prefix_sums_async(on_, memory(), counts, items); }
  void upload(void* to, const void* from, std::size_t bytes) const { upload(to, from, bytes, true); }
  void upload_rows(void* to, const void* from, std::size_t bytes) const { upload(to, from, bytes, false); }
  template <class T>
  [[nodiscard]] T fetched(const T* from) const {
    return loops_.fetched(from);
  }
  void wait() const { loops_.wait(); }
  void use() const { backend::checked(cudaSetDevice(on_.index()), "choosing the device"); }

private:
  void upload(void* to, const void* from, std::size_t bytes, bool beside) const {
    backend::copy_in(on_, to, from, bytes, "copying to the GPU", {.threads = threads_, .beside = beside});
  }

  const backend::gpu& on_;
  backend::cuda loops_;
  unsigned threads_;
};

}  // namespace

struct gpu_part_kernels::parts {
  using side_type = std::variant<keeping_gpu_part<gpu_device>, contracting_gpu_part<gpu_device>>;

  parts(gpu_device on, cross_rule rule)
      : device{std::move(on)},
        side{rule == cross_rule::keep ? side_type{keeping_gpu_part<gpu_device>{device}}
                                      : side_type{contracting_gpu_part<gpu_device>{device, rule}}} {}
  parts(const parts&) = delete;

  template <class F>
  auto visit(F f) {
    return std::visit(f, side);
  }

  gpu_device device;
  buffer<std::byte> offsets{};  ///< copies of the rows, empty if rows are used in place
  buffer<id> targets{};
  side_type side;
};

gpu_part_kernels::gpu_part_kernels(const backend::gpu& on, std::pmr::memory_resource* memory, observer* watcher, unsigned most_blocks,
                                   unsigned threads, cross_rule rule)
    : parts_{new parts{gpu_device{on, memory, watcher, most_blocks, threads}, rule}} {}
gpu_part_kernels::~gpu_part_kernels() = default;

void gpu_part_kernels::copy_in(const rows& host, id cut, std::uint64_t first_arc) {
  const gpu_device& device = parts_->device;
  device.use();
  parts_->visit([&](auto& side) { side.make_room(host.vertices(), cut); });
  const id count = host.vertices() - cut;
  const std::size_t width = host.offsets.width_bytes();
  const std::uint64_t arcs = host.arcs - first_arc;
  parts_->offsets = buffer<std::byte>{count == 0 ? 0 : (std::size_t{count} + 1) * width, device.memory()};
  parts_->targets = buffer<id>{static_cast<std::size_t>(arcs), device.memory()};
  if (count != 0) {
    device.upload_rows(parts_->offsets.data(), static_cast<const std::byte*>(host.offsets.data()) + std::size_t{cut} * width,
                       parts_->offsets.size());
    device.upload_rows(parts_->targets.data(), host.targets + first_arc, parts_->targets.size() * sizeof(id));
  }
  parts_->visit([&](auto& side) {
    side.load({host.offsets.moved_to(parts_->offsets.data()), parts_->targets.data(), first_arc, arcs, cut, count, host.sorted});
  });
}

void gpu_part_kernels::borrow(const rows& on_device, id cut, std::uint64_t first_arc) {
  parts_->device.use();
  const void* const offsets = static_cast<const std::byte*>(on_device.offsets.data()) + std::size_t{cut} * on_device.offsets.width_bytes();
  parts_->visit([&](auto& side) {
    side.make_room(on_device.vertices(), cut);
    side.load({on_device.offsets.moved_to(offsets), on_device.targets + first_arc, first_arc, on_device.arcs - first_arc, cut,
               on_device.vertices() - cut, on_device.sorted});
  });
}

void gpu_part_kernels::split() {
  parts_->visit([](auto& side) { side.split(); });
}
backend::arc_set<id> gpu_part_kernels::inside() {
  parts_->device.use();
  return parts_->visit([](auto& side) { return side.inside(); });
}
buffer<edge<id>> gpu_part_kernels::listed(const rows& inside) { return listed_edges(parts_->device, inside); }
void gpu_part_kernels::take(buffer<id> labels) {
  parts_->visit([&](auto& side) { side.take(std::move(labels)); });
}
void gpu_part_kernels::give(cpu_answer found) {
  parts_->visit([&](auto& side) { side.give(std::move(found)); });
}
buffer<id> gpu_part_kernels::join(hybrid_report& report, phase_times& times) {
  auto labels = parts_->visit([&](auto& side) { return side.join(report, times); });
  parts_->device.wait();
  return labels;
}

}  // namespace copse::hybrid
