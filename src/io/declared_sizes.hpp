// Formats whose head declares sizes, which must be believed before the rest of the file is seen: rows (METIS, adjacency), and edges counted
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

/// A head of a few bytes must not make a reader allocate gigabytes, unless the rest of the file or the caller says that it means it.
/// Refuses more vertices than a file of `bytes` may have. All ones in `bytes`, when a stream does not tell: then a note says what they
/// take. `line` is where they are declared; 0: nowhere in a text.
void refuse_unlikely_vertices(std::string_view file, std::uint64_t line, std::uint64_t vertices, std::uint64_t bytes,
                              const read_request& options);

/// A format that declares its vertices and edges in a head and then lists edges counted from one.
struct counted_lines {
  std::uint64_t head_line = 0;  ///< where the numbers are declared
  std::uint64_t vertices = 0;
  std::optional<std::uint64_t> entries;  ///< declared and to be checked
  std::string_view entry = "entry";      ///< what an edge is called in error messages
  std::string_view entries_word = "entries";
  bool arc_letter = false;    ///< an edge may begin with "a" or "e"
  bool has_value = false;     ///< a third column must be there
  bool weighs = false;        ///< the third column is a weight, and looked at
  bool has_no_value = false;  ///< a third column must not be there
  /// Lines that are no edges: comments and others to pass over. Throws for lines that must not be there.
  bool (*is_passed_over)(const text_source& source, const text_block& block, std::string_view line) = nullptr;
};

/// Parses what is left of `source`, from begin() to finish() of the sink.
void parse_counted_lines(text_source& source, const counted_lines& what, const read_request& options, edge_sink& sink);

/// Rows in a file do not say how wide their ids are in memory: `make(Id{}, Offset{})` with the narrowest types that hold them.
template <class Make>
graph with_narrowest(std::uint64_t vertices, std::uint64_t arcs, Make make) {
  constexpr std::uint64_t narrow = std::numeric_limits<std::uint32_t>::max();
  if (vertices > narrow) return make(std::uint64_t{}, std::uint64_t{});
  if (arcs > narrow) return make(std::uint32_t{}, std::uint64_t{});
  return make(std::uint32_t{}, std::uint32_t{});
}

}  // namespace copse::io
