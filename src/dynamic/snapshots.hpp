// Snapshots, which readers see while a writer goes on: the component of each vertex and the size of each component, as of one batch.
//
// Both are arrays in leaves of 512 elements below two levels of pointers. A snapshot shares the root. The writer copies a node that a
// snapshot may have seen, once per snapshot, and changes other nodes in place; so a snapshot is taken in O(1), and no node that it sees
// changes. A node stores the epoch in which it was made, so that this does not depend on reference counts.
//
// Memory order: the mutex orders snapshots and the changes of a batch; shared_ptr orders the last use of a node before its destruction.
#pragma once
#include <copse/dynamic.hpp>
#include <dynamic/identities.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace copse::dynamics {

/// An array whose copies share its nodes: set() first copies those that another copy may have. Elements are `Absent` until they are set.
template <std::uint64_t Absent>
class shared_array {
public:
  [[nodiscard]] std::uint64_t operator[](std::uint64_t i) const noexcept {
    const std::uint64_t at = i / (width * width);
    if (at >= top_.size() || top_[at] == nullptr) return Absent;
    const auto& leaf = top_[at]->leaves[i / width % width];
    return leaf == nullptr ? Absent : leaf->values[i % width];
  }
  /// Sets an element. `epoch`: a number that must have grown since the array was last copied. Nodes that were made in an earlier epoch are
  /// copied first.
  void set(std::uint64_t i, std::uint64_t value, std::uint64_t epoch) {
    const std::uint64_t at = i / (width * width);
    if (at >= top_.size()) top_.resize(at + 1);
    auto& leaf = own(top_[at], epoch).leaves[i / width % width];
    std::uint64_t& element = own(leaf, epoch).values[i % width];
    leaf->used += (value != Absent) - (element != Absent);
    element = value;
    if (leaf->used == 0) leaf = nullptr;
  }

private:
  static constexpr std::uint64_t width = 512;
  struct leaf_node {
    leaf_node() { values.fill(Absent); }
    std::uint64_t epoch = 0;
    std::uint64_t used = 0;  // elements that are not Absent
    std::array<std::uint64_t, width> values;
  };
  struct inner_node {
    std::uint64_t epoch = 0;
    std::array<std::shared_ptr<leaf_node>, width> leaves;
  };

  template <class Node>
  static Node& own(std::shared_ptr<Node>& node, std::uint64_t epoch) {
    if (node == nullptr) {
      node = std::make_shared<Node>();
    } else if (node->epoch != epoch) {
      node = std::make_shared<Node>(*node);
    }
    node->epoch = epoch;
    return *node;
  }

  std::vector<std::shared_ptr<inner_node>> top_;
};

/// The components as of one batch.
struct components_version {
  shared_array<no_component> component;  // the id of the component of each vertex
  shared_array<0> size;                  // the number of vertices of each id
  std::uint64_t vertices = 0, components = 0, batch = 0;
};

class versions {
public:
  /// Returns a snapshot. May be called while apply() runs.
  [[nodiscard]] std::shared_ptr<const components_version> now() {
    const std::lock_guard lock{mutex_};
    is_seen_ = true;
    return latest_;
  }
  /// Applies the changes of a batch to the latest version.
  void apply(std::span<const id_row> rows, std::uint64_t batch) {
    const std::lock_guard lock{mutex_};
    if (is_seen_) {
      latest_ = std::make_shared<components_version>(*latest_);
      ++epoch_;
      is_seen_ = false;
    }
    components_version& version = *latest_;
    version.batch = batch;
    for (const auto& [vertex, before, after] : rows) {
      version.component.set(vertex, after, epoch_);
      if (before != no_component) {
        const std::uint64_t size = version.size[before] - 1;
        version.size.set(before, size, epoch_);
        version.components -= size == 0;
      }
      if (after != no_component) {
        const std::uint64_t size = version.size[after] + 1;
        version.size.set(after, size, epoch_);
        version.components += size == 1;
      }
      version.vertices += (after != no_component) - (before != no_component);
    }
  }

private:
  std::mutex mutex_;
  std::shared_ptr<components_version> latest_ = std::make_shared<components_version>();
  std::uint64_t epoch_ = 1;
  bool is_seen_ = false;
};

}  // namespace copse::dynamics
