// Components: variants over graphs that are made on a GPU and stay there, timed or counted. `copse bench` measures variants over rows and
// lists in host memory.
#include <api/gpu_benchmark.hpp>
#include <copse/copse.hpp>

#include <algorithm>
#include <limits>
#include <list>

#include "inputs.hpp"
#include "kit.hpp"

namespace copse::lab {
namespace {

/// A variant "prepared NAME" solves again in memory that gpu_prepared_solve took before the clock started.
constexpr std::string_view prepared_prefix = "prepared ";

constexpr std::pair<std::string_view, gpu_row_loop> row_loops[] = {{"fused", gpu_row_loop::fused},
                                                                   {"base", gpu_row_loop::base},
                                                                   {"coalesced", gpu_row_loop::coalesced},
                                                                   {"reorganised", gpu_row_loop::reorganised},
                                                                   {"gathered", gpu_row_loop::gathered}};

gpu_row_loop loop_named(const std::string& name) {
  const auto found = std::ranges::find(row_loops, name, [](const auto& pair) { return pair.first; });
  if (found == std::end(row_loops))
    throw std::invalid_argument{fmt::format("--gpu-rows: found {}, expected fused, base, coalesced, reorganised or gathered", name)};
  return found->second;
}

/// Cancels a solve that takes longer than `factor` times the best one of this graph until then, and longer than half a second. 0: none.
class patience final : public observer {
public:
  explicit patience(double factor) : factor_{factor} {}
  void progress(std::string_view, std::uint64_t, std::uint64_t, std::string_view) override {}
  [[nodiscard]] bool cancel_requested() const noexcept override { return factor_ > 0 && now(0) - start_ > limit(); }

  void begin() noexcept { start_ = now(0); }
  /// True if a finished solve took too long.
  bool late(double seconds) noexcept {
    const bool is_late = factor_ > 0 && seconds > limit();
    best_ = std::min(best_, seconds);
    return is_late;
  }

private:
  [[nodiscard]] double limit() const noexcept { return std::max(factor_ * best_, .5); }

