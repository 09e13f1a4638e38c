// Formats whose head declares sizes that must be trusted before the rest of the file is read: rows (METIS, adjacency), and edges counted
// from one (Matrix Market, DIMACS, PACE).
#pragma once
#include "io/text_source.hpp"

#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <copse/views.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace copse::io {

struct declared_sizes {
  std::uint64_t vertices = 0;
  std::uint64_t entries = 0;      ///< number of edges or arcs
  std::string_view entries_word;  ///< the format's word for edges or arcs, for error messages
};

/// Refuses declared sizes that the file is too short for, so that the reader does not allocate terabytes for a wrong number: a vertex takes
/// at least `vertex_bytes` of text, an edge or arc two bytes.
inline void refuse_more_than_fits(const text_source& source, std::uint64_t line, const declared_sizes& declared,
                                  std::uint64_t vertex_bytes) {
  // UINT64_MAX if the size is not known, as for a stream: then only the limits that do not depend on it apply
  const std::uint64_t most = source.text_bytes();
  if (declared.vertices <= most / vertex_bytes && declared.entries <= most / 2 && declared.vertices <= UINT64_MAX / 4 &&
      declared.entries <= UINT64_MAX / 4) {
    return;
  }
  throw input_error::at(source.name(), line,
                        std::to_string(declared.vertices) + " vertices and " + std::to_string(declared.entries) + " " +
                            std::string{declared.entries_word} + " declared in a file of " + std::to_string(most) + " bytes",
                        "a longer file");
}

/// Allocates rows, and sets the first and the last offset.
template <unsigned_index Id, unsigned_index Offset>
csr<Id, Offset> rows_to_fill(std::uint64_t vertices, std::uint64_t arcs, std::pmr::memory_resource* memory) {
  csr<Id, Offset> rows;
  rows.offsets = buffer<Offset>{static_cast<std::size_t>(vertices + 1), memory};
  rows.targets = buffer<Id>{static_cast<std::size_t>(arcs), memory};
  rows.offsets[0] = 0;
  rows.offsets[vertices] = static_cast<Offset>(arcs);
  return rows;
}

/// Refuses a number of vertices that is unlikely in a file of `bytes`, so that a head of a few bytes cannot make the reader allocate
/// gigabytes, unless the options trust the head. If `bytes` is all ones (the size of a stream is not known), a note tells how much memory
/// they take. `line` is where the number is declared; 0 if the file is not text.
void refuse_unlikely_vertices(std::string_view file, std::uint64_t line, std::uint64_t vertices, std::uint64_t bytes,
                              const read_request& options);

/// A format that declares its vertices and edges in a head and then lists edges counted from one.
struct counted_lines {
  std::uint64_t head_line = 0;  ///< the number of the line that declares the numbers of vertices and edges
  std::uint64_t vertices = 0;
  std::optional<std::uint64_t> entries;  ///< the declared number of edges, if it is to be checked
  std::string_view entry = "entry";      ///< what an edge is called in error messages
  std::string_view entries_word = "entries";
  bool arc_letter = false;    ///< the line of an edge may begin with the letter a or e
  bool has_value = false;     ///< every edge must have a third column
  bool weighs = false;        ///< the third column is a weight, which is parsed
  bool has_no_value = false;  ///< no edge may have a third column
  /// True for lines that are not edges, such as comments, which are skipped. Throws for lines that are not allowed.
  bool (*is_passed_over)(const text_source& source, const text_block& block, std::string_view line) = nullptr;
};

/// Parses the rest of `source`, and calls the sink from begin() to finish().
void parse_counted_lines(text_source& source, const counted_lines& what, const read_request& options, edge_sink& sink);

/// Calls `make(Id{}, Offset{})` with the narrowest types that can hold the ids and offsets of a graph with these numbers of vertices and
/// arcs.
template <class Make>
graph with_narrowest(std::uint64_t vertices, std::uint64_t arcs, Make make) {
  constexpr std::uint64_t narrow = std::numeric_limits<std::uint32_t>::max();
  if (vertices > narrow) return make(std::uint64_t{}, std::uint64_t{});
  if (arcs > narrow) return make(std::uint32_t{}, std::uint64_t{});
  return make(std::uint32_t{}, std::uint32_t{});
}

}  // namespace copse::io
