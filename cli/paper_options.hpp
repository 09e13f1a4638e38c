// Numbers of the papers' samplers, as options of commands that solve.
#pragma once
#include <copse/options.hpp>

#include "options.hpp"

namespace copse::cli {

/// --kout-rounds, --hb-arcs, --ldd-beta, --stages-q.
void add_sampler_numbers(CLI::App& app, solve_options& options);

}  // namespace copse::cli
