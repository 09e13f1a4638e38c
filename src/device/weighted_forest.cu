// Minimum and maximum spanning forests of rows in the memory of a GPU.
#include <copse/errors.hpp>
#include <device/parts.hpp>
#include <device/weighted_forest.hpp>
#include <gpu/loops/cuda.cuh>
#include <gpu/runtime/gpu_events.hpp>
#include <gpu/runtime/staged_copy.hpp>
#include <weighted/cuda/keys.hpp>
#include <weighted/cuda/pair_rows.hpp>
#include <weighted/cuda/search.hpp>

#include <optional>
#include <span>
#include <variant>

namespace copse::device {

namespace {

using any_room = std::variant<weighted::search_room, weighted::worklist_room>;

any_room room_for(weighted::algorithm method, std::pmr::memory_resource* memory) {
  if (method == weighted::algorithm::ecl_mst) return weighted::worklist_room{memory};
  return weighted::search_room{memory};
}

}  // namespace

struct forest_finder::parts {
  parts(solver& owner, weighted::algorithm method) : on{owner}, room{room_for(method, &owner.memory())} {}

  [[nodiscard]] backend::cuda loops(observer* watcher) const { return {on.on(), &on.memory(), watcher, on.most_blocks()}; }

  solver& on;
  any_room room;
  buffer<std::uint32_t> keys;
  std::span<const std::uint32_t> arcs;
};

forest_finder::forest_finder(solver& on, weighted::algorithm method) : parts_{new parts{on, method}} {}
forest_finder::forest_finder(forest_finder&&) noexcept = default;
forest_finder& forest_finder::operator=(forest_finder&&) noexcept = default;
forest_finder::~forest_finder() = default;

void forest_finder::reserve(std::uint32_t vertices, std::uint64_t arcs) {
  std::visit([&](auto& room) { room.reserve(vertices, arcs); }, parts_->room);
}

forest_finder::found forest_finder::find(const solver::graph& on_device, const weights_view& weights, forest_goal goal, observer* watcher,
                                         phase_times* times) {
  const backend::gpu& gpu = parts_->on.on();
  backend::cuda loops = parts_->loops(watcher);
  parts_->arcs = {};
  const backend::gpu_stopwatch whole{gpu};
  std::optional<backend::gpu_laps> laps;
  if (times != nullptr) loops.tell(laps.emplace(gpu));
  const std::uint32_t* const keys = weighted::keys_on_gpu(loops, weights, goal, parts_->keys);
  loops.lap("keys");
  const weighted::keyed_rows rows{on_device.rows, keys};
  parts_->arcs = std::visit([&](auto& room) { return weighted::search_on_gpu(loops, rows, room); }, parts_->room);
  const double seconds = whole.seconds();
  if (laps) laps->add_to(*times);
  return {parts_->arcs, seconds, loops.launches()};
}

buffer<std::uint32_t> forest_finder::arcs() const {
  buffer<std::uint32_t> copy{parts_->arcs.size(), &parts_->on.memory()};
  const backend::cuda loops = parts_->loops(nullptr);
  if (!copy.empty()) loops.copy(copy.data(), parts_->arcs.data(), parts_->arcs.size_bytes());
  loops.wait();
  return copy;
}

buffer<edge<std::uint32_t>> forest_finder::ends(const solver::graph& on_device) const {
  const backend::cuda loops = parts_->loops(nullptr);
  buffer<edge<std::uint32_t>> edges{parts_->arcs.size(), &parts_->on.memory()};
  const weighted::keyed_rows rows{on_device.rows, nullptr};
  std::visit([&](const auto& room) { weighted::find_ends(loops, rows, room, parts_->arcs, edges.data()); }, parts_->room);
  loops.wait();
  return edges;
}

solver::host_weighted_forest solver::weighted_forest_of_host(weighted::algorithm method, const graph& in_host_memory,
                                                             const weights_view& weights, forest_goal goal, observer* watcher,
                                                             phase_times& times, std::pmr::memory_resource* memory) {
  const device_graph rows = copy_in(in_host_memory);
  return std::visit(
      [&]<class Weight>(std::span<const Weight> column) {
        buffer<Weight> copy{column.size(), &parts_->memory};
        backend::copy_in(parts_->on, copy.data(), column.data(), column.size_bytes(), "copying weights", parts_->copies);
        forest_finder finder{*this, method};
        const auto found = finder.find(rows.view(), std::span<const Weight>{copy.data(), copy.size()}, goal, watcher, &times);
        buffer<std::uint32_t> arcs{found.arcs.size(), memory};
        backend::copy_out(parts_->on, arcs.data(), found.arcs.data(), found.arcs.size_bytes(), "copying arcs", parts_->copies);
        return host_weighted_forest{std::move(arcs), found.seconds};
      },
      weights);
}

namespace {

/// Copies the columns of a list to the GPU: two arrays, or one array of edges.
struct copied_pairs {
  copied_pairs(solver& on, const weighted::pairs_view<std::uint32_t>& host)
      : first{host.count * host.stride, &on.memory()}, second{host.stride == 1 ? host.count : 0, &on.memory()}, view{host} {
    backend::copy_in(on.on(), first.data(), host.first_u, first.size() * sizeof(std::uint32_t), "copying edges");
    view.first_u = first.data();
    if (host.stride == 1) {
      backend::copy_in(on.on(), second.data(), host.first_v, second.size() * sizeof(std::uint32_t), "copying edges");
      view.first_v = second.data();
    } else {
      view.first_v = first.data() + 1;
    }
  }
  buffer<std::uint32_t> first, second;
  weighted::pairs_view<std::uint32_t> view;
};

}  // namespace

buffer<std::uint32_t> weighted_forest_of_pairs(solver& on, weighted::algorithm method,
                                               const weighted::pairs_view<std::uint32_t>& in_host_memory, const weights_view& weights,
                                               forest_goal goal, observer* watcher, phase_times& times, std::pmr::memory_resource* memory) {
  backend::cuda loops{on.on(), &on.memory(), watcher, on.most_blocks()};
  backend::gpu_laps laps{on.on()};
  weighted::pair_rows rows;
  {
    buffer<std::uint32_t> room;
    std::visit(
        [&]<class Weight>(std::span<const Weight> column) {
          buffer<Weight> copy{column.size(), &on.memory()};
          backend::copy_in(on.on(), copy.data(), column.data(), column.size_bytes(), "copying weights");
          laps.lap("copy in");
          const std::uint32_t* const keys = weighted::keys_on_gpu(loops, copy.span(), goal, room);
          laps.lap("keys");
          const copied_pairs pairs{on, in_host_memory};
          laps.lap("copy in");
          rows = weighted::rows_of_pairs(loops, pairs.view, keys);
          laps.lap("rows");
        },
        weights);
  }
  laps.add_to(times);
  const csr_view<std::uint32_t, std::uint32_t> view{
      .offsets = rows.offsets.span(), .targets = rows.targets.span(), .symmetric = symmetry::yes, .sorted = true};
  forest_finder finder{on, method};
  const auto found =
      finder.find(solver::graph{view}, std::span<const std::uint32_t>{rows.keys.span()}, forest_goal::minimum, watcher, &times);
  buffer<std::uint32_t> places{found.arcs.size(), &on.memory()}, copy{found.arcs.size(), memory};
  weighted::turn_to_places(loops, rows, found.arcs, places.data());
  backend::copy_out(on.on(), copy.data(), places.data(), places.size() * sizeof(std::uint32_t), "copying places");
  return copy;
}

}  // namespace copse::device
