// The answer to "which component is each vertex in", with queries, summaries and checksums.
#pragma once
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/memory.hpp>
#include <copse/types.hpp>

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace copse {

/// The component of each vertex: canonical labels, where `label(i)` is the smallest vertex of i's component. They are an array of slots()
/// elements. If an edge list was solved while it was parsed and its ids have gaps, the array has an element for every id up to the largest;
/// it is no_vertex for ids that do not occur (absent slots), which are no vertices.
class labelling {
public:
  using storage = std::variant<buffer<std::uint32_t>, buffer<std::uint64_t>>;

  labelling() = default;
  /// Element i of `labels` is the label of vertex i, or no_vertex if there is no vertex i, which is allowed only if the names are the
  /// identity. `names.size()` must equal `labels.size()`.
  template <unsigned_index Id>
  labelling(buffer<Id> labels, vertex_names names) : labels_{std::move(labels)}, names_{std::move(names)} {}
  /// Constructs a labelling whose labels are component numbers 0 .. k - 1 instead of vertices (as dense() returns).
  template <unsigned_index Id>
  [[nodiscard]] static labelling numbered(buffer<Id> labels, vertex_names names) {
    labelling result{std::move(labels), std::move(names)};
    result.numbered_ = true;
    return result;
  }

  [[nodiscard]] std::uint64_t slots() const noexcept {
    const auto* const narrow = std::get_if<buffer<std::uint32_t>>(&labels_);
    return narrow != nullptr ? narrow->size() : std::get_if<buffer<std::uint64_t>>(&labels_)->size();
  }
  [[nodiscard]] bool present(std::uint64_t i) const noexcept { return label(i) != no_vertex<std::uint64_t>; }
  /// The label of vertex i, or no_vertex<uint64_t> if i is no vertex. To read all labels, visiting `labels()` is faster.
  [[nodiscard]] std::uint64_t label(std::uint64_t i) const noexcept {
    if (const auto* const narrow = std::get_if<buffer<std::uint32_t>>(&labels_)) {
      return (*narrow)[i] == no_vertex<std::uint32_t> ? no_vertex<std::uint64_t> : std::uint64_t{(*narrow)[i]};
    }
    return (*std::get_if<buffer<std::uint64_t>>(&labels_))[i];
  }
  /// The label of the vertex with this name (an integer or a string), or nothing if there is none.
  template <class Name>
  [[nodiscard]] std::optional<std::uint64_t> label_of(const Name& name) const noexcept {
    const auto found = names_.find(name);
    return found && present(*found) ? std::optional{label(*found)} : std::nullopt;
  }
  [[nodiscard]] const storage& labels() const noexcept { return labels_; }
  [[nodiscard]] const vertex_names& names() const noexcept { return names_; }
  /// True if labels are component numbers, which are written as they are; false if they are vertices, which are written by name.
  [[nodiscard]] bool is_numbered() const noexcept { return numbered_; }

private:
  storage labels_;
  vertex_names names_;
  bool numbered_ = false;
};

/// One component: its label (smallest vertex) and its number of vertices.
struct component {
  std::uint64_t label = 0;
  std::uint64_t size = 0;
  friend bool operator==(const component&, const component&) = default;
};

/// The result of summarise(): how many vertices and components a labelling has, its largest components, and the distribution of component
/// sizes. Computed in O(slots()) time, with 4 or 8 bytes of temporary memory for each element of the array of labels.
struct component_summary {
  std::uint64_t vertices = 0;    ///< number of vertices, without ids that do not occur
  std::uint64_t components = 0;  ///< number of distinct labels
  std::uint64_t isolated = 0;    ///< number of components of one vertex
  component largest;             ///< the largest component (of several, the smallest label); {0, 0} if there is no vertex
  std::vector<component> top;    ///< the largest components, as many as requested, descending by size, ties by label
  /// histogram[b] counts the components whose size s has bit width b + 1: sizes 1, 2-3, 4-7, ...
  std::vector<std::uint64_t> histogram;
};
[[nodiscard]] component_summary summarise(const labelling& labels, std::size_t top_count = 0, const execution& on = {});

/// All components in ascending order of label.
[[nodiscard]] std::vector<component> component_sizes(const labelling& labels, const execution& on = {});

/// Relabels components 0 .. k - 1 in the order of their smallest vertices (`--labels dense`); the label no_vertex remains. Precondition:
/// canonical labels. Allocates an array of labels and a copy of the names.
[[nodiscard]] labelling dense(const labelling& labels, const execution& on = {});

/// 64-bit hash of which vertex has which label, both by name. It is computed from the sum of one hash per vertex, so that threads can share
/// the work. Equal names with equal labels have equal checksums, whatever the width of the ids, and whether or not the array of labels has
/// elements for ids that do not occur. Strings are hashed by their bytes.
[[nodiscard]] std::uint64_t checksum(const labelling& labels, const execution& on = {});

/// 64-bit hash of all pairs (position, canonical label), where vertices are numbered 0, 1, 2, ... in ascending order of their names. Equal
/// answers have equal checksums even if files of the same graph name its vertices differently: from 0, from 1, sparse, or by strings in the
/// same order.
[[nodiscard]] std::uint64_t positions_checksum(const labelling& labels, const execution& on = {});

/// Concatenated strings, as in a large-string array of Arrow: string i is bytes[offsets[i] .. offsets[i + 1]).
struct string_column {
  buffer<std::uint64_t> offsets;
  buffer<char> bytes;
};

/// For tables of an answer with string names. name_offsets() returns the offsets of the names, whose bytes are contiguous from string(0)
/// on; label_strings() returns the name of each vertex's label. O(vertices) and the bytes. Precondition of both: names are strings.
[[nodiscard]] buffer<std::uint64_t> name_offsets(const vertex_names& names, const execution& on = {});
[[nodiscard]] string_column label_strings(const labelling& labels, const execution& on = {});

}  // namespace copse
