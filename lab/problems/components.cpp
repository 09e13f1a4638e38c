// Components: variants over graphs that are made on a GPU and stay there, and the algorithms of Cong and Muzio as they print them.
// `copse bench` measures variants over rows and lists in host memory.
#include <copse/copse.hpp>
#include <core/random.hpp>

#include "as_printed.hpp"
#include "inputs.hpp"
#include "kit.hpp"

namespace copse::lab {
namespace {

using id = as_printed::id;
using edge_list = std::vector<edge<id>>;

/// A variant "prepared NAME" solves again in memory that gpu_prepared_solve took before the clock started.
constexpr std::string_view prepared_prefix = "prepared ";

void resident_components(const arguments& asked, recorder& out) {
  require_gpu();
  for (const std::string& spec : asked.operands()) {
    const gpu_graph resident = gpu_graph::generate(spec, {.short_fetches = true});
    agreement checksums{spec};
    std::vector<contestant> ways;
    for (const std::string& name : asked.words("variants")) {
      const bool prepared = name.starts_with(prepared_prefix);
      const std::string variant = prepared ? name.substr(prepared_prefix.size()) : name;
      if (const auto proved = verify(resident, components(resident, {.variant = variant})); !proved) {
        throw error{fmt::format("{}: {}: {}", spec, variant, proved.reason)};
      }
      if (prepared) {
        auto ready = std::make_shared<gpu_prepared_solve>(resident, solve_options{.variant = variant});
        ways.push_back({variant, {{"prepared", "yes"}}, [&, ready, variant]() -> std::vector<reading> {
                          const gpu_labels& labels = ready->components(resident);
                          checksums.expect(checksum(labels), variant);
                          return {milliseconds("solve", labels.report().solve_seconds)};
                        }});
      } else {
        ways.push_back({variant, {}, [&, variant]() -> std::vector<reading> {
                          const gpu_labels labels = components(resident, {.variant = variant});
                          checksums.expect(checksum(labels), variant);
                          return {milliseconds("solve", labels.report().solve_seconds)};
                        }});
      }
    }
    out.write(spec, 0, in_turns(ways, asked.trials()));
  }
}

/// The edges of a graph in random order.
edge_list random_order(const coo<id>& drawn) {
  edge_list shuffled(drawn.edges.size());
  const permutation order{shuffled.size(), random_stream{7, 2}};
  for (std::size_t i = 0; i < shuffled.size(); ++i) shuffled[order(i)] = drawn.edges[i];
  return shuffled;
}

void as_they_print_them(const arguments& asked, recorder& out) {
  const unsigned threads = asked.threads();
  for (const std::string& spec : asked.operands()) {
    const graph g = gen::generate_edges(spec);
    const auto& drawn = std::get<coo<id>>(g.shape());
    const edge_list edges = random_order(drawn);
    const auto answer = components(g, {.variant = "serial.none.rem"});
    const auto& expected = std::get<buffer<id>>(answer.labels.labels());
    using algorithm = void (*)(as_printed&, edge_list&);
    const std::pair<std::string, algorithm> algorithms[] = {{"cc", [](as_printed& d, edge_list& l) { d.cc(l); }},
                                                            {"cc_updt", [](as_printed& d, edge_list& l) { d.cc_updt(l); }},
                                                            {"stages", [](as_printed& d, edge_list& l) { d.stages(l); }}};
    std::vector<contestant> ways;
    for (const bool looks : {false, true}) {
      for (const auto& [name, solve] : algorithms) {
        ways.push_back({"way." + name + (looks ? "_looking" : ""), {}, [&, looks, solve = solve]() -> std::vector<reading> {
                          edge_list own = edges;
                          const double start = now(threads);
                          as_printed solved{threads, static_cast<id>(drawn.vertex_count), looks};
                          solve(solved, own);
                          const double seconds = now(threads) - start;
                          if (!std::ranges::equal(solved.labels(), expected.span())) throw error{spec + ": found wrong labels"};
                          return {milliseconds("solve", seconds), {"rounds", "count", static_cast<double>(solved.rounds())}};
                        }});
      }
    }
    out.write(spec, threads, in_turns(ways, asked.trials()));
  }
}

}  // namespace

extern const problem components_on_gpu{
    "components",
    "Variants over graphs that are made on the GPU; `prepared NAME` solves again in memory taken before.",
    "SPEC...",
    {{"variants", "auto"}},
    resident_components};
extern const problem printed{"printed",
                             "CC, CC-updt and Stages as Cong and Muzio print them, and with a look before each store, over shuffled edges.",
                             "SPEC...",
                             {},
                             as_they_print_them};

}  // namespace copse::lab
