// Checks of graphs that callers pass in the memory of a GPU, as far as they need no access to the arrays.
#pragma once
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/graph.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <variant>

namespace copse::api {

template <class View>
inline constexpr bool has_rows = requires(View g) {
  g.offsets;
};

template <class T>
std::span<T> span_of(device_span<T> array) {
  return {array.data(), array.size()};
}

template <class T>
void expect_array(const char* name, device_span<T> array) {
  if (array.data() != nullptr || array.empty()) return;
  throw usage_error{std::string{name} + " must not be null: it has " + std::to_string(array.size()) + " elements"};
}

[[noreturn]] inline void refuse(const char* name, std::uint64_t found, const std::string& expected) {
  throw usage_error{std::string{name} + " must have " + expected + ", not " + std::to_string(found) + " elements"};
}

template <class Offset>
void expect_fit(const device_csr_view<Offset>& g) {
  expect_array("offsets", g.offsets);
  expect_array("targets", g.targets);
  constexpr std::uint64_t most = std::uint64_t{no_vertex<std::uint32_t>} + 1;
  if (g.offsets.size() > most) refuse("offsets", g.offsets.size(), "at most " + std::to_string(most) + " elements for 32-bit ids");
  if (g.offsets.empty() && !g.targets.empty()) refuse("targets", g.targets.size(), "no elements where there are no offsets");
  if (g.targets.size() > std::numeric_limits<Offset>::max())
    refuse("targets", g.targets.size(), "no more elements than 32-bit offsets can count");
}
inline void expect_fit(const device_edges_view& g) { expect_array("edges", g.edges); }

/// Returns a host view of arrays in GPU memory, for choosing a variant and for solvers: the host may use its sizes, but not read the
/// arrays. Throws usage_error for null pointers and for sizes that do not fit together, with or without a GPU.
inline graph_view shape_of(const device_graph_view& g) {
  return std::visit(
      []<class View>(const View& view) -> graph_view {
        expect_fit(view);
        if constexpr (has_rows<View>) {
          return csr_view<std::uint32_t, typename View::offset_type>{
              .offsets = span_of(view.offsets), .targets = span_of(view.targets), .symmetric = view.symmetric, .sorted = view.sorted};
        } else {
          return coo_view<std::uint32_t>{.vertex_count = view.vertex_count, .edges = span_of(view.edges)};
        }
      },
      g);
}

/// Throws usage_error unless there is a label for each vertex.
inline void expect_labels(const graph_view& shape, device_span<std::uint32_t> labels) {
  const std::uint64_t vertices = std::visit([](const auto& view) { return std::uint64_t{view.vertices()}; }, shape);
  if (labels.size() != vertices) refuse("labels", labels.size(), "one element for each of " + std::to_string(vertices) + " vertices");
  expect_array("labels", labels);
}

}  // namespace copse::api
