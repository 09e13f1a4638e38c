#include <copse/errors.hpp>
#include <core/parallel.hpp>
#include <gen/unsorted_rows.hpp>

#include <utility>
#include <variant>

namespace copse::gen {

graph unsorted_rows(graph rows, std::uint64_t seed, const execution& on) {
  return std::visit(
      [&]<class Shape>(const Shape& shape) -> graph {
        if constexpr (requires { shape.offsets; }) {
          using id = typename Shape::id_type;
          using offset = typename Shape::offset_type;
          buffer<offset> offsets{shape.offsets.size(), on.memory};
          buffer<id> targets{shape.targets.size(), on.memory};
          parallel_blocks(usable_threads(on.threads), shape.view().vertices(), 256, [&](std::size_t begin, std::size_t end) {
            for (std::size_t u = begin; u < end; ++u) {
              const std::size_t first = shape.offsets[u], arcs = shape.offsets[u + 1] - first;
              const permutation order = order_of_row(u, arcs, seed);
              for (std::size_t i = 0; i < arcs; ++i) targets[first + order(i)] = shape.targets[first + i];
              offsets[u] = shape.offsets[u];
            }
          });
          if (!offsets.empty()) offsets[offsets.size() - 1] = shape.offsets[shape.offsets.size() - 1];
          return {Shape{std::move(offsets), std::move(targets), shape.symmetric, false}, rows.names()};
        } else {
          throw usage_error{"unsorted_rows: the graph must be held as rows, not as a list of edges"};
        }
      },
      rows.shape());
}

}  // namespace copse::gen
