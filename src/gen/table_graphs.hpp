// The graphs of the tables of GPU measurements (docs/measurements/gpu.md). They were first made by a small program, before copse had
// families. These families repeat its draws bit by bit, so that a spec gives exactly the rows that were measured: rmat22, kron21, rmat25,
// er23, osm44M, web18M, bits16M and ba24 (mesh24 is mesh:side=4096). Random words are those of SplitMix64 without a key, addressed by
// number; a seed other than 1 shifts the numbers.
#pragma once
#include <gen/family.hpp>
#include <gen/osm.hpp>
#include <gen/rmat.hpp>

#include <cmath>
#include <cstdint>

namespace copse::gen {

inline constexpr std::string_view table_source = "docs/measurements/gpu.md";
inline constexpr std::uint64_t most_table_vertices = std::uint64_t{1} << 32;

struct table_draws {
  std::uint64_t shift;  ///< added to the index of every random number; 0 for seed 1, with which the graphs of table_source were made

  explicit table_draws(std::uint64_t seed) noexcept : shift{(seed - 1) * 0xD1B54A32D192ED03u} {}
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t word(std::uint64_t number) const noexcept {
    return mix(number + shift + 0x9E3779B97F4A7C15u);
  }
  /// A random number below 2^53, to be compared with a probability in units of 2^-53.
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t fraction(std::uint64_t number) const noexcept { return word(number) >> 11; }
};

/// A bijection of 0 .. n - 1: three rounds of mixing words that have as many bits as n needs, repeated until the result is below n.
class table_order {
public:
  table_order(std::uint64_t n, table_draws draws, std::uint64_t number) noexcept : n_{n}, bits_{1} {
    while (std::uint64_t{1} << bits_ < n) ++bits_;
    for (unsigned r = 0; r < rounds; ++r) {
      multiplier_[r] = draws.word(number + r) | 1;
      addend_[r] = draws.word(number + 7 + r);
    }
  }
  /// Precondition: x < n <= 2^63.
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t operator()(std::uint64_t x) const noexcept {
    const std::uint64_t mask = (std::uint64_t{1} << bits_) - 1;
    do {
      for (unsigned r = 0; r < rounds; ++r) {
        x = (x * multiplier_[r]) & mask;
        x ^= x >> (bits_ / 2 + 1);
        x = (x + addend_[r]) & mask;
      }
    } while (x >= n_);
    return x;
  }

private:
  static constexpr unsigned rounds = 3;
  std::uint64_t n_;
  unsigned bits_;
  std::uint64_t multiplier_[rounds] = {}, addend_[rounds] = {};
};

/// R-MAT with permuted ids. `a`, `ab` and `abc` are the shares of quadrant a, of a and b, and of a, b and c, in units of 2^-53.
struct table_rmat_edges {
  table_draws draws;
  table_order order;
  unsigned scale;
  std::uint64_t a, ab, abc;

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id> at(std::uint64_t i) const noexcept {
    std::uint64_t u = 0, v = 0;
    for (unsigned level = 0; level < scale; ++level) {
      const std::uint64_t drawn = draws.fraction(i * 64 + level);
      u = 2 * u + (drawn >= ab ? 1 : 0);
      v = 2 * v + ((drawn >= a && drawn < ab) || drawn >= abc ? 1 : 0);
    }
    return {static_cast<Id>(order(u)), static_cast<Id>(order(v))};
  }

