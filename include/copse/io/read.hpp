// Reading graphs: formats, options, and the two ways in: parse (edges into a sink, nothing held) and read_graph (a graph in memory).
#pragma once
#include <copse/core/memory.hpp>
#include <copse/core/observer.hpp>
#include <copse/graph/graph.hpp>
#include <copse/io/edge_sink.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

namespace copse::io {

/// docs/formats.md describes each. `edges`: columns separated by spaces, tabs or commas; `csv`: as edges, with RFC 4180 quoting.
enum class format : std::uint8_t { edges, csv, mtx, metis, dimacs, sg, egr, adj, npy, npz, coo };

/// How ids of an edge list are read. `automatic`: strings when the first data line is not numeric (the observer gets a note).
/// `strings` must be UTF-8; `bytes` is any bytes.
enum class id_kind : std::uint8_t { automatic, integers, strings, bytes };

struct read_options {
  std::optional<io::format> format;                ///< not set: by suffix, `.gz` and `.zst` taken off first
  id_kind ids = id_kind::automatic;                ///< edge lists only
  std::array<unsigned, 2> columns{1, 2};           ///< 1-based columns of the two ids; edge lists only
  std::optional<unsigned> weight_column;           ///< 1-based; edge lists only
  std::optional<double> min_weight;                ///< keep edges whose weight is >= this; needs a weight (Matrix Market has one by itself)
  std::optional<bool> header;                      ///< first data line is a header; not set: decided by looking at the first two lines
  std::optional<std::uint64_t> vertices;           ///< edge lists: declares 0 .. vertices - 1; any other id is an error
  unsigned threads = 0;                            ///< 0: all cores that the process may use
  std::size_t block_bytes = std::size_t{1} << 20;  ///< text is cut into blocks of about this size; tests use 1
  copse::observer* observer = nullptr;
  std::pmr::memory_resource* memory = host_memory();
};

/// The format of a file by its suffix (`web.mtx.gz` is mtx); throws input_error naming the suffixes that are known.
format format_of(const std::filesystem::path& path);
/// The inverse of to_string: `edges`, `csv`, ...; throws usage_error.
format format_named(std::string_view name);
std::string_view to_string(format f) noexcept;

/// Does the file hold an edge list in text (`edges`, `csv`), whose vertices are the ids that occur?
constexpr bool is_edge_list(format f) noexcept { return f == format::edges || f == format::csv; }
/// Does the file hold rows (CSR) already?
constexpr bool has_rows(format f) noexcept {
  return f == format::sg || f == format::egr || f == format::adj || f == format::npz || f == format::metis;
}

/// Parses `path` ("-": standard input) into `sink`. Parallel over memory-mapped input or over decompressed blocks.
/// Works for every format. Throws input_error with file and line of the first bad line in file order, whatever the threads.
void parse(const std::filesystem::path& path, const read_options& options, edge_sink& sink);

/// Parses several edge lists as if they were one. Ids are of one kind in all of them, and none declares its vertices.
void parse(std::span<const std::filesystem::path> paths, const read_options& options, edge_sink& sink);

/// Reads a whole graph: rows where the format has rows, otherwise an edge list, with the edges in file order, whatever the threads. Ids of
/// edge lists become 0 .. n - 1 in ascending order of their names. Directed inputs are kept as they are (symmetry unknown or no).
graph read_graph(const std::filesystem::path& path, const read_options& options = {});

}  // namespace copse::io
