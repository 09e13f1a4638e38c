// The command copse rank, which finds how far each element is from the end of its linked list, or from its head.
#include <fmt/format.h>

#include <algorithm>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/io.hpp>
#include <copse/list_ranking.hpp>
#include <copse/variants.hpp>
#include <copse/verify.hpp>
#include <optional>

#include "commands.hpp"
#include "input.hpp"
#include "io/written_suffix.hpp"
#include "json.hpp"
#include "output.hpp"
#include "solution.hpp"

namespace copse::cli {
namespace {

struct rank_command {
  std::string list, output, weights;
  std::optional<rank_operation> operation;
  rank_options settings;
  std::string device = "cpu";
  run_options run;
  unsigned trials = 1;
  bool verify = false, as_json = false, explain = false;
};

/// The figures of a run, whatever the type of its ranks.
struct rank_outcome {
  solve_report report;
  std::uint64_t lists = 0, splitters = 0;
  std::vector<rank_round> rounds;
  std::vector<double> solve_seconds;
  double read_seconds = 0, write_seconds = 0, total_seconds = 0;
  std::uint64_t elements = 0, checksum = 0;
};

/// Returns a 64-bit hash of all pairs (element, rank), which is equal for equal ranks on every device.
template <class Rank>
std::uint64_t checksum_of(std::span<const Rank> ranks) {
  const auto mix = [](std::uint64_t x) {
    x = (x ^ (x >> 27)) * 0x3C79AC492BA7B653u;
    x = (x ^ (x >> 33)) * 0x1C69B3F74AC4AE35u;
    return x ^ (x >> 27);
  };
  std::uint64_t sum = 0;
  for (std::size_t e = 0; e < ranks.size(); ++e) sum += mix(mix(e + 0x9E3779B97F4A7C15u) + 3 * static_cast<std::uint64_t>(ranks[e]));
  return mix(sum);
}

std::string as_text(const rank_command& asked, const rank_outcome& all) {
  const solve_report& report = all.report;
  std::string text = fmt::format("elements    {}\nlists       {}\nvariant     {}\nthreads     {}\nseconds     {:.3f} (read {:.3f}, ",
                                 all.elements, all.lists, report.variant, report.threads, all.total_seconds, all.read_seconds);
  if (report.device != "cpu") text += fmt::format("copy {:.3f}, ", report.copy_seconds);
  text += fmt::format("solve {:.3f}, write {:.3f})\n", median(all.solve_seconds), all.write_seconds);
  if (asked.verify) text += "verified    yes\n";
  return text;
}

json as_json(const rank_command& asked, const rank_outcome& all, const resources& context) {
  const solve_report& report = all.report;
  json rounds = json::array();
  for (const rank_round& r : all.rounds) {
    rounds.push_back(
        {{"elements", r.elements}, {"generate", r.generate_seconds}, {"transfer", r.transfer_seconds}, {"remove", r.remove_seconds}});
  }
  json object{{"elements", all.elements},
              {"lists", all.lists},
              {"from", asked.settings.from == rank_origin::end ? "end" : "head"},
              {"variant", report.variant},
              {"device", report.device},
              {"threads", report.threads},
              {"splitters", all.splitters},
              {"seconds",
               {{"read", all.read_seconds},
                {"copy", report.copy_seconds},
                {"solve", median(all.solve_seconds)},
                {"write", all.write_seconds},
                {"total", all.total_seconds}}},
              {"solve_seconds_all", all.solve_seconds},
              {"phases", phases_json(report.phases)},
              {"rounds", std::move(rounds)},
              {"peak_bytes", context.memory.peak_bytes()},
              {"verified", asked.verify},
              {"checksum", fmt::format("{:016x}", all.checksum)}};
  return object;
}

/// Computes, proves and writes the ranks. `rank()` ranks once; `proof(ranks)` returns the verdict.
template <class Rank, class Proof>
bool rank_and_write(const rank_command& asked, resources& context, rank_outcome& all, Rank rank, Proof proof) {
  auto result = rank();
  all.solve_seconds.push_back(result.report.solve_seconds);
  for (unsigned trial = 1; trial < asked.trials; ++trial) {
    result = {};
    result = rank();
    all.solve_seconds.push_back(result.report.solve_seconds);
  }
  all.report = std::move(result.report);
  all.lists = result.lists;
  all.splitters = result.splitters;
  all.rounds = std::move(result.rounds);
  if (asked.verify) {
    if (const rank_verdict found = proof(result.ranks.span()); !found) {
      context.refuse(asked.list, "ranks", found.reason);
      return false;
    }
  }
  const stopwatch writing;
  if (!asked.output.empty()) io::write_ranks(std::as_const(result.ranks).span(), asked.output, {}, context.on());
  all.write_seconds = writing.seconds();
  all.checksum = asked.as_json ? checksum_of(std::as_const(result.ranks).span()) : 0;
  return true;
}

template <unsigned_index Id>
bool solve_list(const rank_command& asked, std::span<const Id> successors, resources& context, rank_outcome& all) {
  const rank_options& settings = asked.settings;
  const execution on = context.on(asked.device);
  if (asked.weights.empty()) {
    return rank_and_write(
        asked, context, all, [&] { return rank_list(successors, settings, on); },
        [&](const auto& ranks) { return verify_ranks(successors, ranks, settings.from, &context.memory); });
  }
  const rank_operation operation = asked.operation.value_or(rank_operation::sum);
  const buffer<std::int64_t> weights = io::read_weights(asked.weights, context.on());
  if (weights.size() != successors.size()) {
    throw input_error::at(asked.weights, 0, fmt::format("{} weights", weights.size()),
                          fmt::format("{}, one per element", successors.size()));
  }
  return rank_and_write(
      asked, context, all, [&] { return rank_list(successors, weights.span(), operation, settings, on); },
      [&](const auto& ranks) { return verify_ranks(successors, weights.span(), operation, ranks, settings.from, &context.memory); });
}

void require_sense(const rank_command& asked) {
  if (asked.as_json) require_free_stdout({asked.output});
  if (asked.operation && asked.weights.empty()) throw usage_error{"--op needs --weights FILE"};
  require_one_stdin("LIST", asked.list, "--weights", asked.weights);
  if (asked.output.empty()) return;
  io::expect_ranks_suffix(asked.output);
  require_outputs({asked.output}, {asked.list, asked.weights});
}

int run_rank(const rank_command& asked) {
  const stopwatch total;
  require_sense(asked);
  resources context{asked.run};
  rank_outcome all;
  const stopwatch read;
  const successor_list list =
      gen::is_list_spec(asked.list) ? gen::generate_list(asked.list, context.on()) : io::read_list(asked.list, context.on());
  all.read_seconds = read.seconds();
  try {
    const bool right = std::visit(
        [&](const auto& successors) {
          all.elements = successors.size();
          return solve_list(asked, successors.span(), context, all);
        },
        list);
    if (!right) return exit_code::check_failed;
  } catch (const list_error& problem) {  // the message of the library begins with "list: ", as it does not know the name of the file
    const std::string text = problem.what();
    throw input_error{(asked.list == "-" ? "<stdin>" : asked.list) + text.substr(text.find(':'))};
  }
  all.total_seconds = total.seconds();
  context.observer.clear();
  if (asked.explain) context.explain(all.report.explanation);
  if (asked.as_json) {
    print_json(as_json(asked, all, context));
  } else {
    write_report(as_text(asked, all), {asked.output});
  }
  return exit_code::done;
}

std::string variants_text() {
  std::string text = "Variants:\n";
  for (const variant_info& v : variants(problem_kind::list_ranking)) text += fmt::format("  {:<22} {}\n", v.name, v.summary);
  return text +
         "\nA LIST gives the successor of every element; a list ends at an element that follows itself, or has -1. One array may hold many "
         "lists.\n"
         "Files: .npy .bin .bin64 .txt (one number a line; also for -), all of them also .gz and .zst.";
}

}  // namespace

void add_rank(CLI::App& app, action& chosen) {
  auto [command, asked] = add_command<rank_command>(
      app, chosen, "rank", "Rank the elements of linked lists: how far is each from the end of its list?", run_rank);
  command->add_option("LIST", asked->list, "A file, - or a generator spec such as list:n=1000000")->type_name("")->required();
  add_file(*command, "-o,--output", asked->output,
           "Write the rank of every element here: .npy .bin .bin64, or .txt .csv .parquet .arrow (element, rank)");
  add_choice<rank_origin>(*command, "--from", asked->settings.from, {{"end", rank_origin::end}, {"head", rank_origin::head}},
                          "Where ranks begin: the end of the list, which has rank 0, or its head (default end)");
  add_file(*command, "--weights", asked->weights,
           "Whole numbers, one per element: the rank combines those from the element to the end of its list, both included; with --from "
           "head, from the head");
  add_choice<rank_operation>(*command, "--op", asked->operation,
                             {{"sum", rank_operation::sum}, {"min", rank_operation::min}, {"max", rank_operation::max}},
                             "How weights are put together (default sum)");
  command->add_flag("--verify", asked->verify, "Prove the ranks before they are written; exit code 1 when they are wrong");
  add_number(*command, "--trials", asked->trials, 1, 1000000, "Rank N times; the time reported is the median (default 1)");
  command->add_flag("--json", asked->as_json, "Print one JSON object");
  command->add_flag("--explain", asked->explain, "Say on stderr what auto chose and why");
  const std::string solving = "Solving";
  command->add_option("--variant", asked->settings.variant, "A name listed below (default auto: chosen for the list)")
      ->type_name("auto|NAME")
      ->group(solving);
  add_device_option(*command, asked->device, solving);
  add_number(*command, "--rounds", asked->settings.rounds, 0, 1000, "fis: rounds that shrink the list (default 4 log log n)")
      ->group(solving);
  add_number(*command, "--splitters", asked->settings.splitters, 0, UINT64_MAX,
             "helman_jaja, fis: where sublists begin, about (default: some for every thread)")
      ->group(solving);
  add_number(*command, "--in-flight", asked->settings.in_flight, 1, 256,
             "helman_jaja, fis: sublists that a thread of the CPU walks at once (default 64)")
      ->group(solving);
  add_number(*command, "--seed", asked->settings.seed, 0, UINT64_MAX,
             "Seed of everything random; the ranks do not depend on it (default 1)")
      ->group(solving);
  add_run_options(*command, asked->run);
  command->footer(variants_text());
}

}  // namespace copse::cli
