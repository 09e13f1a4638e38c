// Copies between host memory and a GPU, GB/s over size: by the driver, of pageable and of page-locked memory, and by copse through
// page-locked pieces (src/gpu/runtime/staged_copy.hpp). New: pages of the destination that nobody has touched. Every copy is checked.
//   copse_bench_copies [--mebibytes 1,4,..] [--threads 0,4,..] [--pieces KiB,..] [--trials N] [--json OUT]
#include <fmt/core.h>
#include <copse/memory.hpp>
#include <core/parallel.hpp>
#include <gpu/runtime/gpu.hpp>
#include <gpu/runtime/staged_copy.hpp>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmark.hpp"

namespace {

using copse::buffer;
using copse::backend::checked;
using copse::backend::copy_settings;
using copse::bench::json;
using copse::bench::median;

struct copy_trials {
  std::vector<std::size_t> threads, pieces;
  unsigned trials;
};

std::uint64_t word_of(std::size_t i, std::uint64_t seed) { return (i + seed) * 0x9E3779B97F4A7C15u; }

void fill(std::uint64_t* words, std::size_t count, std::uint64_t seed) {
  copse::parallel_blocks(copse::usable_threads(0), count, std::size_t{1} << 18, [=](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) words[i] = word_of(i, seed);
  });
}
void expect(const std::uint64_t* words, std::size_t count, std::uint64_t seed, std::string_view name) {
  copse::parallel_blocks(copse::usable_threads(0), count, std::size_t{1} << 18, [=](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (words[i] != word_of(i, seed)) throw std::runtime_error{fmt::format("{}: another word {} of {} arrived", name, i, count)};
    }
  });
}

class copies {
public:
  copies(std::size_t bytes, const copy_trials& how) : bytes_{bytes}, how_{how}, host_{words()}, locked_{nullptr, cudaFreeHost} {
    void *device_memory = nullptr, *locked = nullptr;
    checked(cudaMalloc(&device_memory, bytes), "allocating");
    device_memory_.reset(device_memory);
    checked(cudaHostAlloc(&locked, bytes, cudaHostAllocDefault), "allocating page-locked memory");
    locked_.reset(static_cast<std::uint64_t*>(locked));
    fill(host_.data(), words(), 0);
    fill(locked_.get(), words(), 0);
  }

  json run() {
    const auto plain_in = [&](const void* from) {
      checked(cudaMemcpyAsync(device_memory_.get(), from, bytes_, cudaMemcpyHostToDevice, on_.stream()), "copying in");
      checked(cudaStreamSynchronize(on_.stream()), "copying in");
    };
    const auto plain_out = [&](void* to) {
      checked(cudaMemcpyAsync(to, device_memory_.get(), bytes_, cudaMemcpyDeviceToHost, on_.stream()), "copying out");
      checked(cudaStreamSynchronize(on_.stream()), "copying out");
    };
    in("in, page-locked", [&] { plain_in(locked_.get()); });
    in("in, driver", [&] { plain_in(host_.data()); });
    out("out, page-locked", locked_.get(), [&](void* to) { plain_out(to); });
    out("out, driver", host_.data(), [&](void* to) { plain_out(to); });
    out("out, driver, new", nullptr, [&](void* to) { plain_out(to); });
    for (const std::size_t threads : how_.threads) {
      for (const std::size_t piece : how_.pieces) {
        const copy_settings copying{.threads = static_cast<unsigned>(threads), .least_bytes = 0, .piece_bytes = piece << 10};
        const auto suffix = how_.threads.size() * how_.pieces.size() > 1 ? fmt::format(" {} x {} KiB", threads, piece) : "";
        in("in, ours" + suffix, [&] {
          copse::backend::copy_in(on_, device_memory_.get(), host_.data(), bytes_, "copying in", copying);
          checked(cudaStreamSynchronize(on_.stream()), "copying in");
        });
        const auto ours_out = [&](void* to) { copse::backend::copy_out(on_, to, device_memory_.get(), bytes_, "copying out", copying); };
        out("out, ours" + suffix, host_.data(), ours_out);
        out("out, ours, new" + suffix, nullptr, ours_out);
      }
    }
    return {{"bytes", bytes_}, {"copies", std::move(results_)}};
  }

private:
  [[nodiscard]] std::size_t words() const noexcept { return bytes_ / 8; }

  void in(const std::string& name, const std::function<void()>& copy) {
    checked(cudaMemset(device_memory_.get(), 0xFF, bytes_), "clearing");
    samples(name, [&] { return copse::bench::seconds_of(0, copy); });
    buffer<std::uint64_t> back{words()};
    checked(cudaMemcpy(back.data(), device_memory_.get(), bytes_, cudaMemcpyDeviceToHost), "copying back");
    expect(back.data(), words(), 0, name);
  }

  /// `to` null: a new array each time.
  void out(const std::string& name, std::uint64_t* to, const std::function<void(void*)>& copy) {
    samples(name, [&] {
      if (to != nullptr) {
        std::memset(static_cast<void*>(to), 0, std::min<std::size_t>(bytes_, 4096));
        const double seconds = copse::bench::seconds_of(0, [&] { copy(to); });
        expect(to, words(), 0, name);
        return seconds;
      }
      buffer<std::uint64_t> fresh{words()};
      const double seconds = copse::bench::seconds_of(0, [&] { copy(fresh.data()); });
      expect(fresh.data(), words(), 0, name);
      return seconds;
    });
  }

  template <class Once>
  void samples(const std::string& name, Once once) {
    static_cast<void>(once());
    std::vector<double> seconds;
    for (unsigned trial = 0; trial < how_.trials; ++trial) seconds.push_back(once());
    const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
    fmt::print(stderr, "{:>6} MiB  {:<34} {:>7.2f} GB/s  ({:.2f} to {:.2f})\n", bytes_ >> 20, name, gb(median(seconds)), gb(*most),
               gb(*least));
    results_.push_back({{"copy", name}, {"seconds", seconds}});
  }
  [[nodiscard]] double gb(double seconds) const { return 1e-9 * static_cast<double>(bytes_) / seconds; }

  struct device_free {
    void operator()(void* p) const { static_cast<void>(cudaFree(p)); }
  };

  std::size_t bytes_;
  const copy_trials& how_;
  copse::backend::gpu on_{0};
  buffer<std::uint64_t> host_;
  std::unique_ptr<std::uint64_t, cudaError_t (*)(void*)> locked_;
  std::unique_ptr<void, device_free> device_memory_;
  json results_ = json::array();
};

void run(const copse::bench::benchmark_arguments& asked) {
  const copy_trials how{asked.numbers<std::size_t>("threads"), asked.numbers<std::size_t>("pieces"), asked.number("trials")};
  json result = copse::bench::result_of("copies");
  result["sizes"] = json::array();
  for (const auto size : asked.numbers<std::size_t>("mebibytes")) result["sizes"].push_back(copies{size << 20, how}.run());
  asked.write(result);
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_benchmark(
      argc, argv, "copse_bench_copies", "",
      {{"mebibytes", "1,4,16,64,256,1024"}, {"threads", "0"}, {"pieces", "1024"}, {"trials", "7"}, {"json", ""}}, run);
}
