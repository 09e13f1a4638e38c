// A mergeable forest as bytes: those of a saved structure (drivers/incremental/connectivity_file.hpp). Where ids are slots, that is all;
// otherwise its vertices have names, which stand in what the structure keeps beside itself.
#pragma once
#include <copse/graph.hpp>
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <copse/weighted_graph.hpp>
#include <drivers/incremental/connectivity_file.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace copse::drivers {

// The names of vertices as bytes, where ids are not slots:
//
//   0  "names-1\0"             magic
//   8  u64 kind: 1 ids of 4 bytes, 2 ids of 8 bytes, 3 strings
//  16  u64 count, bytes of all strings
//  32  ids, ascending; or the lengths of the strings (4 bytes each) and then their bytes, ascending

using byte_pieces = std::span<const std::span<const std::byte>>;

/// put(pieces): the names in three pieces, which live as long as the call. Precondition: there are some.
void with_pieces_of(const vertex_names& names, std::pmr::memory_resource* memory, const std::function<void(byte_pieces)>& put);

/// Do these bytes begin as names do?
[[nodiscard]] bool holds_names(std::span<const std::byte> bytes) noexcept;

/// The names of `count` vertices; `file` is what a refusal calls the bytes. Throws input_error when they are not what with_pieces_of gave.
vertex_names names_in(std::string_view bytes, std::uint64_t count, std::string_view file, std::pmr::memory_resource* memory);

/// Precondition: the normal form (normal_form.hpp).
void put_forest(const labelling& forest, const byte_output& output, std::pmr::memory_resource* memory);

/// What `put(output)` puts, in memory.
template <class Put>
buffer<std::byte> bytes_of(Put put, std::pmr::memory_resource* memory) {
  std::size_t size = 0;
  put([&size](const void*, std::size_t count) { size += count; });
  buffer<std::byte> all{size, memory};
  std::byte* to = all.data();
  put([&to](const void* bytes, std::size_t count) {
    if (count != 0) std::memcpy(to, bytes, count);
    to += count;
  });
  return all;
}

/// Throws input_error when bytes are not what put_forest wrote, or put_weighted_forest, or incremental::save.
labelling forest_in(const connectivity_bytes& held, std::string_view name, std::pmr::memory_resource* memory);

// A weighted forest as bytes: those of a saved structure with the edges of its forest, which are (u, v), u < v, ascending. The weights
// stand first in what the structure keeps beside itself, and behind them the names of vertices, unless these are 0 .. n - 1:
//
//   0  "weight-1"              magic
//   8  u32 goal: 1 minimum, 2 maximum
//  12  u32 precision of the weights: 0 of 64 bits, 1 of 32, 2 of 16
//  16  a double for each edge of the forest
// So a weighted forest is a forest of labels, too, for whoever asks for no more.

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
