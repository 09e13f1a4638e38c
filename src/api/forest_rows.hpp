// The first step of functions that walk over the trees of a forest: its sorted rows, and the root of every vertex. A list of edges that is
// no forest is refused with an error that names the first wrong edge.
#pragma once
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <core/phase_times.hpp>

#include <cstdint>
#include <span>
#include <variant>

namespace copse::api {

/// Throws usage_error if an end of an edge is no vertex.
template <unsigned_index Id>
void expect_vertices(coo_view<Id> edges, const execution& on);
/// Throws usage_error unless the edges, whose components have these labels, close no cycle.
template <unsigned_index Id>
void expect_no_cycle(coo_view<Id> edges, std::span<const Id> labels, const vertex_names& names, const execution& on);

/// Makes rows and labels of a forest, by the CPU, and returns use(rows, labels). `times` gets the phases components and rows.
template <class Result, class Use>
Result of_forest_rows(const graph& forest, const execution& on, phase_times& times, Use use) {
  execution by_cpu = on;
  by_cpu.device = "cpu";
  const auto of_list = [&]<class Id>(const coo<Id>& list) -> Result {
    expect_vertices(list.view(), on);
    const auto trees = [&] {
      const phase_timer timing{times, "components"};
      auto found = components(graph_view{list.view()}, {}, by_cpu);
      expect_no_cycle(list.view(), std::get<buffer<Id>>(found.labels.labels()).span(), forest.names(), on);
      return found;
    }();
    const auto of_rows = [&]<class Offset>(Offset) -> Result {
      const auto rows = [&] {
        const phase_timer timing{times, "rows"};
        return build_rows<Id, Offset>(list.view(), {.drop_duplicates = false, .drop_loops = false}, on);
      }();
      return use(rows.view(), std::get<buffer<Id>>(trees.labels.labels()).span());
    };
    if constexpr (sizeof(Id) == 4) {
      if (2 * list.edges.size() <= UINT32_MAX) return of_rows(std::uint32_t{});
    }
    return of_rows(std::uint64_t{});
  };
  return std::visit(
      [&]<class Shape>(const Shape& shape) -> Result {
        if constexpr (requires { shape.offsets; }) {
          throw usage_error{"the forest must be held as a list of edges, not as rows"};
        } else {
          return of_list(shape);
        }
      },
      forest.shape());
}

}  // namespace copse::api
