// Copies between host memory and a GPU. What is page-locked goes straight. Pageable memory the driver copies by one thread, which also
// touches new pages of the destination one by one; here several threads fill or empty page-locked pieces, each its own two by turns, while
// the GPU fetches or sends others. The pieces stay in the CPU's caches, so that host memory is read or written once.
#pragma once
#include <copse/execution.hpp>
#include <gpu/runtime/gpu.hpp>
#include <gpu/settings.hpp>

#include <atomic>
#include <cstddef>
#include <span>
#include <utility>

namespace copse::backend {

/// Enqueues in the stream of `on` (or in another one: copy_settings::beside); `doing` is for messages. When it returns, `from` may change
/// if it is pageable. Throws cancelled. The threads are those of core/team.hpp. Of two copies at the same time one is left to the driver.
void copy_in(const gpu& on, void* to, const void* from, std::size_t bytes, const char* doing, const copy_settings& settings = {},
             const observer* watcher = nullptr);

/// Runs after the work in the stream of `on`. Complete when it returns.
void copy_out(const gpu& on, void* to, const void* from, std::size_t bytes, const char* doing, const copy_settings& settings = {});

/// True if CUDA does not know this memory, as it was not allocated or registered by CUDA.
[[nodiscard]] bool pageable(const void* at);

/// What one may have at a time. A mutex would have to be released by the thread that took it.
class sole_use {
public:
  sole_use() = default;
  /// False where another has it.
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

/// The page-locked pieces of a GPU's copies, for callers that copy by threads of their own. While they have them, large copies are left to
/// the driver.
class borrowed_pieces {
public:
  explicit borrowed_pieces(const gpu& on);
  /// 64 MiB; nothing when others have them, or the system had no such memory left.
  [[nodiscard]] std::span<std::byte> room() const noexcept { return room_; }

private:
  sole_use mine_;
  std::span<std::byte> room_;
};

/// Page-locked memory in addition to those pieces, for one owner at a time: what is written there needs no thread to bring it to the GPU.
class locked_room {
public:
  static constexpr std::size_t most_bytes = std::size_t{16} << 20;

  /// None if that is more than there is, or if another has it.
  locked_room(const gpu& on, std::size_t bytes);
  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return bytes_; }

private:
  sole_use mine_;
  std::span<std::byte> bytes_;
};

/// Takes the page-locked memory now, 80 MiB that the process keeps; the first copy of some size does so otherwise.
void prepare_copies(const gpu& on);

}  // namespace copse::backend
