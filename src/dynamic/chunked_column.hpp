// An array that grows without being copied, and of which less than 64 KiB are unused.
#pragma once
#include <cstddef>
#include <memory_resource>
#include <type_traits>
#include <vector>

namespace copse::dynamics {

/// Elements are in chunks of 64 KiB, and have no value until they are set.
template <class T>
class chunked_column {
  static constexpr std::size_t chunk_size = (std::size_t{1} << 16) / sizeof(T);
  static_assert(std::is_trivially_copyable_v<T> && (chunk_size & (chunk_size - 1)) == 0);

public:
  explicit chunked_column(std::pmr::memory_resource* memory) : memory_{memory}, chunks_{memory} {}
  chunked_column(const chunked_column&) = delete;
  ~chunked_column() {
    for (T* chunk : chunks_) memory_->deallocate(chunk, chunk_size * sizeof(T), alignof(T));
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] T& operator[](std::size_t i) noexcept { return chunks_[i / chunk_size][i % chunk_size]; }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return chunks_[i / chunk_size][i % chunk_size]; }
  /// Makes room for more elements. Precondition: `size` is not smaller than size().
  void resize(std::size_t size) {
    while (chunks_.size() * chunk_size < size) {
      chunks_.reserve(chunks_.size() + 1);
      chunks_.push_back(static_cast<T*>(memory_->allocate(chunk_size * sizeof(T), alignof(T))));
    }
    size_ = size;
  }

private:
  std::pmr::memory_resource* memory_;
  std::pmr::vector<T*> chunks_;
  std::size_t size_ = 0;
};

}  // namespace copse::dynamics
