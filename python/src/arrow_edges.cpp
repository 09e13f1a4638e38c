// Tables of edges into sinks, whether Arrow streams or lists of Python's own strings.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <copse/errors.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "arrow_rows.hpp"
#include "bindings.hpp"
#include "row_queue.hpp"
#include "sink.hpp"

namespace copse::python {
namespace {

/// The edges of a batch sink, or its vertices, by the workers of a row_queue.
class sink_feed {
public:
  sink_feed(edge_batch_sink& sink, const row_rules& rules) : sink_{&sink}, with_edges_{rules.ids.size() == 2} {
    for (unsigned worker = 0; worker < sink.worker_count(); ++worker) workers_.push_back(std::make_unique<worker_state>(rules));
  }

  [[nodiscard]] unsigned workers() const noexcept { return static_cast<unsigned>(workers_.size()); }

  void rows(unsigned worker, const open_batch& batch, std::int64_t begin, std::int64_t end) {
    worker_state& mine = *workers_[worker];
    mine.named.count = mine.numbered.count = 0;  // those before a wrong row, whose batch may be gone
    mine.taker.rows(batch, begin, end, [&]<class Id>(std::span<const Id> first, std::span<const Id> second, const taken_facts& facts) {
      if (with_edges_) {
        auto& edges = mine.template edges_of<Id>();
        edges.append(first, second);
        edges.are_signed |= facts.are_signed;
        if (edges.count >= edges_at_once) pass_on(worker, edges, edges_at_once);
      } else if constexpr (std::is_same_v<Id, std::uint64_t>) {
        sink_->add_vertices_by(worker, first, facts.are_signed);
      } else {
        sink_->add_vertices_by(worker, first);
      }
    });
    pass_on(worker, mine.named, mine.named.count);  // strings lie in the batch
    pass_on(worker, mine.numbered, mine.numbered.count);
  }

  [[nodiscard]] table_counts counts() const {
    table_counts all;
    for (const auto& worker : workers_) {
      const table_counts& mine = worker->taker.counts();
      all.rows += mine.rows;
      all.nulls += mine.nulls;
      all.below += mine.below;
      all.reached |= mine.reached;
      all.largest = std::max(all.largest, mine.largest);
    }
    return all;
  }

private:
  static constexpr std::int64_t rows_at_once = 2048;  // what is gathered of them stays in the cache
  static constexpr std::size_t edges_at_once = 2048;  // the sink looks up many names together, however few rows reach the threshold

  /// Edges that are still to be passed on.
  template <class Edge>
  struct edges_ahead {
    template <class Id>
    void append(std::span<const Id> first, std::span<const Id> second) {
      held.resize(edges_at_once + static_cast<std::size_t>(rows_at_once));  // the first time
      Edge* const to = held.data() + count;
      for (std::size_t i = 0; i < first.size(); ++i) to[i] = {first[i], second[i]};
      count += first.size();
    }
    std::vector<Edge> held;
    std::size_t count = 0;
    bool are_signed = false;  // once an id was negative: then none is above INT64_MAX, or the row was refused
  };

  struct alignas(128) worker_state {
    explicit worker_state(const row_rules& rules) : taker{rules, rows_at_once, false} {}
    template <class Id>
    auto& edges_of() {
      if constexpr (std::is_same_v<Id, std::string_view>) {
        return named;
      } else {
        return numbered;
      }
    }
    row_taker taker;
    edges_ahead<io::named_edge> named;
    edges_ahead<edge<std::uint64_t>> numbered;
  };

  /// The first edges; others move up.
  template <class Edge>
  void pass_on(unsigned worker, edges_ahead<Edge>& edges, std::size_t first) {
    if (first == 0) return;
    const std::span<const Edge> some{edges.held.data(), first};
    if constexpr (std::is_same_v<Edge, io::named_edge>) {
      sink_->add_by(worker, some);
    } else {
      sink_->add_by(worker, some, edges.are_signed);
    }
    const auto begin = edges.held.begin();
    std::copy(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(edges.count), begin);
    edges.count -= first;
  }

