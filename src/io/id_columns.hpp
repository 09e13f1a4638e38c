// The columns that form the ids of a table. An id of several columns is their texts joined by a delimiter. Only the last part may contain
// the delimiter, so different ids have different texts, and a reader can split an id at its first delimiters.
#pragma once
#include <copse/io.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse::io {

/// Throws the usage_error for options that want integers as ids, but form each id from several columns.
[[noreturn]] void refuse_joined_integers();

/// Throws usage_error if no id can be formed from these columns.
void expect_id_columns(const id_columns& id, const read_options& options);

/// Throws usage_error if the columns of the options cannot be the ids and the weight of an edge list.
void expect_edge_columns(const read_options& options);

/// The columns of both ids of an edge: all of the left id, then all of the right one.
std::vector<column> columns_of_edges(const read_options& options);

/// Appends the parts to `whole`, joined by the delimiter. Returns the index of the first part (except the last) that contains the
/// delimiter, or ends with the beginning of it, so that the id could be split in another way; nullopt if there is none.
std::optional<std::size_t> join_parts(std::span<const std::string_view> parts, std::string_view delimiter, std::string& whole);

/// What an error message says was found and expected, for a part of an id that contains the delimiter or ends with the beginning of it.
struct part_refusal {
  std::string found, expected;
};
part_refusal refusal_of_part(std::string_view part, std::string_view delimiter);

}  // namespace copse::io
