// The rest of a hybrid solve whose rows keep their arcs across the cut: the vertices below it are vertices without rows there, which the
// row joins as it does all others. What is left for the end is what the CPU found, one link a vertex below the cut, and a look at each
// cross arc: a row that samples passes over arcs of its giant, because the other end looks at them too, and below the cut there are no
// rows. Nothing is contracted, no arc is moved, and nobody waits to be told a number. (gpu_part_device.hpp says what a device is.)
#pragma once
#include <copse/extend/rules/find/halve.hpp>
#include <copse/extend/rules/unite/async.hpp>
#include <copse/hybrid.hpp>
#include <copse/memory.hpp>
#include <copse/report.hpp>
#include <hybrid/gpu_part_device.hpp>
#include <loops/each.hpp>
#include <loops/flatten.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace copse::hybrid {

/// Offsets of all vertices: those below the cut have no rows, the others' begin at 0.
template <class Id, class Offset>
struct keep_rows {
  gpu_part_rows<Id> rest;
  Offset* to;

  COPSE_HOST_DEVICE void operator()(std::size_t v) const noexcept {
    to[v] = v <= rest.cut ? 0 : static_cast<Offset>(rest.offsets[v - rest.cut] - rest.first_arc);
  }
};

/// For every vertex below the cut: the CPU's label of it.
template <class P>
struct unite_given {
  const typename P::id* given;
  P p;

  COPSE_HOST_DEVICE void operator()(std::size_t i) const noexcept {
    const auto v = static_cast<typename P::id>(i);
    if (given[i] != v) unite::async<find::halve>{}(p, v, given[i]);
  }
};

/// For a walk over the rest's rows: unites their cross arcs. Most lead to where their vertex is already, which two loads tell, as the
/// vertices below the cut point at their roots.
template <class Id, class P>
struct unite_cross_arcs {
  gpu_part_rows<Id> rest;
  P p;

  [[nodiscard]] COPSE_HOST_DEVICE std::size_t size() const noexcept { return rest.count; }
  COPSE_HOST_DEVICE Id row(std::size_t i, std::uint64_t& first, std::uint64_t& last) const noexcept {
    first = rest.offsets[i];
    last = rest.offsets[i + 1];
    if (rest.sorted && first != last && rest.target(first) >= rest.cut) last = first;
    return static_cast<Id>(i);
  }
  COPSE_HOST_DEVICE void along(Id i, std::uint64_t first, std::uint64_t last, unsigned stride) const noexcept {
    if (first >= last) return;
    Id here = p.parent(p.load(p.parent(p.load(rest.cut + i))));
    for (std::uint64_t a = first; a < last; a += stride) {
      const Id target = rest.target(a);
      if (target >= rest.cut) {
        if (rest.sorted) break;
        continue;
      }
      if (const Id there = p.parent(p.load(target)); there != here) here = unite::async<find::halve>{}(p, here, there);
    }
  }
};

template <class Device>
class keeping_gpu_part {
public:
  using id = std::uint32_t;
  using backend_type = typename Device::backend_type;
  using arcs = backend::arc_set<id>;

  /// Offsets are narrow for up to `most_narrow` arcs; fewer in tests.
  explicit keeping_gpu_part(Device& device, std::uint64_t most_narrow = UINT32_MAX) noexcept : device_{device}, most_narrow_{most_narrow} {}

  /// For what the CPU gives, which where there is no rest are all labels. Before rows are copied, so that it waits for none of them.
  void make_room(std::size_t vertices, id cut) {
    if (cut == 0) return;
    (cut == vertices ? labels_ : given_) = buffer<id>{cut, device_.memory()};
    device_.wait();
  }

  /// Rows in the device's memory, of a graph that has both directions of every edge; they outlive this.
  void load(const gpu_part_rows<id>& rest) noexcept { rest_ = rest; }

  /// O(vertices); enqueues. A cut at 0 leaves the rows as they are.
  void split() {
    if (rest_.cut == 0 || rest_.count == 0) return;
    if (rest_.arcs <= most_narrow_) {
      offsets_ = kept_offsets<std::uint32_t>();
    } else {
      wide_offsets_ = kept_offsets<std::uint64_t>();
    }
  }

  /// All vertices, with the rows of the rest; none where there is no rest.
  [[nodiscard]] arcs inside() const {
    if (rest_.cut == 0 || rest_.count == 0) return whole_graph(rest_);
    return offsets_.empty() ? rows_of(wide_offsets_.data(), rest_.targets, vertices(), rest_.arcs, rest_.sorted)
                            : rows_of(offsets_.data(), rest_.targets, vertices(), rest_.arcs, rest_.sorted);
  }

  /// Labels of inside(), in the device's memory.
  void take(buffer<id> labels) {
    offsets_ = {};
    wide_offsets_ = {};
    labels_ = std::move(labels);
    device_.wait();
  }

  /// Labels of the vertices below the cut, in host memory.
  void give(std::span<const id> cpu_labels) {
    device_.upload((rest_.count == 0 ? labels_ : given_).data(), cpu_labels.data(), cpu_labels.size_bytes());
  }

  /// Canonical labels of the whole graph, in the device's memory.
  buffer<id> join(hybrid_report& told, phase_times& times) {
    told.cross_arcs = told.super_edges = 0;
    if (rest_.cut == 0 || rest_.count == 0) return std::move(labels_);
    const phase_timer time{times, "join"};
    const parents p{labels_.data()};
    backend::for_each(device_.loops(), rest_.cut, unite_given<parents>{given_.data(), p});
    if (rest_.arcs != 0) {
      backend::flatten_by_walks(device_.loops(), p, rest_.cut);
      device_.walk(rest_.count, rest_.arcs, unite_cross_arcs<id, parents>{rest_, p});
    }
    backend::flatten(device_.loops(), p, static_cast<id>(vertices()));
    device_.wait();
    return std::move(labels_);
  }

private:
  using parents = typename backend_type::template parents<id>;

  [[nodiscard]] std::size_t vertices() const noexcept { return std::size_t{rest_.cut} + rest_.count; }

  template <class Offset>
  buffer<Offset> kept_offsets() const {
    buffer<Offset> offsets{vertices() + 1, device_.memory()};
    backend::for_each(device_.loops(), offsets.size(), keep_rows<id, Offset>{rest_, offsets.data()});
    return offsets;
  }

  Device& device_;
  std::uint64_t most_narrow_;
  gpu_part_rows<id> rest_;
  buffer<std::uint32_t> offsets_;  ///< of inside(), unless the cut is at 0 or they are wide
  buffer<std::uint64_t> wide_offsets_;
  buffer<id> given_, labels_;  ///< of the CPU; of all vertices
};

}  // namespace copse::hybrid
