// A road network: a side x side grid of junctions. A share of its streets is kept, each divided by 0 to 4 chain vertices of degree two.
// Chain vertices are numbered after the junctions, street by street, so that neighbours have near numbers. A block is 1024 possible
// streets (two per junction: right, down); `added_before[block]` is the number of chain vertices before the block.
#pragma once
#include <gen/family.hpp>

#include <cstdint>

namespace copse::gen {

struct osm_streets {
  random_stream random;
  std::uint64_t keep;  ///< the probability that a street is kept, in units of 2^-63

  [[nodiscard]] COPSE_HOST_DEVICE bool kept(std::uint64_t street) const noexcept { return (random.word(2 * street) >> 1) < keep; }
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t chain(std::uint64_t street) const noexcept { return random.below(2 * street + 1, 5); }
};

/// `Streets::kept(street)` draws whether a street is kept, `Streets::chain(street)` how many chain vertices it has.
template <class Streets>
struct basic_osm_edges {
  static constexpr std::uint64_t streets_per_block = 1024;

  Streets streets;
  std::uint64_t side;
  const std::uint64_t* added_before = nullptr;

  [[nodiscard]] COPSE_HOST_DEVICE bool kept(std::uint64_t street) const noexcept {
    const std::uint64_t junction = street / 2;
    const bool inside = street % 2 == 0 ? junction % side + 1 < side : junction + side < side * side;
    return inside && streets.kept(street);
  }
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t end_of(std::uint64_t block) const noexcept {
    const std::uint64_t end = (block + 1) * streets_per_block;
    return end < 2 * side * side ? end : 2 * side * side;
  }

  /// The number of chain vertices, which divide streets, of a block of streets.
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t added_vertices(std::uint64_t block) const noexcept {
    std::uint64_t sum = 0;
    for (std::uint64_t street = block * streets_per_block; street < end_of(block); ++street)
      sum += kept(street) ? streets.chain(street) : 0;
    return sum;
  }

  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t count(std::uint64_t block) const noexcept {
    std::uint64_t sum = 0;
    for (std::uint64_t street = block * streets_per_block; street < end_of(block); ++street)
      sum += kept(street) ? 1 + streets.chain(street) : 0;
    return sum;
  }

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id>* fill(std::uint64_t block, edge<Id>* out) const noexcept {
    std::uint64_t next = side * side + added_before[block];
    for (std::uint64_t street = block * streets_per_block; street < end_of(block); ++street) {
      if (!kept(street)) continue;
      std::uint64_t near = street / 2;
      const std::uint64_t far = near + (street % 2 == 0 ? 1 : side);
      for (std::uint64_t links = streets.chain(street); links > 0; --links) {
        *out++ = {static_cast<Id>(near), static_cast<Id>(next)};
        near = next++;
      }
      *out++ = {static_cast<Id>(near), static_cast<Id>(far)};
    }
    return out;
  }
};

struct osm_edges : basic_osm_edges<osm_streets> {
  static constexpr parameter parameters[] = {{"side", "side x side junctions, 1 to 2^28", ""},
                                             {"keep", "share of streets kept, 0 to 1", ".6"}};
  static constexpr family described{"osm", "roads: a grid with dropped streets, the others subdivided by 0 to 4 vertices of degree two",
                                    "by definition; degrees and diameter like OpenStreetMap extracts", parameters};
  static amount<osm_edges> make(const spec& s) {
    const std::uint64_t side = s.integer("side", 1, most_side);
    return {
        {{{stream_of(s, purpose::edges), s.share("keep").scaled(63)}, side}}, side * side, divided_up(2 * side * side, streets_per_block)};
  }
};

}  // namespace copse::gen
