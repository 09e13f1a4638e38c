// The GPU's part of a hybrid solve as in Algorithm 3 of Banerjee and Kothapalli, where the cores solve the vertices below a cut and the GPU
// the others: cross edges are contracted to one for each pair of components that they join, and solved last. They are the arcs across the
// cut, which are taken out of the GPU's rows, and the edges between the pieces that the cores solve separately. (gpu_part_rows.hpp defines
// `Device`: a GPU, or threads in its place.)
#pragma once
#include <copse/hybrid.hpp>
#include <copse/memory.hpp>
#include <core/phase_times.hpp>
#include <hybrid/gpu_part_rows.hpp>
#include <hybrid/super_edges.hpp>
#include <loops/flatten.hpp>
#include <loops/gather.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace copse::hybrid {

template <class Device>
class contracting_gpu_part {
public:
  using id = std::uint32_t;
  using backend_type = typename Device::backend_type;
  using arcs = backend::arc_set<id>;

  /// `rule` is the algorithm for the contracted graph, in which cross edges join components of the two parts: unite or min_label.
  contracting_gpu_part(Device& device, cross_rule rule) noexcept : device_{device}, rule_{rule} {}

  /// Allocates the labels of all vertices, unless the part is the whole graph. Called before rows are copied, so that it does not wait for
  /// a copy.
  void make_room(std::size_t vertices, id cut) {
    if (cut == 0) return;
    labels_ = buffer<id>{vertices, device_.memory()};
    device_.wait();
  }

  /// Receives rows in the device's memory, which must outlive this object. The graph has both directions of every edge.
  void load(const gpu_part_rows<id>& rows) noexcept { rows_ = rows; }

  /// Separates the arcs inside the part from those across the cut. O(arcs); enqueues kernels. With a cut at 0 the rows stay unchanged.
  void split() {
    inside_arcs_ = rows_.arcs;
    if (rows_.cut == 0 || rows_.count == 0) return;
    offsets_ = buffer<std::uint64_t>{std::size_t{rows_.count} + 1, device_.memory()};
    device_.loops().for_each(rows_.count, count_inside<id>{rows_, offsets_.data()});
    device_.sum_up(offsets_.data(), rows_.count);
    // Room for all arcs of the part, because the GPU is still computing how many of them are inside the part.
    targets_ = buffer<id>{static_cast<std::size_t>(rows_.arcs), device_.memory()};
    if (rows_.sorted) {
      device_.walk(rows_.count, rows_.arcs, copy_inside<id>{rows_, offsets_.data(), targets_.data()});
    } else {
      device_.loops().for_each(rows_.count, filter_inside<id>{rows_, offsets_.data(), targets_.data()});
    }
  }

  /// Returns the graph of the part's vertices and the arcs between them. Waits until the GPU has counted these arcs.
  [[nodiscard]] arcs inside() {
    if (rows_.cut == 0) return whole_graph(rows_);
    if (rows_.count != 0) inside_arcs_ = device_.fetched(offsets_.data() + rows_.count);
    return rows_of(offsets_.data(), targets_.data(), rows_.count, inside_arcs_, rows_.sorted);
  }

  /// Receives the canonical labels of the GPU's part alone, which is the graph that inside() returned, in the device's memory. Frees the
  /// targets of that graph.
  void take(buffer<id> labels) {
    targets_ = {};
    if (rows_.cut == 0) {
      labels_ = std::move(labels);
      return;
    }
    device_.loops().for_each(rows_.count, shift_labels<id>{labels.data(), rows_.cut, labels_.data() + rows_.cut});
    device_.wait();
  }

  /// Receives the labels that the cores found for the vertices below the cut, and the edges between the pieces that they solved separately.
  /// These edges are uploaded later by join(), because allocating memory for them would wait for the GPU.
  void give(cpu_answer found) {
    device_.upload(labels_.data(), found.labels.data(), found.labels.size_bytes());
    between_ = std::move(found.between);
  }

