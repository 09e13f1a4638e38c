// Clusters under constraints, from a graph of all pairs in memory.
#include <nanobind/stl/vector.h>
#include <copse/cluster.hpp>
#include <copse/errors.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bindings.hpp"
#include "graph.hpp"
#include "labels.hpp"
#include "weighted.hpp"

namespace copse::python {
namespace {

link_rule link_rule_named(const std::string& name) {
  if (name == "all") return link_rule::all;
  if (name == "mutual") return link_rule::mutual;
  if (name == "either") return link_rule::either;
  refuse("links", "'all', 'mutual' or 'either'", "'" + name + "'");
}

const graph& collected_graph(const held_graph& g) {
  if (g.owned() == nullptr) throw usage_error{"cluster_pairs() needs a graph of an EdgeCollector, not one of borrowed arrays"};
  return *g.owned();
}

/// Returns the refused pairs as one array per column: both ends, their clusters, the score, and the number of the constraint (0 is
/// max_records, 1 is cannot_link, 2 + i is limit i on values).
nb::tuple refused_columns(const clusters_at_threshold& answer, const call_memory& memory) {
  const auto column = [&]<class T, class Of>(T, Of of) {
    buffer<T> all{answer.refused.size(), memory.get()};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = of(answer.refused[i]);
    return all;
  };
  const auto vertices = [&](auto of) { return numpy_array<std::int64_t>(column(std::uint64_t{}, of), memory); };
  return nb::make_tuple(vertices([](const refused_pair& p) { return p.u; }), vertices([](const refused_pair& p) { return p.v; }),
                        vertices([&](const refused_pair& p) { return answer.labels.label(p.u); }),
                        vertices([&](const refused_pair& p) { return answer.labels.label(p.v); }),
                        numpy_array<double>(column(double{}, [](const refused_pair& p) { return p.score; }), memory),
                        vertices([](const refused_pair& p) { return std::uint64_t{static_cast<std::uint8_t>(p.constraint)} + p.limit; }));
}

/// Returns a tuple of three: for each threshold the labels, the number of cut bridges and the columns of refused pairs; for each limit,
/// which is a column of `values` and its element of `most`, the number of vertices without a value in that column; and the number of pairs
/// of `apart` with an end that is no vertex. `apart` is a graph of the pairs that must not be in one cluster.
nb::tuple cluster_pairs(const held_graph& pairs, const input_array& scores, const std::string& score_type, std::vector<double> thresholds,
                        const std::string& links, std::optional<double> cut_bridges, std::optional<std::uint64_t> max_records,
                        const std::vector<input_array>& values, const std::vector<std::uint64_t>& most, const held_graph* apart,
                        const call_options& from) {
  const graph& g = collected_graph(pairs);
  if (!holds<double>(scores)) refuse_array("scores", scores, "float64");
  if (values.size() != most.size()) throw usage_error{"values must have one column for each limit"};
  cluster_options options;
  options.thresholds = std::move(thresholds);
  options.links = link_rule_named(links);
  options.cut_bridges = cut_bridges;
  options.max_records = max_records.value_or(cluster_rules::no_limit);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!holds<std::uint64_t>(values[i])) refuse_array("values", values[i], "uint64");
    options.one_per.push_back({elements<std::uint64_t>(values[i]), most[i]});
  }
  const graph* listed = apart == nullptr ? nullptr : &collected_graph(*apart);
  const call_memory memory{from.memory_bytes};
  std::vector<std::string> notes = pairs.notes();
  known_pairs found;
  cluster_result result = run(
      from,
      [&](observer& watcher) {
        if (listed != nullptr) found = pairs_among(g.names(), *listed);
        options.cannot_link = found.pairs;
        const execution on = execution_of(from, watcher, memory);
        const weights_view column{weights_view{elements<double>(scores)}, precision_named(score_type)};
        return cluster(g.view(), column, options, on);
      },
      &notes);
  nb::list answers;
  for (clusters_at_threshold& answer : result.answers) {
    const nb::tuple refused = refused_columns(answer, memory);
    components_result labels;
    labels.labels = renamed_copy(answer.labels, g.names(), memory);
    answer.labels = {};
    labels.report = result.report;
    answers.append(nb::make_tuple(held_labels{std::move(labels), memory, notes}, answer.cut_bridges, refused));
  }
  return nb::make_tuple(answers, result.exempt, found.unknown);
}

/// Returns the clusters of single best links. A label need not be the smallest vertex of its cluster. `scores` has one number per pair,
/// `groups` one per vertex; `ties` is lowest_id or drop.
held_labels single_best_links_of(const held_graph& pairs, const input_array& scores, const input_array& groups, const std::string& ties,
                                 const call_options& from) {
  const graph& g = collected_graph(pairs);
  if (!holds<double>(scores)) refuse_array("scores", scores, "float64");
  if (!holds<std::uint64_t>(groups)) refuse_array("groups", groups, "uint64");
  if (ties != "lowest_id" && ties != "drop") refuse("ties", "'lowest_id' or 'drop'", "'" + ties + "'");
  const call_memory memory{from.memory_bytes};
  std::vector<std::string> notes = pairs.notes();
  components_result found;
  run(
      from,
      [&](observer& watcher) {
        auto labels = single_best_links(g.view(), elements<double>(scores), elements<std::uint64_t>(groups),
                                        ties == "drop" ? link_ties::drop : link_ties::lowest_id, execution_of(from, watcher, memory));
        found.labels = labelling{std::move(labels), g.names()};
      },
      &notes);
  return {std::move(found), memory, std::move(notes)};
}

}  // namespace

void bind_cluster(nb::module_& m) {
  m.def("cluster_pairs", &cluster_pairs, nb::arg("pairs"), nb::arg("scores"), nb::arg("score_type"), nb::arg("thresholds"),
        nb::arg("links"), nb::arg("cut_bridges").none(), nb::arg("max_records").none(), nb::arg("values"), nb::arg("most"),
        nb::arg("apart").none(), nb::arg("options"));
  m.def("single_best_links", &single_best_links_of, nb::arg("pairs"), nb::arg("scores"), nb::arg("groups"), nb::arg("ties"),
        nb::arg("options"));
}

}  // namespace copse::python
