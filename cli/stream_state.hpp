// The option --state of copse stream: a graph whose edges arrive and leave is kept in a folder between runs.
#pragma once
#include <copse/operations.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "input.hpp"

namespace copse::cli {

struct stream_state_command {
  std::string stream;           ///< a file, or "-" for standard input
  std::string folder;           ///< the folder that keeps the graph
  std::string answers, events;  ///< files to append to; if empty, answers go to standard output, and events are not written
  io::stream_read_options read;
  std::uint64_t batch = 0;               ///< the number of records in each batch
  std::optional<std::uint64_t> history;  ///< number of batches that can be reverted; only for a new graph
  bool has_all_records = false;          ///< true if the stream begins with the records that the folder already has
  bool quiet = false;
};

/// Returns the exit code.
int run_stream_state(const stream_state_command& options, resources& context);

}  // namespace copse::cli
