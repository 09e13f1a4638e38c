// An accessor whose word holds rank, root bit and parent in 64 bits, read and swapped as one, for linking by rank (jtb).
//   bits 57-63 rank, while a root · bit 56 root · bits 0-55 parent
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/parent_array.hpp>

#include <cstdint>

namespace copse::parents {

/// `Words` accesses an array of 64-bit words (plain, atomic, or an instrument); `Id` is the width of a vertex. At most 2^56 vertices.
template <class Words, unsigned_index Id>
class ranked {
public:
  using id = Id;
  using word = std::uint64_t;
  static constexpr bool minimal_roots = false;

  COPSE_HOST_DEVICE explicit ranked(Words words) noexcept : words_{words} {}

  COPSE_HOST_DEVICE static constexpr id parent(word w) noexcept { return static_cast<id>(w & parent_mask); }
  COPSE_HOST_DEVICE static constexpr bool is_root(id /*v*/, word w) noexcept { return (w & root_bit) != 0; }
  COPSE_HOST_DEVICE static constexpr word link(id p) noexcept { return p; }
  COPSE_HOST_DEVICE static constexpr word root(id v) noexcept { return root_bit | v; }
  COPSE_HOST_DEVICE static constexpr unsigned rank(word w) noexcept { return static_cast<unsigned>(w >> rank_shift); }
  COPSE_HOST_DEVICE static constexpr word raised(word w) noexcept { return w + (word{1} << rank_shift); }

  COPSE_HOST_DEVICE word load(id v) const noexcept { return words_.load(v); }
  COPSE_HOST_DEVICE void store(id v, word w) const noexcept { words_.store(v, w); }
  COPSE_HOST_DEVICE cas_result<word> cas(id v, word expected, word desired) const noexcept { return words_.cas(v, expected, desired); }
  COPSE_HOST_DEVICE word fetch_min(id v, word w) const noexcept { return words_.fetch_min(v, w); }

private:
  static constexpr unsigned root_shift = 56, rank_shift = 57;
  static constexpr word root_bit = word{1} << root_shift, parent_mask = root_bit - 1;

  Words words_;
};

}  // namespace copse::parents
