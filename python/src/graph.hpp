// The graph class of the Python module: it borrows arrays of the caller, or owns a copse::graph.
#pragma once
#include <nanobind/nanobind.h>
#include <copse/graph.hpp>
#include <copse/spanning_forest.hpp>

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "arrays.hpp"

namespace copse::python {

using any_view =
    std::variant<csr_view<std::uint32_t, std::uint32_t>, csr_view<std::uint32_t, std::uint64_t>, csr_view<std::uint64_t, std::uint64_t>,
                 coo_view<std::uint32_t>, coo_view<std::uint64_t>, edge_columns_view<std::uint32_t>, edge_columns_view<std::uint64_t>>;

template <class View>
inline constexpr bool is_columns = requires(View v) {
  v.sources;
};
template <class View>
inline constexpr bool is_rows = requires(View v) {
  v.offsets;
};

class held_graph {
public:
  /// Makes a graph that borrows these arrays: it keeps a reference to them, and neither copies nor changes them.
  held_graph(any_view view, std::vector<input_array> arrays)
      : view_{view}, names_{vertex_names::identity(vertices())}, arrays_{std::move(arrays)} {}
  held_graph(graph owned, call_memory memory, std::vector<std::string> notes = {});

  static held_graph rows(input_array offsets, input_array targets, symmetry symmetric);
  static held_graph pairs(input_array edges, std::uint64_t vertices);
  static held_graph columns(input_array sources, input_array targets, std::uint64_t vertices);

  [[nodiscard]] const any_view& view() const noexcept { return view_; }
  [[nodiscard]] const vertex_names& names() const noexcept { return names_; }
  [[nodiscard]] std::uint64_t vertices() const noexcept;
  /// The number of arcs that rows store, or of edges that a list stores.
  [[nodiscard]] std::uint64_t stored() const noexcept;
  /// The notes of the library on the file that the graph was read from.
  [[nodiscard]] const std::vector<std::string>& notes() const noexcept { return notes_; }
  /// The graph, if this object owns it; null if it is a view of the caller's arrays.
  [[nodiscard]] const graph* owned() const noexcept { return owned_.get(); }

  /// Calls body(graph_view) with a view of the graph. Two columns of ends are first copied to one array of pairs.
  template <class Body>
  decltype(auto) with_graph_view(Body&& body) const {
    return std::visit(
        [&]<class View>(const View& view) {
          if constexpr (is_columns<View>) {
            using id = typename View::id_type;
            buffer<edge<id>> edges{view.sources.size()};
            for (std::size_t i = 0; i < edges.size(); ++i) edges[i] = {view.sources[i], view.targets[i]};
            return body(graph_view{coo_view<id>{view.vertex_count, edges.span()}});
          } else {
            return body(graph_view{view});
          }
        },
        view_);
  }

private:
  call_memory memory_;  // first, so that it is destroyed last
  std::shared_ptr<const graph> owned_;
  any_view view_;
  vertex_names names_;
  std::vector<input_array> arrays_;
  std::vector<std::string> notes_;
};

/// Returns the graph as an owned list of edges, for functions that take forests.
[[nodiscard]] graph edge_list_of(const held_graph& g);
/// Returns the edges of a list as an array of shape (m, 2) that keeps `owner` alive; None for rows.
nb::object edges_view(const graph& list, nb::handle owner);

}  // namespace copse::python
