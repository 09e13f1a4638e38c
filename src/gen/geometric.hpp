// Points in a square of side x side cells, numbered cell by cell. Cells are independent and have four points on average (a binomial number
// of 2^16 trials, which is nearly a Poisson process). Coordinates are integers, with 2^20 units per cell, and squares of distances are
// compared in 64 bits. A cell is a block: it draws the points of the surrounding cells again, so that it need not wait for other blocks.
#pragma once
#include <gen/er.hpp>
#include <gen/family.hpp>

#include <cstdint>

namespace copse::gen {

struct point_cells {
  static constexpr unsigned cell_bits = 20;
  static constexpr std::uint64_t mean = 4, words_per_cell = 64;
  static_assert(binomial_table::most < words_per_cell);

  random_stream random;
  std::uint64_t side;
  binomial_table table{16, *fraction::parse(".00006103515625")};  // 4 points per cell on average, in 2^16 trials
  const std::uint64_t* added_before = nullptr;                    ///< number of points before each cell, then the number of all points

  struct position {
    std::int64_t x, y;
  };

  [[nodiscard]] COPSE_HOST_DEVICE unsigned points(std::uint64_t cell) const noexcept {
    return table.draw(random.word(cell * words_per_cell));
  }
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t added_vertices(std::uint64_t cell) const noexcept { return points(cell); }
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t cells() const noexcept { return side * side; }

  /// The position of point i of a cell, in units of 2^-20 of a cell's width, from the corner of the square that all cells form.
  [[nodiscard]] COPSE_HOST_DEVICE position at(std::uint64_t cell, unsigned i) const noexcept {
    const std::uint64_t word = random.word(cell * words_per_cell + 1 + i), within = (std::uint64_t{1} << cell_bits) - 1;
    return {static_cast<std::int64_t>((cell % side << cell_bits) + (word & within)),
            static_cast<std::int64_t>((cell / side << cell_bits) + (word >> cell_bits & within))};
  }
  /// The squared distance. It fits 64 bits if the points are less than 2^11 cells apart. Searches do not go that far, because only one cell
  /// in 55 is empty.
  [[nodiscard]] static COPSE_HOST_DEVICE std::uint64_t distance(position a, position b) noexcept {
    const std::int64_t x = a.x - b.x, y = a.y - b.y;
    return static_cast<std::uint64_t>(x * x + y * y);
  }

  /// Returns a square of cells for about n points.
  static point_cells for_points(const spec& s, std::uint64_t n) {
    std::uint64_t side = 0;
    for (std::uint64_t bit = std::uint64_t{1} << 21; bit != 0; bit /= 2) {
      if (mean * (side + bit) * (side + bit) <= n) side += bit;
    }
    if (mean * side * side < n) ++side;
    return {stream_of(s, purpose::structure), side};
  }
  static constexpr std::uint64_t most_points = std::uint64_t{1} << 42;
};

/// All pairs of points whose distance is at most a radius. One block of the family makes the pairs of one cell: those in the cell, and
/// those of its points and points in cells with higher numbers.
struct geometric_edges : point_cells {
  std::uint64_t radius_squared;
  std::int64_t reach;  ///< how many cells away, in rows or columns, a point within the radius may be

  template <class Visit>
  COPSE_HOST_DEVICE void each_edge(std::uint64_t cell, Visit visit) const noexcept {
    const auto column = static_cast<std::int64_t>(cell % side), row = static_cast<std::int64_t>(cell / side);
    const auto end = static_cast<std::int64_t>(side);
    const unsigned here = points(cell);
    for (std::int64_t y = row; y < end && y <= row + reach; ++y) {
      for (std::int64_t x = y == row ? column : (column < reach ? 0 : column - reach); x < end && x <= column + reach; ++x) {
        const auto other = static_cast<std::uint64_t>(y * end + x);
        const unsigned there = points(other);
        for (unsigned i = 0; i < here; ++i) {
          const position from = at(cell, i);
          for (unsigned j = other == cell ? i + 1 : 0; j < there; ++j) {
            if (distance(from, at(other, j)) <= radius_squared) visit(added_before[cell] + i, added_before[other] + j);
          }
        }
      }
    }
  }

  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t count(std::uint64_t cell) const noexcept {
    std::uint64_t edges = 0;
    each_edge(cell, [&edges](std::uint64_t, std::uint64_t) { ++edges; });
    return edges;
  }
  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id>* fill(std::uint64_t cell, edge<Id>* out) const noexcept {
    each_edge(cell, [&out](std::uint64_t u, std::uint64_t v) { *out++ = {static_cast<Id>(u), static_cast<Id>(v)}; });
    return out;
  }

