// Where the bits of phase I come from: a counter-based generator on the GPU; or the CPU, which makes those of the next round while the GPU
// is busy with this one, and sends them beside it.
#pragma once
#include <copse/memory.hpp>
#include <core/parallel.hpp>
#include <core/random.hpp>
#include <gpu/runtime/checked.hpp>
#include <gpu/runtime/gpu.hpp>
#include <gpu/runtime/gpu_stopwatch.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <vector>

namespace copse::list_ranking {

/// Bit e modulo their number, a power of two. Two neighbours that share a bit just stay both.
struct bit_array {
  const std::uint32_t* words;
  std::uint64_t mask;
  COPSE_HOST_DEVICE bool operator()(std::uint64_t e) const noexcept { return (words[(e & mask) / 32] >> (e & 31) & 1) != 0; }
};

/// Bits for rounds 0, 1, ...: about as many as the list has elements by then, an eighth less every round.
class bits_from_cpu {
public:
  bits_from_cpu(const backend::gpu& on, std::pmr::memory_resource* memory, std::uint64_t elements, std::uint64_t seed, unsigned threads)
      : on_{on}, elements_{elements}, seed_{seed}, threads_{threads} {
    backend::checked(cudaStreamCreateWithFlags(&beside_, cudaStreamNonBlocking), "making a stream");
    const std::size_t words = count_of(0) / 32;
    try {
      for (side& s : sides_) {
        s.on_device = buffer<std::uint32_t>{words, memory};
        backend::checked(cudaMallocHost(&s.on_host, words * sizeof(std::uint32_t)), "allocating page-locked memory");
        for (cudaEvent_t* event : {&s.sent_from, &s.sent, &s.used}) backend::checked(cudaEventCreate(event), "making an event");
      }
      // The arrays must be there before the other stream writes them.
      backend::checked(cudaStreamSynchronize(on.stream()), "allocating bits");
    } catch (...) {
      release();
      throw;
    }
  }
  bits_from_cpu(const bits_from_cpu&) = delete;
  ~bits_from_cpu() { release(); }

  /// Makes the bits of a round and sends them; both while the GPU works on the round before.
  void make(unsigned round) {
    side& s = sides_[round % 2];
    if (round >= 2) note_transfer(round - 2);  // its bits have left the page-locked array
    const auto start = std::chrono::steady_clock::now();
    const std::uint64_t words = count_of(round) / 64;
    auto* const to = reinterpret_cast<std::uint64_t*>(s.on_host);
    const random_stream random{seed_, 16 + std::uint64_t{round}};
    parallel_blocks(threads_, words, std::size_t{1} << 15, [=](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) to[i] = random.word(i);
    });
    generate_seconds_.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (round >= 2) backend::checked(cudaStreamWaitEvent(beside_, s.used, 0), "waiting for a round");
    backend::checked(cudaEventRecord(s.sent_from, beside_), "recording an event");
    backend::checked(cudaMemcpyAsync(s.on_device.data(), s.on_host, words * 8, cudaMemcpyHostToDevice, beside_), "sending bits");
    backend::checked(cudaEventRecord(s.sent, beside_), "recording an event");
  }
  /// For kernels launched from now on.
  [[nodiscard]] bit_array of(unsigned round) {
    side& s = sides_[round % 2];
    backend::checked(cudaStreamWaitEvent(on_.stream(), s.sent, 0), "waiting for bits");
    return {s.on_device.data(), count_of(round) - 1};
  }
  /// Its kernels are launched.
  void used(unsigned round) { backend::checked(cudaEventRecord(sides_[round % 2].used, on_.stream()), "recording an event"); }

  /// After the last round, for each.
  [[nodiscard]] const std::vector<double>& generate_seconds() const noexcept { return generate_seconds_; }
  [[nodiscard]] const std::vector<double>& transfer_seconds() {
    while (transfer_seconds_.size() < generate_seconds_.size()) note_transfer(static_cast<unsigned>(transfer_seconds_.size()));
    return transfer_seconds_;
  }

private:
  struct side {
    std::uint32_t* on_host = nullptr;  ///< page-locked
    buffer<std::uint32_t> on_device;
    cudaEvent_t sent_from = nullptr, sent = nullptr, used = nullptr;
  };

  [[nodiscard]] std::uint64_t count_of(unsigned round) const noexcept {
    std::uint64_t left = elements_;
    for (unsigned r = 0; r < round; ++r) left -= left / 8;
    return std::bit_ceil(std::max<std::uint64_t>(left, 64));
  }
  void note_transfer(unsigned round) {
    if (transfer_seconds_.size() > round) return;
    side& s = sides_[round % 2];
    float milliseconds = 0;
    backend::checked(cudaEventSynchronize(s.sent), "sending bits");
    backend::checked(cudaEventElapsedTime(&milliseconds, s.sent_from, s.sent), "asking for the time");
    transfer_seconds_.push_back(static_cast<double>(milliseconds) * 1e-3);
  }
  void release() noexcept {
    static_cast<void>(cudaStreamSynchronize(beside_));
    for (side& s : sides_) {
      static_cast<void>(cudaFreeHost(s.on_host));
      for (cudaEvent_t event : {s.sent_from, s.sent, s.used}) {
        if (event != nullptr) static_cast<void>(cudaEventDestroy(event));
      }
    }
    static_cast<void>(cudaStreamDestroy(beside_));
  }

  const backend::gpu& on_;
  std::uint64_t elements_, seed_;
  unsigned threads_;
  cudaStream_t beside_ = nullptr;
  std::array<side, 2> sides_;
  std::vector<double> generate_seconds_, transfer_seconds_;
};

}  // namespace copse::list_ranking
