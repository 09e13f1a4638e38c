// Spanning forests, and forests with roots.
#include <nanobind/stl/filesystem.h>
#include <copse/errors.hpp>
#include <copse/rooted_forest.hpp>
#include <copse/spanning_forest.hpp>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "graph.hpp"
#include "labels.hpp"

namespace copse::python {
namespace {

/// Returns the forest, the labels or None, and the report of solve(options, execution). `notes` are those on the input.
template <class Solve>
nb::tuple forest_by(bool with_labels, const call_options& from, std::vector<std::string> notes, Solve solve) {
  const call_memory memory{from.memory_bytes};
  forest_result result = run(
      from,
      [&](observer& watcher) {
        auto options = solve_options_of(from);
        options.with_labels = with_labels;
        return solve(options, execution_of(from, watcher, memory));
      },
      &notes);
  nb::object labels = nb::none();
  if (result.labels) labels = nb::cast(held_labels{std::move(*result.labels), memory});
  return nb::make_tuple(held_graph{std::move(result.edges), memory}, labels, call_report{result.report, std::move(notes)});
}

nb::tuple forest_of(const held_graph& g, bool with_labels, const call_options& from) {
  return forest_by(with_labels, from, g.notes(), [&g](const solve_options& options, const execution& on) {
    if (g.owned() != nullptr) return spanning_forest(*g.owned(), options, on);
    return g.with_graph_view([&](graph_view view) { return spanning_forest(view, options, on); });
  });
}

nb::tuple forest_of_path(const std::filesystem::path& path, const io::read_options& input, bool with_labels, const call_options& from) {
  return forest_by(with_labels, from, {},
                   [&](const solve_options& options, const execution& on) { return spanning_forest(path, input, options, on); });
}

/// Arrays of `Forest` as NumPy arrays that keep it, in the order in which `fields` names their members.
template <class Forest, class Fields>
nb::dict arrays_of(Forest forest, const call_memory& memory, Fields fields) {
  struct holder {
    call_memory memory;
    Forest forest;
  };
  auto held = std::make_unique<holder>(holder{memory, std::move(forest)});
  const Forest& kept = held->forest;
  const nb::capsule owner{held.get(), [](void* p) noexcept { delete static_cast<holder*>(p); }};
  static_cast<void>(held.release());
  nb::dict arrays;
  std::visit(
      [&](const auto& all) {
        fields(all, [&]<class Id>(const char* name, const buffer<Id>& one) {
          arrays[name] = numpy_view(reinterpret_cast<const std::make_signed_t<Id>*>(one.data()), one.size(), owner);
        });
      },
      kept.held());
  return arrays;
}

nb::dict rooted(const held_graph& forest, const call_options& from) {
  const call_memory memory{from.memory_bytes};
  rooted_forest trees = run(from, [&](observer& watcher) {
    const execution on = execution_of(from, watcher, memory);
    return forest.owned() != nullptr ? root_forest(*forest.owned(), on) : root_forest(edge_list_of(forest), on);
  });
  return arrays_of(std::move(trees), memory, [](const auto& all, auto add) {
    add("parents", all.parents);
    add("depths", all.depths);
  });
}

nb::dict tour(const held_graph& forest, const call_options& from) {
  const call_memory memory{from.memory_bytes};
  tour_result result = run(from, [&](observer& watcher) {
    const execution on = execution_of(from, watcher, memory);
    return forest.owned() != nullptr ? euler_tour(*forest.owned(), from.variant, on) : euler_tour(edge_list_of(forest), from.variant, on);
  });
  return arrays_of(std::move(result.tour), memory, [](const auto& all, auto add) {
    add("parents", all.parents);
    add("depths", all.depths);
    add("sizes", all.sizes);
    add("preorder", all.preorder);
    add("order", all.order);
  });
}

}  // namespace

void bind_forest(nb::module_& m) {
  m.def("spanning_forest", &forest_of);
  m.def("spanning_forest_of_path", &forest_of_path);
  m.def("root_forest", &rooted);
  m.def("euler_tour", &tour);
}

}  // namespace copse::python