  /// Returns canonical labels of the whole graph, in the device's memory.
  buffer<id> join(hybrid_report& report, phase_times& times) {
    report.cross_arcs = rows_.arcs - inside_arcs_ + between_.size();
    report.super_edges = 0;
    if (report.cross_arcs != 0) solve_cross_edges(labels_, report, times);
    return std::move(labels_);
  }

private:
  using words = typename backend_type::template parents<std::uint64_t>;
  using parents = typename backend_type::template parents<id>;
  using super_edges = backend::gathered_of<backend_type, std::uint64_t>;

  /// Returns a hash table of the pairs of components that cross edges join. Behind its slots is one more word, which pair_table::add() sets
  /// if a pair finds no slot; then the table is made again with twice the `slots`, so the word is 0 in the end.
  buffer<std::uint64_t> table_of(const buffer<id>& labels, std::uint64_t& slots) {
    buffer<edge<id>> between{between_.size(), device_.memory()};
    device_.wait();
    device_.upload(between.data(), between_.data(), between_.size() * sizeof(edge<id>));
    for (;; slots *= 2) {
      buffer<std::uint64_t> table{static_cast<std::size_t>(slots) + 1, device_.memory()};
      device_.loops().clear(table.data(), table.size() * sizeof(std::uint64_t));
      const pair_table<words> pairs{words{table.data()}, slots - 1};
      device_.walk(rows_.count, rows_.arcs, contract<id, words>{rows_, offsets_.data(), labels.data(), pairs});
      device_.loops().for_each(between.size(), contract_listed<id, words>{between.data(), labels.data(), pairs});
      if (device_.fetched(table.data() + slots) == 0) return table;
    }
  }

  /// Returns the pairs of components that cross edges join, each once.
  std::unique_ptr<super_edges> contracted(const buffer<id>& labels, std::uint64_t cross_arcs) {
    std::uint64_t slots = slots_for(cross_arcs, labels.size());
    const auto table = table_of(labels, slots);
    auto found = std::make_unique<super_edges>(static_cast<std::size_t>(std::min(slots, cross_arcs)), device_.memory());
    gather(device_.loops(), static_cast<std::size_t>(slots), *found, used_slots<words>{words{const_cast<std::uint64_t*>(table.data())}});
    return found;
  }

  void solve_cross_edges(buffer<id>& labels, hybrid_report& report, phase_times& times) {
    const auto pairs = [&] {
      const phase_timer time{times, "contract"};
      return contracted(labels, report.cross_arcs);
    }();
    report.super_edges = pairs->size();
    const parents p{labels.data()};
    {
      const phase_timer time{times, "join"};
      if (rule_ == cross_rule::unite) {
        device_.loops().for_each(pairs->size(), unite_super_edges<parents>{pairs->data(), p});
        device_.wait();
      } else {
        lower_until_all_agree(*pairs, p);
      }
    }
    const phase_timer time{times, "labels"};
    backend::flatten(device_.loops(), p, static_cast<id>(labels.size()));
    device_.wait();
  }

  void lower_until_all_agree(const super_edges& pairs, parents p) {
    buffer<id> changed{1, device_.memory()};
    do {
      device_.loops().clear(changed.data(), sizeof(id));
      device_.loops().for_each(pairs.size(), lower_super_edges<parents>{pairs.data(), p, parents{changed.data()}});
    } while (device_.fetched(changed.data()) != 0);
  }

  Device& device_;
  cross_rule rule_;
  gpu_part_rows<id> rows_;
  std::uint64_t inside_arcs_ = 0;
  buffer<std::uint64_t> offsets_;  ///< the offsets of the GPU's rows without arcs to the CPU's part; empty if the CPU has no part
  buffer<id> targets_, labels_;    ///< the targets of these rows, and the labels of all vertices
  buffer<edge<id>> between_;       ///< the edges between the pieces that the cores solve separately, in host memory
};

}  // namespace copse::hybrid
