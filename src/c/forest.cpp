// The C API of weighted forests: edges in batches, and the components at thresholds.
#include <copse/hierarchy.hpp>
#include <copse/weighted_forest.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "c/call.hpp"
#include "c/labels.hpp"
#include "c/tables.hpp"
#include "io/arrow/scores.hpp"

using namespace copse;
using namespace copse::c;

namespace {

constexpr std::size_t ids_at_once = std::size_t{1} << 16;

forest_goal goal_of(copse_goal goal) {
  if (goal == COPSE_MINIMUM) return forest_goal::minimum;
  if (goal == COPSE_MAXIMUM) return forest_goal::maximum;
  throw usage_error{"goal must be COPSE_MINIMUM or COPSE_MAXIMUM, not " + std::to_string(static_cast<int>(goal))};
}

/// The same ids viewed as signed integers (two's complement).
std::span<const std::int64_t> as_signed(std::span<const std::uint64_t> ids) {
  return {reinterpret_cast<const std::int64_t*>(ids.data()), ids.size()};
}

/// Calls body(edges) with the forest's array of edges.
template <class Body>
void with_edges(const weighted_forest_result& forest, Body&& body) {
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires { shape.edges; }) body(shape.edges);
      },
      forest.edges.shape());
}

}  // namespace

struct copse_forest {
  copse_forest(copse_goal wanted, const copse_options* given)
      : options{std::make_shared<caller_options>(given)},
        goal{goal_of(wanted)},
        sink{weighted_forest_options{.variant = options->solve().variant, .goal = goal}, options->on()} {}

  template <class Id>
  void add(std::span<const Id> sources, std::span<const Id> targets, std::span<const double> weights) {
    sink.add({sources, targets}, weights);
  }

  /// Adds vertices as loops, because a loop is never an edge of a forest.
  template <class Id>
  void add_vertices(std::span<const Id> ids) {
    const std::vector<double> zeros(std::min(ids_at_once, ids.size()));
    for (std::size_t begin = 0; begin < ids.size(); begin += ids_at_once) {
      const auto some = ids.subspan(begin, std::min(ids_at_once, ids.size() - begin));
      add(some, some, std::span{zeros}.first(some.size()));
    }
  }

  /// The forest prepared for thresholds. Throws usage_error for a minimum forest, which does not determine components at a threshold.
  hierarchy joined() {
    expect_maximum();
    const weighted_forest_result& all = sink.forest();
    return {all.edges, all.weights.view(), options->on().memory};
  }
  void expect_maximum() const {
    if (goal != forest_goal::maximum) throw usage_error{"thresholds need a forest made with COPSE_MAXIMUM, not COPSE_MINIMUM"};
  }

  std::shared_ptr<caller_options> options;
  forest_goal goal;
  weighted_edge_sink sink;
  bool binary = false;
};

namespace {

/// Adds the rows of a table: edges, or vertices if the table has no column of weights.
struct row_adder {
  void operator()(std::span<const std::uint64_t> sources, std::span<const std::uint64_t> targets, const arrow::taken_facts& facts) const {
    if (facts.are_signed) {
      add(as_signed(sources), as_signed(targets), facts.scores);
    } else {
      add(sources, targets, facts.scores);
    }
  }
  void operator()(std::span<const std::string_view> sources, std::span<const std::string_view> targets,
                  const arrow::taken_facts& facts) const {
    add(sources, targets, facts.scores);
  }
  template <class Id>
  void add(std::span<const Id> sources, std::span<const Id> targets, std::span<const double> weights) const {
    if (weighted) {
      to.add(sources, targets, weights);
    } else {
      to.add_vertices(sources);
    }
  }

  copse_forest& to;
  bool weighted;
};

void expect_size(std::uint64_t size, std::uint64_t expected) {
  if (size == expected) return;
  throw usage_error{"size must be the number of edges, " + std::to_string(expected) + ", not " + std::to_string(size)};
}

std::shared_ptr<const arrow::ready_table> table_of(copse_forest& from) {
  const weighted_forest_result& all = from.sink.forest();
  const vertex_names& names = all.edges.names();
  const execution on = without_callbacks(*from.options);
  auto table = std::make_shared<arrow::ready_table>();
  table->kept = from.options;
  table->rows = static_cast<std::int64_t>(all.edge_count());
  table->columns.resize(3);
  const auto rows = static_cast<std::size_t>(all.edge_count());
  with_edges(all, [&](const auto& edges) {
    const auto fill = [&](arrow::ready_column& to, auto end_of) {
      if (names.what() == vertex_names::kind::strings) {
        to.fill_strings(rows, from.binary, on.memory, [&](std::size_t i) { return names.string(end_of(i)); });
      } else {
        const bool wide = names.size() != 0 && !names.is_signed() && has_sign_bit(names.integer(names.size() - 1));
        to.fill(rows, wide ? "L" : "l", on.memory, [&](std::size_t i) { return names.integer(end_of(i)); });
      }
    };
    fill(table->columns[0], [&](std::size_t i) { return edges[i].u; });
    fill(table->columns[1], [&](std::size_t i) { return edges[i].v; });
  });
  table->columns[2].fill(rows, "g", on.memory, [&](std::size_t i) { return std::bit_cast<std::uint64_t>(all.weights[i]); });
  table->columns[0].name = "source";
  table->columns[1].name = "target";
  table->columns[2].name = "weight";
  return table;
}

}  // namespace

