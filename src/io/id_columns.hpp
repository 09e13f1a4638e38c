// Which columns make the ids of a table. An id of several is the texts of all with a delimiter between. Only the last part may hold the
// delimiter, so no two ids have the same text, and a reader cuts it at the first delimiters.
#pragma once
#include <copse/io.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse::io {

/// Throws usage_error: ids of several columns are strings.
[[noreturn]] void refuse_joined_integers();

/// Throws usage_error for columns that no id can be made of.
void expect_id_columns(const id_columns& id, const read_options& options);

/// The columns of an edge list: those of both ids, and that of the weights.
void expect_edge_columns(const read_options& options);

/// The columns of both ids of an edge, the left ones first.
std::vector<column> columns_of_edges(const read_options& options);

/// Appends the parts to `whole`. Gives back the first that would make another id look the same, if one does.
std::optional<std::size_t> join_parts(std::span<const std::string_view> parts, std::string_view delimiter, std::string& whole);

/// What is wrong with such a part, `found` and `expected` of an error.
struct part_refusal {
  std::string found, expected;
};
part_refusal refusal_of_part(std::string_view part, std::string_view delimiter);

}  // namespace copse::io
