// Makes the rows of a generator spec in the memory of the GPU that will solve them.
#include <copse/errors.hpp>
#include <device/parts.hpp>
#include <gen/gpu_edges.hpp>
#include <gen/unsorted_rows.hpp>
#include <gpu/loops/edge_rows.hpp>

#include <algorithm>
#include <string>

namespace copse::device {
namespace {

using id = std::uint32_t;

void expect_32(std::uint64_t vertices) {
  if (!gen::fits_32(vertices)) throw usage_error{"a GPU needs 32-bit ids: at most 2^32 - 1 vertices"};
}

}  // namespace

solver::read_rows solver::generate(std::string_view spec, const variant_ahead& variant_for, std::optional<std::uint64_t> unsorted) {
  const gen::recipe recipe = gen::recipe_of(spec);
  expect_32(recipe.vertices);
  const auto expect_free = [this](std::uint64_t wanted, const std::string& what) {
    if (const std::uint64_t found = free_bytes(); wanted > found) {
      throw resource_error{"cuda:" + std::to_string(parts_->on.index()) + ": found " + std::to_string(found) + " bytes free, expected " +
                           std::to_string(wanted) + " " + what};
    }
  };
  expect_free(gen::gpu_edges::bytes_to_count(recipe), "to count the edges of " + std::string{spec});

  auto* const memory = &parts_->memory;
  read_rows result{};
  unsigned width = 0;
  std::uint64_t n = 0;
  {
    const gen::gpu_edges edges{recipe, parts_->on, memory};
    n = edges.vertices();
    expect_32(n);
    // Free memory must be enough for two things: what solving needs in addition to the arcs, and what making the arcs needs.
    const graph_sizes no_arcs{n, 0, true, sizeof(id)};
    const variant_info& least = variant_for(no_arcs);
    const std::uint64_t solving = needs_of(least, no_arcs).all();
    const std::uint64_t building = backend::edge_rows::bytes_needed(static_cast<id>(n), edges.edges());
    expect_free(std::max(solving, building), "to make rows of " + std::to_string(n) + " vertices and " + std::to_string(edges.edges()) +
                                                 " edges, or to solve them by " + least.name);
    backend::edge_rows building_rows{parts_->on, memory, static_cast<id>(n), edges.edges()};
    edges.write(building_rows.edges());
    auto rows = std::move(building_rows).build();
    width = rows.offset_bytes;
    if (unsorted) gen::unsort_rows(parts_->on, memory, rows.offsets, width, rows.targets, *unsorted);
    result.rows.offsets_ = std::move(rows.offsets);
    result.rows.targets_ = std::move(rows.targets);
  }
  const graph_sizes sizes{n, result.rows.targets_.size(), true, width};
  const variant_info& chosen = variant_for(sizes);
  const memory_needs needs = needs_of(chosen, sizes);
  expect_free(needs.label_bytes + needs.beside_bytes, "beside the graph for " + chosen.name + ": " + std::to_string(needs.label_bytes) +
                                                          " for labels and " + std::to_string(needs.beside_bytes) + " beside them");
  look_at(result, n, width);
  auto& rows = result.rows.view_.rows;
  result.narrow.symmetric = result.wide.symmetric = symmetry::yes;
  result.narrow.sorted = result.wide.sorted = rows.sorted = !unsorted;
  rows.symmetric = true;
  return result;
}

}  // namespace copse::device
