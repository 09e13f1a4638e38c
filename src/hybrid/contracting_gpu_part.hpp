// The rest of a hybrid solve as Algorithm 3 has it: arcs across the cut are taken out of its rows, contracted to one for each pair of
// components that they join, and solved last. (gpu_part_device.hpp says what a device is.)
#pragma once
#include <copse/hybrid.hpp>
#include <copse/memory.hpp>
#include <copse/report.hpp>
#include <hybrid/gpu_part_device.hpp>
#include <hybrid/super_edges.hpp>
#include <loops/each.hpp>
#include <loops/flatten.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace copse::hybrid {

template <class Device>
class contracting_gpu_part {
public:
  using id = std::uint32_t;
  using backend_type = typename Device::backend_type;
  using arcs = backend::arc_set<id>;

  /// `rule`: of the contracted edges.
  contracting_gpu_part(Device& device, cross_rule rule) noexcept : device_{device}, rule_{rule} {}

  /// For the labels of all vertices, unless the rest is all there is. Before rows are copied, so that it waits for none of them.
  void make_room(std::size_t vertices, id cut) {
    if (cut == 0) return;
    labels_ = buffer<id>{vertices, device_.memory()};
    device_.wait();
  }

  /// Rows in the device's memory, of a graph that has both directions of every edge; they outlive this.
  void load(const gpu_part_rows<id>& rest) noexcept { rest_ = rest; }

  /// O(arcs); enqueues. A cut at 0 leaves the rows as they are.
  void split() {
    inside_arcs_ = rest_.arcs;
    if (rest_.cut == 0 || rest_.count == 0) return;
    offsets_ = buffer<std::uint64_t>{std::size_t{rest_.count} + 1, device_.memory()};
    backend::for_each(device_.loops(), rest_.count, count_inside<id>{rest_, offsets_.data()});
    device_.sum_up(offsets_.data(), rest_.count);
    targets_ = buffer<id>{static_cast<std::size_t>(rest_.arcs), device_.memory()};  // their number would have to be waited for
    if (rest_.sorted) {
      device_.walk(rest_.count, rest_.arcs, copy_inside<id>{rest_, offsets_.data(), targets_.data()});
    } else {
      backend::for_each(device_.loops(), rest_.count, filter_inside<id>{rest_, offsets_.data(), targets_.data()});
    }
  }

  /// The graph of the rest alone. Waits for its number of arcs.
  [[nodiscard]] arcs inside() {
    if (rest_.cut == 0) return whole_graph(rest_);
    if (rest_.count != 0) inside_arcs_ = device_.fetched(offsets_.data() + rest_.count);
    return rows_of(offsets_.data(), targets_.data(), rest_.count, inside_arcs_, rest_.sorted);
  }

  /// Canonical labels of inside(), in the device's memory. Its targets are not needed any more.
  void take(buffer<id> labels) {
    targets_ = {};
    if (rest_.cut == 0) {
      labels_ = std::move(labels);
      return;
    }
    backend::for_each(device_.loops(), rest_.count, name_rest<id>{labels.data(), rest_.cut, labels_.data() + rest_.cut});
    device_.wait();
  }

  /// Labels of the vertices below the cut, in host memory.
  void give(std::span<const id> cpu_labels) { device_.upload(labels_.data(), cpu_labels.data(), cpu_labels.size_bytes()); }

  /// Canonical labels of the whole graph, in the device's memory.
  buffer<id> join(hybrid_report& told, phase_times& times) {
    told.cross_arcs = rest_.arcs - inside_arcs_;
    told.super_edges = 0;
    if (told.cross_arcs != 0) solve_cross_edges(labels_, told, times);
    return std::move(labels_);
  }

private:
  using words = typename backend_type::template parents<std::uint64_t>;
  using parents = typename backend_type::template parents<id>;

  /// The pairs, and in one word more whether they found room.
  buffer<std::uint64_t> contracted(const buffer<id>& labels, std::uint64_t& slots) {
    for (;; slots *= 2) {
      buffer<std::uint64_t> table{static_cast<std::size_t>(slots) + 1, device_.memory()};
      backend::clear(device_.loops(), table.data(), table.size() * sizeof(std::uint64_t));
      device_.walk(rest_.count, rest_.arcs, contract<id, words>{rest_, offsets_.data(), labels.data(), {words{table.data()}, slots - 1}});
      if (device_.fetched(table.data() + slots) == 0) return table;
    }
  }

  void solve_cross_edges(buffer<id>& labels, hybrid_report& told, phase_times& times) {
    std::uint64_t slots = slots_for(told.cross_arcs, labels.size());
    const auto table = [&] {
      const phase_timer time{times, "contract"};
      return contracted(labels, slots);
    }();
    const words pairs{const_cast<std::uint64_t*>(table.data())};
    const parents p{labels.data()};
    buffer<unsigned long long> found{1, device_.memory()};
    {
      const phase_timer time{times, "join"};
      backend::clear(device_.loops(), found.data(), sizeof(unsigned long long));
      if (rule_ == cross_rule::unite) {
        backend::for_each(device_.loops(), static_cast<std::size_t>(slots), unite_super_edges<parents, words>{pairs, p, found.data()});
      } else {
        backend::for_each(device_.loops(), static_cast<std::size_t>(slots), count_super_edges<words>{pairs, found.data()});
        lower_until_all_agree(pairs, static_cast<std::size_t>(slots), p);
      }
      told.super_edges = device_.fetched(found.data());
    }
    const phase_timer time{times, "labels"};
    backend::flatten(device_.loops(), p, static_cast<id>(labels.size()));
    device_.wait();
  }

  void lower_until_all_agree(words pairs, std::size_t slots, parents p) {
    buffer<id> changed{1, device_.memory()};
    do {
      backend::clear(device_.loops(), changed.data(), sizeof(id));
      backend::for_each(device_.loops(), slots, lower_super_edges<parents, words>{pairs, p, parents{changed.data()}});
    } while (device_.fetched(changed.data()) != 0);
  }

  Device& device_;
  cross_rule rule_;
  gpu_part_rows<id> rest_;
  std::uint64_t inside_arcs_ = 0;
  buffer<std::uint64_t> offsets_;  ///< of inside(), unless the cut is at 0
  buffer<id> targets_, labels_;    ///< of inside(); of all vertices
};

}  // namespace copse::hybrid
