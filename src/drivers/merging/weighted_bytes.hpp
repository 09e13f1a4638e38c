// A weighted forest as bytes: those of a saved structure with the edges of its forest, which are (u, v), u < v, ascending. The weights
// stand first in what the structure keeps beside itself, and behind them the names of vertices (names_bytes.hpp), unless these are 0 .. n -
// 1:
//
//   0  "weight-1"              magic
//   8  u32 goal: 1 minimum, 2 maximum
//  12  u32 precision of the weights: 0 of 64 bits, 1 of 32, 2 of 16
//  16  a double for each edge of the forest
// So a weighted forest is a forest of labels, too, for whoever asks for no more.
#pragma once
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <copse/weighted_graph.hpp>
#include <drivers/incremental/connectivity_file.hpp>

#include <optional>
#include <span>
#include <string_view>

namespace copse::drivers {

/// Preconditions: a list as above; `labels` are canonical, of its vertices by position.
template <class Id>
void put_weighted_forest(const byte_output& output, std::span<const Id> labels, std::span<const edge<Id>> edges,
                         std::span<const double> weights, weight_precision precision, bool maximum, const vertex_names& names,
                         std::pmr::memory_resource* memory);

struct weighted_forest_bytes {
  bool maximum = true;
  weighted_graph forest;
  labelling labels;  ///< of the vertices by position
};

/// Throws input_error when bytes are not what put_weighted_forest wrote. That the edges make a forest of these labels is the caller's to
/// check.
weighted_forest_bytes weighted_forest_in(const connectivity_bytes& held, std::string_view name, std::pmr::memory_resource* memory);

/// Do these bytes, which stand beside a structure, begin with weights?
[[nodiscard]] bool holds_weights(std::string_view beside) noexcept;
/// What stands beside a structure, less its weights.
std::string_view behind_weights(const connectivity_bytes& held, std::string_view name);

}  // namespace copse::drivers
