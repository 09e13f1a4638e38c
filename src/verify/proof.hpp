// The proof that a labelling is the components of a graph. With n vertices and k labels:
//   1. every label is in range, at most its vertex, and its own label (so it is the smallest vertex that carries it);
//   2. the ends of every edge carry equal labels, so a class is a union of components, and there are at least k components;
//   3. a union-find over the edges joins n - k times: there are at most k components. So classes are components.
// Deliberately plain and serial; it shares no code with the rules it judges.
#pragma once
#include <copse/labelling.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace copse {

/// What a vertex is called in messages: its integer name, or its string name in quotes.
std::string name_in_message(const vertex_names& names, std::uint64_t slot);

template <unsigned_index Id>
class proof {
public:
  /// Keeps references to its arguments.
  proof(const buffer<Id>& labels, const vertex_names& names) : labels_{labels}, names_{names} {}

  /// Step 1. Also sets up steps 2 and 3: call it first, and go on only when it finds no fault.
  std::optional<std::string> fault_in_labels() {
    const std::uint64_t slots = labels_.size();
    if (names_.size() != slots) return std::to_string(slots) + " labels for " + std::to_string(names_.size()) + " names";
    parents_ = buffer<Id>(labels_.size());
    for (std::uint64_t i = 0; i < slots; ++i) {
      parents_[i] = static_cast<Id>(i);
      const Id label = labels_[i];
      if (label == no_vertex<Id>) continue;
      ++vertices_;
      if (label >= slots) {
        return "vertex " + name(i) + " has label " + std::to_string(label) + ", beyond the " + std::to_string(slots) + " vertices";
      }
      if (labels_[label] == no_vertex<Id>) return "vertex " + name(i) + " has label " + name(label) + ", which is no vertex";
      if (label > i) return "vertex " + name(i) + " has label " + name(label) + ", which is larger";
      if (labels_[label] != label) {
        return "vertex " + name(i) + " has label " + name(label) + ", but vertex " + name(label) + " has label " + name(labels_[label]);
      }
      classes_ += label == i ? 1 : 0;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool present(std::uint64_t slot) const noexcept { return slot < labels_.size() && labels_[slot] != no_vertex<Id>; }

  /// Step 2 for one edge, and its part of step 3. Precondition: both slots present. False: the labels differ.
  bool join(std::uint64_t u, std::uint64_t v) noexcept {
    if (labels_[u] != labels_[v]) return false;
    const Id a = root(static_cast<Id>(u));
    const Id b = root(static_cast<Id>(v));
    if (a != b) {
      parents_[a < b ? b : a] = a < b ? a : b;
      ++joins_;
    }
    return true;
  }
  [[nodiscard]] std::string fault_of_edge(std::uint64_t u, std::uint64_t v) const {
    return "vertices " + name(u) + " and " + name(v) + " are joined by an edge, but have labels " + name(labels_[u]) + " and " +
           name(labels_[v]);
  }

  /// Step 3, after the last edge.
  std::optional<std::string> fault_in_forest() {
    if (joins_ == vertices_ - classes_) return std::nullopt;
    for (std::uint64_t i = 0; i < labels_.size(); ++i) {
      if (present(i) && root(static_cast<Id>(i)) != root(labels_[i])) {
        return "vertex " + name(i) + " has label " + name(labels_[i]) + ", but no path joins them";
      }
    }
    return "a forest of " + std::to_string(joins_) + " edges, expected " + std::to_string(vertices_ - classes_);
  }

  [[nodiscard]] std::uint64_t vertices() const noexcept { return vertices_; }
  [[nodiscard]] std::uint64_t components() const noexcept { return vertices_ - joins_; }
  [[nodiscard]] std::string name(std::uint64_t slot) const { return name_in_message(names_, slot); }

private:
  Id root(Id v) noexcept {
    while (parents_[v] != v) {
      parents_[v] = parents_[parents_[v]];  // halve the path
      v = parents_[v];
    }
    return v;
  }

  const buffer<Id>& labels_;
  const vertex_names& names_;
  buffer<Id> parents_;
  std::uint64_t vertices_ = 0;
  std::uint64_t classes_ = 0;
  std::uint64_t joins_ = 0;
};

}  // namespace copse
