// Edges with weights in batches, which are added to a weighted forest without being held, or collected as a graph in memory.
#include <copse/errors.hpp>
#include <copse/io.hpp>

#include <algorithm>
#include <array>
#include <concepts>
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
#include "bindings.hpp"
#include "graph.hpp"
#include "sink.hpp"
#include "tables.hpp"
#include "weighted.hpp"

namespace copse::python {

weight_precision precision_named(const std::string& dtype) {
  return dtype == "float16" ? weight_precision::half : dtype == "float32" ? weight_precision::single : weight_precision::full;
}

namespace {

const char* name_of_precision(weight_precision precision) {
  return precision == weight_precision::half ? "float16" : precision == weight_precision::single ? "float32" : "float64";
}

/// Adds edges to a weighted forest. Their weights are read from taken_facts::scores, the column of scores of a table.
class scored_edges {
public:
  explicit scored_edges(weighted_edge_sink sink) : sink_{std::move(sink)} {}

  /// Adds edges. Edges without scores are loops that stand for isolated vertices; loops are in no forest.
  template <class Id>
  void add(std::span<const Id> sources, std::span<const Id> targets, const taken_facts& facts) {
    if (facts.scores.empty()) zeros_.assign(sources.size(), 0);
    const std::span<const double> scores = facts.scores.empty() ? std::span<const double>{zeros_} : facts.scores;
    if constexpr (std::same_as<Id, std::uint64_t>) {
      if (facts.are_signed) return sink_.add({as_signed(sources), as_signed(targets)}, scores);
    }
    sink_.add({sources, targets}, scores);
  }
  void set_precision(weight_precision precision) { sink_.set_precision(precision); }
  [[nodiscard]] weighted_forest_result take() && { return std::move(sink_).take(); }

private:
  static std::span<const std::int64_t> as_signed(std::span<const std::uint64_t> ids) {
    return {reinterpret_cast<const std::int64_t*>(ids.data()), ids.size()};
  }

  weighted_edge_sink sink_;
  std::vector<double> zeros_;
};

class weighted_sink : public watched_sink<scored_edges> {
public:
  weighted_sink(bool maximum, call_options options)
      : watched_sink{std::move(options), [&](const call_options& from, const execution& on) {
                       return scored_edges{weighted_edge_sink{{.variant = from.variant, .goal = goal_of(maximum)}, on}};
                     }} {}

  /// Returns the forest of all edges. The sink must not be used afterwards.
  held_weighted_forest finish() {
    std::optional<weighted_forest_result> found;
    watched([&](scored_edges& sink, observer&) { found = std::move(sink).take(); });
    return {std::move(*found), memory_};
  }

private:
  static forest_goal goal_of(bool maximum) { return maximum ? forest_goal::maximum : forest_goal::minimum; }
};

/// Collects the edges of tables as a graph in memory, in their order and with the row of each, for calls that need all edges at once.
class table_edges {
public:
  explicit table_edges(const execution& on) : on_{on}, rows_{on.memory} {}

  /// Adds edges. The first ones decide whether edges have weights; later edges without weights are loops that stand for isolated vertices,
  /// and get weight 0. Throws usage_error for strings after integers or the reverse, resource_error.
  template <class Id>
  void add(std::span<const Id> sources, std::span<const Id> targets, const taken_facts& facts) {
    constexpr bool strings = std::same_as<Id, std::string_view>;
    if (sources.empty()) return;
    if (!sink_) {
      weighted_ = !facts.scores.empty();
      sink_.emplace(io::sink_wishes{.weights = weighted_}, on_);
      io::source_facts facts_of_all;
      facts_of_all.named = strings;
      sink_->begin(facts_of_all);
      named_ = strings;
    }
    if (named_ != strings) {
      refuse("ids", named_ ? "strings, as in earlier batches" : "integers, as in earlier batches", strings ? "strings" : "integers");
    }
    if (facts.are_signed && !std::exchange(signed_, true)) sink_->ids_are_signed();
    if (weighted_ && facts.scores.empty()) zeros_.assign(sources.size(), 0);
    const std::span<const double> scores = facts.scores.empty() ? std::span<const double>{zeros_} : facts.scores;
    std::array<std::conditional_t<strings, io::named_edge, edge<std::uint64_t>>, 1024> some;
    for (std::size_t begin = 0; begin < sources.size(); begin += some.size()) {
      const std::size_t count = std::min(some.size(), sources.size() - begin);
      for (std::size_t i = 0; i < count; ++i) some[i] = {sources[begin + i], targets[begin + i]};
      io::edge_batch batch;
      if (weighted_) batch.weights = scores.subspan(begin, count);
      if constexpr (strings) {
        batch.names = std::span{some}.first(count);
      } else {
        batch.ids = std::span{some}.first(count);
      }
      sink_->edges(0, batch);
    }
    rows_.insert(rows_.end(), facts.rows.begin(), facts.rows.end());
  }

