// What a growing graph keeps in addition to parents: bits of vertices, and arrays that grow.
#pragma once
#include <copse/memory.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace copse::drivers {

/// An array whose capacity grows by half at least, so that growing by small steps costs amortised O(1) per element. New elements are not
/// initialised: the caller fills them.
template <class T>
class growing {
public:
  explicit growing(std::pmr::memory_resource* memory) : memory_{memory} {}

  [[nodiscard]] T* data() noexcept { return held_.data(); }
  [[nodiscard]] const T* data() const noexcept { return held_.data(); }

  /// Makes room for `count` elements; the first `used` keep their values. If it throws resource_error, nothing has changed.
  template <class Backend>
  void reserve(const Backend& loops, std::size_t used, std::size_t count) {
    if (count <= held_.size()) return;
    buffer<T> wider{std::max(count, held_.size() + held_.size() / 2), memory_};
    loops.for_blocks(used, [to = wider.data(), from = held_.data()](std::size_t begin, std::size_t end) {
      std::memcpy(static_cast<void*>(to + begin), from + begin, (end - begin) * sizeof(T));
    });
    held_ = std::move(wider);
  }

private:
  std::pmr::memory_resource* memory_;
  buffer<T> held_;
};

/// One bit per vertex, which is set but never cleared, such as for vertices that exist or roots that have died. `Shared`: many threads set
/// bits at once.
template <bool Shared>
class vertex_marks {
public:
  explicit vertex_marks(std::uint64_t* words) noexcept : words_{words} {}

  [[nodiscard]] bool has(std::uint64_t v) const noexcept { return (word(v).load(std::memory_order_relaxed) >> (v % 64) & 1) != 0; }
  /// Sets the bit of v. Returns true in the one call that set it.
  bool raise(std::uint64_t v) const noexcept {
    const std::uint64_t bit = std::uint64_t{1} << (v % 64), seen = word(v).load(std::memory_order_relaxed);
    if ((seen & bit) != 0) return false;
    if constexpr (Shared) {
      return (word(v).fetch_or(bit, std::memory_order_relaxed) & bit) == 0;
    } else {
      word(v).store(seen | bit, std::memory_order_relaxed);
      return true;
    }
  }

private:
  [[nodiscard]] std::atomic_ref<std::uint64_t> word(std::uint64_t v) const noexcept {
    return std::atomic_ref<std::uint64_t>{words_[v / 64]};
  }

  std::uint64_t* words_;
};

constexpr std::size_t mark_words(std::uint64_t vertices) noexcept { return static_cast<std::size_t>((vertices + 63) / 64); }

/// Sets all bits of [begin, end), for ranges whose words no other thread writes at the same time.
inline void raise_range(std::uint64_t* words, std::uint64_t begin, std::uint64_t end) noexcept {
  for (; begin < end && begin % 64 != 0; ++begin) words[begin / 64] |= std::uint64_t{1} << (begin % 64);
  for (; begin + 64 <= end; begin += 64) words[begin / 64] = ~std::uint64_t{0};
  for (; begin < end; ++begin) words[begin / 64] |= std::uint64_t{1} << (begin % 64);
}

}  // namespace copse::drivers
