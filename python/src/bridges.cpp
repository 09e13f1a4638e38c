// Bridges, articulation points, and the components that are left without them.
#include <copse/bridges.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

#include "bindings.hpp"
#include "graph.hpp"
#include "labels.hpp"

namespace copse::python {
namespace {

struct held_bridges {
  call_memory memory;  // goes last
  bridges_result found;
};

nb::object view_of(const buffer<std::uint64_t>& all, nb::handle owner) {
  return numpy_view(reinterpret_cast<const std::int64_t*>(all.data()), all.size(), owner);
}

held_bridges bridges_of(const held_graph& g, bool simple, bool vertex_blocks, const call_options& from) {
  const call_memory memory{from.memory_bytes};
  auto found = run(from, [&](observer& watcher) {
    auto options = options_of<bridges_options>(from, watcher, memory);
    options.simple = simple;
    options.vertex_blocks = vertex_blocks;
    if (g.owned() != nullptr) return bridges(*g.owned(), options);
    return g.with_graph_view([&](graph_view view) { return bridges(view, options); });
  });
  return {memory, std::move(found)};
}

nb::object edges_of(nb::handle self) { return edges_view(nb::cast<const held_bridges&>(self).found.edges, self); }

/// Of labels over the vertices, so that the labelling itself stays where it is.
held_labels two_edge_connected(held_bridges& held) {
  components_result result;
  std::visit(
      [&]<class Id>(const buffer<Id>& from) {
        buffer<Id> labels{from.size(), held.memory.get()};
        std::copy(from.begin(), from.end(), labels.begin());
        result.labels = labelling{std::move(labels), held.found.two_edge_connected.names()};
      },
      held.found.two_edge_connected.labels());
  result.report.variant = held.found.report.forest_variant;
  result.report.threads = held.found.report.threads;
  result.report.solve_seconds = held.found.report.solve_seconds;
  result.report.phases = held.found.report.phases;
  return {std::move(result), held.memory};
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
      .def_prop_ro("repeated_edges", [](const held_bridges& h) { return h.found.repeated_edges; });
}

}  // namespace copse::python
