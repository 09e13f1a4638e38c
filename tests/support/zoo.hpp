// Small graphs of every shape that has broken somebody's connectivity code. Made here by plain loops, not by the library's generators,
// so that a fault there cannot hide a fault elsewhere. At most about 2000 vertices each: thousands of solves take seconds.
#pragma once
#include <copse/views.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace copse::test {

struct zoo_graph {
  std::string name;
  coo<std::uint32_t> edges;
};

namespace zoo_detail {

using id = std::uint32_t;
using edge_list = std::vector<edge<id>>;

/// xorshift64*: the zoo's own random numbers, the same everywhere.
class dice {
public:
  explicit dice(std::uint64_t seed) : state_{seed * 0x9E3779B97F4A7C15u + 0x1234567u} {
    if (state_ == 0) state_ = 1;
    for (int i = 0; i < 8; ++i) static_cast<void>(below(2));
  }
  id below(std::uint64_t bound) {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<id>(((state_ * 0x2545F4914F6CDD1Du) >> 33) % bound);
  }

private:
  std::uint64_t state_;
};

inline std::vector<id> permutation(id n, dice& random) {
  std::vector<id> order(n);
  std::iota(order.begin(), order.end(), id{0});
  for (id i = n; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

/// New ids for all vertices, edges turned round and reordered at random: the same graph for the reader, another one for the solver.
inline edge_list shuffled(edge_list edges, id n, dice& random) {
  const std::vector<id> name = permutation(n, random);
  for (edge<id>& e : edges) {
    e = {name[e.u], name[e.v]};
    if (random.below(2) == 1) std::swap(e.u, e.v);
  }
  for (std::size_t i = edges.size(); i > 1; --i) std::swap(edges[i - 1], edges[random.below(i)]);
  return edges;
}

inline edge_list path(id n) {
  edge_list edges;
  for (id v = 1; v < n; ++v) edges.push_back({v - 1, v});
  return edges;
}

inline edge_list clique(id first, id n) {
  edge_list edges;
  for (id v = 1; v < n; ++v) {
    for (id u = 0; u < v; ++u) edges.push_back({first + u, first + v});
  }
  return edges;
}

inline edge_list grid(id rows, id columns, bool torus, bool diagonals) {
  edge_list edges;
  for (id y = 0; y < rows; ++y) {
    for (id x = 0; x < columns; ++x) {
      const id here = y * columns + x;
      if (x + 1 < columns) edges.push_back({here, here + 1});
      if (y + 1 < rows) edges.push_back({here, here + columns});
      if (diagonals && x + 1 < columns && y + 1 < rows) edges.push_back({here, here + columns + 1});
      if (torus && x + 1 == columns) edges.push_back({here, y * columns});
      if (torus && y + 1 == rows) edges.push_back({here, x});
    }
  }
  return edges;
}

inline edge_list rmat(unsigned scale, std::size_t count, dice& random) {
  edge_list edges;
  for (std::size_t i = 0; i < count; ++i) {
    id u = 0;
    id v = 0;
    for (unsigned level = 0; level < scale; ++level) {
      const id r = random.below(100);
      u = 2 * u + (r >= 76 ? 1 : 0);  // quadrants of 57, 19, 19 and 5 %
      v = 2 * v + ((r >= 57 && r < 76) || r >= 95 ? 1 : 0);
    }
    edges.push_back({u, v});
  }
  return edges;
}

inline edge_list uniform(id n, std::size_t count, dice& random) {
  edge_list edges;
  for (std::size_t i = 0; i < count; ++i) {
    const id u = random.below(n);
    edges.push_back({u, random.below(n)});
  }
  return edges;
}

inline edge_list random_tree(id n, dice& random) {
  edge_list edges;
  for (id v = 1; v < n; ++v) edges.push_back({v, random.below(v)});
  return edges;
}

inline edge_list attachment(id n, id k, dice& random) {
  edge_list edges{{0, 1}};
  for (id v = 2; v < n; ++v) {
    for (id i = 0; i < k; ++i) {
      const edge<id> copied = edges[random.below(edges.size())];
      edges.push_back({v, random.below(2) == 0 ? copied.u : copied.v});
    }
  }
  return edges;
}

inline edge_list clusters(id n, id largest, dice& random) {
  edge_list edges;
  for (id first = 0; first < n;) {
    const id size = std::min(n - first, 1 + random.below(largest));
    for (id i = 1; i < size; ++i) edges.push_back({first + random.below(i), first + i});
    first += size;
  }
  return edges;
}

inline edge_list web(id n, id degree, dice& random) {
  edge_list edges;
  for (id i = 0; i < n * degree / 2; ++i) {
    const id u = random.below(n);
    const bool near = random.below(8) != 0;
    const id far = random.below(1 + random.below(1 + random.below(n)));  // low ids are popular
    edges.push_back({u, near ? std::min(n - 1, u + random.below(20)) : far});
  }
  return edges;
}

// Zachary, An information flow model for conflict and fission in small groups, 1977; members counted from 1.
inline edge_list karate() {
  constexpr std::pair<int, int> friends[] = {
      {1, 2},   {1, 3},   {1, 4},   {1, 5},   {1, 6},   {1, 7},   {1, 8},   {1, 9},   {1, 11},  {1, 12},  {1, 13},  {1, 14},  {1, 18},
      {1, 20},  {1, 22},  {1, 32},  {2, 3},   {2, 4},   {2, 8},   {2, 14},  {2, 18},  {2, 20},  {2, 22},  {2, 31},  {3, 4},   {3, 8},
      {3, 9},   {3, 10},  {3, 14},  {3, 28},  {3, 29},  {3, 33},  {4, 8},   {4, 13},  {4, 14},  {5, 7},   {5, 11},  {6, 7},   {6, 11},
      {6, 17},  {7, 17},  {9, 31},  {9, 33},  {9, 34},  {10, 34}, {14, 34}, {15, 33}, {15, 34}, {16, 33}, {16, 34}, {19, 33}, {19, 34},
      {20, 34}, {21, 33}, {21, 34}, {23, 33}, {23, 34}, {24, 26}, {24, 28}, {24, 30}, {24, 33}, {24, 34}, {25, 26}, {25, 28}, {25, 32},
      {26, 32}, {27, 30}, {27, 34}, {28, 34}, {29, 32}, {29, 34}, {30, 33}, {30, 34}, {31, 33}, {31, 34}, {32, 33}, {32, 34}, {33, 34}};
  edge_list edges;
  for (const auto& [u, v] : friends) edges.push_back({static_cast<id>(u - 1), static_cast<id>(v - 1)});
  return edges;
}

}  // namespace zoo_detail

/// An owned edge list from a vector.
inline coo<std::uint32_t> make_coo(std::uint32_t vertices, const std::vector<edge<std::uint32_t>>& edges) {
  coo<std::uint32_t> list;
  list.vertex_count = vertices;
  list.edges = buffer<edge<std::uint32_t>>(edges.size());
  std::copy(edges.begin(), edges.end(), list.edges.begin());
  return list;
}

/// All animals; those with a random part differ from seed to seed.
inline std::vector<zoo_graph> zoo(std::uint64_t seed) {
  using namespace zoo_detail;
  dice random{seed};
  std::vector<zoo_graph> animals;
  const auto add = [&](std::string name, id n, const edge_list& edges) { animals.push_back({std::move(name), make_coo(n, edges)}); };
  const auto reversed = [](edge_list edges) {
    std::reverse(edges.begin(), edges.end());
    return edges;
  };

  add("empty", 0, {});
  add("one_vertex", 1, {});
  add("one_loop", 1, {{0, 0}});
  add("one_edge", 2, {{1, 0}});
  add("no_edges", 300, {});
  add("loops_only", 40, [] {
    edge_list edges;
    for (id v = 0; v < 40; v += 2) edges.insert(edges.end(), 2, {v, v});
    return edges;
  }());
  add("multi_edges", 6, {{0, 1}, {1, 0}, {0, 1}, {0, 1}, {3, 2}, {2, 3}, {3, 3}, {3, 2}, {5, 1}, {1, 5}});
  add("isolated_tail", 500, path(100));
  add("isolated_head", 500, [] {
    edge_list edges;
    for (id v = 401; v < 500; ++v) edges.push_back({v, v - 1});
    return edges;
  }());
  add("last_joins_first", 1000, {{999, 0}});
  add("star_low", 600, [] {
    edge_list edges;
    for (id v = 1; v < 600; ++v) edges.push_back({0, v});
    return edges;
  }());
  add("star_high", 600, [] {
    edge_list edges;
    for (id v = 0; v < 599; ++v) edges.push_back({v, 599});
    return edges;
  }());
  add("path_ascending", 1500, path(1500));
  add("path_descending", 1500, reversed(path(1500)));
  add("path_shuffled", 1500, shuffled(path(1500), 1500, random));
  add("cycle", 997, [] {
    edge_list edges = path(997);
    edges.push_back({996, 0});
    return edges;
  }());
  add("two_cycles", 800, [&random] {
    edge_list edges;
    for (id v = 0; v < 800; ++v) edges.push_back({v, (v + 2) % 800});  // evens and odds
    return shuffled(edges, 800, random);
  }());
  add("bridged_cliques", 60, [] {
    edge_list edges = clique(0, 30);
    const edge_list other = clique(30, 30);
    edges.insert(edges.end(), other.begin(), other.end());
    edges.push_back({59, 17});
    return edges;
  }());
  add("separate_cliques", 60, [&random] {
    edge_list edges = clique(0, 30);
    const edge_list other = clique(30, 30);
    edges.insert(edges.end(), other.begin(), other.end());
    return shuffled(edges, 60, random);
  }());
  add("complete", 50, clique(0, 50));
  add("bipartite", 70, [] {
    edge_list edges;
    for (id u = 0; u < 30; ++u) {
      for (id v = 30; v < 70; ++v) edges.push_back({v, u});
    }
    return edges;
  }());
  add("ladder", 800, grid(2, 400, false, false));
  add("grid", 35 * 41, grid(35, 41, false, false));
  add("grid_shuffled", 30 * 30, shuffled(grid(30, 30, false, false), 900, random));
  add("torus", 24 * 31, grid(24, 31, true, false));
  add("mesh", 32 * 32, grid(32, 32, false, true));
  add("binary_tree", 1023, [] {
    edge_list edges;
    for (id v = 1; v < 1023; ++v) edges.push_back({(v - 1) / 2, v});
    return edges;
  }());
  add("caterpillar", 1200, [&random] {
    edge_list edges = path(400);
    for (id v = 400; v < 1200; ++v) edges.push_back({v, v % 400});
    return shuffled(edges, 1200, random);
  }());
  add("random_tree", 1500, random_tree(1500, random));
  add("random_tree_shuffled", 1500, shuffled(random_tree(1500, random), 1500, random));
  add("karate", 34, karate());
  add("rmat_sparse", 1024, rmat(10, 700, random));
  add("rmat", 512, rmat(9, 4096, random));
  add("rmat_shuffled", 1024, shuffled(rmat(10, 6000, random), 1024, random));
  add("er_below_threshold", 1500, uniform(1500, 500, random));
  add("er_at_threshold", 1500, uniform(1500, 750, random));
  add("er_dense", 200, uniform(200, 4000, random));
  add("ba", 1000, attachment(1000, 3, random));
  add("web", 1200, web(1200, 6, random));
  add("clusters", 1800, clusters(1800, 9, random));
  add("clusters_shuffled", 1800, shuffled(clusters(1800, 40, random), 1800, random));
  return animals;
}

}  // namespace copse::test
