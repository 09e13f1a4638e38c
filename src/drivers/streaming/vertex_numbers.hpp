// Tables that number keys by the vertices of a forest.
#pragma once
#include <copse/types.hpp>

#include <cstdint>

#include "compact_forest.hpp"
#include "integer_table.hpp"
#include "string_table.hpp"

namespace copse::streaming {

struct vertex_number {
  std::uint32_t index = no_vertex<std::uint32_t>;

  [[nodiscard]] bool is_free() const noexcept { return index == no_vertex<std::uint32_t>; }
  friend bool operator==(const vertex_number&, const vertex_number&) = default;
};

using integer_numbers = integer_table<vertex_number>;
using string_numbers = string_table<vertex_number>;
using numbered_id = integer_numbers::entry;
static_assert(sizeof(numbered_id) == 12);

/// A look-up that writes the number of key i to indices[i], and adds a vertex for a key that is new.
struct numbering {
  compact_forest& forest;
  compact_forest::run_of_indices& run;
  std::uint32_t* indices;

  vertex_number fresh(std::size_t /*key*/) { return {forest.add(run)}; }
  void meet(std::size_t key, const vertex_number& known) { indices[key] = known.index; }
};

}  // namespace copse::streaming
