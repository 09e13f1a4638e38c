#include "graph.hpp"

#include <copse/build.hpp>
#include <copse/errors.hpp>

#include <limits>
#include <type_traits>
#include <variant>

namespace copse::python {
namespace {

void expect_one_dimension(const char* what, const input_array& a) {
  if (a.ndim() != 1) throw usage_error{std::string{what} + ": found " + std::to_string(a.ndim()) + " dimensions, expected 1"};
}

template <unsigned_index Id>
Id vertex_count(std::uint64_t vertices) {
  if (vertices <= std::numeric_limits<Id>::max()) return static_cast<Id>(vertices);
  throw usage_error{"vertices: found " + std::to_string(vertices) + ", expected fewer than 2^32 for ids of 32 bits"};
}

}  // namespace

std::string dtype_name(const input_array& a) { return dtype_name(a.dtype()); }

std::string dtype_name(nb::dlpack::dtype type) {
  const auto bits = std::to_string(type.bits);
  switch (static_cast<nb::dlpack::dtype_code>(type.code)) {
    case nb::dlpack::dtype_code::Int:
      return "int" + bits;
    case nb::dlpack::dtype_code::UInt:
      return "uint" + bits;
    case nb::dlpack::dtype_code::Float:
      return "float" + bits;
    case nb::dlpack::dtype_code::Bool:
      return "bool";
    default:
      return "elements of " + bits + " bits";
  }
}

void refuse_array(const char* what, const input_array& a, const char* expected) {
  throw usage_error{std::string{what} + ": found " + dtype_name(a) + ", expected " + expected};
}

held_graph::held_graph(graph owned, call_memory memory, std::vector<std::string> notes)
    : memory_{std::move(memory)},
      owned_{std::make_shared<const graph>(std::move(owned))},
      names_{owned_->names()},
      notes_{std::move(notes)} {
  std::visit([this](const auto& view) { view_ = view; }, owned_->view());
}

held_graph held_graph::rows(input_array offsets, input_array targets, symmetry symmetric) {
  expect_one_dimension("offsets", offsets);
  expect_one_dimension("targets", targets);
  const auto make = [&]<class Id, class Offset>(Id, Offset) {
    const csr_view<Id, Offset> view{elements<Offset>(offsets), elements<Id>(targets), symmetric};
    return held_graph{view, {offsets, targets}};
  };
  if (holds_ids<std::uint32_t>(targets) && holds_ids<std::uint32_t>(offsets)) return make(std::uint32_t{}, std::uint32_t{});
  if (holds_ids<std::uint32_t>(targets) && holds_ids<std::uint64_t>(offsets)) return make(std::uint32_t{}, std::uint64_t{});
  if (holds_ids<std::uint64_t>(targets) && holds_ids<std::uint64_t>(offsets)) return make(std::uint64_t{}, std::uint64_t{});
  throw usage_error{"rows: found offsets of " + dtype_name(offsets) + " and targets of " + dtype_name(targets) +
                    ", expected integers of 32 or 64 bits, offsets no narrower than targets"};
}

held_graph held_graph::pairs(input_array edges, std::uint64_t vertices) {
  if (edges.ndim() != 2 || edges.shape(1) != 2) throw usage_error{"edges: found an array of another shape, expected (m, 2)"};
  return with_integer_type("edges", edges, [&]<class T>(T) {
    using id = std::make_unsigned_t<T>;
    const std::span all{static_cast<const edge<id>*>(edges.data()), edges.shape(0)};
    return held_graph{coo_view<id>{vertex_count<id>(vertices), all}, {edges}};
  });
}

held_graph held_graph::columns(input_array sources, input_array targets, std::uint64_t vertices) {
  expect_one_dimension("sources", sources);
  expect_one_dimension("targets", targets);
  if (sources.size() != targets.size()) {
    throw usage_error{"columns: found " + std::to_string(sources.size()) + " sources and " + std::to_string(targets.size()) +
                      " targets, expected as many of each"};
  }
  return with_integer_type("sources", sources, [&]<class T>(T) {
    using id = std::make_unsigned_t<T>;
    if (!holds_ids<id>(targets)) refuse_array("targets", targets, "integers as wide as the sources");
    const edge_columns_view<id> view{vertex_count<id>(vertices), elements<id>(sources), elements<id>(targets)};
    return held_graph{view, {sources, targets}};
  });
}

std::uint64_t held_graph::vertices() const noexcept {
  return std::visit([](const auto& view) { return std::uint64_t{view.vertices()}; }, view_);
}

std::uint64_t held_graph::stored() const noexcept {
  return std::visit(
      []<class View>(const View& view) -> std::uint64_t {
        if constexpr (is_rows<View>) {
          return view.arcs();
        } else if constexpr (is_columns<View>) {
          return view.sources.size();
        } else {
          return view.edges.size();
        }
      },
      view_);
}

graph edge_list_of(const held_graph& g) {
  return std::visit(
      [&]<class View>(const View& view) -> graph {
        using id = typename View::id_type;
        coo<id> list{view.vertices(), buffer<edge<id>>{g.stored()}};
        if constexpr (is_rows<View>) {
          throw usage_error{"forest: found rows, expected a list of edges"};
        } else if constexpr (is_columns<View>) {
          for (std::size_t i = 0; i < list.edges.size(); ++i) list.edges[i] = {view.sources[i], view.targets[i]};
        } else {
          std::copy(view.edges.begin(), view.edges.end(), list.edges.begin());
        }
        return graph{std::move(list), g.names()};
      },
      g.view());
}

nb::object edges_view(const graph& list, nb::handle owner) {
  return std::visit(
      [&]<class Shape>(const Shape& shape) -> nb::object {
        if constexpr (requires { shape.edges; }) {
          using twin = std::make_signed_t<typename Shape::id_type>;
          return numpy_view(reinterpret_cast<const twin*>(shape.edges.data()), shape.edges.size(), std::size_t{2}, owner);
        } else {
          return nb::none();
        }
      },
      list.shape());
}

}  // namespace copse::python
