// copse stream --forest: a stream of edges with weights, of which the maximum spanning forest is kept.
#pragma once
#include <copse/operations.hpp>
#include <cstdint>
#include <string>

#include "input.hpp"

namespace copse::cli {

struct weighted_stream_command {
  std::string stream;  ///< a file, or -
  std::string output;  ///< the forest is written here
  io::stream_read_options read;
  std::uint64_t batch = 0;  ///< the number of records in each batch
  std::uint64_t every = 0;  ///< records between two times that the forest is written; at the end it is, too
  bool quiet = false;
};

/// `12.3 M records/s`.
std::string record_rate_text(std::uint64_t records, double seconds);

/// Answers queries with the weight of the weakest link between their ends. Returns the exit code.
int run_weighted_stream(const weighted_stream_command& options, resources& context);

}  // namespace copse::cli
