// Bridges, articulation points, and the components that are left without them.
#include <copse/bridges.hpp>

#include <cstdint>
#include <utility>

#include "bindings.hpp"
#include "graph.hpp"
#include "labels.hpp"
#include "states.hpp"

namespace copse::python {
namespace {

struct held_bridges {
  call_memory memory;  // first, so that it is destroyed last
  bridges_result found;
  std::vector<std::string> notes;
};

nb::object view_of(const buffer<std::uint64_t>& all, nb::handle owner) {
  return numpy_view(reinterpret_cast<const std::int64_t*>(all.data()), all.size(), owner);
}

held_bridges bridges_of(const held_graph& g, bool simple, bool vertex_blocks, const call_options& from) {
  const call_memory memory{from.memory_bytes};
  std::vector<std::string> notes = g.notes();
  auto found = run(
      from,
      [&](observer& watcher) {
        const bridges_options options{.simple = simple, .vertex_blocks = vertex_blocks};
        const execution on = execution_of(from, watcher, memory);
        if (g.owned() != nullptr) return bridges(*g.owned(), options, on);
        return g.with_graph_view([&](graph_view view) { return bridges(view, options, on); });
      },
      &notes);
  return {memory, std::move(found), std::move(notes)};
}

call_report report_of(const held_bridges& held) { return {held.found.report, held.notes}; }

nb::tuple state_of_bridges(const held_bridges& held) {
  const bridges_result& found = held.found;
  return nb::make_tuple(state_of(found.edges), state_of(found.positions), state_of(found.smaller_sides),
                        state_of(found.articulation_points), state_of(found.two_edge_connected), state_of(found.biconnected.offsets),
                        state_of(found.biconnected.vertices),
                        nb::make_tuple(found.components, found.two_edge_connected_count, found.biconnected_count, found.repeated_edges),
                        state_of(report_of(held)));
}

held_bridges bridges_of_state(const nb::tuple& state) {
  held_bridges held;
  bridges_result& found = held.found;
  found.edges = graph_of_state(nb::cast<nb::tuple>(state[0]));
  found.positions = buffer_of<std::uint64_t>(state[1]);
  found.smaller_sides = buffer_of<std::uint64_t>(state[2]);
  found.articulation_points = buffer_of<std::uint64_t>(state[3]);
  found.two_edge_connected = labelling_of_state(nb::cast<nb::tuple>(state[4]));
  found.biconnected = {buffer_of<std::uint64_t>(state[5]), buffer_of<std::uint64_t>(state[6])};
  std::uint64_t* const counts[]{&found.components, &found.two_edge_connected_count, &found.biconnected_count, &found.repeated_edges};
  for (std::size_t i = 0; i < 4; ++i) *counts[i] = nb::cast<std::uint64_t>(state[7][i]);
  call_report report = report_of_state(nb::cast<nb::tuple>(state[8]));
  held.notes = std::move(report.notes);
  found.report = std::move(report);
  return held;
}

nb::object edges_of(nb::handle self) { return edges_view(nb::cast<const held_bridges&>(self).found.edges, self); }

/// Copies the labels of the two-edge-connected components, so that `held` keeps its own.
held_labels two_edge_connected(held_bridges& held) {
  components_result result;
  result.labels = renamed_copy(held.found.two_edge_connected, held.found.two_edge_connected.names(), held.memory);
  result.report = held.found.report;
  return {std::move(result), held.memory, held.notes};
}

}  // namespace

void bind_bridges(nb::module_& m) {
  m.def("bridges", &bridges_of);
  m.def("verify_bridges", [](const held_graph& g, const held_bridges& held, bool simple) {
    const nb::gil_scoped_release unlocked;
    return g.with_graph_view([&](graph_view view) { return verify_bridges(view, held.found, simple); });
  });
  const auto column = [](const buffer<std::uint64_t> bridges_result::*field) {
    return [field](nb::handle self) { return view_of(nb::cast<const held_bridges&>(self).found.*field, self); };
  };
  nb::class_<held_bridges>(m, "Bridges")
      .def("_state", &state_of_bridges)
      .def_static("_of_state", &bridges_of_state)
      .def("edges", &edges_of)
      .def("positions", column(&bridges_result::positions))
      .def("smaller_sides", column(&bridges_result::smaller_sides))
      .def("articulation_points", column(&bridges_result::articulation_points))
      .def("two_edge_connected", &two_edge_connected)
      .def("block_offsets", [](nb::handle self) { return view_of(nb::cast<const held_bridges&>(self).found.biconnected.offsets, self); })
      .def("block_vertices", [](nb::handle self) { return view_of(nb::cast<const held_bridges&>(self).found.biconnected.vertices, self); })
      .def_prop_ro("vertices", [](const held_bridges& h) { return h.found.edges.vertices(); })
      .def_prop_ro("components", [](const held_bridges& h) { return h.found.components; })
      .def_prop_ro("two_edge_connected_count", [](const held_bridges& h) { return h.found.two_edge_connected_count; })
      .def_prop_ro("biconnected_count", [](const held_bridges& h) { return h.found.biconnected_count; })
      .def_prop_ro("report", &report_of)
      .def_prop_ro("repeated_edges", [](const held_bridges& h) { return h.found.repeated_edges; });
}

}  // namespace copse::python
