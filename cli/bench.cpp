// The command copse bench, which measures how fast variants solve graphs, keeps every sample and checks every answer.
#include <fmt/format.h>

#include <algorithm>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/execution.hpp>
#include <copse/io.hpp>
#include <memory>

#include "bench_graph.hpp"
#include "bench_program.hpp"
#include "bench_report.hpp"
#include "bench_zoo.hpp"
#include "commands.hpp"
#include "gpu_list.hpp"
#include "machine.hpp"
#include "output.hpp"
#include "solution.hpp"

namespace copse::cli {
namespace {

struct bench_command {
  input_options input;
  run_options run;
  std::vector<std::string> patterns{"auto", "*"};
  std::vector<unsigned> threads;
  bench_settings settings;
  std::optional<edge_order> order;
  bool as_papers = false;
  trial_plan plan;
  bool yardstick = false;
  bool count = false;
  std::string json_path;
  program_options programs;
  zoo_options zoo;
  bool speed_zoo = false;
};

void require_release_build() {
  if (!unfit_to_measure.empty())
    throw usage_error{
        fmt::format("bench needs a release build (tools/build.sh release): the times of {} would mean nothing", unfit_to_measure)};
}

void require_sense(const bench_command& options) {
  require_release_build();
  const auto& graphs = options.input.graphs;
  if (graphs.empty()) throw usage_error{"GRAPH is required (see copse bench --help)"};
  for (auto graph = graphs.begin(); graph != graphs.end(); ++graph) {
    if (std::find(graphs.begin(), graph, *graph) != graph)
      throw usage_error{fmt::format("bench measures every GRAPH once: leave out the second {}", *graph)};
  }
  const bool listed = options.settings.held_as == input_kind::coo;
  if (!listed && (options.order || options.settings.in_place)) {
    throw usage_error{
        fmt::format("{} needs --input coo: rows have one order and stay as they are", options.order ? "--order" : "--in-place")};
  }
  if (options.yardstick && listed) throw usage_error{"--yardstick needs --input csr: the loop walks rows"};
}

constexpr std::pair<std::string_view, gpu_row_loop> gpu_row_loops[] = {{"fused", gpu_row_loop::fused},
                                                                       {"base", gpu_row_loop::base},
                                                                       {"coalesced", gpu_row_loop::coalesced},
                                                                       {"reorganised", gpu_row_loop::reorganised},
                                                                       {"gathered", gpu_row_loop::gathered}};

constexpr std::pair<std::string_view, gpu_edge_load> gpu_edge_loads[] = {{"words", gpu_edge_load::words}, {"pairs", gpu_edge_load::pairs}};
constexpr std::pair<std::string_view, gpu_search> gpu_searches[] = {{"claimed", gpu_search::claimed},
                                                                    {"idempotent", gpu_search::idempotent}};
constexpr std::pair<std::string_view, edge_order> edge_orders[] = {
    {"file", edge_order::file}, {"sorted", edge_order::sorted}, {"random", edge_order::random}};
constexpr std::pair<std::string_view, gpu_round_edges> gpu_rounds[] = {{"all", gpu_round_edges::all},
                                                                       {"filtered", gpu_round_edges::filtered}};

template <class Technique, std::size_t N>
std::string_view name_of(Technique technique, const std::pair<std::string_view, Technique> (&names)[N]) {
  return std::ranges::find(names, technique, &std::pair<std::string_view, Technique>::second)->first;
}

json head_of_report(const bench_command& options) {
  const auto factor = [](const std::optional<double>& value) { return value ? json(*value) : json(); };
  const bench_settings& settings = options.settings;
  json head{{"benchmark", "bench"},
            {"machine", machine_facts()},
            {"gpus", gpu_list_json()},
            {"threads", options.threads},
            {"trials", options.plan.trials},
            {"input", to_string(settings.held_as)},
            {"variants", options.patterns},
            {"gpu_rows", name_of(settings.on_gpu.rows, gpu_row_loops)},
            {"gpu_edges", name_of(settings.on_gpu.edges, gpu_edge_loads)},
            {"gpu_search", name_of(settings.on_gpu.search, gpu_searches)},
            {"gpu_rounds", name_of(settings.on_gpu.rounds, gpu_rounds)},
            {"kout_rounds", settings.solving.kout_rounds},
            {"hb_arcs", settings.solving.hb_arcs},
            {"ldd_beta", settings.solving.ldd_beta},
            {"stages_q", settings.solving.stages_q},
            {"within", factor(options.plan.within)},
            {"give_up", factor(options.plan.give_up)},
            {"seed", settings.solving.seed},
            {"graphs", json::array()}};
  if (settings.held_as == input_kind::coo) {
    head["order"] = name_of(settings.order, edge_orders);
    head["in_place"] = settings.in_place;
  }
  return head;
}

class bench_run {
public:
  explicit bench_run(const bench_command& options)
      : options_{options},
        entries_{entries_to_measure(options.patterns, options.settings.held_as, options.threads)},
        programs_{programs_of(options.programs)},
        context_{options.run},
        report_(head_of_report(options)) {
    for (const rival_program& program : programs_) report_["programs"][program.name] = program.command;
  }

