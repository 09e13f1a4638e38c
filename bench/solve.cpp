// copse_bench_solve SPEC [PATTERN,...] [THREADS] [TRIALS] > result.json
// Times rows of the table on one generated graph in memory, beside a ten-line C loop of sequential Rem on the same rows. Trials are
// interleaved (every contender once, then again), so that a machine that slows down slows all of them; every sample is kept.
#include <fmt/format.h>
#include <malloc.h>
#include <copse/copse.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "machine.hpp"

namespace {

using rows = copse::csr_view<std::uint32_t, std::uint32_t>;

// The yardstick: what anyone would write, with plain malloc'ed arrays.
void ten_line_rem(const std::uint32_t* offsets, const std::uint32_t* targets, std::uint32_t n, std::uint32_t* p) {
  for (std::uint32_t v = 0; v < n; v++) p[v] = v;
  for (std::uint32_t v = 0; v < n; v++)
    for (std::uint32_t a = offsets[v]; a < offsets[v + 1] && targets[a] < v; a++)
      for (std::uint32_t x = v, y = targets[a]; p[x] != p[y];) {
        if (p[x] < p[y]) std::swap(x, y);
        const std::uint32_t z = p[x];
        p[x] = p[y];
        if (x == z) break;
        x = z;
      }
  for (std::uint32_t v = 0; v < n; v++) p[v] = p[p[v]];
}

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const std::size_t half = samples.size() / 2;
  return samples.size() % 2 == 1 ? samples[half] : (samples[half - 1] + samples[half]) / 2;
}

struct contender {
  std::string name;
  std::function<double()> solve;  // seconds
  std::vector<double> samples;
};

}  // namespace

int main(int count, char** arguments) {
#ifndef NDEBUG
  std::fputs("copse_bench_solve: refuses to measure a build that is not release\n", stderr);
  return 2;
#endif
  if (count < 2) {
    std::fputs("usage: copse_bench_solve SPEC [PATTERN,...] [THREADS] [TRIALS]\n", stderr);
    return 2;
  }
  const std::string spec = arguments[1], patterns = count > 2 ? arguments[2] : "serial.none.rem";
  const auto threads = static_cast<unsigned>(count > 3 ? std::atoi(arguments[3]) : 1);
  const int trials = count > 4 ? std::atoi(arguments[4]) : 5;

  const copse::graph graph = copse::gen::generate(spec);
  const auto* held = std::get_if<copse::csr<std::uint32_t, std::uint32_t>>(&graph.shape());
  if (held == nullptr) {
    std::fputs("copse_bench_solve: the yardstick needs 32-bit ids and offsets\n", stderr);
    return 2;
  }
  const rows view = held->view();
  auto* parents = static_cast<std::uint32_t*>(std::malloc(sizeof(std::uint32_t) * view.vertices()));

  std::vector<contender> contenders;
  // Every solve of ours returns a new array of labels, in pages that the kernel has yet to clear. The loop is timed with pages as new as
  // that (malloc must not hand out the last trial's), and with an array that was touched before.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  const auto loop = [&](std::uint32_t* p) { ten_line_rem(view.offsets.data(), view.targets.data(), view.vertices(), p); };
  contenders.push_back({"ten_line_c_loop",
                        [&] {
                          return seconds([&] {
                            auto* fresh = static_cast<std::uint32_t*>(std::malloc(sizeof(std::uint32_t) * view.vertices()));
                            loop(fresh);
                            std::free(fresh);
                          });
                        },
                        {}});
  contenders.push_back({"ten_line_c_loop_on_touched_memory", [&] { return seconds([&] { loop(parents); }); }, {}});
  std::uint64_t answer = 0;
  std::vector<const copse::variant_info*> chosen;
  for (std::size_t begin = 0; begin <= patterns.size();) {
    const std::size_t end = std::min(patterns.find(',', begin), patterns.size());
    for (const auto* variant : copse::variants_matching(patterns.substr(begin, end - begin))) chosen.push_back(variant);
    begin = end + 1;
  }
  for (const auto* variant : chosen) {
    if (variant->input != copse::input_kind::csr) continue;
    contenders.push_back({variant->name,
                          [&, name = variant->name] {
                            const auto result = copse::components(graph, {.variant = name, .threads = threads});
                            const auto sum = copse::checksum(result.labels);
                            if (answer == 0) answer = sum;
                            if (sum != answer) {
                              fmt::print(stderr, "copse_bench_solve: {} gives other labels\n", name);
                              std::exit(1);
                            }
                            return result.report.solve_seconds;
                          },
                          {}});
  }
  for (int trial = -1; trial < trials; ++trial) {  // the first round warms up
    for (auto& c : contenders) {
      const double sample = c.solve();
      if (trial >= 0) c.samples.push_back(sample);
    }
  }

  nlohmann::ordered_json result{{"benchmark", "solve"},
                                {"machine", copse::bench::machine()},
                                {"graph", spec},
                                {"vertices", graph.vertices()},
                                {"arcs", view.arcs()},
                                {"threads", threads},
                                {"checksum", fmt::format("{:016x}", answer)}};
  std::sort(contenders.begin(), contenders.end(), [](const auto& a, const auto& b) { return median(a.samples) < median(b.samples); });
  for (const auto& c : contenders) {
    result["seconds"][c.name] = {{"median", median(c.samples)}, {"samples", c.samples}};
    fmt::print(stderr, "{:9.3f} ms  {}\n", median(c.samples) * 1e3, c.name);
  }
  std::free(parents);
  fmt::print("{}\n", result.dump(1));
}