  void set_precision(weight_precision precision) noexcept { precision_ = precision; }
  [[nodiscard]] weight_precision precision() const noexcept { return precision_; }

  /// The collected edges; taking them empties the collector.
  struct collected {
    graph edges;
    buffer<double> weights;      ///< the weight of each edge; empty if edges have none
    buffer<std::uint64_t> rows;  ///< the row of each edge in its table
  };
  [[nodiscard]] collected finish() {
    if (!sink_) sink_.emplace(io::sink_wishes{}, on_).begin({});
    sink_->finish();
    collected all{sink_->take_graph(), sink_->take_weights(), buffer<std::uint64_t>{rows_.size(), on_.memory}};
    std::copy(rows_.begin(), rows_.end(), all.rows.begin());
    sink_.reset();
    rows_.clear();
    return all;
  }

private:
  execution on_;
  std::optional<io::graph_sink> sink_;
  bool named_ = false, signed_ = false, weighted_ = false;
  weight_precision precision_ = weight_precision::full;
  std::vector<double> zeros_;
  std::pmr::vector<std::uint64_t> rows_;
};

class held_collector : public watched_sink<table_edges> {
public:
  explicit held_collector(call_options options)
      : watched_sink{std::move(options), [](const call_options&, const execution& on) { return table_edges{on}; }} {}

  /// The type of NumPy whose precision the weights had before they became doubles.
  [[nodiscard]] const char* score_type() const noexcept { return name_of_precision(sink_.precision()); }

