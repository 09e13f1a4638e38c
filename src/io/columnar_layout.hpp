// Finds the columns of a Parquet or Arrow file that a request names, and the rules for its rows. Names of columns are interpreted as those
// in the header of a text table.
#pragma once
#include "io/columnar_source.hpp"
#include "io/request.hpp"
#include "io/table_layout.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace copse::io {

/// The indices of the requested columns, counted from 0, in the order of the request. Throws input_error, usage_error.
std::vector<int> columns_of(const table_request& request, const std::vector<arrow::column_type>& given, const read_request& options);

/// Throws usage_error for options that only apply to text.
void refuse_options_of_text(const std::string& name, const read_request& options);

/// Throws usage_error if the options have a word, other than the empty one, that marks missing values: in columns, these are nulls.
void refuse_words(const std::string& name, const read_request& options);

/// Throws input_error if columns of ids are not of the kind that the caller asked for (integers or strings), and for columns of binaries
/// unless the caller asked for those.
void expect_kind(const std::string& name, const arrow::row_rules& rules, id_kind asked);

/// The rules for the rows of these columns of `from`, which must outlive the rules because errors name the file and the row in it. `ids`
/// and `score` are the positions of ids and weights in `columns`.
arrow::row_rules rules_for(const columnar_source& from, std::span<const int> columns, std::vector<std::size_t> ids,
                           std::optional<std::size_t> score, const read_request& options);

}  // namespace copse::io
