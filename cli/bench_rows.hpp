// Which rows of the table a bench measures: patterns, choosers and thread counts become a list without repeats, a fast one first.
#pragma once
#include <copse/registry/variants.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace copse::cli {

/// csr or coo.
std::string_view to_string(input_kind input) noexcept;

struct bench_row {
  std::string variant;   ///< a name of the table, or a chooser
  unsigned threads = 1;  ///< 1 for rows that are serial or on a GPU, whatever was asked
  bool in_team = false;  ///< may run on several threads
};

/// serial.none.rem first, then the other serial rows, then the others by thread count, in the order of the table.
/// Throws usage_error with the reason for a pattern that matches nothing.
std::vector<bench_row> rows_to_measure(const std::vector<std::string>& patterns, input_kind input, const std::vector<unsigned>& threads);

}  // namespace copse::cli
