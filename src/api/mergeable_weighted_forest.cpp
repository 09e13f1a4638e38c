// Weighted forests of parts: their one order, their bytes and files, and how many become one.
#include <api/forest_sink.hpp>
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/mergeable_weighted_forest.hpp>
#include <core/request.hpp>
#include <drivers/incremental/connectivity_file.hpp>
#include <drivers/merging/forest_bytes.hpp>
#include <io/request.hpp>
#include <io/source.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace copse {
namespace {

/// Throws usage_error where a double does not hold it. Both zeros are one weight, so they are written as one.
template <class Weight>
double as_double(Weight weight) {
  const auto number = static_cast<double>(weight);
  if (number != number) throw usage_error{"weights: found one that is not a number, expected numbers"};
  if constexpr (std::is_integral_v<Weight>) {
    // The largest doubles are rounded up to 2^63 or 2^64, which no integer of the type is.
    if (number >= std::ldexp(1.0, std::numeric_limits<Weight>::digits) || static_cast<Weight>(number) != weight) {
      throw usage_error{"weights: found " + std::to_string(weight) + ", expected integers that a double holds"};
    }
  }
  return number == 0 ? 0.0 : number;
}

/// What the vertices are called, in one way: the identity wherever that is what names say.
vertex_names in_one_way(const vertex_names& names) {
  const std::uint64_t count = names.size();
  const bool counted = count == 0 || (names.what() != vertex_names::kind::strings && names.integer(count - 1) == count - 1);
  return counted ? vertex_names::identity(count) : names;
}

/// One list for each set of edges: (u, v) with u < v, ascending, of the narrowest ids.
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

std::string bits_of(weight_precision precision) {
  return precision == weight_precision::full ? "64" : precision == weight_precision::single ? "32" : "16";
}

labelling components_of(const graph& list, std::pmr::memory_resource* memory) {
  return components(list.view(), {}, {.memory = memory}).labels;
}

std::uint64_t count_of(const labelling& labels) {
  std::uint64_t roots = 0;
  for (std::uint64_t v = 0; v < labels.slots(); ++v) roots += labels.label(v) == v ? 1 : 0;
  return roots;
}

void put(const mergeable_weighted_forest& forest, const drivers::byte_output& output, std::pmr::memory_resource* memory) {
  const labelling labels = components_of(forest.forest().edges, memory);
  std::visit(
      [&]<class Shape>(const Shape& shape) {
        if constexpr (requires { shape.edges; }) {
          using id = typename Shape::id_type;
          drivers::put_weighted_forest<id>(output, std::get<buffer<id>>(labels.labels()).span(), shape.edges.span(),
                                           std::get<buffer<double>>(forest.forest().weights.held()).span(),
                                           forest.forest().weights.precision(), forest.goal() == forest_goal::maximum,
                                           forest.forest().edges.names(), memory);
        }
      },
      forest.forest().edges.shape());
}

}  // namespace

mergeable_weighted_forest::mergeable_weighted_forest(const graph& forest, weights_view weights, forest_goal goal,
                                                     std::pmr::memory_resource* memory)
    : goal_{goal} {
  std::visit(
      [&](const auto& shape, const auto column) {
        if constexpr (requires { shape.edges; }) {
          if (shape.edges.size() != column.size()) {
            throw usage_error{"forest: found " + std::to_string(column.size()) + " weights, expected " +
                              std::to_string(shape.edges.size())};
          }
          const auto in_order_of = [&]<class Id>(Id) { return in_order<Id>(shape, column, weights.precision(), forest.names(), memory); };
          forest_ = forest.vertices() <= no_vertex<std::uint32_t> ? in_order_of(std::uint32_t{}) : in_order_of(std::uint64_t{});
        } else {
          throw usage_error{"forest: found rows, expected a list of edges"};
        }
      },
      forest.shape(), weights);
  if (count_of(components_of(forest_.edges, memory)) + edge_count() != vertices()) {
    throw usage_error{"forest: found edges that close a cycle, expected a forest"};
  }
}

buffer<std::byte> mergeable_weighted_forest::bytes(std::pmr::memory_resource* memory) const {
  return drivers::bytes_of([&](const drivers::byte_output& output) { put(*this, output, memory); }, memory);
}

/// The labels that came with the edges are theirs, and no edge closes a cycle.
mergeable_weighted_forest mergeable_weighted_forest::forest_in(std::string_view bytes, std::string_view name,
                                                               std::pmr::memory_resource* memory) {
  auto held = drivers::weighted_forest_in(drivers::look_into(bytes, name), name, memory);
  const auto refuse = [name](std::string_view found, std::string_view expected) { throw input_error::at(name, 0, found, expected); };
  const labelling labels = components_of(held.forest.edges, memory);
  for (std::uint64_t v = 0; v < labels.slots(); ++v) {
    if (labels.label(v) != held.labels.label(v)) refuse("edges that do not make the labels beside them", "what was saved");
  }
  if (count_of(labels) + held.forest.weights.size() != labels.slots()) refuse("edges that close a cycle", "what was saved");
  mergeable_weighted_forest forest;
  forest.forest_ = std::move(held.forest);
  forest.goal_ = held.maximum ? forest_goal::maximum : forest_goal::minimum;
  return forest;
}

