// How fast a text edge list is parsed, and parsed and united, in megabytes of file a second. Both in every trial, one after the other, so
// that a machine whose speed drifts treats them alike.
//   copse_bench_parse_unite FILE [--threads N] [--trials N] [--json OUT]
#include <fmt/core.h>
#include <copse/components.hpp>
#include <copse/execution.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "benchmark.hpp"

namespace {

using copse::bench::median;
using copse::bench::seconds_of;

/// Looks at every id, so that nothing about parsing can be left out, and keeps nothing.
class id_reading_sink final : public copse::io::edge_sink {
public:
  void begin(const copse::io::source_facts& facts) override { workers_ = std::vector<worker>(facts.workers); }
  void edges(unsigned number, const copse::io::edge_batch& batch) override {
    for (const auto [u, v] : batch.ids) workers_[number].bits ^= u + v;
    workers_[number].edges += batch.size();
  }

private:
  struct alignas(64) worker {
    std::uint64_t bits = 0, edges = 0;
  };
  std::vector<worker> workers_;
};

void run(const copse::bench::benchmark_arguments& asked) {
  const std::filesystem::path file = asked.graphs().front();
  const double megabytes = static_cast<double>(std::filesystem::file_size(file)) * 1e-6;
  const unsigned threads = asked.number("threads");
  const copse::execution on{.threads = threads};

  std::vector<double> parse_seconds, unite_seconds;
  copse::components_result result;
  for (unsigned trial = 0; trial < asked.number("trials"); ++trial) {
    parse_seconds.push_back(seconds_of(threads, [&] {
      id_reading_sink sink;
      copse::io::parse(file, {}, sink, on);
    }));
    unite_seconds.push_back(seconds_of(threads, [&] { result = copse::components(file, {}, {}, on); }));
  }
  const double parse = median(parse_seconds), unite = median(unite_seconds);
  fmt::print(stderr, "{}: {:.1f} MB, {} edges, {} threads, {}\n", file.string(), megabytes, result.report.edges, result.report.threads,
             result.report.variant);
  fmt::print(stderr, "parse           {:.4f} s  {:.0f} MB/s\n", parse, megabytes / parse);
  fmt::print(stderr, "parse and unite {:.4f} s  {:.0f} MB/s\n", unite, megabytes / unite);
  auto out = copse::bench::result_of("parse_unite");
  out["file"] = file.string();
  out["megabytes"] = megabytes;
  out["edges"] = result.report.edges;
  out["threads"] = result.report.threads;
  out["clock"] = threads == 1 ? "thread" : "wall";
  out["variant"] = result.report.variant;
  out["parse_seconds_all"] = parse_seconds;
  out["parse_unite_seconds_all"] = unite_seconds;
  asked.write(out);
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_benchmark(argc, argv, "copse_bench_parse_unite", "FILE", {{"threads", "1"}, {"trials", "9"}, {"json", ""}}, run);
}
