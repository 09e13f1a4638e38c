#include <core/phase_times.hpp>
#include <drivers/bridges/cuda/cuts.hpp>
#include <drivers/bridges/cuda/kernels.cuh>
#include <drivers/bridges/cuda/subtree_extremes.cuh>
#include <gpu/loops/arc_sources.cuh>
#include <gpu/loops/cuda.cuh>
#include <gpu/runtime/gpu_events.hpp>
#include <gpu/runtime/staged_copy.hpp>
#include <gpu/steps/go_up.cuh>

#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>

#include <cstddef>
#include <utility>

namespace copse::drivers {
namespace {

using id = std::uint32_t;

class search {
public:
  search(const backend::gpu& on, std::pmr::memory_resource* memory, observer* watcher, gpu_tour tour)
      : on_{on},
        loops_{on, memory, watcher, 0},
        n_{tour.order.size()},
        tour_{std::move(tour)},
        low_{n_, memory},
        high_{n_, memory},
        sets_{n_, memory},
        list_{n_, memory},
        positions_{n_, memory},
        repeats_{1, memory},
        cuts_{tour_.order.data(), tour_.preorder.data(), tour_.parents.data(), tour_.ends.data(), low_.data(),
              high_.data(),       sets_.data(),          positions_.data(),    repeats_.data()} {
    loops_.for_each(n_, begin_cuts{cuts_});
    loops_.clear(repeats_.data(), sizeof(position));
  }
  search(const search&) = delete;

  void look_at_edges(const backend::arc_set<id>& g, bool simple) {
    const look_at_edge look{cuts_, simple};
    if (!g.is_rows) return loops_.for_each(g.edges.size(), look_at_pair{look, g.edges.data()});
    const buffer<id> sources = backend::arc_sources(loops_, g.rows.offsets, n_, g.rows.arcs);
    loops_.for_each(g.rows.arcs, look_at_arc{look, sources.data(), g.rows.targets, g.rows.symmetric});
  }
  void spread() {
    spread_upwards<least>(loops_, low_.data(), tour_.ends.data(), n_);
    spread_upwards<greatest>(loops_, high_.data(), tour_.ends.data(), n_);
    loops_.for_each(n_, unite_with_parent{cuts_});
    flatten(sets_.data());
  }
  /// `labels` are those of components before, and then those without bridges.
  gpu_cuts answer(buffer<id>& labels, const gpu_cuts_request& wanted) {
    gpu_cuts found;
    found.repeats = loops_.fetched(repeats_.data());
    found.blocks = select(is_block_place{cuts_});
    const id bridges = select(is_bridge_place{cuts_});
    note_bridges(bridges, labels, wanted, found);

    buffer<id>& spare = high_;  // of no use once bridges are known: is_bridge is asked for the last time by cut_bridges
    buffer<id> tops{n_, loops_.memory()};
    loops_.for_each(n_, cut_bridges{cuts_, tops.data()});
    flatten(tops.data());
    backend::checked(cudaMemsetAsync(spare.data(), 0xFF, n_ * sizeof(id), loops_.stream()), "filling memory");
    loops_.for_each(n_, offer_name{cuts_, tops.data(), spare.data()});
    loops_.for_each(n_, take_name{cuts_, tops.data(), spare.data(), labels.data()});
    found.labels = to_host(labels, n_, wanted);

    loops_.clear(spare.data(), n_ * sizeof(id));
    loops_.for_each(n_, mark_head{cuts_, spare.data()});
    const id points = select(is_articulation{cuts_, spare.data()});
    found.points = to_host(list_, points, wanted);
    if (wanted.with_blocks) {
      found.block_of = to_host(sets_, n_, wanted);
      found.order = to_host(tour_.order, n_, wanted);
      found.parents = to_host(tour_.parents, n_, wanted);
    }
    return found;
  }

private:
  /// Into list_, ascending. Returns how many.
  template <class Wanted>
  id select(Wanted wanted) {
    const thrust::counting_iterator<id> first{0};
    buffer<id> selected{1, loops_.memory()};
    std::size_t bytes = 0;
    const auto run = [&](void* room) {
      backend::checked(
          cub::DeviceSelect::If(room, bytes, first, list_.data(), selected.data(), static_cast<std::int64_t>(n_), wanted, loops_.stream()),
          "selecting");
    };
    run(nullptr);
    buffer<std::byte> room{bytes, loops_.memory()};
    run(room.data());
    return loops_.fetched(selected.data());
  }
  void flatten(id* parents) const {
    buffer<unsigned> deep{1, loops_.memory()};
    backend::flatten_upwards(loops_, parents, n_, deep.data());
  }
  /// The bridges in list_, in the order of the input.
  void note_bridges(id count, const buffer<id>& labels, const gpu_cuts_request& wanted, gpu_cuts& found) const {
    buffer<position> positions{count, loops_.memory()}, sorted{count, loops_.memory()};
    buffer<id> smaller{count, loops_.memory()}, sorted_smaller{count, loops_.memory()};
    loops_.for_each(count, note_bridge{cuts_, list_.data(), labels.data(), positions.data(), smaller.data()});
    std::size_t bytes = 0;
    const auto sort = [&](void* room) {
      backend::checked(cub::DeviceRadixSort::SortPairs(room, bytes, positions.data(), sorted.data(), smaller.data(), sorted_smaller.data(),
                                                       std::size_t{count}, 0, 64, loops_.stream()),
                       "sorting bridges");
    };
    sort(nullptr);
    buffer<std::byte> room{bytes, loops_.memory()};
    sort(room.data());
    found.smaller_sides = to_host(sorted_smaller, count, wanted);
    found.positions = buffer<std::uint64_t>{count, wanted.answers};
    backend::copy_out(on_, found.positions.data(), sorted.data(), count * sizeof(position), "copying bridges");
  }
  [[nodiscard]] buffer<id> to_host(const buffer<id>& from, std::size_t count, const gpu_cuts_request& wanted) const {
    buffer<id> copy{count, wanted.answers};
    backend::copy_out(on_, copy.data(), from.data(), count * sizeof(id), "copying the answer");
    return copy;
  }

  const backend::gpu& on_;
  backend::cuda loops_;
  std::size_t n_;
  gpu_tour tour_;
  buffer<id> low_, high_, sets_, list_;
  buffer<position> positions_, repeats_;
  cuts_view cuts_;
};

}  // namespace

gpu_cuts cuts_on_gpu(const backend::gpu& on, std::pmr::memory_resource* memory, observer* watcher, const backend::arc_set<id>& g,
                     buffer<edge<id>> forest, buffer<id> labels, const gpu_cuts_request& wanted, phase_times& times) {
  backend::gpu_laps laps{on};
  const std::uint64_t components = labels.size() - forest.size();
  gpu_tour tour = tour_on_gpu(on, memory, watcher, forest.span(), labels.span());
  forest = {};
  laps.lap("tour");
  search bridges{on, memory, watcher, std::move(tour)};
  bridges.look_at_edges(g, wanted.simple);
  laps.lap("edges");
  bridges.spread();
  laps.lap("subtrees");
  gpu_cuts found = bridges.answer(labels, wanted);
  found.components = components;
  laps.lap("answer");
  laps.add_to(times);
  return found;
}

}  // namespace copse::drivers
