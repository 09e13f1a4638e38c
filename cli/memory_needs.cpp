#include "memory_needs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <copse/variants.hpp>
#include <map>
#include <utility>

#include "estimate.hpp"

namespace copse::cli {
namespace {

/// Rows as the builder makes them: symmetric, of the narrowest widths.
std::uint64_t bytes_of_rows(std::uint64_t vertices, const edge_summary& counted) {
  const std::uint64_t arcs = 2 * counted.edges - counted.loops;
  const std::uint64_t id_bytes = id_bytes_for(vertices), offset_bytes = std::max(id_bytes, id_bytes_for(arcs));
  return (vertices + 1) * offset_bytes + arcs * id_bytes;
}

}  // namespace

std::vector<memory_need> memory_needs(const graph& g, const edge_summary& counted) {
  const std::uint64_t vertices = g.vertices();
  const std::uint64_t id_bytes = id_bytes_for(vertices);
  const std::uint64_t list_bytes = bytes_of_list({.vertices = vertices, .edges = counted.edges});
  std::map<std::pair<input_kind, std::uint32_t>, std::vector<std::string>> classes;
  for (const variant_info& info : variants()) {
    if (info.backend != "cuda") classes[{info.input, info.aux_bytes_per_vertex}].push_back(info.name);  // a GPU has memory of its own
  }
  std::vector<memory_need> needs;
  for (const auto& [key, names] : classes) {
    const auto [input, aux_bytes] = key;
    const std::uint64_t held_bytes = input == input_kind::csr ? bytes_of_rows(vertices, counted) + id_bytes * vertices : list_bytes;
    needs.push_back(
        {fmt::format("{} variants over {}, such as {}", names.size(), input == input_kind::csr ? "rows" : "a list of edges", names.front()),
         held_bytes + aux_bytes * vertices});
  }
  return needs;
}

}  // namespace copse::cli
