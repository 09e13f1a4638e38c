// Tables of edges into an edge_batch_sink, by all of its threads.
#pragma once
#include <copse/edge_batch_sink.hpp>
#include <copse/execution.hpp>

#include <functional>
#include <vector>

#include "arrow/row_queue.hpp"
#include "arrow/rows.hpp"

namespace copse::arrow {

/// Adds the rows of all parts of a table that the rules take: as edges, or where the rules have one column of ids as vertices.
/// `after_reading`: unless it is empty, each thread that reads parts calls it once it has read the last. Throws what the sink throws,
/// row_error, usage_error for columns that are no ids, and cancelled.
table_counts add_table(edge_batch_sink& sink, const std::vector<table_part>& parts, const row_rules& rules, observer& watcher,
                       const std::function<void()>& after_reading = {});

}  // namespace copse::arrow
