// Small graphs drawn at random: shapes that union-find code meets, one over the other on the same vertices, under ids and in an order
// drawn too. A graph is made from its number alone, so that a number is enough to see it again.
#pragma once
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "support/reference.hpp"
#include "support/zoo.hpp"

namespace copse::test {

using zoo_detail::dice;

struct drawn_graph {
  std::uint64_t number = 0;
  std::string name;
  coo<std::uint32_t> edges;
  std::vector<std::uint32_t> labels;  ///< by breadth-first search
};

namespace drawing {

using zoo_detail::edge_list;
using zoo_detail::id;

/// Once in `count`.
inline bool once_in(dice& random, id count) { return random.below(count) == 0; }

/// Mostly up to 300 vertices, often a handful, seldom thousands.
inline id draw_vertices(dice& random) {
  if (once_in(random, 100)) return 300 + random.below(4000);
  if (once_in(random, 6)) return random.below(9);
  return random.below(301);
}

struct shape {
  const char* name;
  edge_list (*draw)(id n, dice& random);  ///< precondition: n > 0
};

inline id draw_some(id n, dice& random) { return random.below(std::uint64_t{n} * (1 + random.below(4)) + 1); }

inline constexpr shape shapes[] = {
    {"nothing", [](id, dice&) { return edge_list{}; }},
    {"pairs", [](id n, dice& random) { return zoo_detail::uniform(n, draw_some(n, random), random); }},
    {"few pairs", [](id n, dice& random) { return zoo_detail::uniform(n, random.below(n / 2 + 1), random); }},
    {"skewed",
     [](id n, dice& random) {
       edge_list edges(draw_some(n, random));
       for (auto& e : edges) e = {random.below(1 + random.below(1 + random.below(n))), random.below(1 + random.below(n))};
       return edges;
     }},
    {"path",
     [](id n, dice& random) {
       const id first = random.below(n), size = 1 + random.below(n - first);
       edge_list edges = zoo_detail::path(size);
       for (auto& e : edges) e = {e.u + first, e.v + first};
       return edges;
     }},
    {"star",
     [](id n, dice& random) {
       const id hub = once_in(random, 3) ? 0 : once_in(random, 2) ? n - 1 : random.below(n);
       edge_list edges;
       for (id v = random.below(n); v < n; v += 1 + random.below(2)) edges.push_back({hub, v});
       return edges;
     }},
    {"cliques",
     [](id n, dice& random) {
       edge_list edges;
       for (id first = 0; first < n && edges.size() < 4 * std::size_t{n};) {
         const id size = std::min(n - first, 1 + random.below(14));
         const edge_list clique = zoo_detail::clique(first, size);
         edges.insert(edges.end(), clique.begin(), clique.end());
         first += size + random.below(20);
       }
       return edges;
     }},
    {"loops",
     [](id n, dice& random) {
       edge_list edges;
       for (id v = random.below(3); v < n; v += 1 + random.below(4)) edges.push_back({v, v});
       return edges;
     }},
    {"tree", [](id n, dice& random) { return zoo_detail::random_tree(n, random); }},
    {"clusters", [](id n, dice& random) { return zoo_detail::clusters(n, 2 + random.below(40), random); }},
    {"grid",
     [](id n, dice& random) {
       const id columns = 1 + random.below(20);
       return zoo_detail::grid(n / columns, columns, false, once_in(random, 3));
     }},
    {"one edge again",
     [](id n, dice& random) {
       return edge_list(draw_some(n, random), {random.below(n), random.below(n)});
     }},
};

inline edge_list draw_edges(id n, dice& random, std::string& name) {
  edge_list edges;
  const id count = n == 0 ? 0 : 1 + random.below(3);
  for (id k = 0; k < count; ++k) {
    const shape& s = shapes[random.below(std::size(shapes))];
    const id within = once_in(random, 3) ? 1 + random.below(n) : n;  // others stay isolated
    const edge_list more = s.draw(within, random);
    edges.insert(edges.end(), more.begin(), more.end());
    name.append(s.name).append(", ");
  }
  if (!edges.empty() && once_in(random, 3)) {
    for (id k = random.below(edges.size()); k > 0; --k) edges.push_back(edges[random.below(edges.size())]);
    name.append("repeats, ");
  }
  return edges;
}

/// New ids or the old ones, turned round or not, in one of several orders.
inline void draw_order(edge_list& edges, id n, dice& random, std::string& name) {
  const auto before = [](edge<id> a, edge<id> b) { return std::pair{a.u, a.v} < std::pair{b.u, b.v}; };
  if (once_in(random, 2)) {
    edges = zoo_detail::shuffled(std::move(edges), n, random);
    name.append("new ids, ");
  }
  switch (random.below(5)) {
    case 0:
      std::sort(edges.begin(), edges.end(), before);
      name.append("sorted");
      break;
    case 1:
      for (auto& e : edges) e = {std::min(e.u, e.v), std::max(e.u, e.v)};
      std::sort(edges.rbegin(), edges.rend(), before);
      name.append("in reverse");
      break;
    case 2:
      for (auto& e : edges) e = {std::max(e.u, e.v), std::min(e.u, e.v)};
      name.append("larger ends first");
      break;
    default:
      for (std::size_t i = edges.size(); i > 1; --i) std::swap(edges[i - 1], edges[random.below(i)]);
      name.append("shuffled");
  }
}

}  // namespace drawing

/// Graph `number` of all that there are.
inline drawn_graph draw_graph(std::uint64_t number) {
  dice random{number};
  drawn_graph g{number, {}, {}, {}};
  const std::uint32_t n = drawing::draw_vertices(random);
  auto edges = drawing::draw_edges(n, random, g.name);
  drawing::draw_order(edges, n, random, g.name);
  g.edges = make_coo(n, edges);
  g.labels = reference_labels(g.edges.view());
  return g;
}

}  // namespace copse::test
