// All rows of a table that comes in parts, as edges or vertices for a sink, by several workers.
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
  observer* watcher = nullptr;            ///< null: none
  bool tells_left_out = false;            ///< call the sink's left_out() for rows that are not taken
  std::function<void()> after_reading{};  ///< called by each thread that has read from a stream when there is nothing left to read
};

/// Passes the rows that the rules take on to a sink that has begun with as many workers, with their scores if it wishes for weights. Two
/// columns of ids give edges, one gives vertices. The number of a block is that of its first row. Each part is a stream and the number of
/// its first row. Throws row_error for the first wrong row, usage_error for a type that is no id, cancelled, and what streams and the sink
/// throw.
table_counts pass_on(const std::vector<table_part>& parts, const row_rules& rules, edge_sink& sink, const pass_options& how);

}  // namespace copse::arrow