copse_status copse_forest_new(copse_goal goal, const copse_options* options, copse_forest** forest, copse_error* error) {
  return made(forest, "forest", error, [&] { return std::make_unique<copse_forest>(goal, options); });
}

copse_status copse_forest_add(copse_forest* forest, copse_type type, const void* sources, const void* targets, const double* weights,
                              uint64_t count, copse_error* error) {
  return guarded(error, [&] {
    copse_forest& to = expect_given(forest, "forest");
    const std::span<const double> all = array_of(weights, count, "weights");
    with_columns(type, sources, targets, count, [&](auto from, auto ends) { to.add(from, ends, all); });
  });
}

copse_status copse_forest_add_vertices(copse_forest* forest, copse_type type, const void* ids, uint64_t count, copse_error* error) {
  return guarded(error, [&] {
    copse_forest& to = expect_given(forest, "forest");
    with_type(type, [&]<class Id>(Id) { to.add_vertices(ids_of<Id>(ids, count, "ids")); });
  });
}

copse_status copse_forest_add_stream(copse_forest* forest, struct ArrowArrayStream* from, const copse_table* table,
                                     copse_table_counts* counts, copse_error* error) {
  return guarded(error, [&] {
    given_table given{from};
    copse_forest& to = expect_given(forest, "forest");
    const arrow::row_rules rules = given.rules(table, true);
    to.binary |= has_binaries(rules);
    if (rules.score) to.sink.set_precision(arrow::precision_of(rules.types[*rules.score]));
    tell_counts(counts, take_rows(given, rules, to.options->watcher(), row_adder{to, rules.score.has_value()}));
  });
}

copse_status copse_forest_count(copse_forest* forest, uint64_t* edges, uint64_t* vertices, copse_error* error) {
  return guarded(error, [&] {
    const weighted_forest_result& all = expect_given(forest, "forest").sink.forest();
    if (edges != nullptr) *edges = all.edge_count();
    if (vertices != nullptr) *vertices = all.edges.vertices();
  });
}

copse_status copse_forest_copy(copse_forest* forest, copse_type type, void* sources, void* targets, double* weights, uint64_t size,
                               copse_error* error) {
  return guarded(error, [&] {
    const weighted_forest_result& all = expect_given(forest, "forest").sink.forest();
    expect_size(size, all.edge_count());
    with_edges(all, [&](const auto& edges) {
      copy_names(all.edges.names(), type, sources, size, [&](std::uint64_t i) { return edges[i].u; });
      copy_names(all.edges.names(), type, targets, size, [&](std::uint64_t i) { return edges[i].v; });
    });
    if (weights == nullptr) return;
    for (std::uint64_t i = 0; i < size; ++i) weights[i] = all.weights[i];
  });
}

copse_status copse_forest_stream(copse_forest* forest, struct ArrowArrayStream* to, copse_error* error) {
  return guarded(error, [&] { arrow::give_stream(table_of(expect_given(forest, "forest")), expect_given(to, "to")); });
}

copse_status copse_forest_levels(copse_forest* forest, double* levels, uint64_t capacity, uint64_t* count, copse_error* error) {
  return guarded(error, [&] {
    copse_forest& from = expect_given(forest, "forest");
    expect_given(count, "count");
    array_of(levels, capacity, "levels");
    from.expect_maximum();
    const std::vector<double> all = threshold_levels(from.sink.forest().weights.view(), capacity, from.options->on());
    std::copy(all.begin(), all.end(), levels);
    *count = all.size();
  });
}

copse_status copse_forest_thresholds(copse_forest* forest, copse_threshold* points, uint64_t count, copse_error* error) {
  return guarded(error, [&] {
    copse_forest& from = expect_given(forest, "forest");
    const std::span<copse_threshold> all = array_of(points, count, "points");
    from.expect_maximum();
    std::vector<double> thresholds;
    for (const copse_threshold& point : all) thresholds.push_back(point.threshold);
    const weighted_forest_result& held = from.sink.forest();
    const std::vector<threshold_point> curve = threshold_curve(held.edges, held.weights.view(), thresholds, from.options->on());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const threshold_point& p = curve[i];
      all[i] = {all[i].threshold, p.components, p.largest, p.singletons, p.median, p.percentile_90, p.percentile_99, p.pairs};
    }
  });
}

copse_status copse_forest_labels(copse_forest* forest, double threshold, copse_labels** labels, copse_error* error) {
  return made(labels, "labels", error, [&] {
    copse_forest& from = expect_given(forest, "forest");
    return labels_handle(from.options, from.joined().labels_at(threshold), from.binary);
  });
}

void copse_forest_free(copse_forest* forest) { delete forest; }