mergeable_weighted_forest mergeable_weighted_forest::from_bytes(std::span<const std::byte> bytes, std::string_view name,
                                                                std::pmr::memory_resource* memory) {
  return forest_in({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, name, memory);
}

void mergeable_weighted_forest::save(const std::filesystem::path& path) const {
  io::output_file file{path};
  put(
      *this, [&file](const void* bytes, std::size_t count) { file.write(bytes, count); }, host_memory());
  file.commit_to_disk();
}

mergeable_weighted_forest mergeable_weighted_forest::open(const std::filesystem::path& path, std::pmr::memory_resource* memory) {
  const io::whole_file file{path, memory};
  return forest_in(file.bytes(), path.string(), memory);
}

bool mergeable_weighted_forest::is_one(const std::filesystem::path& path, std::pmr::memory_resource* memory) {
  if (!std::filesystem::is_regular_file(path)) return false;
  const auto beside = drivers::begin_of_beside(path, memory);
  return beside && drivers::holds_weights(*beside);
}

/// What is merged goes to a sink that keeps the forest of what came, and as many edges again.
struct weighted_forest_merger::state {
  explicit state(const execution& asked) : on{asked}, reading{{}, {.threads = asked.threads, .memory = asked.memory}}, solving{{}, asked} {}

  void add(const mergeable_weighted_forest& forest) {
    if (broken) throw usage_error{"merge: found a call after one that failed midway, expected a new merger"};
    if (on.observer != nullptr && on.observer->cancel_requested()) throw cancelled{};
    if (forest.vertices() == 0) {
      if (!sink) solving.goal = forest.goal();
      return;
    }
    const bool named = forest.forest().edges.names().what() == vertex_names::kind::strings;
    if (!sink) {
      strings = named;
      solving.goal = forest.goal();
      solving.precision = forest.forest().weights.precision();
      sink.emplace(reading, solving);
      sink->begin({.vertices = std::nullopt, .edges = std::nullopt, .workers = 1, .named = named});
      sink->begin_block(0, 0);
    }
    if (strings != named) {
      throw usage_error{std::string{"merge: found "} + (named ? "strings, expected integers" : "integers, expected strings") +
                        " as in the forests before"};
    }
    if (solving.goal != forest.goal()) {
      const bool maximum = forest.goal() == forest_goal::maximum;
      throw usage_error{std::string{"merge: found a "} +
                        (maximum ? "maximum forest, expected a minimum" : "minimum forest, expected a maximum") + " one as before"};
    }
    if (solving.precision != forest.forest().weights.precision()) {
      throw usage_error{"merge: found weights of " + bits_of(forest.forest().weights.precision()) + " bits, expected " +
                        bits_of(solving.precision) + " as in the forests before: a threshold is rounded to one precision"};
    }
    broken = true;  // unless all of it comes in
    api::hand_over(forest.forest().edges, std::get<buffer<double>>(forest.forest().weights.held()).span(), *sink, api::called::by_name,
                   on.memory);
    if (sink->wants_pause()) sink->pause();
    broken = false;
  }

  mergeable_weighted_forest finish() {
    if (broken) throw usage_error{"merge: found a call after one that failed midway, expected a new merger"};
    if (!sink) return mergeable_weighted_forest{graph{coo<std::uint32_t>{}}, weights_view{std::span<const double>{}}, solving.goal};
    sink->finish();
    const weighted_forest_result found = std::move(*sink).take();
    return {found.edges, found.weights.view(), solving.goal, on.memory};
  }

  execution on;
  io::read_request reading;
  request<weighted_forest_options> solving;
  std::optional<api::forest_sink> sink;
  bool strings = false, broken = false;
};

weighted_forest_merger::weighted_forest_merger(const execution& on) : state_{std::make_unique<state>(on)} {}
weighted_forest_merger::weighted_forest_merger(weighted_forest_merger&&) noexcept = default;
weighted_forest_merger& weighted_forest_merger::operator=(weighted_forest_merger&&) noexcept = default;
weighted_forest_merger::~weighted_forest_merger() = default;

void weighted_forest_merger::add(const mergeable_weighted_forest& forest) {
  try {
    state_->add(forest);
  } catch (const std::bad_alloc&) {
    throw resource_error{"out of memory while forests of " + std::to_string(forest.vertices()) + " vertices and more were merged"};
  }
}

mergeable_weighted_forest weighted_forest_merger::finish() {
  const auto used = std::exchange(state_, std::make_unique<state>(state_->on));
  try {
    return used->finish();
  } catch (const std::bad_alloc&) {
    throw resource_error{"out of memory while the merged forest was put in order"};
  }
}

}  // namespace copse
