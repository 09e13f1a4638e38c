// The proof of bridges and articulation points by chains (Schmidt, A simple test on 2-vertex- and 2-edge-connectivity, Information
// Processing Letters 2013). A depth-first search orders the vertices. From every vertex, in that order, each back edge to a descendant
// begins a chain: the back edge, then the path of tree edges up to the first vertex that is on a chain already, or to the beginning. Then
//   - an edge is a bridge exactly if no chain contains it;
//   - a chain that ends where it began begins a new biconnected component; any other chain belongs to the component of the tree edge above
//     its last vertex; a bridge is a component of its own;
//   - a vertex is an articulation point exactly if it is in at least two biconnected components.
// The answer is compared with these. Labels of 2-edge-connected components are compared with a search that does not cross bridges.
// Deliberately plain and serial; it shares no code with what it checks.
#include <copse/bridges.hpp>
#include <verify/proof.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace copse {
namespace {

using proving::wrong;

constexpr std::uint64_t none = ~std::uint64_t{0};

struct numbered_edge {
  std::uint64_t u, v, position;
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> ends() const { return {std::min(u, v), std::max(u, v)}; }
};

/// Returns every edge once, without loops.
template <class View>
std::vector<numbered_edge> edges_of(const View& g) {
  std::vector<numbered_edge> edges;
  if constexpr (requires { g.offsets; }) {
    // Rows are symmetric if any two vertices have as many arcs in one direction as in the other.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> forth, back;
    for (std::uint64_t u = 0; u < g.vertices(); ++u) {
      for (std::uint64_t a = g.offsets[u]; a < g.offsets[u + 1]; ++a) {
        const std::uint64_t v = g.targets[a];
        if (u == v) continue;
        u < v ? forth.emplace_back(u, v) : back.emplace_back(v, u);
        edges.push_back({u, v, a});
      }
    }
    std::sort(forth.begin(), forth.end());
    std::sort(back.begin(), back.end());
    if (forth == back) std::erase_if(edges, [](const numbered_edge& e) { return e.u > e.v; });
  } else {
    for (std::size_t i = 0; i < g.edges.size(); ++i) {
      if (g.edges[i].u != g.edges[i].v) edges.push_back({g.edges[i].u, g.edges[i].v, i});
    }
  }
  return edges;
}

void keep_first_of_repeats(std::vector<numbered_edge>& edges) {
  std::sort(edges.begin(), edges.end(), [](const numbered_edge& a, const numbered_edge& b) {
    return a.ends() != b.ends() ? a.ends() < b.ends() : a.position < b.position;
  });
  edges.erase(std::unique(edges.begin(), edges.end(), [](const numbered_edge& a, const numbered_edge& b) { return a.ends() == b.ends(); }),
              edges.end());
}

class chain_search {
public:
  chain_search(std::uint64_t vertices, const std::vector<numbered_edge>& edges)
      : edges_{edges},
        begins_(vertices + 1),
        row_(2 * edges.size()),
        above_(vertices, none),
        number_(vertices, none),
        size_(vertices, 1),
        root_(vertices),
        block_(vertices, none) {
    for (const numbered_edge& e : edges) {
      ++begins_[e.u];
      ++begins_[e.v];
    }
    std::uint64_t sum = 0;
    for (auto& begin : begins_) begin = sum += begin;
    for (std::size_t i = 0; i < edges.size(); ++i) row_[--begins_[edges[i].u]] = row_[--begins_[edges[i].v]] = i;
    search();
    follow_chains();
  }

