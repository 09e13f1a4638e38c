#include "giant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/hierarchy.hpp>
#include <copse/weighted_forest.hpp>

#include "degrees.hpp"
#include "output.hpp"

namespace copse::cli {
namespace {

/// The first `count` of `all` in the order of `before`.
template <class T, class Before>
void keep_first(std::vector<T>& all, std::size_t count, Before before) {
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(count, all.size()));
  std::partial_sort(all.begin(), end, all.end(), before);
  all.erase(end, all.end());
}

/// Of every vertex, the edges that have it as an end, loops left out.
buffer<std::uint64_t> degrees_of(graph_view g, std::pmr::memory_resource* memory) {
  buffer<std::uint64_t> degrees{std::visit([](const auto& view) { return std::uint64_t{view.vertices()}; }, g), memory};
  std::ranges::fill(degrees.span(), 0);
  std::visit(
      [&](const auto& view) {
        const bool both = stores_both_directions(view);
        each_arc(view, [&](auto u, auto v) {
          if (u == v) return;
          ++degrees[u];
          if (!both) ++degrees[v];
        });
      },
      g);
  return degrees;
}

/// The same, edges that repeat another counted once.
buffer<std::uint64_t> simple_degrees_of(graph_view g, resources& context) {
  const graph rows = build_csr(g, {.threads = context.threads, .observer = &context.observer, .memory = &context.memory});
  return degrees_of(rows.view(), &context.memory);
}

/// Thresholds of one component: its edges of the maximum spanning forest, its vertices numbered anew.
std::vector<threshold_point> curve_of(const weighted_graph& g, const labelling& labels, component which, std::uint64_t points,
                                      resources& context) {
  const auto forest = weighted_forest(
      g, {.goal = forest_goal::maximum, .threads = context.threads, .observer = &context.observer, .memory = &context.memory});
  buffer<std::uint64_t> numbers{g.edges.vertices(), &context.memory};
  std::uint64_t vertices = 0;
  for (std::uint64_t v = 0; v < numbers.size(); ++v) numbers[v] = labels.label(v) == which.label ? vertices++ : 0;
  coo<std::uint64_t> tree{vertices, buffer<edge<std::uint64_t>>{vertices - 1, &context.memory}};
  buffer<double> weights{vertices - 1, &context.memory};
  std::uint64_t next = 0;
  each_edge_of_list(forest.edges, [&](std::uint64_t i, std::uint64_t u, std::uint64_t v) {
    if (labels.label(u) != which.label) return;
    weights[next] = forest.weights[i];
    tree.edges[next++] = {numbers[u], numbers[v]};
  });
  const weights_view column{std::as_const(weights).span(), forest.weights.precision()};
  const threshold_options how{.threads = context.threads, .observer = &context.observer, .memory = &context.memory};
  return threshold_curve(graph{std::move(tree)}, column, threshold_levels(column, points, how), how);
}

/// Edges of a list are numbered as `copse explain` numbers them: from 1.
std::optional<std::uint64_t> number_of(const weighted_graph& g, const io::edge_numbers& numbers, const bridges_result& found,
                                       std::uint64_t i) {
  if (g.edges.has_rows()) return std::nullopt;
  return numbers[found.positions[i]] + 1;
}

}  // namespace

giant_report study_giant(const weighted_graph& g, const bridges_result& found, bool simple, std::size_t top, std::uint64_t points,
                         resources& context) {
  giant_report giant;
  const auto labels = components(g.edges, {.threads = context.threads, .observer = &context.observer, .memory = &context.memory}).labels;
  giant.which = summarise(labels, 0, &context.memory, context.threads).largest;
  for (std::uint64_t i = 0; i < found.positions.size(); ++i) {
    if (labels.label(edge_at(found.edges, i).u) == giant.which.label) giant.bridges.push_back(i);
  }
  giant.bridge_count = giant.bridges.size();
  keep_first(giant.bridges, top, [&](std::uint64_t a, std::uint64_t b) {
    return found.smaller_sides[a] != found.smaller_sides[b] ? found.smaller_sides[a] > found.smaller_sides[b] : a < b;
  });
  const auto degrees = simple ? simple_degrees_of(g.edges.view(), context) : degrees_of(g.edges.view(), &context.memory);
  for (std::uint64_t v = 0; v < degrees.size(); ++v) {
    if (labels.label(v) == giant.which.label) giant.hubs.push_back({v, degrees[v]});
    if (giant.hubs.size() >= 2 * top + 1024) {
      keep_first(giant.hubs, top, [](auto a, auto b) { return a.degree != b.degree ? a.degree > b.degree : a.vertex < b.vertex; });
    }
  }
  keep_first(giant.hubs, top, [](auto a, auto b) { return a.degree != b.degree ? a.degree > b.degree : a.vertex < b.vertex; });
  if (g.weights.size() != 0 && giant.which.size > 1) giant.curve = curve_of(g, labels, giant.which, points, context);
  return giant;
}

std::string giant_text(const giant_report& giant, const weighted_graph& g, const io::edge_numbers& numbers, const bridges_result& found) {
  const vertex_names& names = g.edges.names();
  if (giant.which.size == 0) return {};
  std::string text = fmt::format("largest component    {} vertices (label {}), {} bridges\n", giant.which.size,
                                 name_text(names, giant.which.label), giant.bridge_count);
  for (const std::uint64_t i : giant.bridges) {
    const auto [u, v] = edge_at(found.edges, i);
    text += fmt::format("bridge  {}  {}  smaller side {}", name_text(names, u), name_text(names, v), found.smaller_sides[i]);
    if (g.weights.size() != 0) text += fmt::format(", weight {}", g.weights[found.positions[i]]);
    if (const auto number = number_of(g, numbers, found, i)) text += fmt::format(", edge {}", *number);
    text += '\n';
  }
  for (const auto& [vertex, degree] : giant.hubs) text += fmt::format("hub     {}  degree {}\n", name_text(names, vertex), degree);
  for (const threshold_point& p : giant.curve)
    text += fmt::format("at      {}  {} components, the largest of {}\n", p.threshold, p.components, p.largest);
  return text;
}

json giant_json(const giant_report& giant, const weighted_graph& g, const io::edge_numbers& numbers, const bridges_result& found) {
  const vertex_names& names = g.edges.names();
  if (giant.which.size == 0) return nullptr;
  json object{{"label", name_json(names, giant.which.label)}, {"size", giant.which.size}, {"bridge_count", giant.bridge_count}};
  json bridges = json::array(), hubs = json::array(), curve = json::array();
  for (const std::uint64_t i : giant.bridges) {
    const auto [u, v] = edge_at(found.edges, i);
    json bridge{{"from", name_json(names, u)}, {"to", name_json(names, v)}, {"smaller_side", found.smaller_sides[i]}};
    if (g.weights.size() != 0) bridge["weight"] = g.weights[found.positions[i]];
    if (const auto number = number_of(g, numbers, found, i)) bridge["edge"] = *number;
    bridges.push_back(std::move(bridge));
  }
  for (const auto& [vertex, degree] : giant.hubs) hubs.push_back({{"vertex", name_json(names, vertex)}, {"degree", degree}});
  for (const threshold_point& p : giant.curve) {
    curve.push_back({{"threshold", p.threshold}, {"components", p.components}, {"largest", p.largest}, {"singletons", p.singletons}});
  }
  object["bridges"] = std::move(bridges);
  object["hubs"] = std::move(hubs);
  if (!giant.curve.empty()) object["thresholds"] = std::move(curve);
  return object;
}

}  // namespace copse::cli
