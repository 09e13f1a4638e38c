// The GPU's part of a hybrid solve, in which the cores solve the vertices below a cut and the GPU the others, with rows that keep their
// arcs across the cut: to the GPU, the vertices below the cut are vertices without rows, which its variant joins like all others. Two
// things remain for the end. The CPU's result is joined, one link per vertex below the cut. And every cross arc is checked: a variant that
// samples skips the arcs of its giant, because their other ends visit these edges as well, but vertices below the cut have no rows. Nothing
// is contracted, no arc is moved, and the host waits for no number. (gpu_part_rows.hpp defines what a device is.)
#pragma once
#include <copse/extend/rules/find/halve.hpp>
#include <copse/extend/rules/unite/async.hpp>
#include <copse/hybrid.hpp>
#include <copse/memory.hpp>
#include <core/phase_times.hpp>
#include <hybrid/gpu_part_rows.hpp>
#include <loops/flatten.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace copse::hybrid {

/// Writes offsets for all vertices: those below the cut have no rows, and the rows of the others begin at arc 0.
template <class Id, class Offset>
struct keep_rows {
  gpu_part_rows<Id> rows;
  Offset* to;

  COPSE_HOST_DEVICE void operator()(std::size_t v) const noexcept {
    to[v] = v <= rows.cut ? 0 : static_cast<Offset>(rows.offsets[v - rows.cut] - rows.first_arc);
  }
};

/// Unites every vertex below the cut with the label that the CPU found for it.
template <class P>
struct unite_cpu_labels {
  const typename P::id* cpu_labels;
  P p;

  COPSE_HOST_DEVICE void operator()(std::size_t i) const noexcept {
    const auto v = static_cast<typename P::id>(i);
    if (cpu_labels[i] != v) unite::async<find::halve>{}(p, v, cpu_labels[i]);
  }
};

/// A walk over the rows of the GPU's part that unites the ends of their cross arcs. Most of these arcs join vertices of the same tree. One
/// load per arc shows that, of the target's parent, which is a root: the vertices below the cut point at their roots.
template <class Id, class P>
struct unite_cross_arcs {
  gpu_part_rows<Id> rows;
  P p;

  [[nodiscard]] COPSE_HOST_DEVICE std::size_t size() const noexcept { return rows.count; }
  COPSE_HOST_DEVICE Id row(std::size_t i, std::uint64_t& first, std::uint64_t& last) const noexcept {
    first = rows.offsets[i];
    last = rows.offsets[i + 1];
    if (rows.sorted && first != last && rows.target(first) >= rows.cut) last = first;
    return static_cast<Id>(i);
  }
  COPSE_HOST_DEVICE void along(Id i, std::uint64_t first, std::uint64_t last, unsigned stride) const noexcept {
    if (first >= last) return;
    Id root = p.parent(p.load(p.parent(p.load(rows.cut + i))));
    for (std::uint64_t a = first; a < last; a += stride) {
      const Id target = rows.target(a);
      if (target >= rows.cut) {
        if (rows.sorted) break;
        continue;
      }
      if (const Id target_root = p.parent(p.load(target)); target_root != root) root = unite::async<find::halve>{}(p, root, target_root);
    }
  }
};

template <class Device>
class keeping_gpu_part {
public:
  using id = std::uint32_t;
  using backend_type = typename Device::backend_type;
  using arcs = backend::arc_set<id>;

  /// Offsets have 32 bits if there are at most `most_narrow` arcs; tests pass a small number.
  explicit keeping_gpu_part(Device& device, std::uint64_t most_narrow = UINT32_MAX) noexcept : device_{device}, most_narrow_{most_narrow} {}

  /// Allocates the CPU's labels, which are the result if the GPU has no part. Called before rows are copied, so that it does not wait for a
  /// copy.
  void make_room(std::size_t vertices, id cut) {
    if (cut == 0) return;
    (cut == vertices ? labels_ : cpu_labels_) = buffer<id>{cut, device_.memory()};
    device_.wait();
  }

  /// Receives rows in the device's memory, which must outlive this object. The graph has both directions of every edge.
  void load(const gpu_part_rows<id>& rows) noexcept { rows_ = rows; }

  /// Makes offsets with which the rows of the GPU's part are a graph of all vertices, where the vertices below the cut have no arcs.
  /// O(vertices); enqueues a kernel. If the cut is at 0, the rows are used as they are.
  void split() {
    if (rows_.cut == 0 || rows_.count == 0) return;
    if (rows_.arcs <= most_narrow_) {
      offsets_ = kept_offsets<std::uint32_t>();
    } else {
      wide_offsets_ = kept_offsets<std::uint64_t>();
    }
  }

  /// Returns the graph of all vertices, in which those of the CPU's part have no arcs and the others have their rows; an empty graph if the
  /// GPU has no part.
  [[nodiscard]] arcs inside() const {
    if (rows_.cut == 0 || rows_.count == 0) return whole_graph(rows_);
    return offsets_.empty() ? rows_of(wide_offsets_.data(), rows_.targets, vertices(), rows_.arcs, rows_.sorted)
                            : rows_of(offsets_.data(), rows_.targets, vertices(), rows_.arcs, rows_.sorted);
  }

  /// Receives labels of the graph that inside() returned, in the device's memory.
  void take(buffer<id> labels) {
    offsets_ = {};
    wide_offsets_ = {};
    labels_ = std::move(labels);
    device_.wait();
  }

  /// Receives the labels that the CPU found for the vertices below the cut. Precondition: the labels take all edges among these vertices
  /// into account, so that `between` is empty.
  void give(cpu_answer found) {
    device_.upload((rows_.count == 0 ? labels_ : cpu_labels_).data(), found.labels.data(), found.labels.size_bytes());
  }

  /// Returns canonical labels of the whole graph, in the device's memory.
  buffer<id> join(hybrid_report& report, phase_times& times) {
    report.cross_arcs = report.super_edges = 0;
    if (rows_.cut == 0 || rows_.count == 0) return std::move(labels_);
    const phase_timer time{times, "join"};
    const parents p{labels_.data()};
    device_.loops().for_each(rows_.cut, unite_cpu_labels<parents>{cpu_labels_.data(), p});
    if (rows_.arcs != 0) {
      backend::flatten_by_walks(device_.loops(), p, rows_.cut);
      device_.walk(rows_.count, rows_.arcs, unite_cross_arcs<id, parents>{rows_, p});
    }
    backend::flatten(device_.loops(), p, static_cast<id>(vertices()));
    device_.wait();
    return std::move(labels_);
  }

private:
  using parents = typename backend_type::template parents<id>;

  [[nodiscard]] std::size_t vertices() const noexcept { return std::size_t{rows_.cut} + rows_.count; }

  template <class Offset>
  buffer<Offset> kept_offsets() const {
    buffer<Offset> offsets{vertices() + 1, device_.memory()};
    device_.loops().for_each(offsets.size(), keep_rows<id, Offset>{rows_, offsets.data()});
    return offsets;
  }

  Device& device_;
  std::uint64_t most_narrow_;
  gpu_part_rows<id> rows_;
  buffer<std::uint32_t> offsets_;  ///< the offsets of the graph that inside() returns, unless the cut is at 0 or offsets have 64 bits
  buffer<std::uint64_t> wide_offsets_;
  buffer<id> cpu_labels_, labels_;  ///< labels by the CPU for the vertices below the cut, and labels of all vertices
};

}  // namespace copse::hybrid
