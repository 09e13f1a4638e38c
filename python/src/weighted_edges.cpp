// Edges with weights that come in batches: into a weighted forest, none held, or into a graph in memory.
#include <copse/errors.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "arrays.hpp"
#include "arrow_rows.hpp"
#include "bindings.hpp"
#include "edge_collector.hpp"
#include "graph.hpp"
#include "sink.hpp"
#include "weighted.hpp"

namespace copse::python {
namespace {

/// The precision of a type of NumPy.
weight_precision precision_named(const std::string& dtype) {
  return dtype == "float16" ? weight_precision::half : dtype == "float32" ? weight_precision::single : weight_precision::full;
}

class weighted_sink : public watched_sink<weighted_edge_sink> {
public:
  weighted_sink(bool maximum, call_options options)
      : watched_sink{std::move(options),
                     [&](const call_options& from, const execution& on) {
                       return weighted_edge_sink{{.variant = from.variant, .goal = goal_of(maximum)}, on};
                     }},
        goal_{goal_of(maximum)} {}

  /// The forest of all that came. The sink is of no use afterwards.
  held_weighted_forest finish() {
    std::optional<weighted_forest_result> found;
    watched([&](weighted_edge_sink& sink, observer&) { found = copy_of(sink.forest()); });
    return {std::move(*found), goal_, memory_};
  }

private:
  static forest_goal goal_of(bool maximum) { return maximum ? forest_goal::maximum : forest_goal::minimum; }

  /// The sink keeps its own.
  weighted_forest_result copy_of(const weighted_forest_result& from) const {
    weighted_forest_result to;
    std::visit(
        [&]<class Shape>(const Shape& shape) {
          if constexpr (requires { shape.edges; }) {
            auto mine = Shape{shape.vertex_count, decltype(shape.edges){shape.edges.size(), memory_.get()}};
            std::copy(shape.edges.begin(), shape.edges.end(), mine.edges.begin());
            to.edges = graph{std::move(mine), from.edges.names()};
          }
        },
        from.edges.shape());
    std::visit(
        [&]<class Weight>(const buffer<Weight>& column) {
          buffer<Weight> mine{column.size(), memory_.get()};
          std::copy(column.begin(), column.end(), mine.begin());
          to.weights = weight_column{std::move(mine), from.weights.precision()};
        },
        from.weights.held());
    to.report = from.report;
    return to;
  }

  forest_goal goal_;
};

class held_collector : public watched_sink<edge_collector> {
public:
  explicit held_collector(call_options options)
      : watched_sink{std::move(options), [](const call_options&, const execution& on) { return edge_collector{on.memory}; }} {}

