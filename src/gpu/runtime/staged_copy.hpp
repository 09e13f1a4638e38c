// Copies between host memory and a GPU. Page-locked memory is copied directly. The driver copies pageable memory by one thread, which also
// touches new pages of the destination one by one. Here several threads fill or empty page-locked pieces instead. Each thread alternates
// between two pieces, so that the GPU copies one while the thread works on the other. The pieces stay in the CPU's caches, so that host
// memory is read or written once.
#pragma once
#include <copse/execution.hpp>
#include <gpu/runtime/gpu.hpp>
#include <gpu/settings.hpp>

#include <atomic>
#include <cstddef>
#include <span>
#include <utility>

namespace copse::backend {

/// Enqueues a copy in the stream of `on`, or copies concurrently with it if copy_settings::beside is set; `doing` is for messages. When it
/// returns, `from` may change if it is pageable. Throws cancelled. The threads are those of core/team.hpp. Of two concurrent copies, one is
/// left to the driver.
void copy_in(const gpu& on, void* to, const void* from, std::size_t bytes, const char* doing, const copy_settings& settings = {},
             const observer* watcher = nullptr);

/// Copies after the work in the stream of `on`, and returns when the copy is complete.
void copy_out(const gpu& on, void* to, const void* from, std::size_t bytes, const char* doing, const copy_settings& settings = {});

/// True if CUDA does not know this memory, as it was not allocated or registered by CUDA.
[[nodiscard]] bool pageable(const void* at);

/// Exclusive use of a resource, which ends with the object. A mutex is not suitable, because it must be unlocked by the thread that locked
/// it.
class sole_use {
public:
  sole_use() = default;
  /// Does not wait: operator bool returns false if there is another owner.
  explicit sole_use(std::atomic_flag& taken) noexcept : held_{taken.test_and_set(std::memory_order_acquire) ? nullptr : &taken} {}
  sole_use(sole_use&& other) noexcept : held_{std::exchange(other.held_, nullptr)} {}
  sole_use& operator=(sole_use&& other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  ~sole_use() {
    if (held_ != nullptr) held_->clear(std::memory_order_release);
  }
  explicit operator bool() const noexcept { return held_ != nullptr; }

private:
  std::atomic_flag* held_ = nullptr;
};

/// Lends the page-locked pieces of a GPU's copies to a caller that copies by threads of its own. While a caller holds them, large copies
/// are left to the driver.
class borrowed_pieces {
public:
  explicit borrowed_pieces(const gpu& on);
  /// The page-locked memory that was borrowed, 64 MiB; empty if another caller holds it or the system had no page-locked memory left.
  [[nodiscard]] std::span<std::byte> room() const noexcept { return room_; }

private:
  sole_use mine_;
  std::span<std::byte> room_;
};

/// Page-locked memory for data of one owner at a time, apart from the memory that borrowed_pieces lends. The GPU copies its contents
/// directly, without a thread of the CPU.
class locked_room {
public:
  static constexpr std::size_t most_bytes = std::size_t{16} << 20;

  /// Takes `bytes` bytes of this memory. bytes() is empty afterwards if `bytes` exceeds most_bytes, if there is another owner, or if the
  /// system had no page-locked memory left.
  locked_room(const gpu& on, std::size_t bytes);
  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return bytes_; }

private:
  sole_use mine_;
  std::span<std::byte> bytes_;
};

/// Allocates the page-locked memory at once: 80 MiB, which the process keeps. Otherwise the first large copy does so.
void prepare_copies(const gpu& on);

}  // namespace copse::backend