  [[nodiscard]] std::uint64_t other(std::uint64_t i, std::uint64_t v) const { return edges_[i].u == v ? edges_[i].v : edges_[i].u; }
  [[nodiscard]] const std::vector<std::uint64_t>& order() const { return order_; }
  /// Returns the edge from v to its parent in the depth-first search, or none.
  [[nodiscard]] std::uint64_t above(std::uint64_t v) const { return above_[v]; }
  /// Returns the biconnected component of the edge from v to its parent, or none if that edge is a bridge.
  [[nodiscard]] std::uint64_t block(std::uint64_t v) const { return block_[v]; }
  [[nodiscard]] std::uint64_t chains() const { return chains_; }
  [[nodiscard]] std::uint64_t smaller_side(std::uint64_t v) const { return std::min(size_[v], size_[root_[v]] - size_[v]); }

private:
  void search() {
    std::vector<std::uint64_t> next(begins_.begin(), begins_.end() - 1), way;
    for (std::uint64_t root = 0; root < number_.size(); ++root) {
      if (number_[root] != none) continue;
      const auto meet = [&](std::uint64_t v) {
        number_[v] = order_.size();
        root_[v] = root;
        order_.push_back(v);
        way.push_back(v);
      };
      meet(root);
      while (!way.empty()) {
        const std::uint64_t v = way.back();
        if (next[v] == begins_[v + 1]) {
          way.pop_back();
          if (!way.empty()) size_[way.back()] += size_[v];
          continue;
        }
        const std::uint64_t i = row_[next[v]++], w = other(i, v);
        if (number_[w] != none) continue;
        above_[w] = i;
        meet(w);
      }
    }
  }

  void follow_chains() {
    std::vector<bool> met(number_.size());
    for (const std::uint64_t v : order_) {
      for (std::uint64_t at = begins_[v]; at < begins_[v + 1]; ++at) {
        const std::uint64_t i = row_[at], w = other(i, v);
        if (number_[w] < number_[v] || above_[w] == i) continue;
        met[v] = true;
        std::vector<std::uint64_t> chain;
        std::uint64_t x = w;
        for (; !met[x]; x = other(above_[x], x)) {
          met[x] = true;
          chain.push_back(x);
        }
        const std::uint64_t block = x == v ? chains_++ : block_[x];
        for (const std::uint64_t y : chain) block_[y] = block;
      }
    }
  }

