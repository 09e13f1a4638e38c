// copse-mpi components: every rank reads its part, forests are merged along a binary tree, labels come back and are written by all.
#pragma once
#include <string>

#include "../cli/options.hpp"
#include "exchange.hpp"

namespace copse::mpi {

struct job_options {
  cli::input_options input;
  cli::run_options run;
  std::string output;
  bool verify = false;
  bool as_json = false;
};

void add_options(CLI::App& app, job_options& options);

/// Returns an exit code, the same on all ranks. Rank 0 speaks for all.
int find_components(const communicator& world, const job_options& options);

}  // namespace copse::mpi
