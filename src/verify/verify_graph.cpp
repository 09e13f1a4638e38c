#include <copse/verify.hpp>
#include <verify/numbers.hpp>
#include <verify/proof.hpp>

#include <variant>

namespace copse {
namespace {

verdict wrong(std::string reason) { return {.right = false, .reason = std::move(reason)}; }

// Calls visit(u, v) for every stored arc or edge until it returns false.
template <class Id, class Offset, class Visit>
bool every_edge(csr_view<Id, Offset> rows, Visit visit) {
  for (Id u = 0; u < rows.vertices(); ++u) {
    for (const Id v : rows.row(u)) {
      if (!visit(u, v)) return false;
    }
  }
  return true;
}
template <class Id, class Visit>
bool every_edge(coo_view<Id> list, Visit visit) {
  for (const edge<Id> e : list.edges) {
    if (!visit(e.u, e.v)) return false;
  }
  return true;
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
  std::string reason;
  const bool agree = every_edge(g, [&](std::uint64_t u, std::uint64_t v) {
    if (u >= n || v >= n) {
      reason = "an edge joins vertices " + std::to_string(u) + " and " + std::to_string(v) + " of a graph of " + std::to_string(n);
      return false;
    }
    if (steps.join(u, v)) return true;
    reason = steps.fault_of_edge(u, v);
    return false;
  });
  if (!agree) return wrong(std::move(reason));
  if (auto fault = steps.fault_in_forest()) return wrong(std::move(*fault));
  return {.right = true, .reason = {}, .vertices = steps.vertices(), .components = steps.components()};
}

}  // namespace

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

}  // namespace copse