  static constexpr parameter parameters[] = {{"scale", "2^scale vertices, 1 to 32", ""},
                                             {"edges", "edges drawn per vertex, 0 to 65536", ""},
                                             {"a", "share of the top left quadrant, 0 to 1", ".57"},
                                             {"b", "share of the top right quadrant, 0 to 1", ".19"},
                                             {"c", "share of the bottom left quadrant, 0 to 1; a + b + c <= 1", ".19"}};
  static constexpr family described{"table_rmat", "R-MAT as in the tables of GPU measurements: rmat22, kron21, rmat25", table_source,
                                    parameters};
  static amount<table_rmat_edges> make(const spec& s) {
    const auto scale = static_cast<unsigned>(s.integer("scale", 1, 32));
    const std::uint64_t per_vertex = s.integer("edges", 0, 65536), n = std::uint64_t{1} << scale;
    const shares_of_quadrants shares{s};
    const table_draws draws{s.seed()};
    return {{draws, {n, draws, 11}, scale, shares.a.scaled(53), shares.ab.scaled(53), shares.abc.scaled(53)}, n, n * per_vertex};
  }
};

/// Pairs of uniform ends, which include repeats and loops.
struct table_er_edges {
  table_draws draws;
  std::uint64_t n;

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id> at(std::uint64_t i) const noexcept {
    return {static_cast<Id>(draws.word(2 * i) % n), static_cast<Id>(draws.word(2 * i + 1) % n)};
  }

  static constexpr parameter parameters[] = {{"n", "vertices, 1 to 2^32", ""}, {"m", "pairs drawn, repeats and loops among them", ""}};
  static constexpr family described{"table_er", "uniform pairs as in the tables of GPU measurements: er23", table_source, parameters};
  static amount<table_er_edges> make(const spec& s) {
    const std::uint64_t n = s.integer("n", 1, most_table_vertices);
    return {{table_draws{s.seed()}, n}, n, s.integer("m", 0, std::uint64_t{1} << 40)};
  }
};

/// Preferential attachment: edge i joins vertex i / per_vertex to the vertex at a random earlier slot of the edge list, which has two slots
/// per edge. If that slot is itself a copy of an earlier one (odd slots are), its draw is repeated instead of read from memory.
struct table_ba_edges {
  table_draws draws;
  std::uint64_t per_vertex;

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id> at(std::uint64_t i) const noexcept {
    std::uint64_t slot = 2 * i + 1;
    while (slot % 2 == 1) slot = draws.word(slot * 31 + 5) % slot;
    return {static_cast<Id>(i / per_vertex), static_cast<Id>(slot / 2 / per_vertex)};
  }

  static constexpr parameter parameters[] = {{"n", "vertices, 1 to 2^32", ""}, {"k", "edges that a vertex brings, 1 to 65536", "10"}};
  static constexpr family described{"table_ba", "preferential attachment as in the tables of GPU measurements: ba24", table_source,
                                    parameters};
  static amount<table_ba_edges> make(const spec& s) {
    const std::uint64_t n = s.integer("n", 1, most_table_vertices), per_vertex = s.integer("k", 1, 65536);
    return {{table_draws{s.seed()}, per_vertex}, n, n * per_vertex};
  }
};

/// Links between web pages with the distribution of web.hpp, but computed by powers and logarithms of doubles. Where two math libraries
/// round differently, one end in about 10^9 may differ; a graph of 9 M pages is the same with glibc and with CUDA.
struct table_web_edges {
  table_draws draws;
  std::uint64_t n;

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id> at(std::uint64_t i) const noexcept {
    const double pages = static_cast<double>(n);
    const auto whole = [](double number) { return static_cast<std::uint64_t>(number); };
    const std::uint64_t in_site = whole(pages * unit(5 * i + 1)) / 64 * 64 + whole(64 * std::pow(unit(5 * i + 2), 3.0));
    const std::uint64_t source = in_site < n ? in_site : n - 1;
    std::uint64_t target = 0;
    if (unit(5 * i) < .85) {
      const std::uint64_t distance = whole(std::exp(unit(5 * i + 3) * std::log(4000.0)));
      if ((draws.word(5 * i + 4) & 1) != 0) {
        target = source + distance;
      } else {
        target = source > distance ? source - distance : 0;
      }
    } else {
      target = whole(pages * std::pow(unit(5 * i + 3), 6.0));
    }
    return {static_cast<Id>(source), static_cast<Id>(target < n ? target : n - 1)};
  }

