// copse explain: why two vertices are together. The path between them in the maximum spanning forest is the strongest there is: no other
// has a heavier weakest link.
#include <fmt/format.h>

#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/views.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "exit_code.hpp"
#include "json.hpp"
#include "output.hpp"
#include "weighted_input.hpp"

namespace copse::cli {
namespace {

struct explain_options {
  input_options input;
  run_options run;
  std::string first, second;
  bool as_json = false;
};

struct link {
  std::uint64_t from, to;
  double weight;
  std::uint64_t place;  // of the edge in the input, from 0
};

std::uint64_t vertex_named(const vertex_names& names, const std::string& text) {
  std::optional<std::uint64_t> found;
  if (names.what() == vertex_names::kind::strings) {
    found = names.find(std::string_view{text});
  } else if (const auto number = whole_number(text)) {
    found = names.find(*number);
  }
  if (!found) throw usage_error{fmt::format("found the vertex {}, expected one of the graph", text)};
  return *found;
}

/// The edges from `from` to `to` in the forest, in order; nothing when they are in two trees.
std::optional<std::vector<link>> path_between(const weighted_forest_result& forest, std::uint64_t from, std::uint64_t to) {
  std::vector<edge<std::uint64_t>> edges;
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires { shape.edges; }) {
          for (const auto& e : shape.edges) edges.push_back({e.u, e.v});
        }
      },
      forest.edges.shape());
  std::vector<std::uint64_t> begins(forest.edges.vertices() + 1), arcs(2 * edges.size());
  for (const auto& e : edges) {
    ++begins[e.u];
    ++begins[e.v];
  }
  std::uint64_t sum = 0;
  for (auto& b : begins) sum = b += sum;
  for (std::uint64_t i = 0; i < edges.size(); ++i) {
    arcs[--begins[edges[i].u]] = i;
    arcs[--begins[edges[i].v]] = i;
  }
  constexpr auto none = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint64_t> reached_by(forest.edges.vertices(), none), frontier{to};
  reached_by[to] = edges.size();
  for (std::size_t i = 0; i < frontier.size() && reached_by[from] == none; ++i) {
    const std::uint64_t v = frontier[i];
    for (std::uint64_t a = begins[v]; a < begins[v + 1]; ++a) {
      const std::uint64_t w = edges[arcs[a]].u == v ? edges[arcs[a]].v : edges[arcs[a]].u;
      if (reached_by[w] != none) continue;
      reached_by[w] = arcs[a];
      frontier.push_back(w);
    }
  }
  if (reached_by[from] == none) return std::nullopt;
  std::vector<link> path;
  for (std::uint64_t v = from; v != to;) {
    const std::uint64_t i = reached_by[v], next = edges[i].u == v ? edges[i].v : edges[i].u;
    path.push_back({v, next, forest.weights[i], forest.positions[i]});
    v = next;
  }
  return path;
}

/// Would the ends of edge `place` fall apart without it?
bool is_bridge(const graph& all, std::uint64_t place, const resources& context) {
  return std::visit(
      [&]<class Shape>(const Shape& shape) {
        if constexpr (requires { shape.edges; }) {
          using id = typename Shape::id_type;
          coo<id> others{shape.vertex_count, buffer<edge<id>>{shape.edges.size()}};
          std::copy(shape.edges.begin(), shape.edges.end(), others.edges.begin());
          const edge<id> removed = others.edges[place];
          for (edge<id>& e : others.edges) {  // a file may hold both directions; they are one link
            if (e == removed || e == edge<id>{removed.v, removed.u}) e = {removed.u, removed.u};
          }
          const auto labels = components(graph_view{others.view()}, {.threads = context.threads}).labels;
          return labels.label(removed.u) != labels.label(removed.v);
        } else {
          return false;  // never: what was read with weights is a list
        }
      },
      all.shape());
}

int run_explain(const explain_options& options) {
  resources context{options.run};
  const strongest_forest found{options.input, context, "copse explain", true};
  const vertex_names& names = found.graph.edges.names();
  const auto name = [&](std::uint64_t v) { return name_text(names, v); };
  const std::uint64_t from = vertex_named(names, options.first), to = vertex_named(names, options.second);
  const auto path = path_between(found.forest, from, to);
  context.observer.clear();
  if (!path) {
    complain(fmt::format("copse: {} and {} are in different components", options.first, options.second));
    return exit_code::check_failed;
  }
  const auto weakest = std::ranges::min_element(*path, {}, &link::weight);
  const bool bridge = weakest != path->end() && is_bridge(found.graph.edges, weakest->place, context);
  if (options.as_json) {
    json links = json::array();
    for (const link& l : *path)
      links.push_back({{"from", name_json(names, l.from)}, {"to", name_json(names, l.to)}, {"weight", l.weight}, {"edge", l.place + 1}});
    json object{{"path", std::move(links)}, {"weakest", nullptr}};
    if (weakest != path->end()) {
      object["weakest"] = {{"from", name_json(names, weakest->from)},
                           {"to", name_json(names, weakest->to)},
                           {"weight", weakest->weight},
                           {"edge", weakest->place + 1},
                           {"bridge", bridge}};
    }
    print_json(object);
    return exit_code::done;
  }
  std::string text;
  for (const link& l : *path) text += fmt::format("{}  {}  weight {}, edge {}\n", name(l.from), name(l.to), l.weight, l.place + 1);
  if (path->empty()) {
    text = "the same vertex\n";
  } else {
    text += fmt::format("weakest: {}  {}  weight {}: {}\n", name(weakest->from), name(weakest->to), weakest->weight,
                        bridge ? "a bridge, nothing else joins the two sides" : "other edges join the two sides, too");
  }
  write_stdout(text);
  return exit_code::done;
}

}  // namespace

void add_explain(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("explain", "Say why two vertices are in one component: the path of the heaviest edges between them");
  auto options = std::make_shared<explain_options>();
  add_graph(*command, options->input, false);
  command->add_option("A", options->first, "A vertex, as the input names it")->type_name("")->required();
  command->add_option("B", options->second, "Another; exit code 1 when they are in different components")->type_name("")->required();
  command->add_flag("--json", options->as_json, "Print one JSON object");
  add_input_options(*command, options->input);
  add_run_options(*command, options->run);
  command->callback([&chosen, options] { chosen = [options] { return run_explain(*options); }; });
}

}  // namespace copse::cli
