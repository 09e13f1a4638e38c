// Several labellings of the same vertices, side by side.
#pragma once
#include <copse/labels.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace copse::cli {

struct label_column {
  std::string name;
  labelling labels;  ///< canonical, a slot for each vertex
};

/// A line for each vertex, ascending: its id and its label in each column. `.csv` (header `id` and the names), `.txt` (tabs, no header; a
/// name with a tab is refused). The columns have the same names of vertices.
void write_label_columns(const std::vector<label_column>& columns, const std::filesystem::path& path);
/// What the table holds, for table_file.hpp.
inline constexpr std::string_view label_columns_text = "columns of labels";

}  // namespace copse::cli