  static constexpr parameter parameters[] = {{"n", "vertices, about; 0 to 2^42", ""}, {"degree", "mean degree inside, 0 to 1000", "8"}};
  static constexpr family described{"geometric", "random points of a square, joined where they are near each other",
                                    "Gilbert: Random plane networks, J. SIAM 1961", parameters};
  static amount<geometric_edges> make(const spec& s) {
    // A circle with a radius of r cell widths has 4 pi r^2 points on average, which is the average number of neighbours of a point.
    constexpr std::uint64_t for_degree_one = 87'496'355'273;  // the squared radius, 2^40 / (4 pi), where a cell is 2^20 wide
    const std::uint64_t squared = s.integer("degree", 0, 1000) * for_degree_one;
    std::int64_t reach = 0;
    while (static_cast<std::uint64_t>(reach * reach) << 2 * cell_bits < squared) ++reach;
    const geometric_edges edges{for_points(s, s.integer("n", 0, most_points)), squared, reach};
    return {edges, 0, edges.cells()};
  }
};

/// An edge from every point to each of its k nearest other points, the nearest first; of points at the same distance, the one with the
/// smaller number comes first.
struct knn_edges : point_cells {
  static constexpr unsigned most_neighbours = 32;

  unsigned k;

  /// The number of neighbours of a point: k, or the number of other points if that is less.
  [[nodiscard]] COPSE_HOST_DEVICE unsigned per_point() const noexcept {
    const std::uint64_t all = added_before[cells()];
    return all > k ? k : (all == 0 ? 0 : static_cast<unsigned>(all - 1));
  }
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t count(std::uint64_t cell) const noexcept {
    return points(cell) == 0 ? 0 : std::uint64_t{points(cell)} * per_point();
  }

  /// The nearest points found so far, in order of distance.
  struct nearest {
    std::uint64_t squared[most_neighbours], id[most_neighbours];
    unsigned wanted = 0, held = 0;

    COPSE_HOST_DEVICE void offer(std::uint64_t distance, std::uint64_t point) noexcept {
      const auto goes_before = [&](unsigned i) { return distance < squared[i] || (distance == squared[i] && point < id[i]); };
      if (held == wanted && !goes_before(held - 1)) return;
      if (held < wanted) ++held;
      unsigned i = held - 1;
      for (; i > 0 && goes_before(i - 1); --i) squared[i] = squared[i - 1], id[i] = id[i - 1];
      squared[i] = distance;
      id[i] = point;
    }
  };

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id>* fill(std::uint64_t cell, edge<Id>* out) const noexcept {
    const unsigned here = points(cell);
    for (unsigned i = 0; i < here && per_point() != 0; ++i) {
      nearest best;
      best.wanted = per_point();
      // Searches rings of cells around the point's cell until cells farther out cannot contain a nearer point: their points are more than
      // `ring` cell widths away.
      for (std::uint64_t ring = 0;; ++ring) {
        look_at(ring, cell, i, best);
        if (best.held == best.wanted && best.squared[best.held - 1] <= ring * ring << 2 * cell_bits) break;
        if (ring == side) break;
      }
      for (unsigned j = 0; j < best.held; ++j) *out++ = {static_cast<Id>(added_before[cell] + i), static_cast<Id>(best.id[j])};
    }
    return out;
  }

  static constexpr parameter parameters[] = {{"n", "vertices, about; 0 to 2^42", ""}, {"k", "neighbours of each, 0 to 32", "4"}};
  static constexpr family described{"knn", "random points of a square, each joined to the k nearest others",
                                    "Eppstein, Paterson, Yao: On nearest-neighbor graphs, Discrete Comput. Geom. 1997", parameters};
  static amount<knn_edges> make(const spec& s) {
    const knn_edges edges{for_points(s, s.integer("n", 0, most_points)), static_cast<unsigned>(s.integer("k", 0, most_neighbours))};
    return {edges, 0, edges.cells()};
  }

private:
  /// Offers `best` the points of the cells that are exactly `ring` rows or columns away from `cell`.
  COPSE_HOST_DEVICE void look_at(std::uint64_t ring, std::uint64_t cell, unsigned i, nearest& best) const noexcept {
    const auto column = static_cast<std::int64_t>(cell % side), row = static_cast<std::int64_t>(cell / side);
    const auto r = static_cast<std::int64_t>(ring), end = static_cast<std::int64_t>(side);
    const position from = at(cell, i);
    for (std::int64_t y = row < r ? 0 : row - r; y < end && y <= row + r; ++y) {
      const bool whole_row = y == row - r || y == row + r;
      for (std::int64_t x = column - r; x <= column + r; x += whole_row || r == 0 ? 1 : 2 * r) {
        if (x < 0 || x >= end) continue;
        const auto other = static_cast<std::uint64_t>(y * end + x);
        const unsigned there = points(other);
        for (unsigned j = 0; j < there; ++j) {
          if (other != cell || j != i) best.offer(distance(from, at(other, j)), added_before[other] + j);
        }
      }
    }
  }
};

}  // namespace copse::gen
