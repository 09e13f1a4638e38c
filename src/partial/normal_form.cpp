#include <partial/normal_form.hpp>

#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <graph/labels/present_only.hpp>
#include <graph/narrowest_ids.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace copse::merging {
namespace {

constexpr std::uint64_t slots_per_vertex = 2;  // labels become an array indexed by id only if it has at most this many elements per vertex

struct extent {
  std::uint64_t present = 0;
  std::uint64_t slots = 0;  ///< index of the last present vertex, plus 1
};

template <class Id>
extent extent_of(const buffer<Id>& labels) {
  extent found;
  for (std::size_t v = 0; v < labels.size(); ++v) {
    const Id label = labels[v];
    if (label == no_vertex<Id>) continue;
    if (label > v || labels[label] != label) {
      throw usage_error{"forest: labels must be canonical, and label " + std::to_string(label) + " of vertex " + std::to_string(v) +
                        " is not"};
    }
    ++found.present;
    found.slots = v + 1;
  }
  return found;
}

template <class Id>
labelling as_slots(const buffer<Id>& labels, const vertex_names& names, std::uint64_t slots, std::pmr::memory_resource* memory) {
  return with_narrowest_ids(slots, [&]<class To>(To) -> labelling {
    buffer<To> to{slots, memory};
    std::fill(to.begin(), to.end(), no_vertex<To>);
    for (std::uint64_t v = 0; v < labels.size(); ++v) {
      if (labels[v] != no_vertex<Id>) to[names.integer(v)] = static_cast<To>(names.integer(labels[v]));
    }
    return {std::move(to), vertex_names::identity(slots)};
  });
}

/// Converts a weight; throws usage_error if a double cannot represent it exactly. Minus zero becomes zero, as both are the same weight.
template <class Weight>
double as_double(Weight weight) {
  const auto number = static_cast<double>(weight);
  if (number != number) throw usage_error{"weights must be numbers, not NaN"};
  if constexpr (std::is_integral_v<Weight>) {
    // As doubles, the largest integers are rounded up to 2^63 or 2^64, which is out of range for the integer type.
    if (number >= std::ldexp(1.0, std::numeric_limits<Weight>::digits) || static_cast<Weight>(number) != weight) {
      throw usage_error{"weights must be integers that a double holds exactly, not " + std::to_string(weight)};
    }
  }
  return number == 0 ? 0.0 : number;
}

/// Returns identity names if the names are 0 .. n - 1, otherwise the names themselves.
vertex_names in_one_way(const vertex_names& names) {
  const std::uint64_t count = names.size();
  const bool counted =
      count == 0 || (names.what() != vertex_names::kind::strings && !names.is_signed() && names.integer(count - 1) == count - 1);
  return counted ? vertex_names::identity(count) : names;
}

template <class Id, class From, class Weight>
weighted_graph in_order(const coo<From>& list, std::span<const Weight> weights, weight_precision precision, const vertex_names& names,
                        std::pmr::memory_resource* memory) {
  struct placed {
    edge<Id> ends;
    double weight;
  };
  buffer<placed> all{list.edges.size(), memory};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [low, high] = std::minmax(list.edges[i].u, list.edges[i].v);
    all[i] = {{static_cast<Id>(low), static_cast<Id>(high)}, as_double(weights[i])};
  }
  std::sort(all.begin(), all.end(),
            [](const placed& a, const placed& b) { return a.ends.u != b.ends.u ? a.ends.u < b.ends.u : a.ends.v < b.ends.v; });
  buffer<edge<Id>> edges{all.size(), memory};
  buffer<double> column{all.size(), memory};
  for (std::size_t i = 0; i < all.size(); ++i) {
    edges[i] = all[i].ends;
    column[i] = all[i].weight;
  }
  return {graph{coo<Id>{static_cast<Id>(list.vertex_count), std::move(edges)}, in_one_way(names)},
          weight_column{std::move(column), precision}};
}

}  // namespace

labelling normal_form(labelling labels, std::pmr::memory_resource* memory) {
  if (labels.is_numbered()) throw usage_error{"forest: labels must be canonical, not numbers of components"};
  return std::visit(
      [&]<class Id>(const buffer<Id>& held) -> labelling {
        const vertex_names& names = labels.names();
        const extent found = extent_of(held);
        if (found.present == 0) return {};
        const bool narrow = sizeof(Id) == 4 || held.size() > no_vertex<std::uint32_t>;  // 32 bits are used if they suffice
        if (names.what() == vertex_names::kind::strings) {
          if (narrow) return std::move(labels);
          buffer<std::uint32_t> to{held.size(), memory};
          std::transform(held.begin(), held.end(), to.begin(), [](Id label) { return static_cast<std::uint32_t>(label); });
          return {std::move(to), names};
        }
        const std::uint64_t largest = names.integer(found.slots - 1);
        if (!names.is_signed() && largest < slots_per_vertex * found.present) {
          const std::uint64_t slots = largest + 1;
          const bool as_it_is = names.what() == vertex_names::kind::identity && held.size() == slots && narrow;
          return as_it_is ? std::move(labels) : as_slots(held, names, slots, memory);
        }
        const bool as_it_is = names.what() == vertex_names::kind::integers && held.size() == found.present && narrow;
        return as_it_is ? std::move(labels) : copy_of_present(labels, 1, memory);
      },
      labels.labels());
}

weighted_forest_result normal_form(const weighted_forest_result& found, std::pmr::memory_resource* memory) {
  weighted_forest_result normal;
  normal.goal = found.goal;
  std::visit(
      [&](const auto& shape, const auto column) {
        if constexpr (requires { shape.edges; }) {
          if (shape.edges.size() != column.size()) {
            throw usage_error{"forest: weights must have one for each edge, " + std::to_string(shape.edges.size()) + ", not " +
                              std::to_string(column.size())};
          }
          weighted_graph list = with_narrowest_ids(found.edges.vertices(), [&]<class Id>(Id) {
            return in_order<Id>(shape, column, found.weights.precision(), found.edges.names(), memory);
          });
          normal.edges = std::move(list.edges);
          normal.weights = std::move(list.weights);
        } else {
          throw usage_error{"the forest must be a list of edges, not rows"};
        }
      },
      found.edges.shape(), found.weights.view());
  return normal;
}

forest_labels labels_of(const graph& list, std::pmr::memory_resource* memory) {
  forest_labels found{components(list.view(), {}, {.memory = memory}).labels};
  std::uint64_t roots = 0;
  for (std::uint64_t v = 0; v < found.labels.slots(); ++v) roots += found.labels.label(v) == v ? 1 : 0;
  const auto edges = std::visit(
      [](const auto& shape) {
        if constexpr (requires { shape.edges; }) return std::uint64_t{shape.edges.size()};
        return std::uint64_t{0};
      },
      list.shape());
  found.is_forest = roots + edges == found.labels.slots();
  return found;
}

}  // namespace copse::merging
