// Proofs of labels and forests.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <copse/verify.hpp>

#include <filesystem>
#include <string>
#include <tuple>

#include "bindings.hpp"
#include "graph.hpp"
#include "labels.hpp"

namespace copse::python {
namespace {

verdict prove(graph_view g, const held_graph& forest) {
  return forest.owned() != nullptr ? verify_forest(g, *forest.owned()) : verify_forest(g, edge_list_of(forest));
}

}  // namespace

void bind_verify(nb::module_& m) {
  nb::class_<verdict>(m, "Verdict", "What a proof found: true when the answer is right.")
      .def_ro("right", &verdict::right)
      .def_ro("reason", &verdict::reason, "when wrong: the first fault found, with the vertices it concerns")
      .def_ro("vertices", &verdict::vertices)
      .def_ro("components", &verdict::components)
      .def("_state", [](const verdict& v) { return nb::make_tuple(v.right, v.reason, v.vertices, v.components); })
      .def_static("_of_state",
                  [](const std::tuple<bool, std::string, std::uint64_t, std::uint64_t>& state) {
                    const auto& [right, reason, vertices, components] = state;
                    return verdict{right, reason, vertices, components};
                  })
      .def("__bool__", [](const verdict& v) { return v.right; })
      .def("__repr__", [](const verdict& v) {
        return v.right ? "Verdict(right, " + std::to_string(v.components) + " components)" : "Verdict(wrong: " + v.reason + ")";
      });
  m.def("verify", [](const held_graph& g, const held_labels& labels) {
    const nb::gil_scoped_release unlocked;
    const labelling& given = labels.labels();
    if (g.owned() != nullptr && g.names().size() == given.names().size()) return verify(*g.owned(), given);
    return g.with_graph_view([&](graph_view view) { return verify(view, given); });
  });
  m.def("verify_path", [](const std::filesystem::path& path, const io::read_options& input, const held_labels& labels) {
    const nb::gil_scoped_release unlocked;
    return verify(path, input, labels.labels());
  });
  m.def("verify_forest_of_path", [](const std::filesystem::path& path, const io::read_options& input, const held_graph& forest) {
    const nb::gil_scoped_release unlocked;
    return prove(io::read_graph(path, input).view(), forest);
  });
  m.def("verify_forest", [](const held_graph& g, const held_graph& forest) {
    const nb::gil_scoped_release unlocked;
    return g.with_graph_view([&](graph_view view) { return prove(view, forest); });
  });
}

}  // namespace copse::python
