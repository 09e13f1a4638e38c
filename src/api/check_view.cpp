#include <api/check_view.hpp>
#include <copse/build.hpp>
#include <copse/errors.hpp>
#include <loops/threads.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace copse::api {
namespace {

[[noreturn]] void refuse(const std::string& found, const std::string& expected) {
  throw usage_error{"graph: found " + found + ", expected " + expected};
}
std::string place(const char* array, std::size_t i, std::uint64_t value) {
  return std::string{array} + "[" + std::to_string(i) + "] = " + std::to_string(value);
}

backend::threads loops_of(const execution& on) { return backend::threads{usable_threads(on.threads), on.observer}; }

template <class Id, class Offset>
void expect_offsets(csr_view<Id, Offset> g, const execution& on) {
  const auto offsets = g.offsets;
  if (offsets.empty()) {
    if (!g.targets.empty()) refuse("no offsets and " + std::to_string(g.targets.size()) + " targets", "offsets");
    return;
  }
  if (offsets[0] != 0) refuse(place("offsets", 0, offsets[0]), "0");
  const std::size_t n = offsets.size() - 1;
  if (n > no_vertex<Id>) refuse(std::to_string(n) + " vertices", "at most " + std::to_string(no_vertex<Id>) + " for ids of this width");
  const std::size_t bad = first_wrong(loops_of(on), n, [offsets](std::size_t i) { return offsets[i + 1] < offsets[i]; });
  if (bad < n) refuse(place("offsets", bad + 1, offsets[bad + 1]) + " after " + std::to_string(offsets[bad]), "ascending offsets");
  if (offsets[n] != g.targets.size()) {
    refuse(place("offsets", n, offsets[n]) + " at the end", "the number of targets, " + std::to_string(g.targets.size()));
  }
}

template <class Id, class Offset>
[[noreturn]] void refuse_target(csr_view<Id, Offset> g, std::size_t at) {
  refuse(place("targets", at, g.targets[at]), "a vertex below " + std::to_string(g.vertices()));
}

}  // namespace

template <unsigned_index Id, unsigned_index Offset>
csr_view<Id, Offset> checked(csr_view<Id, Offset> g, const execution& on) {
  if (g.trusted) return g;
  expect_offsets(g, on);
  if (g.symmetric == symmetry::no && !g.sorted) {  // as neither symmetry nor order is claimed, only the range of targets is checked
    const Id n = g.vertices();
    const auto targets = g.targets;
    const std::size_t bad = first_wrong(loops_of(on), targets.size(), [targets, n](std::size_t a) { return targets[a] >= n; });
    if (bad < targets.size()) refuse_target(g, bad);
    g.trusted = true;
    return g;
  }
  const row_facts facts = inspect(g, on);
  if (facts.bad_target) refuse_target(g, static_cast<std::size_t>(*facts.bad_target));
  if (g.symmetric == symmetry::yes && facts.symmetric != symmetry::yes) {
    refuse("an arc that is stored in one direction only", "both, as the view says that it is symmetric");
  }
  if (g.sorted && !facts.sorted) refuse("a row that does not ascend", "sorted rows, as the view says");
  g.symmetric = facts.symmetric;
  g.sorted = facts.sorted;
  g.trusted = true;
  return g;
}

template <unsigned_index Id>
coo_view<Id> checked(coo_view<Id> g, const execution& on) {
  if (g.trusted) return g;
  const auto edges = g.edges;
  const Id n = g.vertices();
  const std::size_t bad =
      first_wrong(loops_of(on), edges.size(), [edges, n](std::size_t i) { return std::max(edges[i].u, edges[i].v) >= n; });
  if (bad < edges.size()) {
    refuse(place("edges", bad, edges[bad].u) + " " + std::to_string(edges[bad].v), "vertices below " + std::to_string(n));
  }
  g.trusted = true;
  return g;
}

template <unsigned_index Id>
edge_columns_view<Id> checked(edge_columns_view<Id> g, const execution& on) {
  if (g.sources.size() != g.targets.size()) {
    refuse(std::to_string(g.sources.size()) + " sources and " + std::to_string(g.targets.size()) + " targets", "as many of both");
  }
  if (g.trusted) return g;
  const Id n = g.vertices();
  const auto expect_vertices = [n, &on](const char* name, std::span<const Id> column) {
    const std::size_t bad = first_wrong(loops_of(on), column.size(), [column, n](std::size_t i) { return column[i] >= n; });
    if (bad < column.size()) refuse(place(name, bad, column[bad]), "a vertex below " + std::to_string(n));
  };
  expect_vertices("sources", g.sources);
  expect_vertices("targets", g.targets);
  g.trusted = true;
  return g;
}

template csr_view<std::uint32_t, std::uint32_t> checked(csr_view<std::uint32_t, std::uint32_t>, const execution&);
template csr_view<std::uint32_t, std::uint64_t> checked(csr_view<std::uint32_t, std::uint64_t>, const execution&);
template csr_view<std::uint64_t, std::uint64_t> checked(csr_view<std::uint64_t, std::uint64_t>, const execution&);
template coo_view<std::uint32_t> checked(coo_view<std::uint32_t>, const execution&);
template coo_view<std::uint64_t> checked(coo_view<std::uint64_t>, const execution&);
template edge_columns_view<std::uint32_t> checked(edge_columns_view<std::uint32_t>, const execution&);
template edge_columns_view<std::uint64_t> checked(edge_columns_view<std::uint64_t>, const execution&);

}  // namespace copse::api
