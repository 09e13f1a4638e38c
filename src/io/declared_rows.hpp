// What text formats of rows (METIS, adjacency) have in common: a head declares sizes that must be believed before the rows are seen.
#pragma once
#include "io/text_source.hpp"

#include <copse/views.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace copse::io {

struct declared_sizes {
  std::uint64_t vertices = 0;
  std::uint64_t entries = 0;      ///< edges or arcs
  std::string_view entries_word;  ///< how the format calls them
};

/// Wrong sizes must not make the reader allocate terabytes: a vertex takes at least `vertex_bytes` of the text, an entry two.
inline void refuse_more_than_fits(const text_source& source, std::uint64_t line, const declared_sizes& declared,
                                  std::uint64_t vertex_bytes) {
  const std::uint64_t most = source.text_bytes();  // all ones when a stream does not tell: then what can be counted is the limit
  if (declared.vertices <= most / vertex_bytes && declared.entries <= most / 2 && declared.vertices <= UINT64_MAX / 4 &&
      declared.entries <= UINT64_MAX / 4) {
    return;
  }
  throw input_error::at(source.name(), line,
                        std::to_string(declared.vertices) + " vertices and " + std::to_string(declared.entries) + " " +
                            std::string{declared.entries_word} + " declared in a file of " + std::to_string(most) + " bytes",
                        "a longer file");
}

/// Rows with their room, the first and the last offset set.
template <unsigned_index Id, unsigned_index Offset>
csr<Id, Offset> rows_to_fill(std::uint64_t vertices, std::uint64_t arcs, std::pmr::memory_resource* memory) {
  csr<Id, Offset> rows;
  rows.offsets = buffer<Offset>{static_cast<std::size_t>(vertices + 1), memory};
  rows.targets = buffer<Id>{static_cast<std::size_t>(arcs), memory};
  rows.offsets[0] = 0;
  rows.offsets[vertices] = static_cast<Offset>(arcs);
  return rows;
}

}  // namespace copse::io
