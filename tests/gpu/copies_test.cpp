// Copies between host memory and a GPU: every word arrives, whatever the sizes, places and threads.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <copse/memory.hpp>
#include <gpu/runtime/gpu.hpp>
#include <gpu/runtime/staged_copy.hpp>

#include <cstring>
#include <thread>
#include <vector>

#include "gpu/gpu.hpp"
#include "support/impatient.hpp"

namespace copse::test {
namespace {

using backend::copy_settings;

/// Another byte at every place, and others for every seed.
std::vector<unsigned char> bytes_of(std::size_t count, unsigned seed) {
  std::vector<unsigned char> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<unsigned char>((i * 0x9E3779B1u + seed) >> 13);
  return bytes;
}

struct gpu_under_test {
  backend::gpu on{0};
  backend::gpu_memory memory{on};

  void clear(void* at, std::size_t bytes) const { backend::checked(cudaMemsetAsync(at, 0xAA, bytes, on.stream()), "clearing"); }
};

/// In and out again under `settings`, each copy from and to `shift` bytes past the beginning of an array.
void expect_round_trip(gpu_under_test& gpu, std::size_t bytes, std::size_t shift, unsigned seed, const copy_settings& settings) {
  const auto sent = bytes_of(shift + bytes, seed);
  std::vector<unsigned char> back(shift + bytes, 0x55);
  buffer<unsigned char> device{bytes + 1, &gpu.memory};
  gpu.clear(device.data(), bytes);
  backend::copy_in(gpu.on, device.data(), sent.data() + shift, bytes, "in", settings);
  backend::copy_out(gpu.on, back.data() + shift, device.data(), bytes, "out", settings);
  ASSERT_TRUE(bytes == 0 || std::memcmp(back.data() + shift, sent.data() + shift, bytes) == 0)
      << bytes << " bytes from " << shift << ", " << settings.threads << " threads, pieces of " << settings.piece_bytes;
  for (std::size_t i = 0; i < shift; ++i) ASSERT_EQ(back[i], 0x55) << "before the array";
}

TEST(gpu_copies, arrive_in_any_size_from_any_place) {
  COPSE_NEEDS_GPU();
  gpu_under_test gpu;
  unsigned seed = 0;
  for (const unsigned threads : {1u, 2u, 7u, 40u}) {
    for (const std::size_t piece : {std::size_t{1000}, std::size_t{1} << 20}) {
      const copy_settings settings{.threads = threads, .least_bytes = 0, .piece_bytes = piece};
      for (const std::size_t bytes : {0ul, 1ul, 999ul, 1000ul, 1001ul, 131071ul, 131072ul, 2097151ul, 3000000ul})
        for (const std::size_t shift : {0ul, 1ul, 4095ul}) expect_round_trip(gpu, bytes, shift, ++seed, settings);
    }
    expect_round_trip(gpu, 37'000'001, 13, ++seed, {.threads = threads});
  }
}

TEST(gpu_copies, come_after_what_was_enqueued_and_before_what_will_be) {
  COPSE_NEEDS_GPU();
  gpu_under_test gpu;
  constexpr std::size_t bytes = std::size_t{24} << 20;
  const auto sent = bytes_of(bytes, 1);
  buffer<unsigned char> first{bytes, &gpu.memory}, second{bytes, &gpu.memory};
  for (unsigned turn = 0; turn < 8; ++turn) {
    gpu.clear(first.data(), bytes);
    backend::copy_in(gpu.on, first.data(), sent.data(), bytes, "in");
    backend::checked(cudaMemcpyAsync(second.data(), first.data(), bytes, cudaMemcpyDeviceToDevice, gpu.on.stream()), "copying");
    gpu.clear(first.data(), bytes);
    buffer<unsigned char> back{bytes};  // new pages
    backend::copy_out(gpu.on, back.data(), second.data(), bytes, "out");
    ASSERT_EQ(std::memcmp(back.data(), sent.data(), bytes), 0) << turn;
  }
}

TEST(gpu_copies, of_page_locked_memory_go_straight) {
  COPSE_NEEDS_GPU();
  gpu_under_test gpu;
  constexpr std::size_t bytes = std::size_t{8} << 20;
  const auto sent = bytes_of(bytes, 2);
  void* locked = nullptr;
  backend::checked(cudaHostAlloc(&locked, bytes, cudaHostAllocDefault), "allocating");
  std::memcpy(locked, sent.data(), bytes);
  buffer<unsigned char> device{bytes, &gpu.memory};
  backend::copy_in(gpu.on, device.data(), locked, bytes, "in");
  backend::checked(cudaStreamSynchronize(gpu.on.stream()), "waiting");
  std::memset(locked, 0, bytes);
  backend::copy_out(gpu.on, locked, device.data(), bytes, "out");
  EXPECT_EQ(std::memcmp(locked, sent.data(), bytes), 0);
  backend::checked(cudaFreeHost(locked), "freeing");
}

TEST(gpu_copies, page_locked_room_is_for_one_at_a_time) {
  COPSE_NEEDS_GPU();
  gpu_under_test gpu;
  constexpr std::size_t bytes = backend::locked_room::most_bytes;
  const auto sent = bytes_of(bytes, 5);
  {
    const backend::locked_room room{gpu.on, bytes};
    ASSERT_EQ(room.bytes().size(), bytes);
    EXPECT_FALSE(backend::pageable(room.bytes().data()));
    EXPECT_TRUE(backend::locked_room(gpu.on, 1).bytes().empty());
    std::memcpy(room.bytes().data(), sent.data(), bytes);
    expect_round_trip(gpu, bytes, 0, 6, {});  // copies do not touch it
    buffer<unsigned char> device{bytes, &gpu.memory};
    backend::copy_in(gpu.on, device.data(), room.bytes().data(), bytes, "in", {.beside = true});
    std::vector<unsigned char> back(bytes);
    backend::copy_out(gpu.on, back.data(), device.data(), bytes, "out");
    EXPECT_EQ(back, sent);
  }
  EXPECT_EQ(backend::locked_room(gpu.on, 5).bytes().size(), 5u);
  EXPECT_TRUE(backend::locked_room(gpu.on, bytes + 1).bytes().empty());
}

TEST(gpu_copies, of_two_threads_at_the_same_time) {
  COPSE_NEEDS_GPU();
  std::vector<std::thread> threads;
  for (unsigned k = 0; k < 3; ++k) {
    threads.emplace_back([k] {
      gpu_under_test gpu;
      for (unsigned turn = 0; turn < 10; ++turn) expect_round_trip(gpu, 9'000'001 + turn, turn, 100 * k + turn, {.threads = 3});
    });
  }
  for (auto& thread : threads) thread.join();
}

TEST(gpu_copies, stop_when_asked_to) {
  COPSE_NEEDS_GPU();
  gpu_under_test gpu;
  constexpr std::size_t bytes = std::size_t{32} << 20;
  const auto sent = bytes_of(bytes, 3);
  {
    buffer<unsigned char> device{bytes, &gpu.memory};
    for (const std::uint64_t questions : {0, 5}) {
      const impatient watcher{questions};
      EXPECT_THROW(backend::copy_in(gpu.on, device.data(), sent.data(), bytes, "in", {}, &watcher), cancelled);
    }
  }
  expect_round_trip(gpu, bytes, 0, 4, {});
}

}  // namespace
}  // namespace copse::test
