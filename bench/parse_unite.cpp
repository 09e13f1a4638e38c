// How fast a text edge list is parsed, and parsed and united, in megabytes of file a second. Both in every round, one after the other, so
// that a machine whose speed drifts treats them alike.
//   copse_bench_parse_unite FILE [--threads N] [--rounds R] [--json OUT]
#include <fmt/core.h>
#include <copse/components.hpp>
#include <copse/options.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "../cli/machine.hpp"
#include "samples.hpp"

namespace {

using copse::bench::median;

using clock_type = std::chrono::steady_clock;

/// Looks at every id, so that nothing about parsing can be left out, and keeps nothing.
class counting_sink final : public copse::io::edge_sink {
public:
  void begin(const copse::io::source_facts& facts) override { workers_ = std::vector<worker>(facts.workers); }
  void edges(unsigned number, std::span<const copse::edge<std::uint64_t>> batch) override {
    for (const auto [u, v] : batch) workers_[number].bits ^= u + v;
    workers_[number].edges += batch.size();
  }
  void named_edges(unsigned number, std::span<const copse::io::named_edge> batch) override { workers_[number].edges += batch.size(); }

private:
  struct alignas(64) worker {
    std::uint64_t bits = 0, edges = 0;
  };
  std::vector<worker> workers_;
};

template <class Work>
double seconds_of(Work work) {
  const auto start = clock_type::now();
  work();
  return std::chrono::duration<double>(clock_type::now() - start).count();
}

int run(int argc, char** argv) {
  std::filesystem::path file, json;
  unsigned threads = 1, rounds = 9;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const bool has_value = i + 1 < argc;
    if (word == "--threads" && has_value) {
      threads = static_cast<unsigned>(std::atoi(argv[++i]));
    } else if (word == "--rounds" && has_value) {
      rounds = static_cast<unsigned>(std::max(1, std::atoi(argv[++i])));
    } else if (word == "--json" && has_value) {
      json = argv[++i];
    } else if (file.empty() && !word.starts_with("-")) {
      file = word;
    } else {
      throw std::invalid_argument{"usage: copse_bench_parse_unite FILE [--threads N] [--rounds R] [--json OUT]"};
    }
  }
  const double megabytes = static_cast<double>(std::filesystem::file_size(file)) / 1e6;
  copse::io::read_options input;
  input.threads = threads;
  copse::solve_options options;
  options.threads = threads;

  std::vector<double> parse_seconds, unite_seconds;
  copse::components_result result;
  for (unsigned round = 0; round < rounds; ++round) {
    parse_seconds.push_back(seconds_of([&] {
      counting_sink sink;
      copse::io::parse(file, input, sink);
    }));
    unite_seconds.push_back(seconds_of([&] { result = copse::components_of_file(file, input, options); }));
  }
  const double parse = median(parse_seconds), unite = median(unite_seconds);
  fmt::print("{}: {:.1f} MB, {} edges, {} threads, {}\n", file.string(), megabytes, result.report.edges, result.report.threads,
             result.report.variant);
  fmt::print("parse           {:.4f} s  {:.0f} MB/s\n", parse, megabytes / parse);
  fmt::print("parse and unite {:.4f} s  {:.0f} MB/s\n", unite, megabytes / unite);
  if (!json.empty()) {
    nlohmann::ordered_json out{{"machine", copse::cli::machine_facts()},
                               {"file", file.string()},
                               {"megabytes", megabytes},
                               {"edges", result.report.edges},
                               {"threads", result.report.threads},
                               {"variant", result.report.variant},
                               {"parse_seconds_all", parse_seconds},
                               {"parse_unite_seconds_all", unite_seconds},
                               {"parse_megabytes_per_second", megabytes / parse},
                               {"parse_unite_megabytes_per_second", megabytes / unite}};
    copse::bench::write_result(json, out.dump(2));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& failure) {
    fmt::print(stderr, "{}\n", failure.what());
    return 2;
  }
}
