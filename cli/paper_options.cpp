#include "paper_options.hpp"

#include <optional>
#include <string>

namespace copse::cli {

void add_sampler_numbers(CLI::App& app, solve_options& options) {
  constexpr std::uint64_t most = 1000000;
  add_number(app, "--kout-rounds", options.kout_rounds, 1, most, "k of the kout samplers: arcs per vertex that they join (default 2)");
  add_number(app, "--hb-arcs", options.hb_arcs, 1, most, "N of the sampler hb: arcs that each root left over joins (default 2; GConn: 4)");
  add_parsed(app, "--ldd-beta", options.ldd_beta, "B", "beta of the sampler ldd: the share of edges that it cuts, about (default 0.2)",
             "a number above 0 and below 1", [](const std::string& text) {
               const auto beta = finite_number(text);
               return beta && *beta > 0 && *beta < 1 ? beta : std::nullopt;
             });
  add_parsed(app, "--stages-q", options.stages_q, "Q", "q of the sampler stages: edges per vertex in one of its groups (default 1)",
             "a number above 0", [](const std::string& text) {
               const auto q = finite_number(text);
               return q && *q > 0 ? q : std::nullopt;
             });
}

}  // namespace copse::cli
