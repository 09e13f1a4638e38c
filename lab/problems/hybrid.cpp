// Components on the cores and a GPU together, over the share of the vertices that the cores have: Figures 8 to 11 and Table III of Banerjee
// and Kothapalli. All times are wall-clock. `form` host: the graph is in host memory, and copies of it and of the labels are in the time;
// gpu: it is on the GPU, and the labels stay there. A share of 0 is the GPU alone, 100 the cores alone.
#include <copse/copse.hpp>
#include <copse/cuda.hpp>

#include "inputs.hpp"
#include "kit.hpp"

namespace copse::lab {
namespace {

std::vector<reading> sides_of(const solve_report& report) {
  return {milliseconds("solve", report.solve_seconds), milliseconds("cores", report.hybrid->cpu_seconds),
          milliseconds("gpu", report.hybrid->gpu_seconds), milliseconds("cross", report.hybrid->cross_seconds)};
}

cross_rule rule_named(const std::string& name) {
  const auto rule = std::ranges::find(cross_rule_names, name);
  if (rule == cross_rule_names.end())
    throw std::invalid_argument{fmt::format("--cross: found {}, expected keep, unite or min_label", name)};
  return static_cast<cross_rule>(rule - cross_rule_names.begin());
}

void run(const arguments& asked, recorder& out) {
  require_gpu();
  const unsigned threads = asked.threads();
  for (const std::string& spec : asked.operands()) {
    const graph g = rows_of(spec);
    const std::uint64_t expected = checksum(components(g).labels);
    const auto expect = [&](std::uint64_t sum, const std::string& variant) {
      if (sum != expected) throw error{fmt::format("{}: {} found other labels than auto on the CPU", spec, variant)};
    };
    const gpu_graph resident = gpu_graph::copy_of(g.view());
    std::vector<contestant> ways;
    for (const std::string& variant : asked.words("variants")) {
      for (const std::string& cross : asked.words("cross")) {
        for (const std::string& share : asked.words("shares")) {
          solve_options options{.variant = variant};
          options.hybrid.cross = rule_named(cross);
          if (share != "auto") options.hybrid.share = std::stod(share);
          for (const std::string& form : asked.words("forms")) {
            const series_setting setting{{"form", form}, {"cross", cross}, {"share", share}};
            if (form == "host") {
              ways.push_back({variant, setting, [&, options]() -> std::vector<reading> {
                                const auto solved = components(g, options, {.threads = threads});
                                expect(checksum(solved.labels), options.variant);
                                return sides_of(solved.report);
                              }});
            } else {
              ways.push_back({variant, setting, [&, options]() -> std::vector<reading> {
                                const auto solved = components(resident, g.view(), options, {.threads = threads});
                                expect(checksum(solved), options.variant);
                                return sides_of(solved.report());
                              }});
            }
          }
        }
      }
    }
    out.write(spec, threads, in_turns(ways, asked.trials()));
  }
}

}  // namespace

extern const problem hybrid{"hybrid",
                            "Components on the cores and a GPU together, over the share of the cores.",
                            "GRAPH...",
                            {{"threads", "0"},
                             {"variants", "hybrid.auto,hybrid.dfs.none.soman"},
                             {"forms", "host,gpu"},
                             {"shares", "0,5,10,15,20,25,30,40,50,100"},
                             {"cross", "keep"}},
                            run};

}  // namespace copse::lab
