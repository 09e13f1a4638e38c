// The table of formats, and the functions behind parse() and read_graph(): a format either lists edges (parse_*) or holds rows (read_*).
// Functions with a parameter `part` read one part of a file, which is cut between records.
#pragma once
#include "io/part_of_file.hpp"
#include "io/table_layout.hpp"

#include <copse/io.hpp>
#include <copse/weighted_graph.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>

namespace copse::io {

void parse_edge_list(const std::filesystem::path& path, format f, const read_request& options, edge_sink& sink,
                     part_of_file part = {});  // for the formats edges and csv
/// `without_weights`, unless null, receives the edges if the file has no weights; the function then returns false. Otherwise `sink`
/// receives the edges.
bool parse_matrix_market(const std::filesystem::path& path, const read_request& options, edge_sink& sink,
                         edge_sink* without_weights = nullptr);
bool parse_dimacs(const std::filesystem::path& path, const read_request& options, edge_sink& sink, edge_sink* without_weights = nullptr);
void parse_coo(const std::filesystem::path& path, format f, const read_request& options, edge_sink& sink,
               part_of_file part = {});  // for the formats coo and coo64
void parse_npy(const std::filesystem::path& path, format f, const read_request& options, edge_sink& sink, part_of_file part = {});

// For the formats parquet and arrow.
void parse_columnar_file(const std::filesystem::path& path, format f, const read_request& options, edge_sink& sink, part_of_file part = {});
/// Passes the ids in a column to the sink as vertices; to be called between begin() and finish() of the sink. `named` is true if the ids of
/// the edges are strings, as these must be then.
void add_columnar_file(const std::filesystem::path& path, format f, const table_request& request, const read_request& options, bool named,
                       edge_sink& sink);
/// True if the requested column of ids holds strings.
bool has_named_columnar_file(const std::filesystem::path& path, format f, const table_request& request, const read_request& options);

/// Returns two columns of a Parquet or Arrow file as CSV with a header; integers and strings are unchanged. Takes O(rows) memory.
std::string columns_as_text(const std::filesystem::path& path, const std::array<std::string_view, 2>& names);

/// Throws usage_error for options about the vertices of an edge list that contradict each other, such as a declared number of vertices
/// whose ids are strings.
void expect_declared_vertices(const read_options& options);

/// Throws usage_error for options that the format does not support.
void refuse_what_it_lacks(const std::filesystem::path& path, format f, const read_options& options);

/// Reads a file with the function that the table of formats has for `f`. Precondition: has_rows(f).
graph read_rows(const std::filesystem::path& path, format f, const read_request& options);
graph read_metis(const std::filesystem::path& path, const read_request& options);
graph read_adj(const std::filesystem::path& path, const read_request& options);
graph read_sg(const std::filesystem::path& path, const read_request& options);
graph read_egr(const std::filesystem::path& path, const read_request& options);
graph read_galois(const std::filesystem::path& path, const read_request& options);
graph read_npz(const std::filesystem::path& path, const read_request& options);

/// The functions read_weighted_* require that options.min_weight is set.
weighted_graph read_weighted_metis(const std::filesystem::path& path, const read_request& options);
weighted_graph read_weighted_adj(const std::filesystem::path& path, const read_request& options);
weighted_graph read_weighted_egr(const std::filesystem::path& path, const read_request& options);
weighted_graph read_weighted_npz(const std::filesystem::path& path, const read_request& options);

/// The functions read_any_* implement read_with_any_weights(): they read a file with weights if it has any, otherwise without.
perhaps_weighted_graph read_any_metis(const std::filesystem::path& path, const read_request& options);
perhaps_weighted_graph read_any_adj(const std::filesystem::path& path, const read_request& options);
perhaps_weighted_graph read_any_egr(const std::filesystem::path& path, const read_request& options);
perhaps_weighted_graph read_any_npz(const std::filesystem::path& path, const read_request& options);

/// A format: its names, and the functions that read its files. Exactly one of parse_part, parse and read is set.
struct format_row {
  format what;
  std::string_view name;
  std::string_view suffixes;  ///< separated by spaces; an uncompressed file ends in one of them
  /// For formats that list edges, whose files can be cut into parts of whole records.
  void (*parse_part)(const std::filesystem::path&, format, const read_request&, edge_sink&, part_of_file) = nullptr;
  /// For formats that list edges, with weights if the file has them, and declare their vertices.
  bool (*parse)(const std::filesystem::path&, const read_request&, edge_sink&, edge_sink* without_weights) = nullptr;
  /// True if files of the format always have weights; weights that are all 1 then carry no information.
  bool ones_are_no_weights = false;
  /// For formats that hold rows. The two functions below are set if the format can have weights.
  graph (*read)(const std::filesystem::path&, const read_request&) = nullptr;
  weighted_graph (*read_weighted)(const std::filesystem::path&, const read_request&) = nullptr;
  perhaps_weighted_graph (*read_any)(const std::filesystem::path&, const read_request&) = nullptr;
};

inline constexpr auto formats = std::to_array<format_row>({
    {.what = format::edges, .name = "edges", .suffixes = ".txt .el .tsv .edges", .parse_part = parse_edge_list},
    {.what = format::csv, .name = "csv", .suffixes = ".csv", .parse_part = parse_edge_list},
    {.what = format::mtx, .name = "mtx", .suffixes = ".mtx", .parse = parse_matrix_market},
    {.what = format::metis,
     .name = "metis",
     .suffixes = ".graph .metis",
     .read = read_metis,
     .read_weighted = read_weighted_metis,
     .read_any = read_any_metis},
    {.what = format::dimacs, .name = "dimacs", .suffixes = ".gr .dimacs", .parse = parse_dimacs, .ones_are_no_weights = true},
    {.what = format::sg, .name = "sg", .suffixes = ".sg", .read = read_sg},
    {.what = format::egr,
     .name = "egr",
     .suffixes = ".egr",
     .read = read_egr,
     .read_weighted = read_weighted_egr,
     .read_any = read_any_egr},
    {.what = format::adj,
     .name = "adj",
     .suffixes = ".adj",
     .read = read_adj,
     .read_weighted = read_weighted_adj,
     .read_any = read_any_adj},
    {.what = format::galois, .name = "galois", .suffixes = ".vgr", .read = read_galois},
    {.what = format::npy, .name = "npy", .suffixes = ".npy", .parse_part = parse_npy},
    {.what = format::npz,
     .name = "npz",
     .suffixes = ".npz",
     .read = read_npz,
     .read_weighted = read_weighted_npz,
     .read_any = read_any_npz},
    {.what = format::coo, .name = "coo", .suffixes = ".coo", .parse_part = parse_coo},
    {.what = format::coo64, .name = "coo64", .suffixes = ".coo64", .parse_part = parse_coo},
    {.what = format::parquet, .name = "parquet", .suffixes = ".parquet .pq", .parse_part = parse_columnar_file},
    {.what = format::arrow, .name = "arrow", .suffixes = ".arrow .arrows .feather .ipc", .parse_part = parse_columnar_file},
});

constexpr const format_row& row_of(format f) noexcept { return *std::ranges::find(formats, f, &format_row::what); }

/// True if a file in this format passes weights to the sink while it is parsed with these options.
bool streams_weights(const std::filesystem::path& path, const read_options& options);

}  // namespace copse::io
