// Weighted forests of graphs and files, and the thresholds, dendrograms and weakest links that are computed from them.
#include "weighted.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/vector.h>
#include <copse/errors.hpp>
#include <copse/io.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "bindings.hpp"
#include "graph.hpp"
#include "states.hpp"

namespace copse::python {

const hierarchy& held_weighted_forest::joined_locked() const {
  if (goal() != forest_goal::maximum) {
    throw usage_error{"this call needs a maximum spanning forest, not a minimum one; make it with goal='maximum'"};
  }
  auto& joined = contents_->joined;
  if (!joined) joined.emplace(forest().edges, forest().weights.view(), memory_.get());
  return *joined;
}

const hierarchy& held_weighted_forest::joined() const {
  const std::lock_guard lock{contents_->mutex};
  return joined_locked();
}

const bottlenecks& held_weighted_forest::weakest() const {
  const std::lock_guard lock{contents_->mutex};
  auto& weakest = contents_->weakest;
  if (!weakest) weakest.emplace(joined_locked(), memory_.get());
  return *weakest;
}

const rooted_forest& held_weighted_forest::rooted() const {
  const std::lock_guard lock{contents_->mutex};
  auto& rooted = contents_->rooted;
  if (!rooted) rooted = root_forest(forest().edges, {.memory = memory_.get()});
  return *rooted;
}

held_labels labels_of_forest(const held_weighted_forest& from, labelling labels) {
  return {components_result{std::move(labels), from.forest().report}, from.memory(), from.notes()};
}

namespace {

forest_goal goal_named(const std::string& name) {
  if (name == "minimum") return forest_goal::minimum;
  if (name == "maximum") return forest_goal::maximum;
  refuse("goal", "'minimum' or 'maximum'", "'" + name + "'");
}

/// Calls body() without the interpreter lock and without an observer, for short calls.
template <class Body>
auto unlocked(Body&& body) {
  const nb::gil_scoped_release released;
  return body();
}

weights_view weights_of(const input_array& a) {
  expect_one_dimension("weights", a);
  if (holds<float>(a)) return elements<float>(a);
  if (holds<double>(a)) return elements<double>(a);
  return with_integer_type("weights", a, [&]<class T>(T) { return weights_view{elements<T>(a)}; });
}

/// Finds the forest. `half` is true if the weights were 16-bit floats before they were converted to 32 bits.
held_weighted_forest forest_of(const held_graph& g, const input_array& weights, const std::string& goal, const call_options& from,
                               bool half) {
  const call_memory memory{from.memory_bytes};
  const weights_view column = weights_of(weights);
  std::vector<std::string> notes = g.notes();
  auto found = run(
      from,
      [&](observer& watcher) {
        const weighted_forest_options options{.variant = from.variant,
                                              .goal = goal_named(goal),
                                              .positions = true,
                                              .precision = half ? weight_precision::half : weight_precision::full};
        const execution on = execution_of(from, watcher, memory);
        return std::visit(
            [&]<class View>(const View& view) {
              if constexpr (is_columns<View>) {
                return weighted_forest(view, column, options, on);
              } else {
                return weighted_forest(graph_view{view}, column, options, on);
              }
            },
            g.view());
      },
      &notes);
  if (g.owned() != nullptr) found.edges = std::move(found.edges).renamed(g.names());
  return {std::move(found), memory, std::move(notes)};
}

held_weighted_forest forest_of_path(const std::filesystem::path& path, const io::read_options& input, const std::string& goal,
                                    const call_options& from) {
  const call_memory memory{from.memory_bytes};
  std::vector<std::string> notes;
  auto found = run(
      from,
      [&](observer& watcher) {
        return weighted_forest(path, input, {.variant = from.variant, .goal = goal_named(goal)}, execution_of(from, watcher, memory));
      },
      &notes);
  return {std::move(found), memory, std::move(notes)};
}

/// Returns the graph of a file, its weights, and the numbers of its edges in the file.
nb::tuple read_weighted(const std::filesystem::path& path, const io::read_options& input, const call_options& from) {
  const call_memory memory{from.memory_bytes};
  std::vector<std::string> notes;
  io::edge_numbers numbers;
  weighted_graph found = run(
      from,
      [&](observer& watcher) {
        return io::read_weighted_graph(path, numbering_edges(input, numbers), execution_of(from, watcher, memory));
      },
      &notes);
  const std::uint64_t edges = found.weights.size();
  nb::object weights = std::visit(
      [&]<class Weight>(const buffer<Weight>& column) {
        buffer<Weight> mine{column.size(), memory.get()};
        std::copy(column.begin(), column.end(), mine.begin());
        return numpy_array<Weight>(std::move(mine), memory);
      },
      found.weights.held());
  return nb::make_tuple(held_graph{std::move(found.edges), memory, std::move(notes)}, weights, numbers_in_file(numbers, edges, memory));
}

nb::tuple state_of_forest(const held_weighted_forest& held) {
  const weighted_forest_result& forest = held.forest();
  const nb::object weights = std::visit([](const auto& column) { return state_of(column); }, forest.weights.held());
  return nb::make_tuple(state_of(forest.edges), weights, state_of(forest.positions), held.goal() == forest_goal::maximum,
                        state_of(labels_of_forest(held, {}).report()), static_cast<int>(forest.weights.precision()));
}

held_weighted_forest forest_of_state(const nb::tuple& state) {
  weighted_forest_result forest;
  forest.edges = graph_of_state(nb::cast<nb::tuple>(state[0]));
  const weights_view weights = weights_of(nb::cast<input_array>(state[1]));
  const auto precision = static_cast<weight_precision>(nb::cast<int>(state[5]));
  std::visit(
      [&]<class Weight>(std::span<const Weight>) {
        forest.weights = weight_column{buffer_of<Weight>(state[1]), precision};
      },
      weights);
  forest.positions = buffer_of<std::uint64_t>(state[2]);
  call_report report = report_of_state(nb::cast<nb::tuple>(state[4]));
  forest.report = report;
  forest.goal = nb::cast<bool>(state[3]) ? forest_goal::maximum : forest_goal::minimum;
  return {std::move(forest), {}, std::move(report.notes)};
}

nb::object edges_of(nb::handle self) { return edges_view(nb::cast<const held_weighted_forest&>(self).forest().edges, self); }

nb::object weights_of_forest(nb::handle self) {
  return std::visit([&](const auto& column) { return numpy_view(column.data(), column.size(), self); },
                    nb::cast<const held_weighted_forest&>(self).forest().weights.held());
}

/// The positions of the edges in the input; None if they were not recorded, as for an input that was never in memory as a whole.
nb::object positions_of(nb::handle self) {
  const auto& forest = nb::cast<const held_weighted_forest&>(self).forest();
  if (forest.positions.size() != forest.edge_count()) return nb::none();
  return numpy_view(reinterpret_cast<const std::int64_t*>(forest.positions.data()), forest.positions.size(), self);
}

nb::object doubles(const std::vector<double>& from) {
  buffer<double> to{from.size()};
  std::copy(from.begin(), from.end(), to.begin());
  return numpy_array<double>(std::move(to));
}

nb::dict curve_of(const held_weighted_forest& from, const std::vector<double>& thresholds) {
  if (std::any_of(thresholds.begin(), thresholds.end(), [](double t) { return t != t; })) {
    throw usage_error{"thresholds must be numbers, not NaN"};
  }
  const auto curve = unlocked([&] { return from.joined().curve(thresholds); });
  nb::dict columns;
  columns["threshold"] = doubles(thresholds);
  const auto add = [&](const char* name, std::uint64_t threshold_point::*field) {
    buffer<std::uint64_t> column{curve.size()};
    std::transform(curve.begin(), curve.end(), column.begin(), [field](const threshold_point& p) { return p.*field; });
    columns[name] = numpy_array<std::int64_t>(std::move(column));
  };
  add("components", &threshold_point::components);
  add("largest", &threshold_point::largest);
  add("singletons", &threshold_point::singletons);
  add("median", &threshold_point::median);
  add("percentile_90", &threshold_point::percentile_90);
  add("percentile_99", &threshold_point::percentile_99);
  add("pairs", &threshold_point::pairs);
  return columns;
}

nb::object levels_of(const held_weighted_forest& from, std::optional<std::uint64_t> count) {
  return doubles(unlocked([&] { return count ? from.joined().levels(*count) : from.joined().levels(); }));
}

/// Returns the linkage matrix as an array of (n - 1) x 4 doubles.
nb::object linkage_of(const held_weighted_forest& from, std::optional<double> top) {
  static_assert(sizeof(hierarchy::merge) == 4 * sizeof(double));
  using merges = std::vector<hierarchy::merge>;
  auto held = std::make_unique<merges>(unlocked([&] { return from.joined().linkage(top); }));
  auto* data = reinterpret_cast<double*>(held->data());
  const std::size_t rows = held->size();
  const nb::capsule owner{held.get(), [](void* p) noexcept { delete static_cast<merges*>(p); }};
  static_cast<void>(held.release());
  return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<2>, nb::c_contig>(data, {rows, 4}, owner));
}

/// Returns the labels of components of at most `most` vertices, and the indices of the edges in the forest that were cut.
nb::tuple at_most(const held_weighted_forest& from, std::uint64_t most) {
  auto limited = unlocked([&] { return from.joined().at_most(most); });
  buffer<std::uint64_t> cuts{limited.cuts.size()};
  std::copy(limited.cuts.begin(), limited.cuts.end(), cuts.begin());
  return nb::make_tuple(labels_of_forest(from, std::move(limited.labels)), numpy_array<std::int64_t>(std::move(cuts)));
}

/// Returns for each pair of vertices the index of the edge with the smallest weight on the path between them in the forest, which must be a
/// maximum one; -1 if there is no such edge, because the vertices are equal or in different trees.
nb::object weakest_of(const held_weighted_forest& from, const input_array& pairs) {
  if (!holds<std::int64_t>(pairs) || pairs.ndim() != 2 || pairs.shape(1) != 2) refuse_array("pairs", pairs, "int64 of shape (m, 2)");
  const auto ends = elements<std::int64_t>(pairs);
  const auto vertices = from.forest().edges.vertices();
  if (std::any_of(ends.begin(), ends.end(), [&](std::int64_t v) { return v < 0 || static_cast<std::uint64_t>(v) >= vertices; })) {
    throw usage_error{"pairs must hold vertices of the graph"};
  }
  buffer<std::uint64_t> places{pairs.shape(0)};
  unlocked([&] {
    const bottlenecks& weakest = from.weakest();
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto place = weakest.between(static_cast<std::uint64_t>(ends[2 * i]), static_cast<std::uint64_t>(ends[2 * i + 1]));
      places[i] = place.value_or(no_vertex<std::uint64_t>);
    }
  });
  return numpy_array<std::int64_t>(std::move(places));
}

