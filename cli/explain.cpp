// The command copse explain: why two vertices are in one component. No path between them has a heavier weakest edge than their path in the
// maximum spanning forest.
#include <fmt/format.h>

#include <algorithm>
#include <copse/bridges.hpp>
#include <copse/cluster.hpp>
#include <copse/errors.hpp>
#include <copse/hierarchy.hpp>
#include <copse/io.hpp>
#include <copse/spanning_forest.hpp>
#include <limits>
#include <memory_resource>
#include <optional>
#include <string>
#include <vector>

#include "cluster.hpp"
#include "commands.hpp"
#include "degrees.hpp"
#include "io/table_writer.hpp"
#include "json.hpp"
#include "output.hpp"
#include "weighted.hpp"

namespace copse::cli {
namespace {

struct explain_command {
  input_options input;
  run_options run;
  cluster_choice choice;
  std::string first, second, pairs, output = "-";
  bool as_json = false;
};

struct link {
  std::uint64_t from, to;
  double weight;
  std::uint64_t edge;  // its number in the file, from 1
};

constexpr std::string_view pairs_text = "the links of pairs";

std::uint64_t vertex_named(const vertex_names& names, const std::string& text) {
  const auto found = find_vertex(names, text);
  if (!found) throw usage_error{fmt::format("no vertex of the graph is called {}", text)};
  return *found;
}

/// Finds paths in a forest by walking up from both ends until they meet.
class forest_paths {
public:
  forest_paths(const strongest_forest& found, resources& context)
      : forest_{found.forest},
        numbers_{found.numbers},
        trees_{root_forest(forest_.edges, context.on())},
        above_{forest_.edges.vertices(), &context.memory},
        memory_{&context.memory} {
    each_edge_of_list(forest_.edges,
                      [this](std::uint64_t i, std::uint64_t u, std::uint64_t v) { above_[trees_.parent(u) == v ? u : v] = i; });
  }

  /// Returns the edges on the path from `from` to `to`, in order; nothing if they are in different trees.
  [[nodiscard]] std::optional<std::pmr::vector<link>> between(std::uint64_t from, std::uint64_t to) const {
    std::pmr::vector<link> path{memory_}, back{memory_};
    while (from != to) {
      const bool front = trees_.depth(from) >= trees_.depth(to);
      std::uint64_t& v = front ? from : to;
      const std::uint64_t parent = trees_.parent(v), i = above_[v];
      if (parent == v) return std::nullopt;
      const std::uint64_t number = numbers_[forest_.positions[i]] + 1;
      front ? path.push_back({v, parent, forest_.weights[i], number}) : back.push_back({parent, v, forest_.weights[i], number});
      v = parent;
    }
    path.insert(path.end(), back.rbegin(), back.rend());
    return path;
  }

private:
  const weighted_forest_result& forest_;
  const io::edge_numbers& numbers_;
  rooted_forest trees_;
  buffer<std::uint64_t> above_;  // for each vertex, the index of the edge to its parent
  std::pmr::memory_resource* memory_;
};

/// The bridges of a graph. The two directions of an edge, which a file may both have, count as one link.
class bridge_links {
public:
  bridge_links(const graph& all, resources& context) {
    const auto found = bridges(all, {.simple = true}, context.on());
    links_ = buffer<edge<std::uint64_t>>{found.positions.size(), &context.memory};
    each_edge_of_list(found.edges, [this](std::uint64_t i, std::uint64_t u, std::uint64_t v) { links_[i] = ordered(u, v); });
    std::ranges::sort(links_.span());
  }
  [[nodiscard]] bool has(const link& l) const { return std::ranges::binary_search(links_.span(), ordered(l.from, l.to)); }

private:
  static edge<std::uint64_t> ordered(std::uint64_t u, std::uint64_t v) { return {std::min(u, v), std::max(u, v)}; }
  buffer<edge<std::uint64_t>> links_;
};

/// Reads the pairs of --pairs, whose ids are looked up in `names`. The file is read like the graph's.
std::pmr::vector<edge<std::uint64_t>> read_pairs(const explain_command& options, const vertex_names& names, resources& context) {
  const std::string& path = options.pairs;
  if (!io::is_edge_list(io::format_of(path)))
    throw usage_error{fmt::format("--pairs takes a list in text (.csv .tsv .el .txt), not {}", path)};
  io::read_options reading;
  const bool strings = names.what() == vertex_names::kind::strings;
  reading.ids = strings ? io::id_kind::bytes : io::id_kind::integers;
  reading.header = options.input.read.header;
  reading.delimiter = options.input.read.delimiter;
  reading.comments = options.input.read.comments;
  reading.trim = options.input.read.trim;
  const graph listed = io::read_graph(path, reading, context.on());
  const auto vertex = [&](std::uint64_t i) {
    const auto found = names.find(listed.names(), i);
    if (!found) throw usage_error{fmt::format("{}: no vertex of the graph is called {}", path, name_text(listed.names(), i))};
    return *found;
  };
  std::pmr::vector<edge<std::uint64_t>> pairs{&context.memory};
  each_edge_of_list(listed, [&](std::uint64_t, std::uint64_t u, std::uint64_t v) { pairs.push_back({vertex(u), vertex(v)}); });
  return pairs;
}

/// Writes a line for each pair of --pairs with its weakest link. Returns the exit code.
int explain_pairs(const explain_command& options, const strongest_forest& found, resources& context) {
  const vertex_names& names = found.graph.edges.names();
  const auto pairs = read_pairs(options, names, context);
  const bottlenecks weakest{hierarchy{found.forest.edges, found.forest.weights.view(), &context.memory}, &context.memory};
  const bridge_links bridging{found.graph.edges, context};
  buffer<edge<std::uint64_t>> ends{found.forest.edge_count(), &context.memory};
  each_edge_of_list(found.forest.edges, [&](std::uint64_t i, std::uint64_t u, std::uint64_t v) { ends[i] = {u, v}; });
  context.observer.clear();
  using kind = io::column_kind;
  io::table_writer file{options.output,
                        table_format(options.output),
                        {{"a", kind::ids, &names},
                         {"b", kind::ids, &names},
                         {.name = "weight", .kind = kind::reals, .nullable = true},
                         {"from", kind::ids, &names, true},
                         {"to", kind::ids, &names, true},
                         {.name = "edge", .kind = kind::numbers, .nullable = true},
                         {.name = "bridge", .kind = kind::text, .nullable = true}}};
  for (const auto [a, b] : pairs) {
    file.name(names, a);
    file.name(names, b);
    if (const auto i = weakest.between(a, b)) {
      const link l{ends[*i].u, ends[*i].v, found.forest.weights[*i], found.numbers[found.forest.positions[*i]] + 1};
      file.real(l.weight);
      file.name(names, l.from);
      file.name(names, l.to);
      file.number(l.edge);
      file.text(bridging.has(l) ? "yes" : "no");
    } else {
      if (a == b) {
        file.real(std::numeric_limits<double>::infinity());
      } else {
        file.nothing();
      }
      for (int link = 0; link < 4; ++link) file.nothing();
    }
    file.end_row();
  }
  file.commit();
  return exit_code::done;
}

/// The clusters of two vertices under constraints, and the refused pairs between these two clusters.
struct kept_apart {
  std::uint64_t first, second;  ///< the labels of the two clusters
  clusters_at_threshold answer;

