#include "merge_weighted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <copse/errors.hpp>
#include <copse/hierarchy.hpp>
#include <copse/io.hpp>
#include <filesystem>
#include <limits>
#include <type_traits>
#include <utility>

#include "io/written_suffix.hpp"
#include "label_columns.hpp"
#include "output.hpp"
#include "step.hpp"
#include "table_file.hpp"
#include "weighted_input.hpp"

namespace copse::cli {
namespace {

bool is_maximum(const mergeable_weighted_forest& forest) { return forest.goal() == forest_goal::maximum; }

/// The edges of the forest that weigh so much, over all of its vertices.
graph edges_from(const weighted_graph& forest, double least, std::pmr::memory_resource* memory) {
  least = rounded_threshold(least, forest.weights.precision());
  return std::visit(
      [&](const auto& shape) -> graph {
        if constexpr (requires { shape.edges; }) {
          std::remove_cvref_t<decltype(shape)> kept;
          kept.vertex_count = shape.vertex_count;
          kept.edges = std::remove_cvref_t<decltype(shape.edges)>{shape.edges.size(), memory};
          std::size_t count = 0;
          for (std::size_t i = 0; i < shape.edges.size(); ++i) {
            if (forest.weights[i] >= least) kept.edges[count++] = shape.edges[i];
          }
          kept.edges.shrink(count);
          return graph{std::move(kept), forest.edges.names()};
        } else {
          return {};  // never: a forest is a list
        }
      },
      forest.edges.shape());
}

/// The labels of the forest's vertices by their positions; nothing where one has none.
std::optional<labelling> by_position(const labelling& labels, const vertex_names& names, std::pmr::memory_resource* memory) {
  buffer<std::uint64_t> found{names.size(), memory};
  const bool strings = names.what() == vertex_names::kind::strings;
  for (std::uint64_t v = 0; v < found.size(); ++v) {
    const auto slot = strings ? labels.names().find(names.string(v)) : labels.names().find(names.integer(v));
    if (!slot || !labels.present(*slot)) return std::nullopt;
    const std::uint64_t label = labels.label(*slot);
    const auto vertex = strings ? names.find(labels.names().string(label)) : names.find(labels.names().integer(label));
    if (!vertex) return std::nullopt;
    found[v] = *vertex;
  }
  return labelling{std::move(found), vertex_names::identity(names.size())};
}

double least_of(std::optional<double> min_weight) { return min_weight.value_or(-std::numeric_limits<double>::infinity()); }

}  // namespace

void weighted_merge_options::add_options(CLI::App& app) {
  add_file(app, "--curve", curve,
           "Of forests with weights: write what each threshold does here, as copse thresholds does (- for standard output)");
  add_parsed(app, "--at", choice.at, "X,Y,..", "With --curve or --label-columns: only these thresholds", "numbers with commas between them",
             [](const std::string& text) { return numbers_with_commas(text); });
  add_number(app, "--points", choice.points, 1, 1000000000,
             "With --curve: only N of the weights at which components change, evenly spread");
  add_file(app, "--label-columns", columns, "With --at: write the labels at each of the thresholds here, a column each (.csv .txt)");
  add_file(app, "--edges", edges,
           "Of forests with weights: write the edges of the merged forest here, whatever --min-weight (.csv .el .txt .npy .mtx)");
}

void weighted_merge_options::require_sense(bool weighted) const {
  if (!weighted && (!curve.empty() || !edges.empty() || !columns.empty())) {
    throw usage_error{
        "--curve, --edges, --label-columns: found forests without weights, expected those of copse reduce --weight or --maximum"};
  }
  choice.require_sense();
  if (choice.points && curve.empty()) throw usage_error{"--points: found no --curve, expected it"};
  if (!choice.at.empty() && curve.empty() && columns.empty())
    throw usage_error{"--at: found neither --curve nor --label-columns, expected one of them"};
  if (!columns.empty()) {
    if (choice.at.empty()) throw usage_error{"--label-columns: found no --at, expected the thresholds of the columns"};
    expect_table_suffix(columns, label_columns_text);
  }
  if (!edges.empty()) io::expect_weighted_suffix(edges);
}

bool have_weights(const std::vector<std::string>& files, std::pmr::memory_resource* memory) {
  const bool first = mergeable_weighted_forest::is_one(files.front(), memory);
  for (const std::string& file : files) {
    if (!std::filesystem::exists(file)) continue;  // open() will complain
    if (mergeable_weighted_forest::is_one(file, memory) == first) continue;
    throw usage_error{fmt::format("{}: found a forest {} weights, expected one {} them as {}", file, first ? "without" : "with",
                                  first ? "with" : "without", files.front())};
  }
  return first;
}

weighted_merge::weighted_merge(const std::vector<std::string>& files, std::optional<double> min_weight,
                               const weighted_merge_options& options, resources& context)
    : min_weight_{min_weight} {
  weighted_forest_merger merger{{.threads = context.threads, .observer = &context.observer, .memory = &context.memory}};
  std::uint64_t done = 0;
  for (const std::string& file : files) {
    try {
      in_step(file, "merging", [&] { merger.add(mergeable_weighted_forest::open(file, &context.memory)); });
    } catch (const usage_error& e) {
      throw usage_error{fmt::format("{}: {}", file, e.what())};
    }
    context.observer.progress("merge", ++done, files.size(), "forests");
  }
  forest = merger.finish();
  if (!is_maximum(forest) && (min_weight || !options.curve.empty() || !options.columns.empty())) {
    throw usage_error{
        "--min-weight, --curve, --label-columns: found minimum forests, expected maximum ones: the others do not keep the heavy edges"};
  }
  if (min_weight) context.note_threshold(forest.forest().weights.view(), *min_weight);
  hierarchy joined{forest.forest().edges, forest.forest().weights.view(), &context.memory};
  labels = mergeable_forest{joined.labels_at(least_of(min_weight)), &context.memory}.take_labels();
  if (!options.columns.empty()) joined_ = std::move(joined);
  if (!options.curve.empty()) {
    curve_ = options.choice.curve(forest.forest().edges, forest.forest().weights.view(),
                                  {.threads = context.threads, .observer = &context.observer, .memory = &context.memory});
  }
}

std::string weighted_merge::fault(const std::vector<std::string>& files, bool against_files, const input_options& edges,
                                  resources& context) const {
  if (!against_files && edges.graphs.empty()) return {};
  const graph heavy = edges_from(forest.forest(), least_of(min_weight_), &context.memory);
  const auto positions = by_position(labels, heavy.names(), &context.memory);
  if (!positions) return "a vertex of the merged forest has no label";
  if (const verdict proof = verify(heavy.view(), *positions); !proof) return proof.reason;
  if (against_files) {
    auto next = files.begin();
    const verdict proof = verify_merge(
        forest,
        [&]() -> std::optional<mergeable_weighted_forest> {
          if (next == files.end()) return std::nullopt;
          return mergeable_weighted_forest::open(*next++, &context.memory);
        },
        &context.memory);
    if (!proof) return proof.reason;
  }
  if (edges.graphs.empty()) return {};
  const input source{edges, context, true};
  source.expect_weights("--verify-against");
  io::read_options reading = source.read_options();
  reading.min_weight.reset();  // the forest is that of all edges
  return verify_part(source.paths(), {}, reading, forest).reason;
}

void weighted_merge::write(const weighted_merge_options& options, resources& context) const {
  const weighted_graph& merged = forest.forest();
  if (!options.edges.empty()) io::write_weighted_edges(merged.edges, merged.weights.view(), options.edges, context.writing());
  if (joined_) write_labels_at(options.choice.at, *joined_, options.columns);
  context.observer.clear();
  if (!options.curve.empty()) write_curve(curve_, options.curve);
}

json weighted_merge::as_json() const {
  return {{"goal", is_maximum(forest) ? "maximum" : "minimum"},
          {"forest_edges", forest.edge_count()},
          {"min_weight", min_weight_ ? json(*min_weight_) : json(nullptr)}};
}

}  // namespace copse::cli
