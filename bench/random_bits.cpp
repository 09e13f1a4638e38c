// copse_bench_random_bits [--n N] [--threads N] [--trials N] [--json OUT]
// What the bits of one round of list ranking by independent sets cost on a CPU, a bit per element: by our counter, by the Mersenne Twister,
// by MD5, and by the C library's generator (Figure 4 of Banerjee and Kothapalli). Generators take turns; every sample is kept. The bits
// must let an eighth of a list leave: a 1 between two 0s.
#include <fmt/format.h>
#include <copse/errors.hpp>
#include <core/parallel.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmark.hpp"
#include "bit_generators.hpp"

namespace {

constexpr std::size_t block_words = std::size_t{1} << 15;

struct generator {
  std::string_view name;
  void (*fill)(std::span<std::uint64_t> words, std::uint64_t first);
  std::vector<double> milliseconds = {};
};

/// Of all elements but the first and last of a word, how many leave.
double leaving(std::span<const std::uint64_t> words) {
  std::uint64_t count = 0;
  for (const std::uint64_t w : words)
    count += static_cast<std::uint64_t>(std::popcount(w & ~(w << 1) & ~(w >> 1) & ~(std::uint64_t{1} | std::uint64_t{1} << 63)));
  return static_cast<double>(count) / (62. * static_cast<double>(words.size()));
}

void run(const copse::bench::benchmark_arguments& asked) {
  const std::size_t elements = std::stoull(asked["n"]);
  const unsigned threads = asked.number("threads");
  std::vector<std::uint64_t> bits((elements + 63) / 64);
  using namespace copse::bench;
  std::vector<generator> all{
      {"counter", by_counter::fill}, {"mersenne_twister", by_mersenne_twister::fill}, {"md5", by_md5::fill}, {"rand", by_rand::fill}};
  const auto fill = [&](const generator& g) {
    copse::parallel_blocks(threads, bits.size(), block_words,
                           [&](std::size_t begin, std::size_t end) { g.fill(std::span{bits}.subspan(begin, end - begin), begin); });
  };
  for (const generator& g : all) {
    fill(g);
    const double share = leaving(bits), expected = .125;
    if (std::abs(share - expected) > 6 / std::sqrt(static_cast<double>(bits.size())))
      throw copse::resource_error{fmt::format("{}: found {:.4f} of the elements leaving, expected an eighth", g.name, share)};
  }
  for (unsigned trial = 0; trial < asked.number("trials"); ++trial) {
    for (generator& g : all) {
      const double begin = now(threads);
      fill(g);
      g.milliseconds.push_back(1e3 * (now(threads) - begin));
    }
  }
  json result = result_of("series");
  for (const generator& g : all) {
    fmt::print(stderr, "{:<18} {:>9.3f} ms {:>7.2f} bits/ns\n", g.name, median(g.milliseconds),
               static_cast<double>(elements) / median(g.milliseconds) / 1e6);
    result["series"].push_back(
        series_of(fmt::format("list:n={}", elements), fmt::format("way.{}", g.name), "generate", threads, g.milliseconds));
  }
  asked.write(result);
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_benchmark(argc, argv, "copse_bench_random_bits", "",
                                     {{"n", "128000000"}, {"threads", "1"}, {"trials", "5"}, {"json", ""}}, run);
}
