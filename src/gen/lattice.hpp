// Path, star, complete graph and the lattices: edge i is a formula.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/views.hpp>
#include <gen/pairs.hpp>

#include <cstdint>

namespace copse::gen {

struct path_edges {
  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id> at(std::uint64_t i) const noexcept {
    return {static_cast<Id>(i), static_cast<Id>(i + 1)};
  }
};

struct star_edges {
  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id> at(std::uint64_t i) const noexcept {
    return {Id{0}, static_cast<Id>(i + 1)};
  }
};

struct complete_edges {
  std::uint64_t n;

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id> at(std::uint64_t i) const noexcept {
    return pair_at<Id>(i, n);
  }
};

/// Row by row: the edges to the right, then those down, then (triangulated) those right and down. The last row has only the first kind.
struct grid_edges {
  std::uint64_t columns;
  bool diagonals;

  COPSE_HOST_DEVICE std::uint64_t per_row() const noexcept { return 2 * columns - 1 + (diagonals ? columns - 1 : 0); }

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id> at(std::uint64_t i) const noexcept {
    const std::uint64_t first = i / per_row() * columns;  // of the row
    const std::uint64_t j = i % per_row();
    if (j < columns - 1) return {static_cast<Id>(first + j), static_cast<Id>(first + j + 1)};
    if (j < 2 * columns - 1) return {static_cast<Id>(first + j - (columns - 1)), static_cast<Id>(first + j + 1)};
    const std::uint64_t u = first + j - (2 * columns - 1);
    return {static_cast<Id>(u), static_cast<Id>(u + columns + 1)};
  }
};

/// Every vertex has an edge to the right and one down, round the borders.
struct torus_edges {
  std::uint64_t side;

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id> at(std::uint64_t i) const noexcept {
    const std::uint64_t u = i / 2;
    const std::uint64_t x = u % side;
    if (i % 2 == 0) return {static_cast<Id>(u), static_cast<Id>(x + 1 < side ? u + 1 : u - x)};
    const std::uint64_t below = u + side;
    return {static_cast<Id>(u), static_cast<Id>(below < side * side ? below : x)};
  }
};

}  // namespace copse::gen
