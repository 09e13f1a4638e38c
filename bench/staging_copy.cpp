// copse_bench_staging_copy OUT.json [--threads N] [--trials N]
// How fast threads copy an array to staging memory, two chunks each by turns, as on its way to a GPU (gpu/runtime/staged_copy.hpp): by
// memcpy, and by stores that pass the caches. GB/s of the array, by the processor time of the slowest thread, which waiting for memory is
// in.
#include <fmt/format.h>
#include <copse/errors.hpp>
#include <copse/memory.hpp>
#include <core/team.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../cli/machine.hpp"
#include "benchmark.hpp"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace {

using json = nlohmann::ordered_json;
constexpr std::size_t mebibyte = std::size_t{1} << 20, array_bytes = std::size_t{1} << 30;
constexpr std::array<std::size_t, 2> chunks_bytes{mebibyte, 64 * mebibyte};

struct copy_way {
  const char* name;
  void (*copy)(std::byte*, const std::byte*, std::size_t);
};
void usual_copy(std::byte* to, const std::byte* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

#if defined(__x86_64__)
void streaming_copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += 64) {
    __m128i line[4];
    std::memcpy(line, from + at, sizeof line);
    for (std::size_t i = 0; i < 4; ++i) _mm_stream_si128(reinterpret_cast<__m128i*>(to + at) + i, line[i]);
  }
  _mm_sfence();
}
constexpr std::array ways{copy_way{"memcpy", usual_copy}, copy_way{"streaming", streaming_copy}};
#else
constexpr std::array ways{copy_way{"memcpy", usual_copy}};
#endif

double rate(const copy_way& how, copse::buffer<std::byte>& staging, const copse::buffer<std::byte>& array, std::size_t chunk,
            unsigned threads) {
  std::vector<double> seconds(threads);
  copse::on_workers(threads, [&](unsigned worker) {
    const std::size_t part = array_bytes / threads / chunk * chunk;
    std::byte* const mine = staging.data() + 2 * chunk * worker;
    seconds[worker] = copse::bench::seconds_of(1, [&] {
      for (std::size_t at = 0; at < part; at += chunk) how.copy(mine + at / chunk % 2 * chunk, array.data() + part * worker + at, chunk);
    });
    seconds[worker] *= static_cast<double>(array_bytes) / static_cast<double>(part * threads);
  });
  return 1e-9 * static_cast<double>(array_bytes) / *std::max_element(seconds.begin(), seconds.end());
}

int run(int argc, char** argv) {
  if (argc < 2) throw copse::usage_error{"found no OUT.json, expected OUT.json [--threads N] [--trials N]"};
  unsigned threads = 1;
  unsigned long trials = 9;
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string_view word = argv[i];
    if (word != "--threads" && word != "--trials") throw copse::usage_error{fmt::format("unknown {}", word)};
    const unsigned long number = std::stoul(argv[i + 1]);
    if (word == "--threads") threads = static_cast<unsigned>(number);
    if (word == "--trials") trials = number;
  }
  if (threads == 0 || threads > array_bytes / chunks_bytes.back()) throw copse::usage_error{"threads: found none, or too many"};
  copse::buffer<std::byte> array{array_bytes}, staging{2 * chunks_bytes.back() * threads};
  std::memset(array.data(), 1, array.size());
  std::memset(staging.data(), 2, staging.size());
  json series = json::array();
  for (const std::size_t chunk : chunks_bytes) {
    std::array<std::vector<double>, ways.size()> samples;
    for (unsigned long trial = 0; trial <= trials; ++trial) {
      for (std::size_t w = 0; w < ways.size(); ++w) {
        const double found = rate(ways[w], staging, array, chunk, threads);
        if (trial != 0) samples[w].push_back(found);  // the first turn warms up
      }
    }
    for (std::size_t w = 0; w < ways.size(); ++w) {
      fmt::print(stderr, "{:<10} chunks of {:>2} MiB {:>7.2f} GB/s\n", ways[w].name, chunk / mebibyte, copse::bench::median(samples[w]));
      series.push_back({{"graph", "*"},
                        {"variant", ways[w].name},
                        {"setting", fmt::format("chunk_mib={}", chunk / mebibyte)},
                        {"measure", "rate"},
                        {"unit", "GB/s"},
                        {"threads", threads},
                        {"samples", samples[w]}});
    }
  }
  const json out{{"benchmark", "series"}, {"machine", copse::cli::machine_facts()}, {"series", std::move(series)}};
  copse::bench::write_result(argv[1], out);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_and_tell("copse_bench_staging_copy OUT.json [--threads N] [--trials N]", [=] { return run(argc, argv); });
}
