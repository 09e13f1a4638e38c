// Ranks a random list in many ways, one after the other in every round, so that a machine whose speed drifts treats them alike.
//   copse_bench_list_ranking [--n N] [--rounds R] [--threads N] [--variants A,B] [--splitters S,T] [--in-flight K,L] [--reduce R,S]
//                            [--list SPEC] [--json OUT]
// Each of the lists of numbers multiplies the ways.
#include <fmt/core.h>
#include <copse/cuda.hpp>
#include <copse/generate.hpp>
#include <copse/list_ranking.hpp>
#include <copse/verify.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../cli/machine.hpp"
#include "samples.hpp"

namespace {

using copse::bench::median;
using copse::bench::words_of;

struct way {
  std::string name;
  copse::rank_options options;
  std::vector<double> seconds = {};
  copse::rank_report report = {};
};

std::vector<way> ways_of(std::map<std::string, std::string>& asked) {
  std::vector<way> ways;
  for (const std::string& variant : words_of(asked["variants"])) {
    for (const std::string& splitters : words_of(asked["splitters"])) {
      for (const std::string& in_flight : words_of(asked["in-flight"])) {
        for (const std::string& reduce : words_of(asked["reduce"])) {
          copse::rank_options options;
          options.variant = variant;
          options.threads = static_cast<unsigned>(std::stoul(asked["threads"]));
          std::string name = variant;
          if (splitters != "auto") options.splitters = std::stoull(splitters), name += " s=" + splitters;
          if (in_flight != "auto") options.in_flight = static_cast<unsigned>(std::stoul(in_flight)), name += " k=" + in_flight;
          if (reduce != "auto") options.rounds = static_cast<unsigned>(std::stoul(reduce)), name += " r=" + reduce;
          ways.push_back({name, options});
        }
      }
    }
  }
  return ways;
}

nlohmann::ordered_json as_json(const way& w) {
  nlohmann::ordered_json phases = nlohmann::ordered_json::object(), rounds = nlohmann::ordered_json::array();
  for (const copse::phase& p : w.report.phases) phases[std::string{p.name}] = p.seconds;
  for (const copse::rank_round& r : w.report.rounds)
    rounds.push_back(
        {{"elements", r.elements}, {"generate", r.generate_seconds}, {"transfer", r.transfer_seconds}, {"remove", r.remove_seconds}});
  return {{"way", w.name},
          {"variant", w.report.variant},
          {"device", w.report.device},
          {"threads", w.report.threads},
          {"splitters", w.report.splitters},
          {"median_seconds", median(w.seconds)},
          {"seconds", w.seconds},
          {"copy_seconds", w.report.copy_seconds},
          {"phases_of_last", std::move(phases)},
          {"rounds_of_last", std::move(rounds)}};
}

int run(int argc, char** argv) {
  std::map<std::string, std::string> asked{
      {"n", "64000000"},     {"rounds", "5"},       {"threads", "1"},   {"variants", "serial.walk,serial.helman_jaja"},
      {"splitters", "auto"}, {"in-flight", "auto"}, {"reduce", "auto"}, {"list", ""},
      {"json", ""}};
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view word = argv[i];
    if (!word.starts_with("--") || !asked.contains(std::string{word.substr(2)}))
      throw std::invalid_argument{fmt::format("unknown {}", word)};
    asked[std::string{word.substr(2)}] = argv[i + 1];
  }
  const std::string spec = asked["list"].empty() ? fmt::format("list:n={}", asked["n"]) : asked["list"];
  const copse::successor_list list = copse::gen::generate_list(spec);
  auto ways = ways_of(asked);
  const auto rounds = std::stoul(asked["rounds"]);
  std::visit(
      [&]<class Id>(const copse::buffer<Id>& successors) {
        for (unsigned long round = 0; round < rounds; ++round) {
          for (way& w : ways) {
            auto result = copse::rank_list(successors.span(), w.options);
            w.seconds.push_back(result.report.solve_seconds);
            w.report = std::move(result.report);
            if (round != 0) continue;
            if (const auto found = copse::verify_ranks(successors.span(), result.ranks.span(), w.options.from); !found)
              throw std::runtime_error{w.name + ": " + found.reason};
          }
        }
      },
      list);
  nlohmann::ordered_json out{
      {"list", spec}, {"rounds", rounds}, {"machine", copse::cli::machine_facts()}, {"ways", nlohmann::ordered_json::array()}};
  const double first = median(ways.front().seconds);
  for (const way& w : ways) {
    std::string phases;
    for (const copse::phase& p : w.report.phases) phases += fmt::format(" {} {:.2f}", p.name, p.seconds * 1e3);
    fmt::print("{:<40} {:>10.3f} ms {:>7.2f}x  last: {}\n", w.name, median(w.seconds) * 1e3, first / median(w.seconds), phases);
    out["ways"].push_back(as_json(w));
  }
  if (!asked["json"].empty()) copse::bench::write_result(asked["json"], out.dump(1));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_and_tell("copse_bench_list_ranking", [=] { return run(argc, argv); });
}
