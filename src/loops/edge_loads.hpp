// Reads an edge of a list as one 64-bit word (Soman, Kishore, Narayanan 2010), because a load for each end would request the same memory
// twice. Whether it does so is decided at run time, so that the kernels of all rules are compiled once for both ways.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/views.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace copse::backend {

/// Edges by their index in a list. They are read as 64-bit words if requested and if the list begins at a multiple of 8 bytes (a caller's
/// list may not).
class edge_loads {
public:
  using edge_type = edge<std::uint32_t>;

  edge_loads(std::span<const edge_type> edges, bool in_pairs) noexcept
      : first_{edges.data()}, in_pairs_{in_pairs && reinterpret_cast<std::uintptr_t>(edges.data()) % sizeof(std::uint64_t) == 0} {}

  [[nodiscard]] bool in_pairs() const noexcept { return in_pairs_; }
  [[nodiscard]] COPSE_HOST_DEVICE edge_type operator[](std::size_t i) const {
    if (!in_pairs_) return first_[i];
    const std::uint64_t both = word(i);  // on a little-endian machine the lower half is the first end
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
