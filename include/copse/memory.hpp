// Memory of large arrays: the default resource, a resource that counts and limits bytes, and the array type `buffer`.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <type_traits>
#include <utility>

namespace copse {

/// The default memory resource. Allocations are aligned to 64 bytes; those of 4 MiB and more are aligned to 2 MiB, and consist of untouched
/// (zero) pages that the kernel may back with huge pages. Throws resource_error with the size when the system refuses an allocation.
[[nodiscard]] std::pmr::memory_resource* host_memory() noexcept;

/// The memory available to this process: that of the machine or of the container, whichever is less; UINT64_MAX if unknown.
[[nodiscard]] std::uint64_t memory_of_this_machine();

/// A memory resource that counts the bytes allocated through it and refuses to exceed a limit. Thread-safe.
class tracked_memory final : public std::pmr::memory_resource {
public:
  explicit tracked_memory(std::uint64_t limit_bytes = UINT64_MAX, std::pmr::memory_resource* upstream = host_memory()) noexcept
      : upstream_{upstream}, limit_bytes_{limit_bytes} {}

  [[nodiscard]] std::uint64_t current_bytes() const noexcept { return current_bytes_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t peak_bytes() const noexcept { return peak_bytes_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t limit_bytes() const noexcept { return limit_bytes_; }

  /// Counts memory that was not allocated through this resource (pages touched in a reserved range). Throws resource_error over the limit.
  void add(std::uint64_t bytes);
  void subtract(std::uint64_t bytes) noexcept;

private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* pointer, std::size_t bytes, std::size_t alignment) override;
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  std::pmr::memory_resource* upstream_;
  std::uint64_t limit_bytes_;
  std::atomic<std::uint64_t> current_bytes_{0};
  std::atomic<std::uint64_t> peak_bytes_{0};
};

/// An owning array of `size()` elements, which are not initialised: the code that allocates it fills it, in parallel and within the
/// measured time.
template <class T>
requires std::is_trivially_copyable_v<T>
class buffer {
public:
  buffer() noexcept = default;
  explicit buffer(std::size_t size, std::pmr::memory_resource* memory = host_memory())
      : memory_{memory},
        data_{size == 0 ? nullptr : static_cast<T*>(memory->allocate(bytes_of(size), alignof(T)))},
        size_{size},
        capacity_{size} {}
  buffer(buffer&& other) noexcept
      : memory_{other.memory_},
        data_{std::exchange(other.data_, nullptr)},
        size_{std::exchange(other.size_, 0)},
        capacity_{std::exchange(other.capacity_, 0)} {}
  buffer& operator=(buffer&& other) noexcept {
    buffer moved{std::move(other)};
    std::swap(memory_, moved.memory_);
    std::swap(data_, moved.data_);
    std::swap(size_, moved.size_);
    std::swap(capacity_, moved.capacity_);
    return *this;
  }
  ~buffer() {
    if (data_ != nullptr) memory_->deallocate(data_, capacity_ * sizeof(T), alignof(T));
  }

  /// Keeps only the first `size` elements. The memory of the others is not released before the buffer is destroyed. Precondition: size <=
  /// size().
  void shrink(std::size_t size) noexcept { size_ = size; }

  [[nodiscard]] T* data() noexcept { return data_; }
  [[nodiscard]] const T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] T& operator[](std::size_t i) noexcept { return data_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  [[nodiscard]] T* begin() noexcept { return data_; }
  [[nodiscard]] T* end() noexcept { return data_ + size_; }
  [[nodiscard]] const T* begin() const noexcept { return data_; }
  [[nodiscard]] const T* end() const noexcept { return data_ + size_; }
  [[nodiscard]] std::span<T> span() noexcept { return {data_, size_}; }
  [[nodiscard]] std::span<const T> span() const noexcept { return {data_, size_}; }

private:
  [[nodiscard]] static std::size_t bytes_of(std::size_t size) {
    return size > SIZE_MAX / sizeof(T) ? SIZE_MAX : size * sizeof(T);  // more than any memory resource can allocate
  }

  std::pmr::memory_resource* memory_ = host_memory();
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace copse
