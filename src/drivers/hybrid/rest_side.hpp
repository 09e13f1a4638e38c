// The side of a hybrid solve that has the rest of the vertices, on any device: a GPU (cuda/gpu_rest.cu), or in tests threads of the CPU.
//
// `Device` says how loops run there and how arrays of its memory are reached:
//   backend_type, loops()       as everywhere under src/backend
//   memory()                    of the device
//   walk(rows, arcs, walk)      walk.along(walk.row(i, first, last), first, last, stride) for every i < rows, some threads a row
//   sum_up(counts, items)       counts[i] becomes the sum of those before it, items + 1 entries
//   upload(to, from, bytes)     from host memory, beside the loops; all is there when it returns
//   fetched(from)               one value, after all loops
//   wait()                      until all loops have ended
#pragma once
#include <backend/each.hpp>
#include <backend/flatten.hpp>
#include <copse/core/hybrid.hpp>
#include <copse/core/memory.hpp>
#include <copse/core/phases.hpp>
#include <copse/graph/csr.hpp>
#include <drivers/hybrid/rest_rows.hpp>
#include <drivers/hybrid/super_edges.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace copse::drivers::hybrid {

/// make_room, load, split, solve what inside() is, take its labels, join. give() may come from another thread, between split and join.
template <class Device>
class rest_side {
public:
  using id = std::uint32_t;
  using backend_type = typename Device::backend_type;
  using arcs = backend::arc_set<id>;

  explicit rest_side(Device& device) noexcept : device_{device} {}

  /// For the labels of all vertices, unless the rest is all there is. Before rows are copied, so that it waits for none of them.
  void make_room(std::size_t vertices, id cut) {
    if (cut == 0) return;
    labels_ = buffer<id>{vertices, device_.memory()};
    device_.wait();
  }

  /// Rows in the device's memory, of a graph that has both directions of every edge; they outlive this.
  void load(const rest_rows<id>& rest) noexcept { rest_ = rest; }

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
    if (rest_.cut != 0 && rest_.count != 0) inside_arcs_ = device_.fetched(offsets_.data() + rest_.count);
    const std::size_t ends = rest_.count == 0 ? 0 : std::size_t{rest_.count} + 1;
    const auto over = [&](const auto* offsets, const id* targets) {
      using offset = std::remove_cvref_t<decltype(*offsets)>;
      return arcs{csr_view<id, offset>{{offsets, ends}, {targets, static_cast<std::size_t>(inside_arcs_)}, symmetry::yes, rest_.sorted}};
    };
    if (rest_.cut != 0) return over(offsets_.data(), targets_.data());
    const void* const offsets = rest_.offsets.data();
    return rest_.offsets.width_bytes() == 8 ? over(static_cast<const std::uint64_t*>(offsets), rest_.targets)
                                            : over(static_cast<const std::uint32_t*>(offsets), rest_.targets);
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
  buffer<id> join(cross_rule rule, hybrid_report& told, phase_times& times) {
    told.cross_arcs = rest_.arcs - inside_arcs_;
    told.super_edges = 0;
    if (told.cross_arcs != 0) solve_cross_edges(labels_, rule, told, times);
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

  void solve_cross_edges(buffer<id>& labels, cross_rule rule, hybrid_report& told, phase_times& times) {
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
      if (rule == cross_rule::unite) {
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
  rest_rows<id> rest_;
  std::uint64_t inside_arcs_ = 0;
  buffer<std::uint64_t> offsets_;  ///< of inside(), unless the cut is at 0
  buffer<id> targets_, labels_;    ///< of inside(); of all vertices
};

}  // namespace copse::drivers::hybrid
