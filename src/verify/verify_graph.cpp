#include <verify/proof.hpp>

#include <copse/verify.hpp>
#include <graph/labels/present_only.hpp>

#include <algorithm>
#include <type_traits>
#include <variant>

namespace copse {
namespace {

using proving::wrong;

template <class Id>
std::string fault_of(const proof<Id>& steps, std::uint64_t u, std::uint64_t v, std::uint64_t n) {
  if (u < n && v < n) return steps.fault_of_edge(u, v);
  return "an edge joins vertices " + std::to_string(u) + " and " + std::to_string(v) + " of a graph of " + std::to_string(n);
}

// Steps 2 and 3 of the proof for every stored arc or edge: its ends must have equal labels, and are united.
template <class Id, class Vertex, class Offset>
std::optional<std::string> fault_in_edges(proof<Id>& steps, csr_view<Vertex, Offset> rows) {
  for (Vertex u = 0; u < rows.vertices(); ++u) {
    const std::span<const Vertex> row = rows.row(u);
    const std::size_t i = steps.join_row_down(u, row);
    if (i != row.size()) return fault_of(steps, u, row[i], rows.vertices());
  }
  // That rows are symmetric is only the caller's claim. If the arcs to smaller vertices have not united all vertices of each label, the
  // ends of all arcs are united. Their labels have been compared already.
  for (Vertex u = 0; u < rows.vertices() && !steps.forest_is_whole(); ++u) {
    for (const Vertex v : rows.row(u)) steps.join(u, v);
  }
  return std::nullopt;
}
template <class Id, class Vertex>
std::optional<std::string> fault_in_edges(proof<Id>& steps, coo_view<Vertex> list) {
  const Vertex n = list.vertices();
  for (const edge<Vertex> e : list.edges) {
    if (e.u >= n || e.v >= n || !steps.join(e.u, e.v)) return fault_of(steps, e.u, e.v, n);
  }
  return std::nullopt;
}

template <class View, unsigned_index Id>
verdict prove(View g, const buffer<Id>& labels, const vertex_names& names) {
  const std::uint64_t n = g.vertices();
  if (labels.size() != n) return wrong(std::to_string(labels.size()) + " labels for " + std::to_string(n) + " vertices");
  proof<Id> steps{labels, names};
  if (auto fault = steps.fault_in_labels()) return wrong(std::move(*fault));
  for (std::uint64_t i = 0; i < n; ++i) {
    if (!steps.present(i)) return wrong("vertex " + steps.name(i) + " has no label");
  }
  if (auto fault = fault_in_edges(steps, g)) return wrong(std::move(*fault));
  if (auto fault = steps.fault_in_forest()) return wrong(std::move(*fault));
  return {.right = true, .reason = {}, .vertices = steps.vertices(), .components = steps.components()};
}

/// Returns the fault at the first vertex to which graph and labels give different names.
std::optional<std::string> fault_in_names(const vertex_names& names, const vertex_names& labelled) {
  const bool strings = names.what() == vertex_names::kind::strings;
  if (strings != (labelled.what() == vertex_names::kind::strings)) {
    return strings ? "the graph has string ids, the labels have integer ids" : "the graph has integer ids, the labels have string ids";
  }
  const std::uint64_t both = std::min(names.size(), labelled.size());
  if (names.first_id() && names.first_id() == labelled.first_id()) return std::nullopt;
  for (std::uint64_t i = 0; i < both; ++i) {
    if (strings ? names.string(i) == labelled.string(i)
                : names.integer(i) == labelled.integer(i) && names.is_signed() == labelled.is_signed())
      continue;
    const auto rank = [](const vertex_names& all, std::uint64_t at) { return id_rank(all.integer(at), all.is_signed()); };
    const bool missing = strings                                     ? names.string(i) < labelled.string(i)
                         : names.is_signed() != labelled.is_signed() ? names.is_signed()
                                                                     : rank(names, i) < rank(labelled, i);
    return missing ? "vertex " + name_in_message(names, i) + " has no label"
                   : "vertex " + name_in_message(labelled, i) + " has a label, but is not in the graph";
  }
  return std::nullopt;
}

/// True if labels[i] is that of the integer id first_id + i, and some of these ids are no vertices. A graph that stores only the ids of its
/// vertices has these at other positions than the labels.
bool indexes_by_id(const labelling& labels) {
  if (!labels.names().first_id()) return false;
  return std::visit(
      [](const auto& held) { return std::ranges::find(held, no_vertex<std::remove_cvref_t<decltype(held[0])>>) != held.end(); },
      labels.labels());
}

}  // namespace

verdict verify(const graph& g, const labelling& labels) {
  if (indexes_by_id(labels) && !g.names().first_id()) {
    const auto fault = std::visit([&](const auto& held) { return proof{held, labels.names()}.fault_in_labels(); }, labels.labels());
    return fault ? wrong(*fault) : verify(g, copy_of_present(labels, 1, host_memory()));
  }
  if (auto fault = fault_in_names(g.names(), labels.names())) return wrong(std::move(*fault));
  return verify(g.view(), labels);
}

verdict verify_dense(const graph& g, const labelling& labels) {
  if (auto fault = fault_in_names(g.names(), labels.names())) return wrong(std::move(*fault));
  return verify_dense(g.view(), labels);
}

verdict verify(graph_view g, const labelling& labels) {
  return std::visit([&](const auto& shape, const auto& values) { return prove(shape, values, labels.names()); }, g, labels.labels());
}

verdict verify_dense(graph_view g, const labelling& labels) {
  return std::visit(
      [&](const auto& shape, const auto& numbers) {
        auto canonical = from_numbers(numbers, labels.names());
        if (canonical.fault) return wrong(std::move(*canonical.fault));
        return prove(shape, canonical.labels, labels.names());
      },
      g, labels.labels());
}

std::string name_in_message(const vertex_names& names, std::uint64_t slot) {
  if (slot >= names.size()) return std::to_string(slot);
  if (names.what() == vertex_names::kind::strings) return std::string(1, '\'').append(names.string(slot)).append(1, '\'');
  return id_text(names.integer(slot), names.is_signed());
}

}  // namespace copse
