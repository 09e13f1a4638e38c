// An array whose capacity grows by half at least, so that growing by small steps costs amortised O(1) per element. New elements are not
// initialised: the caller fills them.
#pragma once
#include <copse/memory.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

namespace copse::drivers {

template <class T>
class growing {
public:
  explicit growing(std::pmr::memory_resource* memory) : memory_{memory} {}

  [[nodiscard]] T* data() noexcept { return held_.data(); }
  [[nodiscard]] const T* data() const noexcept { return held_.data(); }

  /// Room for `count` elements; the first `used` keep their values. Throws resource_error and changes nothing.
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

}  // namespace copse::drivers
