// The command copse bridges: bridges and articulation points, and what holds the largest component together.
#include <fmt/format.h>

#include <algorithm>
#include <copse/bridges.hpp>
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/hierarchy.hpp>
#include <copse/io.hpp>
#include <copse/weighted_forest.hpp>
#include <copse/weighted_graph.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "degrees.hpp"
#include "input.hpp"
#include "io/table_writer.hpp"
#include "io/written_suffix.hpp"
#include "json.hpp"
#include "output.hpp"
#include "solution.hpp"

namespace copse::cli {
namespace {

// What may hold the largest component together: its bridges, its vertices of highest degree, and how it splits as the threshold on
// the weights rises.

struct giant_report {
  struct hub {
    std::uint64_t vertex, degree;
  };

  component which;                 ///< label and size of the largest component
  std::uint64_t bridge_count = 0;  ///< number of bridges in the largest component
  /// indices into bridges_result; first the bridges that cut off most vertices (whose smaller side is largest)
  std::vector<std::uint64_t> bridges;
  std::vector<hub> hubs;               ///< vertices of highest degree, in descending order of degree
  std::vector<threshold_point> curve;  ///< for the largest component alone; empty without weights
};

/// Keeps the first `count` elements of `all` in the order of `before`.
template <class T, class Before>
void keep_first(std::vector<T>& all, std::size_t count, Before before) {
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(count, all.size()));
  std::partial_sort(all.begin(), end, all.end(), before);
  all.erase(end, all.end());
}

/// Returns for every vertex the number of edges that have it as an end, without loops.
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

/// The degrees in the simple graph: edges that repeat another count once.
buffer<std::uint64_t> simple_degrees_of(graph_view g, resources& context) {
  const graph rows = build_csr(g, {}, context.on());
  return degrees_of(rows.view(), &context.memory);
}

/// The threshold curve of one component, from its edges in the maximum spanning forest, with its vertices numbered anew.
std::vector<threshold_point> curve_of(const weighted_graph& g, const labelling& labels, component which, std::uint64_t points,
                                      resources& context) {
  const auto forest = weighted_forest(g, {.goal = forest_goal::maximum}, context.on());
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
  const execution how = context.on();
  return threshold_curve(graph{std::move(tree)}, column, threshold_levels(column, points, how), how);
}

/// Edges of a list are numbered as `copse explain` numbers them: from 1.
std::optional<std::uint64_t> number_of(const weighted_graph& g, const io::edge_numbers& numbers, const bridges_result& found,
                                       std::uint64_t i) {
  if (g.edges.has_rows()) return std::nullopt;
  return numbers[found.positions[i]] + 1;
}

/// Returns at most `top` bridges and hubs and `points` thresholds (none if `g.weights` is empty). If `simple`, degrees count repeated edges
/// once.
giant_report study_giant(const weighted_graph& g, const bridges_result& found, bool simple, std::size_t top, std::uint64_t points,
                         resources& context) {
  giant_report giant;
  const auto labels = components(g.edges, {}, context.on()).labels;
  giant.which = summarise(labels, 0, context.on()).largest;
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

constexpr std::size_t usual_top = 10, usual_thresholds = 10;

struct bridge_command {
  input_options input;
  run_options run;
  std::string output, labels, points, biconnected;
  bool simple = false, giant = false, verify = false, as_json = false;
  std::string device = "cpu";
  std::optional<std::size_t> top;
  std::optional<std::uint64_t> thresholds;

  [[nodiscard]] bool weighted() const { return giant && input.read.weight_column.has_value(); }
};

struct bridge_solution {
  weighted_graph graph;
  io::edge_numbers numbers;
  bridges_result found;
  std::optional<giant_report> giant;
  double read_seconds = 0, total_seconds = 0;
};

void require_sense(const bridge_command& options) {
  if (options.as_json) require_free_stdout({options.output});
  if (options.top && !options.giant) throw usage_error{"--top needs --giant, which lists bridges and vertices"};
  if (options.thresholds && !options.weighted()) throw usage_error{"--points needs --giant and --weight C, which show thresholds"};
  if (!options.output.empty()) io::expect_forest_suffix(options.output);
  if (!options.labels.empty()) io::expect_labels_suffix(options.labels);
  for (const auto& [path, what] : {std::pair{&options.points, "vertices"}, std::pair{&options.biconnected, "sets of vertices"}}) {
    if (!path->empty()) expect_table_suffix(*path, what);
  }
  for (const std::string& path : {options.labels, options.points, options.biconnected}) {
    if (path == "-") throw usage_error{"only the edges (-o) can go to standard output; give a file for the other outputs"};
  }
  require_outputs({options.output, options.labels, options.points, options.biconnected}, files_of(options.input));
}

void write_files(const bridge_command& options, const bridge_solution& solved, resources& context) {
  const bridges_result& found = solved.found;
  const vertex_names& names = found.edges.names();
  if (!options.output.empty()) {
    io::write_forest(found.edges, options.output, {}, context.on());
    context.note_new_ids(names, options.output, "");
  }
  if (!options.labels.empty()) io::write_labels(found.two_edge_connected, options.labels, {}, context.on());
  if (!options.points.empty()) {
    io::table_writer file{options.points, table_format(options.points), {{"id", io::column_kind::ids, &names}}};
    for (const std::uint64_t v : found.articulation_points) {
      file.name(names, v);
      file.end_row();
    }
    file.commit();
  }
  if (!options.biconnected.empty()) {
    io::table_writer file{options.biconnected,
                          table_format(options.biconnected),
                          {{"component", io::column_kind::numbers}, {"id", io::column_kind::ids, &names}}};
    for (std::uint64_t b = 0; b < found.biconnected.count(); ++b) {
      for (std::uint64_t i = found.biconnected.offsets[b]; i < found.biconnected.offsets[b + 1]; ++i) {
        file.number(b);
        file.name(names, found.biconnected.vertices[i]);
        file.end_row();
      }
    }
    file.commit();
  }
}

std::string as_text(const bridge_command& options, const bridge_solution& solved) {
  const bridges_result& found = solved.found;
  std::string text = fmt::format(
      "vertices             {}\nedges                {}\ncomponents           {}\nbridges              {}\narticulation points  {}\n"
      "two-edge-connected   {}\nbiconnected          {}\ndevice               {}\nthreads              {}\nseconds              {:.3f} "
      "(read {:.3f}, solve "
      "{:.3f})\n",
      found.edges.vertices(), count_edges(solved.graph.edges.view(), {.threads = solved.found.report.threads}).edges, found.components,
      found.positions.size(), found.articulation_points.size(), found.two_edge_connected_count, found.biconnected_count,
      found.report.device, found.report.threads, solved.total_seconds, solved.read_seconds, found.report.solve_seconds);
  if (options.verify) text += "verified             yes\n";
  if (solved.giant) text += giant_text(*solved.giant, solved.graph, solved.numbers, found);
  return text;
}

json as_json(const bridge_command& options, const bridge_solution& solved, const resources& context) {
  const bridges_result& found = solved.found;
  json object{{"command", command_text()},
              {"vertices", found.edges.vertices()},
              {"edges", count_edges(solved.graph.edges.view(), {.threads = solved.found.report.threads}).edges},
              {"components", found.components},
              {"bridges", found.positions.size()},
              {"articulation_points", found.articulation_points.size()},
              {"two_edge_connected", found.two_edge_connected_count},
              {"biconnected", found.biconnected_count},
              {"repeated_edges", found.repeated_edges},
              {"simple", options.simple},
              {"device", found.report.device},
              {"threads", found.report.threads},
              {"seconds", {{"read", solved.read_seconds}, {"solve", found.report.solve_seconds}, {"total", solved.total_seconds}}},
              {"phases", phases_json(found.report.phases)},
              {"peak_bytes", context.memory.peak_bytes()},
              {"verified", options.verify}};
  if (solved.giant) object["giant"] = giant_json(*solved.giant, solved.graph, solved.numbers, found);
  return object;
}

int run_bridges(const bridge_command& options) {
  const stopwatch total;
  require_sense(options);
  resources context{options.run};
  input graph{options.input, context, options.weighted()};
  bridge_solution solved;
  if (options.giant) graph.number_edges(solved.numbers);
  if (options.weighted()) {
    solved.graph = graph.read_weighted("--weight");
  } else {
    solved.graph.edges = graph.read();
  }
  solved.read_seconds = total.seconds();
  solved.found =
      bridges(solved.graph.edges, {.simple = options.simple, .vertex_blocks = !options.biconnected.empty()}, context.on(options.device));
  if (options.verify) {
    const verdict proved = verify_bridges(solved.graph.edges.view(), solved.found, options.simple);
    if (!proved) return context.refuse(graph.text(), "bridges", proved.reason);
  }
  if (options.giant) {
    solved.giant = study_giant(solved.graph, solved.found, options.simple, options.top.value_or(usual_top),
                               options.thresholds.value_or(usual_thresholds), context);
  }
  if (solved.found.repeated_edges != 0 && !options.simple) {
    context.observer.note(
        fmt::format("{} edges repeat another, in either direction, which is no bridge then: --simple counts repeated edges once",
                    solved.found.repeated_edges));
  }
  write_files(options, solved, context);
  solved.total_seconds = total.seconds();
  context.observer.clear();
  if (options.as_json) {
    print_json(as_json(options, solved, context));
  } else {
    write_report(as_text(options, solved), {options.output});
  }
  return exit_code::done;
}

}  // namespace

void add_bridges(CLI::App& app, action& chosen) {
  auto [command, options] =
      add_command<bridge_command>(app, chosen, "bridges", "Find the edges and vertices whose loss would part a component", run_bridges);
  add_graph(*command, options->input, false);
  add_file(*command, "-o,--output", options->output,
           "Write the bridges here: .csv .el .txt .parquet .arrow .npy (ids as in the input), .mtx .coo .coo64 (vertices numbered)");
  add_file(*command, "--labels", options->labels,
           "Write labels of the two-edge-connected components here, which are left without the bridges");
  add_file(*command, "--articulation-points", options->points,
           "Write the vertices whose loss parts a component here: .csv .txt .parquet .arrow");
  add_file(*command, "--biconnected", options->biconnected,
           "Write the vertices of each biconnected component here: .csv .txt .parquet .arrow");
  command->add_flag("--simple", options->simple,
                    "Count edges that repeat another, in either direction, once (default: a doubled edge is no bridge)");
  command->add_flag("--giant", options->giant,
                    "Show what holds the largest component together: its bridges by the smaller side, its vertices of most edges, and with "
                    "--weight how it falls apart as the threshold rises");
  add_number(*command, "--top", options->top, 1, 1000000, "With --giant: N bridges and vertices (default 10)");
  add_number(*command, "--points", options->thresholds, 1, 1000000, "With --giant and --weight: N thresholds (default 10)");
  add_device_option(*command, options->device, "Solving");
  command->add_flag("--verify", options->verify, "Prove the answer before it is written; exit code 1 when it is wrong");
  command->add_flag("--json", options->as_json, "Print one JSON object");
  add_input_options(*command, options->input);
  add_run_options(*command, options->run);
}

}  // namespace copse::cli
