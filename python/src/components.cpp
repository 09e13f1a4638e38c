// Components of graphs, of files, and of edges that come in batches.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <copse/components.hpp>
#include <copse/components_sink.hpp>
#include <copse/errors.hpp>
#include <copse/plan.hpp>

#include <filesystem>

#include "arrays.hpp"
#include "bindings.hpp"
#include "graph.hpp"
#include "labels.hpp"
#include "sink.hpp"

namespace copse::python {
namespace {

/// Solves rows, pairs or columns into newly allocated labels.
template <class View>
components_result solve(const View& view, const solve_options& options, const execution& on) {
  if constexpr (is_columns<View>) {
    using id = typename View::id_type;
    buffer<id> labels{view.vertices(), on.memory};
    components_result result;
    result.report = components(view, labels.span(), options, on);
    result.labels = labelling{std::move(labels), vertex_names::identity(view.vertices())};
    return result;
  } else {
    return components(graph_view{view}, options, on);
  }
}

held_labels components_of(const held_graph& g, const call_options& from) {
  const call_memory memory{from.memory_bytes};
  std::vector<std::string> notes = g.notes();
  auto result = run(
      from,
      [&](observer& watcher) {
        const auto options = solve_options_of(from);
        const execution on = execution_of(from, watcher, memory);
        if (g.owned() != nullptr) return components(*g.owned(), options, on);
        return std::visit([&](const auto& view) { return solve(view, options, on); }, g.view());
      },
      &notes);
  return {std::move(result), memory, std::move(notes)};
}

/// Returns components as SciPy's connected_components does: their number k, and for each vertex a number 0 .. k - 1, of 32 bits if there
/// are few enough vertices.
nb::tuple numbered_components(const held_graph& g, const call_options& from, bool with_labels) {
  const call_memory memory{from.memory_bytes};
  return std::visit(
      [&]<class View>(const View& view) {
        using id = typename View::id_type;
        buffer<id> labels;
        const std::uint64_t count = run(from, [&](observer& watcher) {
          labels = buffer<id>{view.vertices(), memory.get()};
          components(view, labels.span(), solve_options_of(from), execution_of(from, watcher, memory));
          return number_in_place(labels.span());
        });
        if (!with_labels) return nb::make_tuple(count, nb::none());
        if (sizeof(id) == 8 && labels.size() <= std::size_t{INT32_MAX}) {
          buffer<std::uint32_t> narrow{labels.size(), memory.get()};
          for (std::size_t v = 0; v < labels.size(); ++v) narrow[v] = static_cast<std::uint32_t>(labels[v]);
          return nb::make_tuple(count, numpy_array<std::int32_t>(std::move(narrow), memory));
        }
        const std::uint64_t largest = labels.size();
        return nb::make_tuple(count, numpy_ids(std::move(labels), largest, memory));
      },
      g.view());
}

held_labels components_of_path(const std::filesystem::path& path, const io::read_options& input, const call_options& from) {
  const call_memory memory{from.memory_bytes};
  std::vector<std::string> notes;
  auto result = run(
      from, [&](observer& watcher) { return components(path, input, solve_options_of(from), execution_of(from, watcher, memory)); },
      &notes);
  return {std::move(result), memory, std::move(notes)};
}

nb::dict plan_of_path(const std::filesystem::path& path, const io::read_options& input, const call_options& from) {
  const call_memory memory{from.memory_bytes};
  const solve_plan plan = run(from, [&](observer& watcher) {
    return plan_components({&path, 1}, input, {}, execution_of(from, watcher, memory));
  });
  nb::list ways;
  for (const planned_way& each : plan.ways) {
    nb::dict way;
    way["way"] = each.name;
    way["device"] = each.device;
    way["bytes"] = each.bytes;
    way["seconds"] = each.seconds;
    way["fits"] = each.fits;
    way["remark"] = each.remark;
    ways.append(way);
  }
  nb::dict found;
  found["vertices"] = plan.asked.size.vertices;
  found["edges"] = plan.asked.size.edges;
  found["sizes"] = plan.sizes;
  found["auto"] = plan.auto_way;
  found["auto_device"] = plan.auto_device;
  found["auto_reason"] = plan.auto_reason;
  found["ways"] = ways;
  return found;
}

void add_pairs(batch_sink& to, const input_array& pairs) {
  expect_pairs(pairs);
  with_integer_type("edges", pairs, [&]<class T>(T) {
    using id = std::make_unsigned_t<T>;
    to.watched([&](components_sink& sink, observer&) {
      sink.add({std::span{static_cast<const edge<id>*>(pairs.data()), pairs.shape(0)}, std::signed_integral<T>});
    });
  });
}

void add_columns(batch_sink& to, const input_array& sources, const input_array& targets) {
  with_integer_type("sources", sources, [&]<class T>(T) {
    if (!holds<T>(targets)) refuse_array("targets", targets, "the integer type of the sources");
    to.watched([&](components_sink& sink, observer&) { sink.add({elements<T>(sources), elements<T>(targets)}); });
  });
}

void add_vertices(batch_sink& to, const input_array& ids) {
  with_integer_type("vertices", ids,
                    [&]<class T>(T) { to.watched([&](components_sink& sink, observer&) { sink.add_vertices(elements<T>(ids)); }); });
}

}  // namespace

void bind_components(nb::module_& m) {
  m.def("components", &components_of, nb::arg("graph"), nb::arg("options"));
  m.def("numbered_components", &numbered_components, nb::arg("graph"), nb::arg("options"), nb::arg("with_labels"));
  m.def("components_of_path", &components_of_path, nb::arg("path"), nb::arg("input"), nb::arg("options"));
  m.def("plan_of_path", &plan_of_path, nb::arg("path"), nb::arg("input"), nb::arg("options"));
  nb::class_<batch_sink>(m, "Sink")
      .def(nb::init<std::optional<std::uint64_t>, call_options>(), nb::arg("vertices").none(), nb::arg("options"))
      .def("add_pairs", &add_pairs)
      .def("add_columns", &add_columns)
      .def("add_vertices", &add_vertices)
      .def("note", &batch_sink::note)
      .def("finish", &batch_sink::finish)
      .def_prop_ro("edges", &batch_sink::edges);
}

}  // namespace copse::python
