// Chooses the GPUs of a call, and computes how much of a GPU's memory a variant needs. The code computes with numbers only, so that builds
// without the GPU part have it, too.
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <core/devices.hpp>
#include <device/gpus.hpp>
#include <device/pieces.hpp>
#include <device/solver.hpp>
#include <fast/cuda/beginning.hpp>
#include <variants/gpu_choice.hpp>

#include <algorithm>

namespace copse {

bool gpu_graph::reads(const std::filesystem::path& path, const io::read_options& input) {
  const io::format f = input.format ? *input.format : io::format_of(path);
  return (f == io::format::egr || f == io::format::sg) && !input.min_weight;
}

std::uint64_t gpu_graph::bytes_needed(graph_view g, const std::string& variant, problem_kind problem) {
  if (problem == problem_kind::weighted_forest) throw usage_error{"bytes_needed knows components and forests, not weighted forests"};
  return device::needs_of(variant::gpu_variant_for_host(g, variant, problem).chosen->info, device::sizes_of(device::gpu_arcs_of(g))).all();
}

}  // namespace copse

namespace copse::device {

std::vector<unsigned> gpus_of(const execution& on) {
  named_devices named = devices_of(on);
  if (named.hybrid) throw usage_error{"the device must be GPUs alone (cuda, cuda:0, cuda:0,1 or cuda:all), not " + on.device};
  if (named.all_gpus) {
    for (const gpu_facts& gpu : gpus()) named.gpus.push_back(gpu.index);
  }
  if (named.gpus.empty()) named.gpus.push_back(0);
  return named.gpus;
}

solver::graph gpu_arcs_of(graph_view view) {
  return std::visit(
      []<class View>(const View& g) -> solver::graph {
        if constexpr (sizeof(typename View::id_type) != sizeof(std::uint32_t)) {
          variant::refuse_wide_ids();
        } else {
          return solver::graph{g};
        }
      },
      view);
}

graph_sizes sizes_of(const solver::graph& g) noexcept {
  if (!g.is_rows) return {g.vertices, g.edges.size(), false, 0};
  return {g.vertices, g.rows.arcs, true, g.rows.offsets.width_bytes()};
}

void expect_directions(const variant_info& variant, const solver::graph& g) {
  if (variant.both_directions && !g.rows.symmetric) refuse_one_direction(variant.name);
}

void refuse_one_direction(const std::string& variant) {
  throw usage_error{variant + " needs both directions of every edge, and these rows may store one only; symmetrise them first"};
}

memory_needs needs_of(const variant_info& chosen, const graph_sizes& g) noexcept {
  constexpr std::uint64_t id_bytes = sizeof(std::uint32_t);
  const std::uint64_t n = g.vertices;
  const std::uint64_t graph_bytes = !g.is_rows ? g.arcs * sizeof(edge<std::uint32_t>)
                                    : n == 0   ? 0
                                               : (n + 1) * g.offset_bytes + g.arcs * id_bytes;
  // Bytes per vertex for lists of vertices. The fast path lists roots, and later, in the same memory, vertices outside the giant. If it may
  // unite all arcs, it has a second list, of the vertices with arcs that the first hook has not united.
  const bool lists_twice = chosen.sampler == "none" || fast::beginning_of(n, g.arcs, false) == fast::begins::by_sample;
  const std::uint64_t listed_bytes = chosen.finish != "fast" ? 0 : lists_twice ? 2 * id_bytes : id_bytes;
  return {graph_bytes, n * id_bytes, n * (chosen.aux_bytes_per_vertex + listed_bytes)};
}

std::uint64_t bytes_to_stream(std::uint32_t vertices, bool keep_forest) noexcept {
  return bytes_of_forest(vertices, keep_forest) + 3 * least_piece_bytes;
}

// Returns the free memory in which three pieces of edges fit next to a forest that grows to `vertices` vertices while edges arrive. A piece
// then gets 1/16 of the free memory, or less on a large GPU (fitting_piece_bytes).
std::uint64_t bytes_to_stream_growing(std::uint32_t vertices) noexcept {
  const std::uint64_t forests = bytes_of_forest(std::uint64_t{vertices} * 5 / 2);
  return std::min(forests + 3 * usual_piece_bytes, (forests / 13 + 1) * 16);
}

}  // namespace copse::device
