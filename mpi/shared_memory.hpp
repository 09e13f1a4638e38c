// Memory that the processes of one host share. It has no name: the system takes it back with the last of them, however they end, and no
// size of a file system (/dev/shm, 64 MB in many containers) limits it.
#pragma once
#include <copse/memory.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string>

#include "exchange.hpp"

namespace copse::mpi {

/// Reads as zero where nothing was written. It is also the memory resource of one array, at its start: allocate() hands that out once, and
/// deallocate() of it ends this process's view, so that an array that all have written becomes the buffer of each, without a copy.
class shared_memory final : public std::pmr::memory_resource {
public:
  static constexpr std::uint64_t chunk_bytes = std::uint64_t{2} << 20;

  /// All ranks of `host` together. Null on all of them where the system refuses, and `reason` says why on one of them at least. What this
  /// rank is the first to take is counted in `memory` when that is a tracked_memory.
  static std::unique_ptr<shared_memory> of(const communicator& host, std::uint64_t bytes, std::pmr::memory_resource* memory,
                                           std::string& reason);
  shared_memory(const shared_memory&) = delete;
  shared_memory& operator=(const shared_memory&) = delete;
  ~shared_memory() override;

  /// On a chunk's boundary.
  [[nodiscard]] std::byte* data() const noexcept { return base_ + head_bytes_; }
  /// Before this process first reads or writes bytes [begin, end), by any thread: the system then says what it has no memory for; the touch
  /// of a page would be answered by SIGBUS. Throws resource_error, over the limit of `memory`, too.
  void take(std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t chunk = begin / chunk_bytes; chunk * chunk_bytes < end; ++chunk) {
      if (mapped_[chunk].load(std::memory_order_relaxed) == 0) take_chunk(chunk);
    }
  }
  /// All bytes below were taken.
  [[nodiscard]] std::uint64_t taken_below() const noexcept { return taken_below_.load(std::memory_order_relaxed); }
  /// Gives the array at data() to its new owner, a buffer: `buffer<T>{count, &shared_memory::release(...)}`.
  static shared_memory& release(std::unique_ptr<shared_memory> all) noexcept { return *all.release(); }

private:
  shared_memory(std::byte* base, std::uint64_t head_bytes, std::uint64_t bytes, tracked_memory* tracker);
  void take_chunk(std::uint64_t chunk);
  /// Does no other rank take the chunk? Otherwise one has.
  [[nodiscard]] bool is_first_at(std::uint64_t chunk);
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* pointer, std::size_t bytes, std::size_t alignment) override;
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
  [[nodiscard]] std::atomic_ref<std::byte> state_of(std::uint64_t chunk) const noexcept { return std::atomic_ref<std::byte>{base_[chunk]}; }

  std::byte* base_;           ///< begins with a byte per chunk: has a rank taken it, or is one about to?
  std::uint64_t head_bytes_;  ///< of those
  std::uint64_t bytes_;
  std::unique_ptr<std::atomic<std::uint8_t>[]> mapped_;  ///< per chunk: has this process its pages?
  std::atomic<std::uint64_t> taken_below_{0};
  tracked_memory* tracker_;
  std::atomic<std::uint64_t> counted_{0};
};

}  // namespace copse::mpi
