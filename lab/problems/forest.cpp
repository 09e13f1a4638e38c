// Spanning forests compared with components by the same variant, on a CPU and on a GPU where the graph stays.
#include <copse/copse.hpp>
#include <copse/cuda.hpp>

#include "inputs.hpp"
#include "kit.hpp"

namespace copse::lab {
namespace {

void add_phase(const solve_report& report, std::string_view name, std::vector<reading>& found) {
  for (const auto& p : report.phases) {
    if (p.name == name) found.push_back(milliseconds(std::string{name}, p.seconds));
  }
}

void host_ways(const graph& rows, const arguments& asked, std::vector<contestant>& ways) {
  for (const std::string& name : asked.words("variants")) {
    ways.push_back({name, {}, [&rows, name, threads = asked.threads()]() -> std::vector<reading> {
                      const auto timed = [&](const char* measure, auto solve) { return milliseconds(measure, seconds_of(threads, solve)); };
                      const execution on{.threads = threads};
                      return {
                          timed("components", [&] { return components(rows, {.variant = name}, on); }),
                          timed("forest", [&] { return spanning_forest(rows, {.variant = name}, on); }),
                          timed("forest_and_labels", [&] { return spanning_forest(rows, {.variant = name, .with_labels = true}, on); })};
                    }});
  }
}

/// `join` ends when the edge of every joined root is noted in its slot, `collect` when they are stored contiguously.
void resident_ways(const gpu_graph& resident, const arguments& asked, std::vector<contestant>& ways) {
  for (const std::string& name : asked.words("variants")) {
    ways.push_back({name, {}, [&, name]() -> std::vector<reading> {
                      std::vector<reading> found{
                          milliseconds("components", components(resident, {.variant = name}).report().solve_seconds)};
                      {
                        const auto forest = spanning_forest(resident, {.variant = name});
                        found.push_back(milliseconds("forest", forest.report().solve_seconds));
                        add_phase(forest.report(), "join", found);
                        add_phase(forest.report(), "collect", found);
                      }
                      const auto labelled = spanning_forest(resident, {.variant = name, .with_labels = true});
                      found.push_back(milliseconds("forest_and_labels", labelled.report().solve_seconds));
                      return found;
                    }});
  }
}

void run(const arguments& asked, recorder& out) {
  const bool on_gpu = asked["device"] == "cuda";
  if (on_gpu) require_gpu();
  for (const std::string& spec : asked.operands()) {
    const graph rows = rows_of(spec);
    for (const std::string& name : asked.words("variants")) {  // each forest is proved once
      const auto forest = spanning_forest(rows, {.variant = name}, {.device = on_gpu ? "cuda" : "cpu", .threads = asked.threads()});
      if (const auto proved = verify_forest(rows.view(), forest.edges); !proved)
        throw error{fmt::format("{}: {}: {}", spec, name, proved.reason)};
    }
    std::vector<contestant> ways;
    if (on_gpu) {
      const gpu_graph resident = gpu_graph::copy_of(rows.view(), {.problem = problem_kind::forest});
      resident_ways(resident, asked, ways);
      out.write(spec, 0, in_turns(ways, asked.trials()));
    } else {
      host_ways(rows, asked, ways);
      out.write(spec, asked.threads(), in_turns(ways, asked.trials()));
    }
  }
}

}  // namespace

extern const problem forest{
    "forest",
    "Spanning forests compared with components by the same variants; --device cuda: of graphs that stay on the GPU.",
    "GRAPH...",
    {{"device", "cpu"}, {"variants", "auto"}},
    run};

}  // namespace copse::lab