  double factor_, start_ = 0, best_ = std::numeric_limits<double>::infinity();
};

/// The state that all contenders on one graph share.
struct solving {
  const gpu_graph& graph;
  agreement& checksums;
  patience& clock;
  bool phases;
};

std::vector<reading> work_of(const work_counts& work, const gpu_graph& graph) {
  std::vector<reading> found;
  for (const auto& [name, count] : {std::pair{"vertices", std::uint64_t{graph.vertices()}},
                                    {"arcs", graph.arcs()},
                                    {"sampled_arcs", work.sampled_arcs},
                                    {"finish_arcs", work.finish_arcs},
                                    {"giant_vertices", work.giant_vertices},
                                    {"outside_arcs", work.outside_arcs}})
    found.push_back({name, "count", static_cast<double>(count)});
  return found;
}

/// Nothing once it was cancelled or too late: others go on without it.
std::vector<reading> solved_once(solving& s, const gpu_graph& graph, const solve_options& options, bool& out) {
  if (out) return {};
  s.clock.begin();
  try {
    const gpu_labels labels = components(graph, options, {.observer = &s.clock});
    s.checksums.expect(checksum(labels), options.variant);
    const solve_report& report = labels.report();
    if (options.count) return work_of(*report.work, graph);
    out = s.clock.late(report.solve_seconds);
    std::vector<reading> found{milliseconds("solve", report.solve_seconds)};
    if (s.phases) add_phases(report.phases, found);
    return found;
  } catch (const cancelled&) {
    out = true;
    return {};
  }
}

contestant prepared_way(solving& s, const std::string& variant, series_setting setting) {
  auto ready = std::make_shared<gpu_prepared_solve>(s.graph, solve_options{.variant = variant});
  setting.emplace_back("prepared", "yes");
  return {variant, std::move(setting), [&s, ready, variant]() -> std::vector<reading> {
            const gpu_labels& labels = ready->components(s.graph);
            s.checksums.expect(checksum(labels), variant);
            return {milliseconds("solve", labels.report().solve_seconds)};
          }};
}

/// What `--variant auto` is with `--device cuda`, and the like, is called cuda.auto here.
std::string without_device(const std::string& name) {
  constexpr std::string_view device = "cuda.";
  return name.starts_with(device) && is_chooser(name.substr(device.size())) ? name.substr(device.size()) : name;
}

/// The names that a word of --variants stands for.
std::vector<std::string> names_for(const std::string& word, input_kind input) {
  if (word.find_first_of("*?") == std::string::npos) return {word};
  std::vector<std::string> names;
  for (const variant_info* found : variants_matching(word)) {
    if (found->backend == "cuda" && found->input == input) names.push_back(found->name);
  }
  return names;
}

/// Rows, or a list of edges in `order`, which is made on the CPU.
gpu_graph made(const std::string& spec, const std::string& order) {
  if (order.empty()) return gpu_graph::generate(spec, {.short_fetches = true});
  if (order != "sorted" && order != "random")
    throw std::invalid_argument{fmt::format("--list: found {}, expected sorted or random", order)};
  const edge_stream listed = order == "sorted" ? edges_of(spec) : shuffled_edges_of(spec);
  return gpu_graph::copy_of(coo_view<std::uint32_t>{listed.vertices, listed.list});
}

/// The setting of a series, with a name for each option that is not the default.
series_setting setting_of(const solve_options& options, const std::string& loop, const std::string& order) {
  series_setting setting;
  if (!order.empty()) setting.insert(setting.end(), {{"input", "coo"}, {"order", order}});
  if (options.hb_arcs != solve_options{}.hb_arcs) setting.emplace_back("hb_arcs", std::to_string(options.hb_arcs));
  if (loop != "fused") setting.emplace_back("gpu_rows", loop);
  return setting;
}

void run(const arguments& asked, recorder& out) {
  require_gpu();
  solve_options options;
  options.hb_arcs = static_cast<unsigned>(asked.number("hb-arcs"));
  options.count = asked["count"] == "yes";
  const std::string& order = asked["list"];
  const input_kind input = order.empty() ? input_kind::csr : input_kind::coo;
  for (const std::string& spec : asked.operands()) {
    agreement checksums{spec};
    patience clock{std::stod(asked["give-up"])};
    const gpu_graph arrays = made(spec, order);
    std::list<gpu_graph> graphs;  // one for each loop; contenders refer to them
    std::vector<solving> shared;
    std::vector<contestant> ways;
    const auto loops = asked.words("gpu-rows");
    shared.reserve(loops.size());  // contenders refer to these
    for (const std::string& loop : loops) {
      const bool phases = asked["phases"] == "yes";
      const gpu_graph_options with_phases{.time_phases = phases};
      const gpu_techniques techniques{.rows = loop_named(loop)};
      solving& s = shared.emplace_back(
          solving{graphs.emplace_back(gpu_benchmark::view_of(arrays, with_phases, techniques)), checksums, clock, phases});
      const gpu_labels labels = components(s.graph);
      if (const auto proved = verify(s.graph, labels); !proved) throw error{fmt::format("{}: {}", spec, proved.reason)};
      checksums.expect(checksum(labels), "auto");  // all others have to find what was proved
      for (const std::string& word : asked.words("variants")) {
        if (word.starts_with(prepared_prefix)) {
          ways.push_back(prepared_way(s, word.substr(prepared_prefix.size()), setting_of({}, loop, order)));
          continue;
        }
        for (const std::string& name : names_for(word, input)) {
          options.variant = without_device(name);
          const gpu_graph* graph = &s.graph;
          if (options.variant == "gconn_tree") {  // which has to see rows in host memory
            gpu_graph_options seen = with_phases;
            seen.variant = options.variant;
            graph = &graphs.emplace_back(gpu_benchmark::copy_of(gen::generate(spec).view(), seen, {.device = "cuda"}, techniques));
          }
          ways.push_back({name, setting_of(options, loop, order), [&s, graph, options, is_out = std::make_shared<bool>(false)] {
                            return solved_once(s, *graph, options, *is_out);
                          }});
        }
      }
    }
    out.write(spec, 0, in_turns(ways, asked.trials()));
  }
}

}  // namespace

extern const problem components_on_gpu{
    "components",
    "Variants over rows that are made on the GPU, or (--list sorted or random) over lists of edges there; "
    "`prepared NAME` solves again in memory taken before. "
    "Of those that take R times the best (--give-up R) the samples end; --count yes: counts, not times.",
    "SPEC...",
    {{"variants", "auto"}, {"list", ""}, {"hb-arcs", "2"}, {"gpu-rows", "fused"}, {"give-up", "0"}, {"phases", "no"}, {"count", "no"}},
    run};

}  // namespace copse::lab
