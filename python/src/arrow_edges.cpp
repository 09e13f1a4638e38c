// Tables of edges into sinks, whether Arrow streams or lists of Python's own strings.
#include <copse/errors.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow_rows.hpp"
#include "bindings.hpp"
#include "sink.hpp"

namespace copse::python {
namespace {

/// All batches of the stream; the stream is drained even where an error ends the work early, as some of them are busy until then.
table_counts add_table(batch_sink& to, arrow_stream& table, std::size_t left, std::optional<std::size_t> right,
                       std::optional<std::size_t> score, std::optional<double> threshold, bool drop_nulls) {
  std::vector<std::size_t> ids{left};
  if (right) ids.push_back(*right);
  row_taker taker{table, std::move(ids), score, threshold, drop_nulls};
  to.watched([&](edge_batch_sink& sink, observer& watcher) {
    while (const arrow_owner<ArrowArray> batch = table.next()) {
      taker.batch(*batch, watcher, [&](auto first, auto second, const row_facts&) {
        if (right) {
          sink.add(first, second);
        } else {
          sink.add_vertices(first);
        }
      });
    }
  });
  return taker.counts();
}

}  // namespace

std::uint64_t strings_of(const nb::list& from, std::vector<std::string_view>& to, const char* what) {
  std::uint64_t nulls = 0;
  to.reserve(nb::len(from));
  for (const nb::handle item : from) {
    Py_ssize_t size = 0;
    if (PyUnicode_Check(item.ptr())) {
      const char* text = PyUnicode_AsUTF8AndSize(item.ptr(), &size);
      if (text == nullptr) throw nb::python_error{};
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

void add_string_vertices(batch_sink& to, const nb::list& ids) {
  std::vector<std::string_view> all;
  if (strings_of(ids, all, "vertices") != 0) throw usage_error{"vertices: found None, expected strings"};
  to.watched([&](edge_batch_sink& sink, observer&) { sink.add_vertices(std::span<const std::string_view>{all}); });
}

}  // namespace

void bind_tables(nb::module_& m) {
  nb::class_<table_counts>(m, "TableCounts", "What a table had beside the edges that were taken.")
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
      .def("is_binary", [](const arrow_stream& s, std::size_t column) { return s.columns().at(column).binary; });
  m.def("add_table", &add_table, nb::arg("sink"), nb::arg("table"), nb::arg("left"), nb::arg("right").none(), nb::arg("score").none(),
        nb::arg("threshold").none(), nb::arg("drop_nulls"));
  m.def("add_strings", &add_strings);
  m.def("add_string_vertices", &add_string_vertices);
}

}  // namespace copse::python
