// Which columns of a Parquet or Arrow file are wanted, and what is taken of its rows: the names of the columns say it as a header does in
// text.
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

/// The columns that are wanted, counted from 0, in the order in which the request names them. Throws input_error, usage_error.
std::vector<int> columns_of(const table_request& request, const std::vector<arrow::column_type>& given, const read_request& options);

/// Throws usage_error for options that are about text.
void refuse_options_of_text(const std::string& name, const read_request& options);

/// Throws usage_error for words that stand for missing values.
void refuse_words(const std::string& name, const read_request& options);

/// Throws input_error for ids that are not of the kind that the caller asks for.
void expect_kind(const std::string& name, const arrow::row_rules& rules, id_kind asked);

/// The rules for rows of these columns of a source, which must outlive them: errors name the file and the row in it. `ids` and
/// `score`: the places of ids and weights among the columns.
arrow::row_rules rules_for(const columnar_source& from, std::span<const int> columns, std::vector<std::size_t> ids,
                           std::optional<std::size_t> score, const read_request& options);

}  // namespace copse::io
