// Spanning forests, and forests with roots.
#include <copse/errors.hpp>
#include <copse/rooted_forest.hpp>
#include <copse/spanning_forest.hpp>

#include "bindings.hpp"
#include "graph.hpp"
#include "labels.hpp"

namespace copse::python {
namespace {

/// (forest, labels or None, report)
nb::tuple forest_of(const held_graph& g, bool with_labels, const call_options& from) {
  const call_memory memory{from.memory_bytes};
  std::vector<std::string> notes = g.notes();
  forest_result result = run(
      from,
      [&](observer& watcher) {
        auto options = solve_options_of(from);
        options.with_labels = with_labels;
        const execution on = execution_of(from, watcher, memory);
        if (g.owned() != nullptr) return spanning_forest(*g.owned(), options, on);
        return g.with_graph_view([&](graph_view view) { return spanning_forest(view, options, on); });
      },
      &notes);
  nb::object labels = nb::none();
  if (result.labels) labels = nb::cast(held_labels{std::move(*result.labels), memory});
  return nb::make_tuple(held_graph{std::move(result.edges), memory}, labels, call_report{result.report, std::move(notes)});
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
  m.def("root_forest", &rooted);
  m.def("euler_tour", &tour);
}

}  // namespace copse::python
