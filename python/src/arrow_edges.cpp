// Adds tables of edges to sinks, from Arrow streams and from lists of Python strings.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <copse/errors.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "io/arrow/edges.hpp"
#include "sink.hpp"
#include "tables.hpp"

namespace copse::python {
namespace {

/// Adds all rows of a table that comes in parts, each a stream with the index of its first row. `release` is None, or a function that frees
/// the memory that the reader's library keeps for the calling thread.
table_counts add_parts(batch_sink& to, const std::vector<table_part>& parts, std::size_t left, std::optional<std::size_t> right,
                       std::optional<std::size_t> score, const std::optional<std::string>& threshold, bool drop_nulls,
                       const nb::object& release) {
  std::vector<std::size_t> ids{left};
  if (right) ids.push_back(*right);
  const row_rules rules{*parts.front().first, std::move(ids), score, threshold_of(threshold), drop_nulls};
  std::function<void()> release_memory;
  if (!release.is_none()) {
    release_memory = [&release] {
      const nb::gil_scoped_acquire locked;
      release();
    };
  }
  table_counts counts;
  to.watched([&](components_sink& sink, observer& watcher) {
    counts =
        pass_on(parts, rules, sink.for_readers(), {.workers = sink.worker_count(), .watcher = &watcher, .after_reading = release_memory});
    tell_unreached(counts, rules, watcher);
  });
  return counts;
}

}  // namespace

void strings_of(const nb::list& from, std::vector<std::string_view>& to, const char* what) {
  const auto place = [&] { return std::string{what} + "[" + std::to_string(to.size()) + "]"; };
  to.reserve(nb::len(from));
  for (const nb::handle item : from) {
    Py_ssize_t size = 0;
    if (PyUnicode_Check(item.ptr())) {
      const char* text = PyUnicode_AsUTF8AndSize(item.ptr(), &size);
      if (text == nullptr) {
        PyErr_Clear();
        refuse(place(), "text", "a string with a lone surrogate");
      }
      to.emplace_back(text, static_cast<std::size_t>(size));
    } else if (PyBytes_Check(item.ptr())) {
      to.emplace_back(PyBytes_AsString(item.ptr()), static_cast<std::size_t>(PyBytes_Size(item.ptr())));
    } else {
      refuse(place(), "a string", nb::cast<std::string>(nb::str(nb::handle(item.type().attr("__name__")))));
    }
  }
}

namespace {

void add_strings(batch_sink& to, const nb::list& left, const nb::list& right) {
  std::vector<std::string_view> sources, targets;
  strings_of(left, sources, "left");
  strings_of(right, targets, "right");
  to.watched([&](components_sink& sink, observer&) {
    sink.add({std::span<const std::string_view>{sources}, std::span<const std::string_view>{targets}});
  });
}

/// Returns the kind of the ids in a column: 'integers', 'text', 'bytes' or 'uuid'; empty for a column of another type.
const char* kind_of_ids(const arrow_stream& table, std::size_t column) {
  const column_type& type = table.columns().at(column);
  if (type.holds_integers()) return "integers";
  if (!type.holds_strings()) return "";
  return type.uuid ? "uuid" : type.binary ? "bytes" : "text";
}

void add_string_vertices(batch_sink& to, const nb::list& ids) {
  std::vector<std::string_view> all;
  strings_of(ids, all, "vertices");
  to.watched([&](components_sink& sink, observer&) { sink.add_vertices(std::span<const std::string_view>{all}); });
}

}  // namespace

void bind_tables(nb::module_& m) {
  nb::class_<table_counts>(m, "TableCounts", "What a table had in addition to the edges that were taken.")
      .def("_state", [](const table_counts& c) { return nb::make_tuple(c.rows, c.nulls, c.below); })
      .def_static("_of_state",
                  [](const std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>& state) {
                    return table_counts{std::get<0>(state), std::get<1>(state), std::get<2>(state)};
                  })
      .def_ro("rows", &table_counts::rows)
      .def_ro("nulls", &table_counts::nulls, "rows left out for a null")
      .def_ro("below", &table_counts::below, "rows left out for a score below the threshold, or none");
  nb::class_<arrow_stream>(m, "ArrowStream")
      .def("__init__",
           [](arrow_stream* self, nb::handle stream) {
             auto taken = held_by<ArrowArrayStream>(stream, "arrow_array_stream");
             const nb::gil_scoped_release unlocked;
             new (self) arrow_stream{std::move(taken)};
           })
      .def("__init__",
           [](arrow_stream* self, nb::handle schema, nb::handle array) {
             auto taken = held_by<ArrowSchema>(schema, "arrow_schema");
             new (self) arrow_stream{std::move(taken), held_by<ArrowArray>(array, "arrow_array")};
           })
      .def_prop_ro("names",
                   [](const arrow_stream& s) {
                     nb::list names;
                     for (const column_type& c : s.columns()) names.append(c.name);
                     return names;
                   })
      .def("kind", &kind_of_ids);
  m.def("add_table", &add_parts, nb::arg("sink"), nb::arg("parts"), nb::arg("left"), nb::arg("right").none(), nb::arg("score").none(),
        nb::arg("threshold").none(), nb::arg("drop_nulls"), nb::arg("release").none() = nb::none());
  m.def("add_strings", &add_strings);
  m.def("add_string_vertices", &add_string_vertices);
}

}  // namespace copse::python