  int run() {
    const bool to_file = !options_.json_path.empty() && options_.json_path != "-";
    if (to_file) require_outputs({options_.json_path}, options_.input.graphs);
    for (const std::string& text : options_.input.graphs) {
      measure_graph(text);
      if (to_file) write_file();  // written after each graph: if the process is killed later, its samples are kept
    }
    if (options_.json_path == "-") print_json(report_);
    return code_;
  }

private:
  void measure_graph(const std::string& text) {
    input_options one = options_.input;
    one.graphs = {text};
    const input source{one, context_};
    bench_graph graph{source, options_.settings, context_};
    auto contenders = graph.contenders(entries_);
    if (options_.yardstick) {
      auto more = graph.yardsticks();
      contenders.insert(contenders.begin(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    }
    auto programs = graph.contenders(programs_, options_.threads);
    contenders.insert(contenders.end(), std::make_move_iterator(programs.begin()), std::make_move_iterator(programs.end()));
    auto results = measure(contenders, options_.plan, graph.reference(),
                           [&](const std::string& where) { context_.observer.status(fmt::format("{}: {}", text, where)); });
    if (options_.count) count_work(graph, text, results);
    context_.observer.clear();
    report_["graphs"].push_back(bench_json(graph.facts(), results));
    if (options_.json_path != "-") write_stdout((report_["graphs"].size() > 1 ? "\n" : "") + bench_table(graph.facts(), results));
    if (options_.json_path != "-" && options_.count) write_stdout("\n" + work_table(graph.facts(), results));
    const bench_faults faults = faults_of(graph.facts(), results);
    for (const std::string& line : faults.lines) complain(line);
    // The exit code for wrong labels takes precedence over that for a lack of memory on another graph.
    if (code_ == exit_code::done || faults.exit_code == exit_code::check_failed) code_ = faults.exit_code;
  }

  void count_work(const bench_graph& graph, const std::string& text, std::vector<measurement>& results) {
    for (measurement& result : results) {
      if (result.input == "program" || result.samples.empty() || result.wrong() || result.gave_up_after_seconds) continue;
      context_.observer.status(fmt::format("{}: counting, {}", text, result.variant));
      result.work = graph.count(result);
    }
  }

  void write_file() const {
    const std::string text = report_.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
    io::output_file file{options_.json_path, false};
    file.write(text.data(), text.size());
    file.commit();
  }

  const bench_command& options_;
  std::vector<bench_entry> entries_;
  std::vector<rival_program> programs_;
  resources context_;
  json report_;
  int code_ = exit_code::done;
};

int run_zoo(const bench_command& options) {
  require_release_build();
  zoo_options zoo = options.zoo;
  zoo.threads = options.threads;
  zoo.trials = options.plan.trials;
  zoo.seed = options.settings.solving.seed;
  zoo.json_path = options.json_path;
  return run_speed_zoo(std::move(zoo), options.run);
}

int run_bench(bench_command& options) {
  require_sense(options);
  const bool as_papers = options.as_papers && options.settings.held_as == input_kind::coo;
  options.settings.order = options.order.value_or(as_papers ? edge_order::random : edge_order::file);
  options.settings.in_place |= as_papers;
  if (options.threads.empty()) options.threads = {usable_threads(0)};
  options.plan.seed = options.settings.solving.seed;
  options.run.threads = options.threads.back();  // reading and checking, which are not measured, use the largest number of threads
  return bench_run{options}.run();
}

std::optional<std::vector<unsigned>> thread_counts(const std::string& text) {
  auto counts = all_parsed(text, [](const std::string& word) {
    const auto count = whole_number(word);
    return count && *count >= 1 && *count <= 65536 ? std::optional{static_cast<unsigned>(*count)} : std::nullopt;
  });
  if (!counts) return counts;
  std::ranges::sort(*counts);
  counts->erase(std::unique(counts->begin(), counts->end()), counts->end());
  return counts;
}

std::optional<std::vector<std::string>> patterns_of(const std::string& text) {
  auto patterns = comma_separated(text);
  return std::ranges::count(patterns, std::string{}) == 0 ? std::optional{std::move(patterns)} : std::nullopt;
}

std::optional<double> factor_of(const std::string& text) {
  const auto factor = finite_number(text);
  return factor && *factor >= 1 ? factor : std::nullopt;
}

std::optional<std::vector<std::uint64_t>> sizes_of(const std::string& text) {
  return all_parsed(text, [](const std::string& word) {
    const auto size = whole_number(word);
    return size && *size >= 1024 && *size <= std::uint64_t{1} << 31 ? size : std::nullopt;
  });
}

/// Adds --zoo, which measures a fixed set of generated graphs, and the options that only --zoo uses.
void add_zoo_options(CLI::App& command, bench_command& options) {
  const std::string group = "A zoo of graphs";
  add_parsed(
      command, "--zoo", options.speed_zoo, "speed",
      "Measure auto on generated graphs of 37 kinds, in two sizes, with ids as generated and shuffled, rows sorted and unsorted, and "
      "on the nine graphs of the measurements: 20 variants are screened, and the two fastest take turns with auto",
      "speed", [](const std::string& text) { return text == "speed" ? std::optional{true} : std::nullopt; })
      ->group(group);
  add_choice<bool>(command, "--device", options.zoo.on_gpu, {{"cpu", false}, {"cuda", true}},
                   "Where the zoo is solved (default cpu); on a GPU variants outside the fast path run as by --gpu-rows base")
      ->group(group);
  add_parsed(command, "--sizes", options.zoo.sizes, "N,...",
             "Vertices of the graphs, about (default 65536,524288; on a GPU 1048576,8388608)",
             "whole numbers from 1024 to 2147483648 such as 65536,524288", sizes_of)
      ->group(group);
  add_number(command, "--budget", options.zoo.budget_seconds, 1, 1000000,
             "Start no graph after this many seconds, and say what is left out (default 480)")
      ->group(group);
}

/// Throws usage_error if --zoo is combined with an option that has no effect there, or an option of --zoo is given without it.
void require_zoo_options_alone(const CLI::App& command, const bench_command& options) {
  const std::vector<std::string> of_zoo{"--zoo", "--device", "--sizes", "--budget"};
  const std::vector<std::string> of_both{"--threads", "--trials", "--seed", "--json", "--memory", "--progress", "--help"};
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || std::ranges::count(of_both, name) != 0) continue;
    const bool is_of_zoo = std::ranges::count(of_zoo, name) != 0;
    if (options.speed_zoo && !is_of_zoo)
      throw usage_error{fmt::format("{} cannot be used with --zoo, whose graphs and variants are fixed", name)};
    if (!options.speed_zoo && is_of_zoo) throw usage_error{fmt::format("{} needs --zoo speed", name)};
  }
  if (options.zoo.on_gpu && !options.threads.empty()) throw usage_error{"--threads cannot be used with --device cuda"};
}

void add_measuring_options(CLI::App& command, bench_command& options) {
  std::string automatic;
  for (const auto chooser : choosers()) automatic.append(automatic.empty() ? "" : ", ").append(chooser);
  add_parsed(command, "--variants", options.patterns, "PATTERN,...",
             fmt::format("Names that copse variants lists, with * and ?, and {}; serial variants run on one thread (default auto,*: all){}",
                         automatic, built_with_cuda() ? "; with cuda. before them these three choose on a GPU" : ""),
             "patterns such as serial.*,auto", patterns_of);
  bench_settings& settings = options.settings;
  // CLI11 processes options in the order in which they are added. So --preset is added before the options that it sets, and these override
  // it.
  add_parsed(
      command, "--preset", options.as_papers, "paper",
      "Do as the papers do where copse has another default: --hb-arcs 4 --gpu-rows gathered, and for lists --in-place --order random",
      "paper", [&settings](const std::string& text) -> std::optional<bool> {
        if (text != "paper") return std::nullopt;
        settings.solving.hb_arcs = 4;
        settings.on_gpu.rows = gpu_row_loop::gathered;
        return true;
      });
  add_choice<input_kind>(command, "--input", settings.held_as, {{"csr", input_kind::csr}, {"coo", input_kind::coo}},
                         "Solve rows, or a list of edges (default csr)");
  add_choice<edge_order>(command, "--order", options.order, {std::begin(edge_orders), std::end(edge_orders)},
                         "Of a list: as the file or generator has its edges; those of the rows, each once, in their order; as file, but "
                         "shuffled (default file)");
  command.add_flag("--in-place", settings.in_place,
                   "Variants that move edges (cc_updt, sv_updt, stages, ...) rewrite the whole list where it lies, instead of a copy from "
                   "which they drop edges; each solve gets a list of its own before the clock starts");
  add_sampler_numbers(command, settings.solving);
  add_choice<gpu_row_loop>(command, "--gpu-rows", settings.on_gpu.rows, {std::begin(gpu_row_loops), std::end(gpu_row_loops)},
                           "How cuda variants outside the fast path go over a graph's rows: in fused passes; or, each with the ones "
                           "before, one thread per vertex; k-out "
                           "arcs by pairs of threads; swapped by shuffles; vertices outside the giant gathered (default fused)");
  add_choice<gpu_edge_load>(command, "--gpu-edges", settings.on_gpu.edges, {std::begin(gpu_edge_loads), std::end(gpu_edge_loads)},
                            "How they read a list of edges: the ends of an edge one by one, or both at once (default words)");
  add_choice<gpu_search>(command, "--gpu-search", settings.on_gpu.search, {std::begin(gpu_searches), std::end(gpu_searches)},
                         "How bfs and bfs_cc reach vertices: by swaps, or by stores, so that some come twice (default claimed)");
  add_choice<gpu_round_edges>(command, "--gpu-rounds", settings.on_gpu.rounds, {std::begin(gpu_rounds), std::end(gpu_rounds)},
                              "Which edges of a list soman, cc and shiloach_vishkin visit in a round: all, or those that are still "
                              "between trees (default all)");
  add_parsed(command, "--threads", options.threads, "N,...", "Measure with each of these numbers of threads (default: the usable cores)",
             "whole numbers from 1 to 65536 such as 1,16", thread_counts);
  add_number(command, "--trials", options.plan.trials, 1, 1000000,
             "Interleaved trials, each after an untimed solve of the same variant (default 5)");
  add_parsed(command, "--within", options.plan.within, "R",
             "Solve once with every variant; only those within R times the best run the trials (default: all)", "a number from 1",
             factor_of);
  add_parsed(command, "--give-up", options.plan.give_up, "R",
             "Cancel a solve that takes longer than R times the best so far, and than half a second (default: never); programs are "
             "killed by --program-limit only",
             "a number from 1", factor_of);
  command.add_flag("--count", options.count,
                   "Solve once more with every variant, counting arcs, paths, swaps and what the sampler covers (32-bit ids)");
  command.add_flag("--yardstick", options.yardstick, "Measure a ten-line loop of sequential Rem too");
  add_number(command, "--seed", settings.solving.seed, 0, UINT64_MAX,
             "Seed of everything random; the answer does not depend on it (default 1)");
  add_file(command, "--json", options.json_path, "Write all samples here; - prints them instead of the table");
}

}  // namespace

void add_bench(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("bench", "Measure variants on graphs, all samples kept, all answers compared");
  auto options = std::make_shared<bench_command>();
  command->add_option("GRAPH", options->input.graphs, "Files, - or generator specs; each is a graph of its own")->type_name("");
  add_measuring_options(*command, *options);
  add_program_options(*command, options->programs);
  add_zoo_options(*command, *options);
  add_limit_options(*command, options->run);
  add_input_options(*command, options->input);
  const auto* compare = add_bench_compare(*command, chosen);
  command->callback([&chosen, options, command, compare] {
    if (!command->got_subcommand(compare)) {
      require_zoo_options_alone(*command, *options);
      chosen = [options] { return options->speed_zoo ? run_zoo(*options) : run_bench(*options); };
    } else if (!options->input.graphs.empty()) {
      throw usage_error{fmt::format("{} cannot come before the command bench compare (a file called compare is ./compare)",
                                    options->input.graphs.front())};
    }
  });
}

}  // namespace copse::cli