/// Returns the vertices on the path from `first` to `last`, both included; None if they are in different trees.
nb::object path_of(const held_weighted_forest& from, std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> front, back;
  const bool joined = unlocked([&] {
    const rooted_forest& trees = from.rooted();
    while (first != last) {
      const bool move_first = trees.depth(first) >= trees.depth(last);
      std::uint64_t& v = move_first ? first : last;
      (move_first ? front : back).push_back(v);
      const std::uint64_t parent = trees.parent(v);
      if (parent == v) return false;
      v = parent;
    }
    front.push_back(first);
    front.insert(front.end(), back.rbegin(), back.rend());
    return true;
  });
  if (!joined) return nb::none();
  buffer<std::uint64_t> path{front.size()};
  std::copy(front.begin(), front.end(), path.begin());
  return numpy_array<std::int64_t>(std::move(path));
}

verdict verify_of(const held_graph& g, const input_array& weights, const held_weighted_forest& found) {
  const weights_view column = weights_of(weights);
  return unlocked([&] {
    const auto& forest = found.forest();
    return g.with_graph_view(
        [&](graph_view view) { return verify_weighted_forest(view, column, forest.edges, forest.weights.view(), found.goal()); });
  });
}

}  // namespace

void bind_weighted(nb::module_& m) {
  m.def("weighted_forest", &forest_of, nb::arg("graph"), nb::arg("weights").noconvert(), nb::arg("goal"), nb::arg("options"),
        nb::arg("half") = false);
  m.def("weighted_forest_of_path", &forest_of_path);
  m.def("read_weighted", &read_weighted);
  m.def("verify_weighted_forest", &verify_of);
  using held = held_weighted_forest;
  nb::class_<held>(m, "WeightedForest")
      .def_prop_ro("vertices", [](const held& h) { return h.forest().edges.vertices(); })
      .def_prop_ro("is_maximum", [](const held& h) { return h.goal() == forest_goal::maximum; })
      .def_prop_ro("report", [](const held& h) { return labels_of_forest(h, {}).report(); })
      .def("edges", &edges_of)
      .def("weights", &weights_of_forest)
      .def("positions", &positions_of)
      .def(
          "names", [](const held& h, bool binary) { return names_array(h.forest().edges.names(), binary); }, nb::arg("binary") = false)
      .def("_state", &state_of_forest)
      .def_static("_of_state", &forest_of_state)
      .def("unreached", [](const held& h, double t) { return unreached_threshold(h.forest().weights.view(), t); })
      .def("levels", &levels_of, nb::arg("count").none())
      .def("curve", &curve_of)
      .def("labels_at", [](const held& h, double t) { return labels_of_forest(h, unlocked([&] { return h.joined().labels_at(t); })); })
      .def("clusters",
           [](const held& h, std::uint64_t count) { return labels_of_forest(h, unlocked([&] { return h.joined().clusters(count); })); })
      .def("at_most", &at_most)
      .def("linkage", &linkage_of, nb::arg("top").none())
      .def("weakest", &weakest_of)
      .def("path", &path_of);
}

}  // namespace copse::python
