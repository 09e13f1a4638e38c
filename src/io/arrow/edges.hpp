// Passes all rows of a table in parts to a sink, as edges or as vertices, with several workers.
#pragma once
#include "io/arrow/row_queue.hpp"
#include "io/arrow/rows.hpp"

#include <copse/execution.hpp>
#include <copse/io.hpp>

#include <functional>
#include <vector>

namespace copse::arrow {

using io::edge_sink;

struct pass_options {
  unsigned workers = 1;
  observer* watcher = nullptr;            ///< asked whether to cancel; may be null
  bool tells_left_out = false;            ///< call the sink's left_out() for rows that are not taken
  std::function<void()> after_reading{};  ///< called by each reading thread when it has no rows left to read
};

/// Passes the rows that the rules accept to a sink whose begin() was called for `how.workers` workers, with their scores if the sink wishes
/// for weights. Two columns of ids give edges, in blocks of rows that are numbered by their first rows; one column gives vertices. Throws
/// row_error for the first wrong row, usage_error for a column type that cannot be ids, cancelled, and what streams and the sink throw.
table_counts pass_on(const std::vector<table_part>& parts, const row_rules& rules, edge_sink& sink, const pass_options& how);

}  // namespace copse::arrow
