// The readers behind parse() and read_graph(), one per format. A format either lists edges (parse_*) or holds rows (read_*). Those that
// take a part cut the file into parts of whole records.
#pragma once
#include "io/part_of_file.hpp"
#include "io/table_layout.hpp"

#include <copse/io.hpp>
#include <copse/weighted_graph.hpp>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

namespace copse::io {

void parse_edge_list(const std::filesystem::path& path, format f, const read_request& options, edge_sink& sink,
                     part_of_file part = {});  // edges, csv
/// `without_weights`: takes the edges of a file that has no weights; null: all go to `sink`. Returns false where it took them.
bool parse_matrix_market(const std::filesystem::path& path, const read_request& options, edge_sink& sink,
                         edge_sink* without_weights = nullptr);
bool parse_dimacs(const std::filesystem::path& path, const read_request& options, edge_sink& sink, edge_sink* without_weights = nullptr);
void parse_coo(const std::filesystem::path& path, format f, const read_request& options, edge_sink& sink,
               part_of_file part = {});  // coo, coo64
void parse_npy(const std::filesystem::path& path, const read_request& options, edge_sink& sink, part_of_file part = {});

// Parquet and Arrow.
void parse_columnar_file(const std::filesystem::path& path, format f, const read_request& options, edge_sink& sink, part_of_file part = {});
/// Vertices of a column, for a sink between begin() and finish(). `named`: its ids are strings, as those of the edges are.
void add_columnar_file(const std::filesystem::path& path, format f, const table_request& request, const read_request& options, bool named,
                       edge_sink& sink);
/// True if the ids of that column are strings.
bool has_named_columnar_file(const std::filesystem::path& path, format f, const table_request& request, const read_request& options);

/// Two columns of such a file as CSV with a header, their integers and strings as they are. O(rows) memory.
std::string columns_as_text(const std::filesystem::path& path, const std::array<std::string_view, 2>& names);

/// Throws usage_error for declared vertices that no edge list can have.
void expect_declared_vertices(const read_options& options);

/// Throws usage_error for options that a format has no place for.
void refuse_what_it_lacks(const std::filesystem::path& path, format f, const read_options& options);

/// Calls one of those below. Precondition: has_rows(f).
graph read_rows(const std::filesystem::path& path, format f, const read_request& options);
graph read_metis(const std::filesystem::path& path, const read_request& options);
graph read_adj(const std::filesystem::path& path, const read_request& options);
graph read_sg(const std::filesystem::path& path, const read_request& options);
graph read_egr(const std::filesystem::path& path, const read_request& options);
graph read_galois(const std::filesystem::path& path, const read_request& options);
graph read_npz(const std::filesystem::path& path, const read_request& options);
/// Precondition: options.min_weight.
weighted_graph read_weighted_npz(const std::filesystem::path& path, const read_request& options);
weighted_graph read_weighted_egr(const std::filesystem::path& path, const read_request& options);
/// As read_with_any_weights().
perhaps_weighted_graph read_any_npz(const std::filesystem::path& path, const read_request& options);
perhaps_weighted_graph read_any_egr(const std::filesystem::path& path, const read_request& options);

}  // namespace copse::io
