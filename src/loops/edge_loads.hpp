// Soman, Kishore, Narayanan (2010): an edge of a list read as one word of 64 bits, where a load for each end would ask for the same memory
// twice. Whether it is, is known at run time: the two forms share the kernels of all rules.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/views.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace copse::backend {

/// Edges by number. Reads words if requested and if the list begins at a multiple of 8 bytes (that of a caller may not).
class edge_loads {
public:
  using edge_type = edge<std::uint32_t>;

  edge_loads(std::span<const edge_type> edges, bool in_pairs) noexcept
      : first_{edges.data()}, in_pairs_{in_pairs && reinterpret_cast<std::uintptr_t>(edges.data()) % sizeof(std::uint64_t) == 0} {}

  [[nodiscard]] bool in_pairs() const noexcept { return in_pairs_; }
  [[nodiscard]] COPSE_HOST_DEVICE edge_type operator[](std::size_t i) const {
    if (!in_pairs_) return first_[i];
    const std::uint64_t both = word(i);  // on a little-endian machine the first end is its lower half
    return {static_cast<std::uint32_t>(both), static_cast<std::uint32_t>(both >> 32)};
  }

private:
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t word(std::size_t i) const {
#if defined(__CUDA_ARCH__)
    return reinterpret_cast<const std::uint64_t*>(first_)[i];
#else
    std::uint64_t both;
    std::memcpy(&both, first_ + i, sizeof both);
    return both;
#endif
  }

  const edge_type* first_;
  bool in_pairs_;
};

}  // namespace copse::backend
