// Checks of a saved structure (drivers/incremental/connectivity_file.hpp) before it is used: its kind, and the forest that it records.
#pragma once
#include <copse/memory.hpp>
#include <drivers/incremental/connectivity_file.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory_resource>
#include <numeric>
#include <string>
#include <string_view>

namespace copse::api {

/// The kind of a saved file. It is shown by the extra bytes after the labels, which say what the vertices are called. Every reader names
/// the kinds that it understands and refuses the others, because it would take the positions of vertices in the file for their ids.
enum class saved_kind : std::uint8_t {
  slots_only,       ///< no extra bytes: the id of a vertex is its index in the array of labels
  names,            ///< a partial<labelling> whose vertices have names
  weights,          ///< a partial<weighted_forest_result>, with names if its vertices have some
  stream_of_slots,  ///< a checkpoint of a stream whose ids index an array
  stream_of_names,  ///< a checkpoint of a stream whose ids are sparse, or strings
  other_version,    ///< extra bytes of copse in a format that this version does not know
  foreign           ///< extra bytes that a caller of the library wrote
};

/// The bytes with which the names of vertices and the weights of a forest begin in the extra bytes of a file (partial/bytes.hpp).
inline constexpr std::string_view names_magic{"names-1", 8}, weights_magic{"weight-1"};

[[nodiscard]] saved_kind kind_of(std::string_view beside) noexcept;

/// Throws input_error, which calls the file `name`, unless the kind of the bytes is one of `understood`; `expected` describes these in the
/// error.
saved_kind expect_kind(std::string_view beside, std::initializer_list<saved_kind> understood, std::string_view name,
                       std::string_view expected);

/// Throws input_error unless the edges of a saved forest lie inside components and close no cycle; if saved.knows_all_edges is set, they
/// must also connect every component.
template <class Id>
void expect_forest(const drivers::connectivity<Id>& saved, const drivers::refuser& refuse, std::pmr::memory_resource* memory) {
  const auto& labels = saved.labels;
  buffer<Id> parents{labels.size(), memory};
  std::iota(parents.begin(), parents.end(), Id{0});
  const auto root_of = [&parents](Id v) {
    while (parents[v] != v) v = parents[v] = parents[parents[v]];
    return v;
  };
  for (const auto [a, b] : *saved.forest) {
    const bool inside = a < labels.size() && b < labels.size() && labels[a] != no_vertex<Id> && labels[a] == labels[b];
    const Id root_a = inside ? root_of(a) : Id{0}, root_b = inside ? root_of(b) : Id{0};
    if (root_a == root_b) {
      refuse("the forest edge " + std::to_string(a) + " " + std::to_string(b), "edges inside components that close no cycle");
    }
    parents[std::max(root_a, root_b)] = std::min(root_a, root_b);
  }
  std::uint64_t links = 0;
  for (std::size_t v = 0; v < labels.size(); ++v) links += labels[v] != no_vertex<Id> && labels[v] != v ? 1 : 0;
  if (saved.knows_all_edges && saved.forest->size() != links) {
    refuse("a forest of " + std::to_string(saved.forest->size()) + " edges", std::to_string(links) + ", which join all components");
  }
}

}  // namespace copse::api
