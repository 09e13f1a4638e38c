// copse stream --forest: a stream of edges with weights, of which the maximum spanning forest is kept.
#pragma once
#include <copse/operations.hpp>
#include <cstdint>
#include <string>

#include "input.hpp"

namespace copse::cli {

struct weighted_stream_command {
  std::string stream;  ///< a file, or "-" for standard input
  std::string output;  ///< the file that the forest is written to
  io::stream_read_options read;
  std::uint64_t batch = 0;  ///< the number of records in each batch
  std::uint64_t every = 0;  ///< the forest is written after so many records, and at the end
  bool quiet = false;
};

/// Returns a rate as text, such as `12.3 M records/s`.
std::string record_rate_text(std::uint64_t records, double seconds);

/// Answers queries with the weight of the weakest link between their ends. Returns the exit code.
int run_weighted_stream(const weighted_stream_command& options, resources& context);

}  // namespace copse::cli
