// copse stream --state: edges arrive and leave, in a folder that keeps the graph from run to run.
#pragma once
#include <copse/operations.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "input.hpp"

namespace copse::cli {

struct stream_state_command {
  std::string stream;           ///< a file, or -
  std::string folder;           ///< the graph is kept here
  std::string answers, events;  ///< files that grow; empty: answers go to standard output, events nowhere
  io::stream_read_options read;
  std::uint64_t batch = 0;               ///< the number of records in each batch
  std::optional<std::uint64_t> history;  ///< batches that can be taken back later; of a graph that is made
  bool has_all_records = false;          ///< the stream begins with the records that the folder has
  bool quiet = false;
};

/// Returns the exit code.
int run_stream_state(const stream_state_command& options, resources& context);

}  // namespace copse::cli