  /// (graph, weights or None, rows)
  nb::tuple finish() {
    std::optional<edge_collector::collected> all;
    watched([&](edge_collector& sink, observer&) { all = sink.finish(); });
    nb::object weights = nb::none();
    if (all->weights.size() == all->rows.size()) weights = numpy_array<double>(std::move(all->weights), memory_);
    return nb::make_tuple(held_graph{std::move(all->edges), memory_}, weights, numpy_array<std::int64_t>(std::move(all->rows), memory_));
  }
};

/// What takes ids of 64 bits or strings, with the facts of their rows, and no others.
template <class Take>
struct wide_or_text {
  Take take;
  void operator()(std::span<const std::uint64_t> u, std::span<const std::uint64_t> v, const taken_facts& facts) const { take(u, v, facts); }
  void operator()(std::span<const std::string_view> u, std::span<const std::string_view> v, const taken_facts& facts) const {
    take(u, v, facts);
  }
};

/// All rows of a stream, in their order.
template <class Take>
void take_all(arrow_stream& table, const row_rules& rules, row_taker& taker, const observer& watcher, const Take& take) {
  while (arrow_owner<ArrowArray> next = table.next()) {
    const open_batch batch{rules, std::move(next), taker.counts().rows};
    for (std::int64_t begin = 0; begin < batch.rows(); begin += piece_rows) {
      if (watcher.cancel_requested()) throw cancelled{};
      taker.rows(batch, begin, std::min(begin + piece_rows, batch.rows()), take);
    }
  }
}

/// Isolated vertices are loops, which are in no forest.
struct loops {
  std::vector<double> weights;
  std::span<const double> of(std::size_t count) {
    weights.assign(count, 0);
    return weights;
  }
};

table_counts add_table(weighted_sink& to, arrow_stream& table, std::size_t left, std::optional<std::size_t> right,
                       std::optional<std::size_t> score, const std::optional<std::string>& threshold, bool drop_nulls) {
  std::vector<std::size_t> ids{left};
  if (right) ids.push_back(*right);
  const row_rules rules{table, std::move(ids), score, threshold_of(threshold), drop_nulls};
  row_taker taker{rules, piece_rows, true};
  loops weightless;
  to.watched([&](weighted_edge_sink& sink, observer& watcher) {
    if (score) sink.set_precision(precision_of(rules.types[*score]));
    const wide_or_text take{
        [&](auto u, auto v, const taken_facts& facts) { sink.add(u, v, score ? facts.scores : weightless.of(u.size())); }};
    take_all(table, rules, taker, watcher, take);
    tell_unreached(taker.counts(), rules, watcher);
  });
  return taker.counts();
}

table_counts collect_table(held_collector& to, arrow_stream& table, std::size_t left, std::optional<std::size_t> right,
                           std::optional<std::size_t> score, const std::optional<std::string>& threshold, bool drop_nulls) {
  const row_rules rules{table, {left, right.value()}, score, threshold_of(threshold), drop_nulls};
  row_taker taker{rules, piece_rows, true};
  to.watched([&](edge_collector& sink, observer& watcher) {
    const wide_or_text take{[&](auto u, auto v, const taken_facts& facts) { sink.add(u, v, facts); }};
    take_all(table, rules, taker, watcher, take);
    tell_unreached(taker.counts(), rules, watcher);
  });
  return taker.counts();
}

/// Columns of integers of any kind as ids of 64 bits, a piece at a time: put(ids, ids, taken_facts).
template <class Put>
void for_pieces(const input_array& sources, const input_array& targets, const input_array* scores, const input_array& rows, Put put) {
  with_integer_type("sources", sources, [&]<class T>(T) {
    if (!holds<T>(targets)) refuse_array("targets", targets, "the integers of the sources");
    const auto from = elements<T>(sources), to = elements<T>(targets);
    expect_no_negative<T>("sources", from);
    expect_no_negative<T>("targets", to);
    const auto places = elements<std::uint64_t>(rows);
    const auto column = scores ? elements<double>(*scores) : std::span<const double>{};
    std::vector<std::uint64_t> u, v;
    constexpr auto piece = static_cast<std::size_t>(piece_rows);
    for (std::size_t begin = 0; begin < from.size(); begin += piece) {
      const std::size_t count = std::min(piece, from.size() - begin);
      u.assign(from.begin() + static_cast<std::ptrdiff_t>(begin), from.begin() + static_cast<std::ptrdiff_t>(begin + count));
      v.assign(to.begin() + static_cast<std::ptrdiff_t>(begin), to.begin() + static_cast<std::ptrdiff_t>(begin + count));
      put(std::span<const std::uint64_t>{u}, std::span<const std::uint64_t>{v},
          taken_facts{scores ? column.subspan(begin, count) : column, places.subspan(begin, count)});
    }
  });
}

void add_columns(weighted_sink& to, const input_array& sources, const input_array& targets, const input_array& scores,
                 const input_array& rows) {
  to.watched([&](weighted_edge_sink& sink, observer&) {
    for_pieces(sources, targets, &scores, rows, [&](auto u, auto v, const taken_facts& facts) { sink.add(u, v, facts.scores); });
  });
}

void collect_columns(held_collector& to, const input_array& sources, const input_array& targets, const std::optional<input_array>& scores,
                     const input_array& rows) {
  to.watched([&](edge_collector& sink, observer&) {
    for_pieces(sources, targets, scores ? &*scores : nullptr, rows,
               [&](auto u, auto v, const taken_facts& facts) { sink.add(u, v, facts); });
  });
}

void add_vertices(weighted_sink& to, const input_array& ids) {
  loops weightless;
  to.watched([&](weighted_edge_sink& sink, observer&) {
    with_integer_type("vertices", ids, [&]<class T>(T) {
      const auto all = elements<T>(ids);
      expect_no_negative<T>("vertices", all);
      const std::vector<std::uint64_t> wide(all.begin(), all.end());
      sink.add(std::span<const std::uint64_t>{wide}, std::span<const std::uint64_t>{wide}, weightless.of(wide.size()));
    });
  });
}

/// Two lists of Python's strings, of which none is None.
struct string_pair {
  std::vector<std::string_view> sources, targets;
  string_pair(const nb::list& left, const nb::list& right) {
    if (strings_of(left, sources, "left") + strings_of(right, targets, "right") != 0) {
      throw usage_error{"strings: found None, expected strings"};
    }
  }
};

void add_strings(weighted_sink& to, const nb::list& left, const nb::list& right, const input_array& scores, const input_array&) {
  const string_pair all{left, right};
  to.watched([&](weighted_edge_sink& sink, observer&) {
    sink.add(std::span<const std::string_view>{all.sources}, std::span<const std::string_view>{all.targets}, elements<double>(scores));
  });
}

void collect_strings(held_collector& to, const nb::list& left, const nb::list& right, const std::optional<input_array>& scores,
                     const input_array& rows) {
  const string_pair all{left, right};
  to.watched([&](edge_collector& sink, observer&) {
    sink.add(std::span<const std::string_view>{all.sources}, std::span<const std::string_view>{all.targets},
             taken_facts{scores ? elements<double>(*scores) : std::span<const double>{}, elements<std::uint64_t>(rows)});
  });
}

void add_string_vertices(weighted_sink& to, const nb::list& ids) {
  const string_pair all{ids, nb::list{}};
  loops weightless;
  to.watched([&](weighted_edge_sink& sink, observer&) {
    const std::span<const std::string_view> same{all.sources};
    sink.add(same, same, weightless.of(same.size()));
  });
}

}  // namespace

// The names are those of the sink of components: which one it is, the first argument says.
void bind_weighted_edges(nb::module_& m) {
  nb::class_<weighted_sink>(m, "WeightedSink")
      .def(nb::init<bool, call_options>(), nb::arg("maximum"), nb::arg("options"))
      .def("add_columns", &add_columns)
      .def("add_vertices", &add_vertices)
      .def("set_score_type",
           [](weighted_sink& to, const std::string& dtype) {
             to.watched([&](weighted_edge_sink& sink, observer&) { sink.set_precision(precision_named(dtype)); });
           })
      .def("note", &weighted_sink::note)
      .def("finish", &weighted_sink::finish);
  nb::class_<held_collector>(m, "EdgeCollector")
      .def(nb::init<call_options>(), nb::arg("options"))
      .def("add_columns", &collect_columns, nb::arg("sources"), nb::arg("targets"), nb::arg("scores").none(), nb::arg("rows"))
      .def("finish", &held_collector::finish);
  m.def("add_table", &add_table, nb::arg("sink"), nb::arg("table"), nb::arg("left"), nb::arg("right").none(), nb::arg("score").none(),
        nb::arg("threshold").none(), nb::arg("drop_nulls"));
  m.def("add_table", &collect_table, nb::arg("sink"), nb::arg("table"), nb::arg("left"), nb::arg("right").none(), nb::arg("score").none(),
        nb::arg("threshold").none(), nb::arg("drop_nulls"));
  m.def("add_strings", &add_strings);
  m.def("add_strings", &collect_strings, nb::arg("sink"), nb::arg("left"), nb::arg("right"), nb::arg("scores").none(), nb::arg("rows"));
  m.def("add_string_vertices", &add_string_vertices);
}

}  // namespace copse::python
