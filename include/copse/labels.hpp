// The answer to "which component is each vertex in", and the questions people ask of it.
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

/// Canonical labels: `label(i)` is the smallest vertex of i's component. Vertices are 0 .. slots() - 1, except the absent ones:
/// an edge list with gaps in its ids, solved while it was parsed, has a slot for every id up to the largest, and says which occurred.
class labelling {
public:
  using storage = std::variant<buffer<std::uint32_t>, buffer<std::uint64_t>>;

  labelling() = default;
  /// Every slot is a vertex, or holds no_vertex (absent; allowed only where names are the identity). `names.size() == labels.size()`.
  template <unsigned_index Id>
  labelling(buffer<Id> labels, vertex_names names) : labels_{std::move(labels)}, names_{std::move(names)} {}
  /// The labels are the numbers 0 .. k - 1 of the components instead (what dense() makes).
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
  /// The label of slot i, or no_vertex<uint64_t> when absent. For loops over all slots prefer visiting `labels()`.
  [[nodiscard]] std::uint64_t label(std::uint64_t i) const noexcept {
    if (const auto* const narrow = std::get_if<buffer<std::uint32_t>>(&labels_)) {
      return (*narrow)[i] == no_vertex<std::uint32_t> ? no_vertex<std::uint64_t> : std::uint64_t{(*narrow)[i]};
    }
    return (*std::get_if<buffer<std::uint64_t>>(&labels_))[i];
  }
  /// The label of the vertex with this name, an integer or a string, if there is one.
  template <class Name>
  [[nodiscard]] std::optional<std::uint64_t> label_of(const Name& name) const noexcept {
    const auto found = names_.find(name);
    return found && present(*found) ? std::optional{label(*found)} : std::nullopt;
  }
  [[nodiscard]] const storage& labels() const noexcept { return labels_; }
  [[nodiscard]] const vertex_names& names() const noexcept { return names_; }
  /// True if labels are numbers of components, to be written as they are; false if they are vertices, to be written by their names.
  [[nodiscard]] bool is_numbered() const noexcept { return numbered_; }

private:
  storage labels_;
  vertex_names names_;
  bool numbered_ = false;
};

/// One component: its label (smallest vertex) and how many vertices it has.
struct component {
  std::uint64_t label = 0;
  std::uint64_t size = 0;
  friend bool operator==(const component&, const component&) = default;
};

/// A summary of a labelling. O(slots) time, 4 or 8 bytes per slot while it runs. Every label is below slots().
struct component_summary {
  std::uint64_t vertices = 0;    ///< present slots
  std::uint64_t components = 0;  ///< distinct labels
  std::uint64_t isolated = 0;    ///< components of one vertex
  component largest;             ///< the smallest label among the largest; {0, 0} when there is no vertex
  std::vector<component> top;    ///< the `top_count` largest, descending by size, ties by label
  /// histogram[b] counts the components whose size s has bit width b + 1: sizes 1, 2-3, 4-7, ...
  std::vector<std::uint64_t> histogram;
};
[[nodiscard]] component_summary summarise(const labelling& labels, std::size_t top_count = 0, const execution& on = {});

/// All components in ascending order of label.
[[nodiscard]] std::vector<component> component_sizes(const labelling& labels, const execution& on = {});

/// Relabels a partition with 0 .. k - 1 in order of the smallest vertex (`--labels dense`). Absent slots stay absent.
/// Precondition: canonical labels. Another 4 or 8 bytes per slot, and a copy of the names.
[[nodiscard]] labelling dense(const labelling& labels, const execution& on = {});

/// 64-bit hash over (id, canonical label) in ascending id order, names as in the file: equal for equal answers, wherever and however
/// they were found (32 or 64 bits, gaps or none). Strings are hashed by their bytes. A sum of one strong hash a vertex, so that threads
/// can share the work.
[[nodiscard]] std::uint64_t checksum(const labelling& labels, const execution& on = {});

/// 64-bit hash over (position, canonical label), with vertices numbered 0, 1, 2, ... in ascending order of their names. Equal for equal
/// answers over the same graph in files that name its vertices differently: counted from 0, from 1, sparse or by strings in the same order.
[[nodiscard]] std::uint64_t positions_checksum(const labelling& labels, const execution& on = {});

/// Strings one behind the other, as in a large-string array of Arrow: string i is bytes[offsets[i] .. offsets[i + 1]).
struct string_column {
  buffer<std::uint64_t> offsets;
  buffer<char> bytes;
};

/// For tables of an answer over strings, whose names lie so already, from string(0) on: their offsets, and the name of each vertex's label.
/// O(vertices) and the bytes. Precondition of both: names are strings.
[[nodiscard]] buffer<std::uint64_t> name_offsets(const vertex_names& names, const execution& on = {});
[[nodiscard]] string_column label_strings(const labelling& labels, const execution& on = {});

}  // namespace copse
