// copse_bench_list_ranking [--n N] [--rounds R] [--threads N] [--variants A,B] [--splitters S,T] [--in-flight K,L] [--reduce R,S] [--list
// SPEC] [--json OUT] Ranks a list of n elements, or one of a generator spec, in many ways, one after the other in every round, so that a
// machine whose speed drifts treats them alike. Each of the lists of numbers multiplies the ways.
#include <fmt/format.h>
#include <copse/copse.hpp>

#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "benchmark.hpp"

namespace {

using copse::bench::json;
using copse::bench::median;
using copse::bench::seconds_by_name;

struct ranking_way {
  std::string name;
  copse::rank_options options;
  std::vector<double> seconds = {};
  copse::solve_report report = {};
  std::uint64_t splitters = 0;
  std::vector<copse::rank_round> rounds = {};
};

std::vector<ranking_way> ways_of(const copse::bench::benchmark_arguments& asked) {
  std::vector<ranking_way> ways;
  for (const std::string& variant : asked.words("variants")) {
    for (const std::string& splitters : asked.words("splitters")) {
      for (const std::string& in_flight : asked.words("in-flight")) {
        for (const std::string& reduce : asked.words("reduce")) {
          copse::rank_options options;
          options.variant = variant;
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

json as_json(const ranking_way& w) {
  json rounds = json::array();
  for (const copse::rank_round& r : w.rounds)
    rounds.push_back(
        {{"elements", r.elements}, {"generate", r.generate_seconds}, {"transfer", r.transfer_seconds}, {"remove", r.remove_seconds}});
  return {{"way", w.name},
          {"variant", w.report.variant},
          {"device", w.report.device},
          {"threads", w.report.threads},
          {"splitters", w.splitters},
          {"median_seconds", median(w.seconds)},
          {"seconds", w.seconds},
          {"copy_seconds", w.report.copy_seconds},
          {"phases_of_last", seconds_by_name(w.report.phases)},
          {"rounds_of_last", std::move(rounds)}};
}

void run(const copse::bench::benchmark_arguments& asked) {
  const std::string spec = asked["list"].empty() ? "list:n=" + asked["n"] : asked["list"];
  const copse::successor_list list = copse::gen::generate_list(spec);
  auto ways = ways_of(asked);
  const unsigned rounds = asked.number("rounds"), threads = asked.number("threads");
  std::visit(
      [&]<class Id>(const copse::buffer<Id>& successors) {
        for (unsigned round = 0; round < rounds; ++round) {
          for (ranking_way& w : ways) {
            auto result = copse::rank_list(successors.span(), w.options, {.threads = threads});
            w.seconds.push_back(result.report.solve_seconds);
            w.report = std::move(result.report);
            w.splitters = result.splitters;
            w.rounds = std::move(result.rounds);
            if (round != 0) continue;
            if (const auto found = copse::verify_ranks(successors.span(), result.ranks.span(), w.options.from); !found)
              throw std::runtime_error{w.name + ": " + found.reason};
          }
        }
      },
      list);
  json result = copse::bench::result_of("list_ranking");
  result["list"] = spec;
  result["ways"] = json::array();
  const double first = median(ways.front().seconds);
  for (const ranking_way& w : ways) {
    std::string phases;
    for (const copse::phase& p : w.report.phases) phases += fmt::format(" {} {:.2f}", p.name, p.seconds * 1e3);
    fmt::print(stderr, "{:<40} {:>10.3f} ms {:>7.2f}x  last: {}\n", w.name, median(w.seconds) * 1e3, first / median(w.seconds), phases);
    result["ways"].push_back(as_json(w));
  }
  asked.write(result);
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_benchmark(argc, argv, "copse_bench_list_ranking", "",
                                     {{"n", "64000000"},
                                      {"rounds", "5"},
                                      {"list", ""},
                                      {"threads", "1"},
                                      {"variants", "serial.walk,serial.helman_jaja"},
                                      {"splitters", "auto"},
                                      {"in-flight", "auto"},
                                      {"reduce", "auto"},
                                      {"json", ""}},
                                     run);
}
