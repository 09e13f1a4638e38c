// Finds the vertices with given ids, for loops over many ids.
#pragma once
#include <copse/graph.hpp>
#include <copse/memory.hpp>
#include <core/parallel.hpp>

#include <cstddef>
#include <cstdint>
#include <memory_resource>

namespace copse {

/// Finds the position of an integer name. If the names are dense in their range, an array of 4 bytes per id up to the largest is used;
/// otherwise a search in the names.
class name_positions {
public:
  /// Keeps a reference to `names`. Building the array takes O(names), divided among `threads`.
  name_positions(const vertex_names& names, unsigned threads, std::pmr::memory_resource* memory) : names_{names} {
    constexpr std::uint64_t most_ids_per_name = 8;
    const std::uint64_t count = names.size();
    if (count == 0 || count > no_vertex<std::uint32_t> || names.first_id() || names.is_signed()) return;
    const std::uint64_t ids = names.integer(count - 1) + 1;
    if (ids == 0 || ids / most_ids_per_name > count) return;
    positions_ = buffer<std::uint32_t>{ids, memory};
    constexpr std::size_t names_per_block = std::size_t{1} << 16;
    parallel_blocks(threads, count, names_per_block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) positions_[names.integer(v)] = static_cast<std::uint32_t>(v);
    });
  }

  /// The position of the name `id`. Precondition: `id` is one of the names.
  [[nodiscard]] std::uint64_t operator[](std::uint64_t id) const { return positions_.empty() ? *names_.find(id) : positions_[id]; }

private:
  const vertex_names& names_;
  buffer<std::uint32_t> positions_;  ///< indexed by id; elements of ids that are not names have no meaning
};

}  // namespace copse