  static constexpr parameter parameters[] = {{"n", "pages, 1 to 2^32", ""}, {"degree", "mean degree, 0 to 65536", "32"}};
  static constexpr family described{"table_web", "links of a crawl as in the tables of GPU measurements: web18M", table_source, parameters};
  static amount<table_web_edges> make(const spec& s) {
    const std::uint64_t n = s.integer("n", 1, most_table_vertices);
    return {{table_draws{s.seed()}, n}, n, n * s.integer("degree", 0, 65536) / 2};
  }

private:
  [[nodiscard]] COPSE_HOST_DEVICE double unit(std::uint64_t number) const noexcept {
    return static_cast<double>(draws.fraction(number)) * (1.0 / 9007199254740992.0);
  }
};

/// Draws from table_draws, the random words of the table graphs, which streets of a grid are kept and how many chain vertices divide each.
/// A street is kept with probability keep / 2^53.
struct table_streets {
  table_draws draws;
  std::uint64_t keep;

  [[nodiscard]] COPSE_HOST_DEVICE bool kept(std::uint64_t street) const noexcept { return draws.fraction(street * 3) < keep; }
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t chain(std::uint64_t street) const noexcept { return draws.word(street) % 5; }
};

struct table_osm_edges : basic_osm_edges<table_streets> {
  static constexpr parameter parameters[] = {{"side", "side x side junctions, 1 to 65536", ""},
                                             {"keep", "share of streets kept, 0 to 1", ".6"}};
  static constexpr family described{"table_osm", "roads as in the tables of GPU measurements: osm44M", table_source, parameters};
  static amount<table_osm_edges> make(const spec& s) {
    const std::uint64_t side = s.integer("side", 1, 65536);
    return {{{{table_draws{s.seed()}, s.share("keep").scaled(53)}, side}}, side * side, divided_up(2 * side * side, streets_per_block)};
  }
};

/// Disjoint random trees of 2 to `largest` vertices, with permuted ids. A tree begins where the previous tree ends, so the constructor
/// finds the beginnings in order and stores one for each of 256 ranges of ids. A range is a block, which one thread makes.
struct table_bits_edges {
  static constexpr std::uint64_t ranges = 256;

  table_draws draws;
  table_order order;
  std::uint64_t n, largest;
  std::uint64_t first[ranges + 1] = {};  ///< the beginning of the first tree that begins in the range or after it

  table_bits_edges(table_draws drawn, std::uint64_t vertices, std::uint64_t most) noexcept
      : draws{drawn}, order{vertices, drawn, 3}, n{vertices}, largest{most} {
    std::uint64_t tree = 0;
    for (std::uint64_t range = 0; range <= ranges; ++range) {
      while (tree < n * range / ranges) tree += size_of(tree);
      first[range] = tree;
    }
  }
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t size_of(std::uint64_t tree) const noexcept {
    const std::uint64_t size = 2 + draws.word(tree) % (largest - 1);
    return size < n - tree ? size : n - tree;
  }
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t count(std::uint64_t block) const noexcept {
    std::uint64_t edges = first[block + 1] - first[block];
    for (std::uint64_t tree = first[block]; tree < first[block + 1]; tree += size_of(tree)) --edges;
    return edges;
  }
  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id>* fill(std::uint64_t block, edge<Id>* out) const noexcept {
    for (std::uint64_t tree = first[block]; tree < first[block + 1];) {
      const std::uint64_t size = size_of(tree);
      for (std::uint64_t i = 1; i < size; ++i) {
        *out++ = {static_cast<Id>(order(tree + i)), static_cast<Id>(order(tree + draws.word(tree * 77 + i) % i))};
      }
      tree += size;
    }
    return out;
  }

  static constexpr parameter parameters[] = {{"n", "vertices, 1 to 2^32", ""}, {"size", "vertices of the largest tree, 2 to 65536", "20"}};
  static constexpr family described{"table_bits", "small random trees as in the tables of GPU measurements: bits16M", table_source,
                                    parameters};
  static amount<table_bits_edges> make(const spec& s) {
    const std::uint64_t n = s.integer("n", 1, most_table_vertices);
    return {{table_draws{s.seed()}, n, s.integer("size", 2, 65536)}, n, ranges};
  }
};

}  // namespace copse::gen
