// The proof that a labelling is the components of a graph. With n vertices and k labels:
//   1. every label is in range, at most its vertex, and its own label, so it is the smallest vertex that has it;
//   2. the ends of every edge have equal labels, so the vertices of a label are a union of components, and there are at least k components;
//   3. a union-find over the edges joins n - k times, so there are at most k components.
// So the labels are those of the components. Deliberately plain and serial; it shares no code with the rules that it checks.
#pragma once
#include <copse/labels.hpp>
#include <copse/verify.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace copse {

/// Returns the name of a vertex for messages: its integer name, or its string name in quotes.
std::string name_in_message(const vertex_names& names, std::uint64_t slot);

template <unsigned_index Id>
class proof {
public:
  /// Keeps references to its arguments.
  proof(const buffer<Id>& labels, const vertex_names& names) : labels_{labels}, names_{names} {}

  /// Step 1 of the proof: every label is a vertex, is at most the vertex that has it, and has itself as its label. Also prepares the later
  /// steps. Must be called first; continue only if it finds no fault.
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
    most_joins_ = vertices_ - classes_;
    return std::nullopt;
  }

  [[nodiscard]] bool present(std::uint64_t slot) const noexcept { return slot < labels_.size() && labels_[slot] != no_vertex<Id>; }

  /// Compares the labels of the ends of an edge (step 2 of the proof) and unites the ends in a union-find (step 3). Returns false if the
  /// labels differ. Precondition: both ends are present.
  bool join(std::uint64_t u, std::uint64_t v) noexcept {
    if (labels_[u] != labels_[v]) return false;
    // All ends united so far had equal labels, so at most n - k edges can join two trees if n vertices have k labels. Once that many have,
    // each label has one tree, and for later edges only labels are compared.
    if (joins_ != most_joins_ && parents_[u] != parents_[v]) link(root(static_cast<Id>(u)), static_cast<Id>(v));
    return true;
  }
  /// Compares the label of u with those of all targets of its row (step 2 of the proof), and unites u with the smaller ones in a union-find
  /// (step 3), which covers all edges if rows are symmetric. Returns the index of the first target whose label differs or that is not a
  /// vertex, or row.size() if there is none.
  template <unsigned_index Target>
  std::size_t join_row_down(std::uint64_t u, std::span<const Target> row) noexcept {
    const Id label = labels_[u];
    Id root_of_u = root(static_cast<Id>(u));
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::uint64_t v = row[i];
      if (v >= labels_.size() || labels_[v] != label) return i;
      if (v < u && joins_ != most_joins_ && parents_[v] != root_of_u) root_of_u = link(root_of_u, static_cast<Id>(v));
    }
    return row.size();
  }
  /// True if the edges so far have joined all vertices of each label: n - k edges that joined two trees, for n vertices with k labels.
  /// If it is false after join_row_down() for all rows, the arcs that function left out must be joined, too.
  [[nodiscard]] bool forest_is_whole() const noexcept { return joins_ == most_joins_; }

  [[nodiscard]] std::string fault_of_edge(std::uint64_t u, std::uint64_t v) const {
    return "vertices " + name(u) + " and " + name(v) + " are joined by an edge, but have labels " + name(labels_[u]) + " and " +
           name(labels_[v]);
  }

  /// Step 3 of the proof, after the last edge: returns a fault unless the union-find over the edges has joined all vertices of each label.
  std::optional<std::string> fault_in_forest() {
    if (joins_ == most_joins_) return std::nullopt;
    for (std::uint64_t i = 0; i < labels_.size(); ++i) {
      if (present(i) && root(static_cast<Id>(i)) != root(labels_[i])) {
        return "vertex " + name(i) + " has label " + name(labels_[i]) + ", but no path joins them";
      }
    }
    return "a forest of " + std::to_string(joins_) + " edges, expected " + std::to_string(most_joins_);
  }

  [[nodiscard]] std::uint64_t vertices() const noexcept { return vertices_; }
  [[nodiscard]] std::uint64_t components() const noexcept { return vertices_ - joins_; }
  [[nodiscard]] std::string name(std::uint64_t slot) const { return name_in_message(names_, slot); }

private:
  // Joins the trees of the root `a` and of any vertex `v`; the smaller root stays a root and is returned.
  Id link(Id a, Id v) noexcept {
    const Id b = root(v);
    if (a == b) {
      parents_[v] = a;
      return a;
    }
    const Id smaller = a < b ? a : b;
    parents_[a < b ? b : a] = smaller;
    parents_[v] = smaller;
    ++joins_;
    return smaller;
  }

  Id root(Id v) noexcept {
    while (parents_[v] != v) {
      parents_[v] = parents_[parents_[v]];  // path halving
      v = parents_[v];
    }
    return v;
  }

  const buffer<Id>& labels_;
  const vertex_names& names_;
  buffer<Id> parents_;
  std::uint64_t vertices_ = 0;
  std::uint64_t classes_ = 0;
  std::uint64_t most_joins_ = 0;
  std::uint64_t joins_ = 0;
};

/// The result of from_numbers(), which gets the number of the component of each vertex, where components are numbered 0 .. k - 1 in the
/// order of their smallest vertices: the label of each vertex is the smallest vertex with the same number.
template <unsigned_index Id>
struct canonical_labels {
  buffer<Id> labels;
  std::optional<std::string> fault;  ///< set if the numbers are not in the order of the smallest vertices
};

template <unsigned_index Id>
canonical_labels<Id> from_numbers(const buffer<Id>& numbers, const vertex_names& names) {
  canonical_labels<Id> result{buffer<Id>(numbers.size()), std::nullopt};
  buffer<Id> first(numbers.size());  // first[number] is the first vertex that has this number
  Id next = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Id number = numbers[i];
    if (number == no_vertex<Id>) {
      result.labels[i] = number;
      continue;
    }
    if (number > next) {
      result.fault = "vertex " + name_in_message(names, i) + " has number " + std::to_string(number) + ", but the next new number is " +
                     std::to_string(next);
      return result;
    }
    if (number == next) first[next++] = static_cast<Id>(i);
    result.labels[i] = first[number];
  }
  return result;
}

}  // namespace copse

namespace copse::proving {

/// Returns the verdict of a proof that found a fault.
inline verdict wrong(std::string reason) { return {.right = false, .reason = std::move(reason)}; }

}  // namespace copse::proving