  /// Returns the tuple (graph, weights or None, rows), where rows[i] is the number of the table row, from 0, that edge i came from.
  nb::tuple finish() {
    std::optional<table_edges::collected> all;
    watched([&](table_edges& sink, observer&) { all = sink.finish(); });
    nb::object weights = nb::none();
    if (all->weights.size() == all->rows.size()) weights = numpy_array<double>(std::move(all->weights), memory_);
    return nb::make_tuple(held_graph{std::move(all->edges), memory_}, weights, numpy_array<std::int64_t>(std::move(all->rows), memory_));
  }
};

/// Passes two columns of 64-bit ids or of strings, and the scores and row numbers that belong to them, to `take`.
template <class Take>
struct wide_or_text {
  Take take;
  void operator()(std::span<const std::uint64_t> u, std::span<const std::uint64_t> v, const taken_facts& facts) const { take(u, v, facts); }
  void operator()(std::span<const std::string_view> u, std::span<const std::string_view> v, const taken_facts& facts) const {
    take(u, v, facts);
  }
};

// In these templates Sink is weighted_sink or held_collector.

template <class Sink>
table_counts add_table(Sink& to, arrow_stream& table, std::size_t left, std::optional<std::size_t> right, std::optional<std::size_t> score,
                       const std::optional<std::string>& threshold, bool drop_nulls) {
  std::vector<std::size_t> ids{left};
  if (right) ids.push_back(*right);
  const row_rules rules{table, std::move(ids), score, threshold_of(threshold), drop_nulls};
  row_taker taker{rules, piece_rows, true};
  to.watched([&](auto& sink, observer& watcher) {
    if (score) sink.set_precision(precision_of(rules.types[*score]));
    const wide_or_text take{[&](auto u, auto v, const taken_facts& facts) { sink.add(u, v, facts); }};
    take_all(table, rules, taker, watcher, take);
    tell_unreached(taker.counts(), rules, watcher);
  });
  return taker.counts();
}

template <class T>
bool any_negative(std::span<const T> ids) {
  return std::any_of(ids.begin(), ids.end(), [](T id) { return std::cmp_less(id, 0); });
}

/// Adds edges from columns of any integer type, which are converted to 64-bit ids piece by piece.
template <class Sink>
void add_columns(Sink& to, const input_array& sources, const input_array& targets, const std::optional<input_array>& scores,
                 const input_array& rows) {
  to.watched([&](auto& sink, observer&) {
    with_integer_type("sources", sources, [&]<class T>(T) {
      if (!holds<T>(targets)) refuse_array("targets", targets, "the integer type of the sources");
      const auto from = elements<T>(sources), to_ids = elements<T>(targets);
      const bool are_signed = any_negative(from) || any_negative(to_ids);
      const auto places = elements<std::uint64_t>(rows);
      const auto column = scores ? elements<double>(*scores) : std::span<const double>{};
      std::vector<std::uint64_t> u, v;
      constexpr auto piece = static_cast<std::size_t>(piece_rows);
      for (std::size_t begin = 0; begin < from.size(); begin += piece) {
        const std::size_t count = std::min(piece, from.size() - begin);
        u.assign(from.begin() + static_cast<std::ptrdiff_t>(begin), from.begin() + static_cast<std::ptrdiff_t>(begin + count));
        v.assign(to_ids.begin() + static_cast<std::ptrdiff_t>(begin), to_ids.begin() + static_cast<std::ptrdiff_t>(begin + count));
        sink.add(std::span<const std::uint64_t>{u}, std::span<const std::uint64_t>{v},
                 taken_facts{scores ? column.subspan(begin, count) : column, places.subspan(begin, count), are_signed});
      }
    });
  });
}

/// Adds isolated vertices; `rows` are their row numbers in the table.
template <class Sink>
void add_vertices(Sink& to, const input_array& ids, const input_array& rows) {
  to.watched([&](auto& sink, observer&) {
    with_integer_type("vertices", ids, [&]<class T>(T) {
      const auto all = elements<T>(ids);
      const std::vector<std::uint64_t> wide(all.begin(), all.end());
      const std::span<const std::uint64_t> same{wide};
      sink.add(same, same, taken_facts{{}, elements<std::uint64_t>(rows), any_negative(all)});
    });
  });
}

/// Two lists of Python strings.
struct string_pair {
  std::vector<std::string_view> sources, targets;
  string_pair(const nb::list& left, const nb::list& right) {
    strings_of(left, sources, "left");
    strings_of(right, targets, "right");
  }
};

template <class Sink>
void add_strings(Sink& to, const nb::list& left, const nb::list& right, const std::optional<input_array>& scores, const input_array& rows) {
  const string_pair all{left, right};
  to.watched([&](auto& sink, observer&) {
    sink.add(std::span<const std::string_view>{all.sources}, std::span<const std::string_view>{all.targets},
             taken_facts{scores ? elements<double>(*scores) : std::span<const double>{}, elements<std::uint64_t>(rows)});
  });
}

template <class Sink>
void add_string_vertices(Sink& to, const nb::list& ids, const input_array& rows) {
  const string_pair all{ids, nb::list{}};
  const std::span<const std::string_view> same{all.sources};
  to.watched([&](auto& sink, observer&) { sink.add(same, same, taken_facts{{}, elements<std::uint64_t>(rows)}); });
}

}  // namespace

// Adds the methods of a sink to its class. They have the same names as those of the sink of components.
template <class Sink>
void bind_adding(nb::module_& m, nb::class_<Sink>& sink) {
  sink.def("add_columns", &add_columns<Sink>, nb::arg("sources"), nb::arg("targets"), nb::arg("scores").none(), nb::arg("rows"));
  sink.def("add_vertices", &add_vertices<Sink>, nb::arg("ids"), nb::arg("rows"));
  sink.def("set_score_type", [](Sink& to, const std::string& dtype) {
    to.watched([&](auto& all, observer&) { all.set_precision(precision_named(dtype)); });
  });
  sink.def("note", &Sink::note);
  m.def("add_string_vertices", &add_string_vertices<Sink>, nb::arg("sink"), nb::arg("ids"), nb::arg("rows"));
  m.def("add_table", &add_table<Sink>, nb::arg("sink"), nb::arg("table"), nb::arg("left"), nb::arg("right").none(), nb::arg("score").none(),
        nb::arg("threshold").none(), nb::arg("drop_nulls"));
  m.def("add_strings", &add_strings<Sink>, nb::arg("sink"), nb::arg("left"), nb::arg("right"), nb::arg("scores").none(), nb::arg("rows"));
}

void bind_weighted_edges(nb::module_& m) {
  auto weighted = nb::class_<weighted_sink>(m, "WeightedSink")
                      .def(nb::init<bool, call_options>(), nb::arg("maximum"), nb::arg("options"))
                      .def("finish", &weighted_sink::finish);
  bind_adding(m, weighted);
  auto collected = nb::class_<held_collector>(m, "EdgeCollector")
                       .def(nb::init<call_options>(), nb::arg("options"))
                       .def_prop_ro("score_type", &held_collector::score_type)
                       .def("finish", &held_collector::finish);
  bind_adding(m, collected);
}

}  // namespace copse::python
