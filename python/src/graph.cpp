#include "graph.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>
#include <copse/build.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/io.hpp>

#include <filesystem>
#include <limits>
#include <type_traits>
#include <variant>

#include "bindings.hpp"
#include "labels.hpp"
#include "states.hpp"

namespace copse::python {
namespace {

template <unsigned_index Id>
Id vertex_count(std::uint64_t vertices) {
  if (vertices <= std::numeric_limits<Id>::max()) return static_cast<Id>(vertices);
  refuse("vertices", "less than 2^32 for ids of 32 bits", std::to_string(vertices));
}

}  // namespace

std::string dtype_name(const input_array& a) { return dtype_name(a.dtype()); }

std::string dtype_name(nb::dlpack::dtype type) {
  const auto bits = std::to_string(type.bits);
  switch (static_cast<nb::dlpack::dtype_code>(type.code)) {
    case nb::dlpack::dtype_code::Int:
      return "int" + bits;
    case nb::dlpack::dtype_code::UInt:
      return "uint" + bits;
    case nb::dlpack::dtype_code::Float:
      return "float" + bits;
    case nb::dlpack::dtype_code::Bool:
      return "bool";
    default:
      return "elements of " + bits + " bits";
  }
}

void refuse(const std::string& what, const std::string& expected, const std::string& given) {
  throw usage_error{what + " must be " + expected + ", not " + given};
}

void refuse_array(const char* what, const input_array& a, const char* expected) { refuse(what, expected, dtype_name(a)); }

void expect_one_dimension(const char* what, const input_array& a) {
  if (a.ndim() != 1) throw usage_error{std::string{what} + " must have one dimension, not " + std::to_string(a.ndim())};
}

held_graph::held_graph(graph owned, call_memory memory, std::vector<std::string> notes)
    : memory_{std::move(memory)},
      owned_{std::make_shared<const graph>(std::move(owned))},
      names_{owned_->names()},
      notes_{std::move(notes)} {
  std::visit([this](const auto& view) { view_ = view; }, owned_->view());
}

held_graph held_graph::rows(input_array offsets, input_array targets, symmetry symmetric) {
  expect_one_dimension("offsets", offsets);
  expect_one_dimension("targets", targets);
  const auto make = [&]<class Id, class Offset>(Id, Offset) {
    const csr_view<Id, Offset> view{elements<Offset>(offsets), elements<Id>(targets), symmetric};
    return held_graph{view, {offsets, targets}};
  };
  if (holds_ids<std::uint32_t>(targets) && holds_ids<std::uint32_t>(offsets)) return make(std::uint32_t{}, std::uint32_t{});
  if (holds_ids<std::uint32_t>(targets) && holds_ids<std::uint64_t>(offsets)) return make(std::uint32_t{}, std::uint64_t{});
  if (holds_ids<std::uint64_t>(targets) && holds_ids<std::uint64_t>(offsets)) return make(std::uint64_t{}, std::uint64_t{});
  refuse("offsets and targets", "integers of 32 or 64 bits, offsets no narrower than targets",
         dtype_name(offsets) + " and " + dtype_name(targets));
}

held_graph held_graph::pairs(input_array edges, std::uint64_t vertices) {
  expect_pairs(edges);
  return with_integer_type("edges", edges, [&]<class T>(T) {
    using id = std::make_unsigned_t<T>;
    const std::span all{static_cast<const edge<id>*>(edges.data()), edges.shape(0)};
    return held_graph{coo_view<id>{vertex_count<id>(vertices), all}, {edges}};
  });
}

held_graph held_graph::columns(input_array sources, input_array targets, std::uint64_t vertices) {
  expect_one_dimension("sources", sources);
  expect_one_dimension("targets", targets);
  if (sources.size() != targets.size()) {
    throw usage_error{"sources and targets must have the same length, not " + std::to_string(sources.size()) + " and " +
                      std::to_string(targets.size())};
  }
  return with_integer_type("sources", sources, [&]<class T>(T) {
    using id = std::make_unsigned_t<T>;
    if (!holds_ids<id>(targets)) refuse_array("targets", targets, "integers as wide as the sources");
    const edge_columns_view<id> view{vertex_count<id>(vertices), elements<id>(sources), elements<id>(targets)};
    return held_graph{view, {sources, targets}};
  });
}

std::uint64_t held_graph::vertices() const noexcept {
  return std::visit([](const auto& view) { return std::uint64_t{view.vertices()}; }, view_);
}

std::uint64_t held_graph::stored() const noexcept {
  return std::visit(
      []<class View>(const View& view) -> std::uint64_t {
        if constexpr (is_rows<View>) {
          return view.arcs();
        } else if constexpr (is_columns<View>) {
          return view.sources.size();
        } else {
          return view.edges.size();
        }
      },
      view_);
}

graph edge_list_of(const held_graph& g) {
  return std::visit(
      [&]<class View>(const View& view) -> graph {
        using id = typename View::id_type;
        coo<id> list{view.vertices(), buffer<edge<id>>{g.stored()}};
        if constexpr (is_rows<View>) {
          throw usage_error{"the forest must be a list of edges, not rows"};
        } else if constexpr (is_columns<View>) {
          for (std::size_t i = 0; i < list.edges.size(); ++i) list.edges[i] = {view.sources[i], view.targets[i]};
        } else {
          std::copy(view.edges.begin(), view.edges.end(), list.edges.begin());
        }
        return graph{std::move(list), g.names()};
      },
      g.view());
}

nb::object edges_view(const graph& list, nb::handle owner) {
  return std::visit(
      [&]<class Shape>(const Shape& shape) -> nb::object {
        if constexpr (requires { shape.edges; }) {
          using twin = std::make_signed_t<typename Shape::id_type>;
          return numpy_view(reinterpret_cast<const twin*>(shape.edges.data()), shape.edges.size(), std::size_t{2}, owner);
        } else {
          return nb::none();
        }
      },
      list.shape());
}

// The part of the module about graphs: they come from arrays of the caller, files and generators, and are given back as arrays.

namespace {

symmetry symmetry_of(std::optional<bool> symmetric) {
  if (!symmetric) return symmetry::unknown;
  return *symmetric ? symmetry::yes : symmetry::no;
}

/// A column of a table: its number, counted from 1, or its name.
using column_name = std::variant<unsigned, std::string>;
io::column column_of(const column_name& from) {
  return std::visit([](const auto& value) { return io::column{value}; }, from);
}
io::id_columns id_columns_of(const std::vector<column_name>& from) {
  std::vector<io::column> columns;
  std::transform(from.begin(), from.end(), std::back_inserter(columns), column_of);
  return {std::move(columns)};
}

io::read_options read_options_of(const std::string& format, const std::string& ids,
                                 const std::optional<std::array<std::vector<column_name>, 2>>& columns,
                                 std::optional<column_name> weight_column, std::optional<double> min_weight, std::optional<bool> header,
                                 std::optional<std::uint64_t> vertices, const std::optional<std::string>& delimiter,
                                 std::optional<std::string> comment, std::vector<std::string> missing, std::string id_delimiter,
                                 std::array<std::string, 2> prefixes, bool trim, bool signed_ids) {
  io::read_options options;
  if (!format.empty()) options.format = io::format_named(format);
  if (ids == "integers") {
    options.ids = io::id_kind::integers;
  } else if (ids == "strings") {
    options.ids = io::id_kind::strings;
  } else if (ids == "bytes") {
    options.ids = io::id_kind::bytes;
  } else if (ids != "auto") {
    refuse("ids", "'auto', 'integers', 'strings' or 'bytes'", "'" + ids + "'");
  }
  if (columns) options.columns = {id_columns_of((*columns)[0]), id_columns_of((*columns)[1])};
  if (weight_column) options.weight_column = column_of(*weight_column);
  options.min_weight = min_weight;
  options.header = header;
  options.vertices = vertices;
  if (delimiter) options.delimiter = delimiter->front();
  options.comments = std::move(comment);
  options.missing = std::move(missing);
  options.id_delimiter = std::move(id_delimiter);
  options.prefixes = std::move(prefixes);
  options.trim = trim;
  options.signed_ids = signed_ids;
  return options;
}

held_graph read(const std::filesystem::path& path, const io::read_options& input, const call_options& from) {
  const call_memory memory{from.memory_bytes};
  std::vector<std::string> notes;
  graph g = run(
      from, [&](observer& watcher) { return io::read_graph(path, input, execution_of(from, watcher, memory)); }, &notes);
  return {std::move(g), memory, std::move(notes)};
}

/// Returns the graph of a file, and the numbers of its edges in the file.
nb::tuple read_numbered(const std::filesystem::path& path, const io::read_options& input, const call_options& from) {
  const call_memory memory{from.memory_bytes};
  std::vector<std::string> notes;
  io::edge_numbers numbers;
  graph g = run(
      from, [&](observer& watcher) { return io::read_graph(path, numbering_edges(input, numbers), execution_of(from, watcher, memory)); },
      &notes);
  held_graph held{std::move(g), memory, std::move(notes)};
  const std::uint64_t edges = held.stored();
  return nb::make_tuple(std::move(held), numbers_in_file(numbers, edges, memory));
}

held_graph generate(const std::string& spec, bool raw, const call_options& from) {
  const call_memory memory{from.memory_bytes};
  graph g = run(from, [&](observer& watcher) {
    const execution on = execution_of(from, watcher, memory);
    return raw ? gen::generate_edges(spec, on) : gen::generate(spec, on);
  });
  return {std::move(g), memory};
}

nb::object generate_list(const std::string& spec, const call_options& from) {
  const call_memory memory{from.memory_bytes};
  successor_list list = run(from, [&](observer& watcher) { return gen::generate_list(spec, execution_of(from, watcher, memory)); });
  return std::visit(
      [&]<class Id>(buffer<Id>& successors) {
        const std::uint64_t largest = successors.size();
        return numpy_ids(std::move(successors), largest, memory);
      },
      list);
}

void write(const held_graph& g, const std::filesystem::path& path, const call_options& from) {
  if (g.owned() == nullptr) throw usage_error{"write() needs a graph that was read or generated, not one of the caller's arrays"};
  run(from, [&](observer& watcher) { io::write_graph(*g.owned(), path, {}, {.observer = &watcher}); });
}

template <class T>
nb::object signed_view(std::span<const T> all, nb::handle owner) {
  return numpy_view(reinterpret_cast<const std::make_signed_t<T>*>(all.data()), all.size(), owner);
}

/// Returns the offsets and targets of rows without a copy; None if the graph is a list of edges.
nb::object rows_of(nb::handle self) {
  return std::visit(
      [&]<class View>(const View& view) -> nb::object {
        if constexpr (is_rows<View>) {
          return nb::make_tuple(signed_view(view.offsets, self), signed_view(view.targets, self));
        } else {
          return nb::none();
        }
      },
      nb::cast<const held_graph&>(self).view());
}

/// Returns the edges of a list of pairs as an array of shape (m, 2) without a copy; None for other graphs.
nb::object pairs_of(nb::handle self) {
  return std::visit(
      [&]<class View>(const View& view) -> nb::object {
        if constexpr (is_rows<View> || is_columns<View>) {
          return nb::none();
        } else {
          using twin = std::make_signed_t<typename View::id_type>;
          return numpy_view(reinterpret_cast<const twin*>(view.edges.data()), view.edges.size(), std::size_t{2}, self);
        }
      },
      nb::cast<const held_graph&>(self).view());
}

/// Returns the state for pickles: the parts of an owned graph, or copies of borrowed arrays.
nb::tuple state_of_graph(const held_graph& g) {
  if (g.owned() != nullptr) return nb::make_tuple("owned", state_of(*g.owned()), g.notes());
  return std::visit(
      [&]<class View>(const View& view) {
        if constexpr (is_rows<View>) {
          return nb::make_tuple("rows", state_of(view.offsets), state_of(view.targets), static_cast<int>(view.symmetric));
        } else if constexpr (is_columns<View>) {
          return nb::make_tuple("columns", state_of(view.sources), state_of(view.targets), g.vertices());
        } else {
          return nb::make_tuple("pairs", state_of(view.edges), g.vertices());
        }
      },
      g.view());
}

held_graph graph_from_state(const nb::tuple& state) {
  const auto what = nb::cast<std::string>(state[0]);
  if (what == "owned") {
    return {graph_of_state(nb::cast<nb::tuple>(state[1])), {}, nb::cast<std::vector<std::string>>(state[2])};
  }
  const auto array = nb::cast<input_array>(state[1]);
  if (what == "rows") return held_graph::rows(array, nb::cast<input_array>(state[2]), static_cast<symmetry>(nb::cast<int>(state[3])));
  const auto vertices = nb::cast<std::uint64_t>(state[nb::len(state) - 1]);
  if (what == "columns") return held_graph::columns(array, nb::cast<input_array>(state[2]), vertices);
  return held_graph::pairs(nb::cast<input_array>(state[1].attr("reshape")(-1, 2)), vertices);
}

std::uint64_t checksum_of(const held_graph& g, unsigned threads) {
  const nb::gil_scoped_release unlocked;
  return g.with_graph_view([&](graph_view view) { return graph_checksum(view, {.threads = threads}); });
}

held_graph symmetric_rows(const held_graph& g, const call_options& from) {
  const call_memory memory{from.memory_bytes};
  graph built = run(from, [&](observer& watcher) {
    return g.with_graph_view([&](graph_view view) { return build_csr(view, {}, execution_of(from, watcher, memory)); });
  });
  return {std::move(built).renamed(g.names()), memory, g.notes()};
}

}  // namespace

void bind_graph(nb::module_& m) {
  nb::class_<io::read_options>(m, "ReadOptions");
  m.def("read_options", &read_options_of, nb::arg("format"), nb::arg("ids"), nb::arg("columns").none(), nb::arg("weight_column").none(),
        nb::arg("min_weight").none(), nb::arg("header").none(), nb::arg("vertices").none(), nb::arg("delimiter").none(),
        nb::arg("comment").none(), nb::arg("missing"), nb::arg("id_delimiter"), nb::arg("prefixes"), nb::arg("trim"), nb::arg("signed"));
  nb::class_<held_graph>(m, "Graph")
      .def_static(
          "of_rows",
          [](input_array offsets, input_array targets, std::optional<bool> symmetric) {
            return held_graph::rows(std::move(offsets), std::move(targets), symmetry_of(symmetric));
          },
          nb::arg("offsets").noconvert(), nb::arg("targets").noconvert(), nb::arg("symmetric").none() = nb::none())
      .def_static("of_pairs", &held_graph::pairs, nb::arg("edges").noconvert(), nb::arg("vertices"))
      .def_static("of_columns", &held_graph::columns, nb::arg("sources").noconvert(), nb::arg("targets").noconvert(), nb::arg("vertices"))
      .def_prop_ro("vertices", &held_graph::vertices)
      .def_prop_ro("stored", &held_graph::stored)
      .def("rows", &rows_of)
      .def("pairs", &pairs_of)
      .def(
          "names", [](const held_graph& g, bool binary) { return names_array(g.names(), binary); }, nb::arg("binary") = false)
      .def("_state", &state_of_graph)
      .def_static("_of_state", &graph_from_state)
      .def("checksum", &checksum_of)
      .def("symmetric_rows", &symmetric_rows)
      .def("write", &write);
  m.def("read_graph", &read);
  m.def("read_numbered_graph", &read_numbered);
  m.def("generate", &generate);
  m.def("generate_list", &generate_list);
  m.def("is_list_spec", [](const std::string& text) { return gen::is_list_spec(text); });
}

}  // namespace copse::python