  const std::vector<numbered_edge>& edges_;
  std::vector<std::uint64_t> begins_, row_, above_, number_, size_, root_, block_, order_;
  std::uint64_t chains_ = 0;
};

/// Returns the vertex sets of all biconnected components, sorted, and each in ascending order.
std::vector<std::vector<std::uint64_t>> blocks_of(const chain_search& found) {
  std::vector<std::vector<std::uint64_t>> sets(found.chains());
  for (const std::uint64_t v : found.order()) {
    if (found.above(v) == none) continue;
    const std::uint64_t parent = found.other(found.above(v), v);
    if (found.block(v) == none) {
      sets.push_back({v, parent});
    } else {
      sets[found.block(v)].insert(sets[found.block(v)].end(), {v, parent});
    }
  }
  for (auto& set : sets) {
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
  }
  std::sort(sets.begin(), sets.end());
  return sets;
}

/// Returns for each vertex the smallest vertex that it is joined with if bridges are removed. In the order of the search, parents come
/// before their children.
std::vector<std::uint64_t> labels_of(const chain_search& found, std::uint64_t vertices) {
  std::vector<std::uint64_t> tops(vertices), labels(vertices, none);
  for (const std::uint64_t v : found.order()) {
    const bool apart = found.above(v) == none || found.block(v) == none;
    tops[v] = apart ? v : tops[found.other(found.above(v), v)];
    labels[tops[v]] = std::min(labels[tops[v]], v);
  }
  for (auto& top : tops) top = labels[top];
  return tops;
}

template <class Expected, class Found>
bool same(const Expected& expected, const Found& found) {
  return std::equal(expected.begin(), expected.end(), found.begin(), found.end());
}

std::string fault_in(const std::vector<numbered_edge>& edges, std::uint64_t n, const bridges_result& claimed) {
  const chain_search found{n, edges};
  const auto& names = claimed.edges.names();
  const auto pair = [&](std::uint64_t u, std::uint64_t v) { return name_in_message(names, u) + " and " + name_in_message(names, v); };
  // the position of each bridge among the edges, and the end that is the child in the search
  std::vector<std::pair<std::uint64_t, std::uint64_t>> bridges;
  for (const std::uint64_t v : found.order()) {
    if (found.above(v) != none && found.block(v) == none) bridges.emplace_back(edges[found.above(v)].position, v);
  }
  std::sort(bridges.begin(), bridges.end());
  std::vector<std::pair<std::uint64_t, std::uint64_t>> listed;
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires { shape.edges; }) {
          for (const auto e : shape.edges) listed.emplace_back(std::min(e.u, e.v), std::max(e.u, e.v));
        }
      },
      claimed.edges.shape());
  const std::size_t count = listed.size();
  if (claimed.positions.size() != count || claimed.smaller_sides.size() != count)
    return std::to_string(count) + " bridges with " + std::to_string(claimed.positions.size()) + " positions and " +
           std::to_string(claimed.smaller_sides.size()) + " sides";
  for (std::size_t i = 0; i < std::min(count, bridges.size()); ++i) {
    const auto [position, v] = bridges[i];
    const std::pair expected = edges[found.above(v)].ends();
    if (claimed.positions[i] != position || listed[i] != expected)
      return "bridge " + std::to_string(i) + " is the edge of vertices " + pair(expected.first, expected.second) + " at position " +
             std::to_string(position) + ", not " + pair(listed[i].first, listed[i].second) + " at " + std::to_string(claimed.positions[i]);
    if (claimed.smaller_sides[i] != found.smaller_side(v))
      return "the bridge of vertices " + pair(expected.first, expected.second) + " parts " + std::to_string(found.smaller_side(v)) +
             " vertices, not " + std::to_string(claimed.smaller_sides[i]);
  }
  if (count != bridges.size()) return std::to_string(count) + " bridges, not " + std::to_string(bridges.size());

  const auto blocks = blocks_of(found);
  if (claimed.biconnected_count != blocks.size())
    return std::to_string(claimed.biconnected_count) + " biconnected components, not " + std::to_string(blocks.size());
  std::vector<std::uint64_t> in(n), points;
  for (const auto& set : blocks) {
    for (const std::uint64_t v : set) ++in[v];
  }
  for (std::uint64_t v = 0; v < n; ++v) {
    if (in[v] > 1) points.push_back(v);
  }
  if (!same(points, claimed.articulation_points)) {
    std::uint64_t v = 0;  // the first vertex that is in one list of articulation points but not in the other
    for (const auto listed_point =
             [&](std::uint64_t x) { return std::ranges::find(claimed.articulation_points, x) != claimed.articulation_points.end(); };
         v < n && listed_point(v) == (in[v] > 1);)
      ++v;
    if (v == n) return "articulation points that do not ascend";
    return "vertex " + name_in_message(names, v) +
           (in[v] > 1 ? " is an articulation point that is not listed" : " is no articulation point");
  }
  if (claimed.biconnected.count() != 0) {
    if (claimed.biconnected.count() != blocks.size()) return std::to_string(claimed.biconnected.count()) + " sets of vertices listed";
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const std::uint64_t begin = claimed.biconnected.offsets[b], end = claimed.biconnected.offsets[b + 1];
      if (begin > end || end > claimed.biconnected.vertices.size() ||
          !same(blocks[b], claimed.biconnected.vertices.span().subspan(begin, end - begin)))
        return "biconnected component " + std::to_string(b) + " is not the one of vertices " + pair(blocks[b][0], blocks[b][1]);
    }
  }

  const auto labels = labels_of(found, n);
  if (claimed.two_edge_connected.slots() != n) return std::to_string(claimed.two_edge_connected.slots()) + " labels";
  std::uint64_t classes = 0;
  for (std::uint64_t v = 0; v < n; ++v) {
    classes += labels[v] == v ? 1 : 0;
    if (claimed.two_edge_connected.label(v) != labels[v])
      return "vertex " + name_in_message(names, v) + " has the wrong label without bridges";
  }
  if (claimed.two_edge_connected_count != classes || claimed.components != classes - count) return "the numbers of components are off";
  return {};
}

}  // namespace

verdict verify_bridges(graph_view g, const bridges_result& found, bool simple) {
  return std::visit(
      [&](const auto& view) -> verdict {
        const std::uint64_t n = view.vertices();
        if (found.edges.vertices() != n)
          return wrong("bridges of " + std::to_string(found.edges.vertices()) + " vertices for " + std::to_string(n));
        auto edges = edges_of(view);
        if (simple) keep_first_of_repeats(edges);
        if (auto fault = fault_in(edges, n, found); !fault.empty()) return wrong(std::move(fault));
        return {.right = true, .reason = {}, .vertices = n, .components = found.components};
      },
      g);
}

}  // namespace copse