  edge_batch_sink* sink_;
  bool with_edges_;
  std::vector<std::unique_ptr<worker_state>> workers_;
};

/// All rows of a table that comes in parts, each a stream and the place of its first row. `release`: None, or what gives back the memory
/// that the reader's library keeps for the thread that calls it.
table_counts add_table(batch_sink& to, const std::vector<table_part>& parts, std::size_t left, std::optional<std::size_t> right,
                       std::optional<std::size_t> score, const std::optional<std::string>& threshold, bool drop_nulls,
                       const nb::object& release) {
  std::vector<std::size_t> ids{left};
  if (right) ids.push_back(*right);
  const row_rules rules{*parts.front().first, std::move(ids), score, threshold_of(threshold), drop_nulls};
  table_counts counts;
  to.watched([&](edge_batch_sink& sink, observer& watcher) {
    sink_feed feed{sink, rules};
    row_queue queue{parts, rules, feed.workers(), watcher};
    const auto serve = [&](unsigned worker) {
      queue.serve(worker, [&](const open_batch& batch, std::int64_t begin, std::int64_t end) { feed.rows(worker, batch, begin, end); });
      if (worker < queue.readers() && !release.is_none()) {  // the answer needs the memory
        const nb::gil_scoped_acquire locked;
        release();
      }
    };
    if (queue.is_for_several()) {
      sink.on_workers(serve);
    } else {
      serve(0);  // a small table wakes nobody
    }
    queue.finish();
    counts = feed.counts();
    tell_unreached(counts, rules, watcher);
  });
  return counts;
}

}  // namespace

std::uint64_t strings_of(const nb::list& from, std::vector<std::string_view>& to, const char* what) {
  std::uint64_t nulls = 0;
  to.reserve(nb::len(from));
  for (const nb::handle item : from) {
    Py_ssize_t size = 0;
    if (PyUnicode_Check(item.ptr())) {
      const char* text = PyUnicode_AsUTF8AndSize(item.ptr(), &size);
      if (text == nullptr) {
        PyErr_Clear();
        throw usage_error{std::string{what} + "[" + std::to_string(to.size()) + "]: found a string with a lone surrogate, expected text"};
      }
      to.emplace_back(text, static_cast<std::size_t>(size));
    } else if (PyBytes_Check(item.ptr())) {
      to.emplace_back(PyBytes_AsString(item.ptr()), static_cast<std::size_t>(PyBytes_Size(item.ptr())));
    } else if (item.is_none()) {
      to.emplace_back();
      ++nulls;
    } else {
      throw usage_error{std::string{what} + "[" + std::to_string(to.size()) + "]: found " +
                        nb::cast<std::string>(nb::str(nb::handle(item.type().attr("__name__")))) + ", expected a string"};
    }
  }
  return nulls;
}

namespace {

void add_strings(batch_sink& to, const nb::list& left, const nb::list& right) {
  std::vector<std::string_view> sources, targets;
  if (strings_of(left, sources, "left") + strings_of(right, targets, "right") != 0) {
    throw usage_error{"strings: found None, expected strings"};
  }
  to.watched([&](edge_batch_sink& sink, observer&) {
    sink.add(std::span<const std::string_view>{sources}, std::span<const std::string_view>{targets});
  });
}

/// What the ids of a column are: 'integers', 'text', 'bytes', 'uuid', or nothing of these.
const char* kind_of_ids(const arrow_stream& table, std::size_t column) {
  const column_type& type = table.columns().at(column);
  if (type.holds_integers()) return "integers";
  if (!type.holds_strings()) return "";
  return type.uuid ? "uuid" : type.binary ? "bytes" : "text";
}

void add_string_vertices(batch_sink& to, const nb::list& ids) {
  std::vector<std::string_view> all;
  if (strings_of(ids, all, "vertices") != 0) throw usage_error{"vertices: found None, expected strings"};
  to.watched([&](edge_batch_sink& sink, observer&) { sink.add_vertices(std::span<const std::string_view>{all}); });
}

}  // namespace

void bind_tables(nb::module_& m) {
  nb::class_<table_counts>(m, "TableCounts", "What a table had beside the edges that were taken.")
      .def("_state", [](const table_counts& c) { return nb::make_tuple(c.rows, c.nulls, c.below); })
      .def_static("_of_state",
                  [](const std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>& state) {
                    return table_counts{std::get<0>(state), std::get<1>(state), std::get<2>(state)};
                  })
      .def_ro("rows", &table_counts::rows)
      .def_ro("nulls", &table_counts::nulls, "rows left out for a null")
      .def_ro("below", &table_counts::below, "rows left out for a score below the threshold, or none");
  nb::class_<arrow_stream>(m, "ArrowStream")
      .def(nb::init<nb::handle>())
      .def(nb::init<nb::handle, nb::handle>())
      .def_prop_ro("names",
                   [](const arrow_stream& s) {
                     nb::list names;
                     for (const column_type& c : s.columns()) names.append(c.name);
                     return names;
                   })
      .def("kind", &kind_of_ids);
  m.def("add_table", &add_table, nb::arg("sink"), nb::arg("parts"), nb::arg("left"), nb::arg("right").none(), nb::arg("score").none(),
        nb::arg("threshold").none(), nb::arg("drop_nulls"), nb::arg("release").none() = nb::none());
  m.def("add_strings", &add_strings);
  m.def("add_string_vertices", &add_string_vertices);
}

}  // namespace copse::python