  [[nodiscard]] bool together() const noexcept { return first == second; }
  /// Calls visit(pair) for each refused pair between the two clusters.
  template <class Visit>
  void each_refused(Visit visit) const {
    for (const refused_pair& pair : answer.refused) {
      const std::uint64_t a = answer.labels.label(pair.u), b = answer.labels.label(pair.v);
      if (std::minmax(a, b) == std::minmax(first, second)) visit(pair);
    }
  }
};

kept_apart clusters_of(const explain_command& options, const vertex_names& names, std::uint64_t from, std::uint64_t to,
                       resources& context) {
  cluster_result found = clusters_of_file(options.input.graphs.front(), options.input.read, options.choice.of_file(), context.on());
  clusters_at_threshold& answer = found.answers.front();
  const auto label = [&](std::uint64_t v) { return answer.labels.label(*answer.labels.names().find(names, v)); };
  const std::uint64_t first = label(from), second = label(to);
  return {first, second, std::move(answer)};
}

std::string text_of(const kept_apart& found, const cluster_choice& choice) {
  const vertex_names& names = found.answer.labels.names();
  if (found.together()) return fmt::format("one cluster: {}\n", name_text(names, found.first));
  std::string text = fmt::format("kept apart: the clusters {} and {}\n", name_text(names, found.first), name_text(names, found.second));
  found.each_refused([&](const refused_pair& pair) {
    text += fmt::format("refused: {}  {}  score {}: kept apart by {}\n", name_text(names, pair.u), name_text(names, pair.v), pair.score,
                        constraint_text(pair, choice.rules));
  });
  return text;
}

json json_of(const kept_apart& found, const cluster_choice& choice) {
  const vertex_names& names = found.answer.labels.names();
  json refused = json::array();
  if (!found.together()) {
    found.each_refused([&](const refused_pair& pair) {
      refused.push_back({{"u", name_json(names, pair.u)},
                         {"v", name_json(names, pair.v)},
                         {"score", pair.score},
                         {"constraint", constraint_text(pair, choice.rules)}});
    });
  }
  return {{"of_a", name_json(names, found.first)}, {"of_b", name_json(names, found.second)}, {"refused", std::move(refused)}};
}

void require_sense(const explain_command& options) {
  const bool one = !options.first.empty() && !options.second.empty(), none = options.first.empty() && options.second.empty();
  if (!(options.pairs.empty() ? one : none)) throw usage_error{"explain takes two vertices, A and B, or --pairs FILE"};
  options.choice.require_sense(options.input);
  if (options.choice.any()) {
    if (!options.pairs.empty()) throw usage_error{"--pairs cannot be used with a constraint on clusters"};
    if (options.input.graphs.front() == "-")
      throw usage_error{"explain reads the graph twice where clusters have a constraint: give a file instead of standard input"};
  }
  if (options.pairs.empty()) {
    if (options.output != "-") throw usage_error{"-o needs --pairs FILE, whose answers are a table"};
    return;
  }
  if (options.as_json) throw usage_error{"--json cannot be used with --pairs, whose answers are a table"};
  require_one_stdin("GRAPH", options.input.graphs.front(), "--pairs", options.pairs);
  expect_table_suffix(options.output, pairs_text);
  auto inputs = files_of(options.input);
  inputs.push_back(options.pairs);
  require_outputs({options.output}, inputs);
}

int run_explain(const explain_command& options) {
  require_sense(options);
  resources context{options.run};
  const strongest_forest found{options.input, context, "explain", true};
  if (!options.pairs.empty()) return explain_pairs(options, found, context);
  const vertex_names& names = found.graph.edges.names();
  const auto name = [&](std::uint64_t v) { return name_text(names, v); };
  const std::uint64_t from = vertex_named(names, options.first), to = vertex_named(names, options.second);
  const auto path = forest_paths{found, context}.between(from, to);
  std::optional<kept_apart> clusters;
  if (options.choice.any() && path) clusters = clusters_of(options, names, from, to, context);
  const int ended = !clusters || clusters->together() ? exit_code::done : exit_code::check_failed;
  context.observer.clear();
  if (!path) {
    complain(fmt::format("copse: {} and {} are in different components", options.first, options.second));
    return exit_code::check_failed;
  }
  const auto weakest = std::ranges::min_element(*path, {}, &link::weight);
  const bool bridge = weakest != path->end() && bridge_links{found.graph.edges, context}.has(*weakest);
  if (options.as_json) {
    json links = json::array();
    for (const link& l : *path)
      links.push_back({{"from", name_json(names, l.from)}, {"to", name_json(names, l.to)}, {"weight", l.weight}, {"edge", l.edge}});
    json object{{"path", std::move(links)}, {"weakest", nullptr}};
    if (weakest != path->end()) {
      object["weakest"] = {{"from", name_json(names, weakest->from)},
                           {"to", name_json(names, weakest->to)},
                           {"weight", weakest->weight},
                           {"edge", weakest->edge},
                           {"bridge", bridge}};
    }
    if (clusters) object["clusters"] = json_of(*clusters, options.choice);
    print_json(object);
    return ended;
  }
  std::string text;
  for (const link& l : *path) text += fmt::format("{}  {}  weight {}, edge {}\n", name(l.from), name(l.to), l.weight, l.edge);
  if (path->empty()) {
    text = "the same vertex\n";
  } else {
    text += fmt::format("weakest: {}  {}  weight {}: {}\n", name(weakest->from), name(weakest->to), weakest->weight,
                        bridge ? "a bridge, nothing else joins the two sides" : "other edges join the two sides, too");
  }
  if (clusters) text += text_of(*clusters, options.choice);
  write_stdout(text);
  return ended;
}

}  // namespace

void add_explain(CLI::App& app, action& chosen) {
  auto [command, options] = add_command<explain_command>(
      app, chosen, "explain", "Say why two vertices are in one component: the path of the heaviest edges between them", run_explain);
  add_graph(*command, options->input, false);
  command->add_option("A", options->first, "A vertex, as the input names it")->type_name("");
  command
      ->add_option("B", options->second,
                   "Another; exit code 1 when they are in different components, or with constraints in different clusters")
      ->type_name("");
  add_file(*command, "--pairs", options->pairs,
           "In the place of A and B: a list of pairs; a line with the weakest link is written for each. --header, --delimiter, "
           "--comment and --trim hold for both files");
  add_file(*command, "-o,--output", options->output,
           "With --pairs: write the lines here, .csv .txt .parquet .arrow (default: standard output)");
  command->add_flag("--json", options->as_json, "Print one JSON object");
  options->choice.add_constraints(*command);
  add_input_options(*command, options->input);
  add_run_options(*command, options->run);
}

}  // namespace copse::cli
