#include "estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <copse/gpu_edge_sink.hpp>

namespace copse::cli {
namespace {

constexpr std::uint64_t hashed_bytes =
    32;  // per sparse id: parent, a slot of a hash table and its share that is empty; per string likewise

}  // namespace

std::uint64_t id_bytes_for(std::uint64_t ids) noexcept { return ids <= UINT32_MAX ? 4 : 8; }

graph_size size_of(const vertex_names& names, std::uint64_t edges) {
  graph_size size{.vertices = names.size(), .edges = edges, .slots = names.size()};
  if (names.size() == 0) return size;
  if (names.what() == vertex_names::kind::strings) {
    size.ids = id_shape::strings;
    for (std::uint64_t i = 0; i < names.size(); ++i) size.string_bytes += names.string(i).size();
    return size;
  }
  size.slots = names.integer(names.size() - 1) + 1;
  if (size.slots * id_bytes_for(size.slots) > hashed_bytes * size.vertices) size.ids = id_shape::sparse;
  return size;
}

std::uint64_t bytes_while_parsed(const graph_size& size) noexcept {
  if (size.ids == id_shape::strings) return size.string_bytes + hashed_bytes * size.vertices;
  if (size.ids == id_shape::sparse) return hashed_bytes * size.vertices;
  return size.slots * id_bytes_for(size.slots);
}

std::uint64_t bytes_of_stream(const graph_size& size) noexcept {
  const std::uint64_t parsed = bytes_while_parsed(size);
  if (size.ids == id_shape::dense) return parsed + size.slots * id_bytes_for(size.slots);                // the sizes of components
  if (size.ids == id_shape::strings) return parsed + (8 + id_bytes_for(size.vertices)) * size.vertices;  // and the places of the strings
  return parsed;                                                                                         // the hash table is gone by then
}

std::uint64_t bytes_of_list(const graph_size& size) noexcept {
  const std::uint64_t id_bytes = id_bytes_for(size.vertices);
  return 2 * id_bytes * size.edges + id_bytes * size.vertices;
}

std::uint64_t bytes_of_rows(const graph_size& size) noexcept {
  const std::uint64_t id_bytes = id_bytes_for(size.vertices), offset_bytes = std::max(id_bytes, id_bytes_for(size.arcs));
  return offset_bytes * (size.vertices + 1) + id_bytes * (size.arcs + size.vertices);
}

std::uint64_t bytes_of_reading_list(const graph_size& size, unsigned threads) noexcept {
  constexpr std::uint64_t wide_edge = 16, counted_id = 12, table_bytes = 56;  // the last: of each thread, per string, beside its text
  const std::uint64_t list = bytes_of_list(size), id_bytes = id_bytes_for(size.vertices);
  if (size.ids == id_shape::strings) return list + wide_edge * size.edges + threads * (table_bytes * size.vertices + size.string_bytes);
  if (size.ids == id_shape::sparse) return std::max(list, wide_edge * size.edges) + counted_id * size.vertices;
  return list + 2 * id_bytes * size.edges;
}

// Ids are the GPU's numbers of vertices where they can be; others are numbered on the CPU before, and known then.
std::optional<std::uint64_t> bytes_of_gpu_stream(const graph_size& size) noexcept {
  const bool numbered_before = size.ids == id_shape::strings || size.slots > UINT32_MAX;
  const std::uint64_t vertices = numbered_before ? size.vertices : size.slots;
  if (vertices > UINT32_MAX) return std::nullopt;
  const auto count = static_cast<std::uint32_t>(vertices);
  return size.declared || numbered_before ? gpu_edge_sink::bytes_needed(count) : gpu_edge_sink::bytes_needed_growing(count);
}

std::uint64_t bytes_of_forest(const graph_size& size, std::uint64_t vertices) noexcept {
  if (vertices == 0) return 0;
  const std::uint64_t label_bytes = id_bytes_for(vertices);
  if (size.ids == id_shape::strings) {
    const std::uint64_t name_bytes = size.vertices == 0 ? 0 : size.string_bytes / size.vertices;
    return (label_bytes + 4 + name_bytes) * vertices;
  }
  const std::uint64_t with_ids = (label_bytes + id_bytes_for(size.slots)) * vertices;
  return size.slots <= 2 * vertices ? std::min(with_ids, id_bytes_for(size.slots) * size.slots) : with_ids;
}

double machine_rates::unite_seconds_per_edge(std::uint64_t vertices) const noexcept {
  const double low = std::log2(static_cast<double>(near_vertices)), high = std::log2(static_cast<double>(far_vertices));
  const double at = std::clamp((std::log2(static_cast<double>(std::max<std::uint64_t>(vertices, 1))) - low) / (high - low), 0.0, 1.0);
  return near_seconds_per_edge + at * (std::max(far_seconds_per_edge, near_seconds_per_edge) - near_seconds_per_edge);
}

namespace {

/// Of one process that unites while it parses.
double stream_seconds(const graph_size& size, std::uint64_t edges, std::uint64_t seen, const machine_rates& rates) {
  const double far = rates.unite_seconds_per_edge(size.vertices) - rates.near_seconds_per_edge;
  const double reads = size.ids == id_shape::dense ? 1 : 2;  // a parent, and before it the place of a name
  return static_cast<double>(edges) * (rates.parse_seconds_per_edge + reads * far) + static_cast<double>(seen) * rates.seconds_per_vertex;
}

/// A worker sees at most both ends of its edges.
std::uint64_t vertices_of_share(const graph_size& size, std::uint64_t edges) {
  return edges > size.vertices / 2 ? size.vertices : 2 * edges;
}

}  // namespace

double expected_on_cpu(const graph_size& size, const machine_rates& rates) {
  if (size.arcs != 0) return static_cast<double>(size.arcs) * rates.row_seconds_per_arc;
  return static_cast<double>(size.edges) * rates.unite_seconds_per_edge(size.vertices);
}

tree_cost cost_of_tree(const plan_question& asked, const machine_rates& rates) {
  tree_cost cost;
  const unsigned workers = asked.workers.value_or(1);
  const std::uint64_t share = asked.size.edges / std::max(workers, 1u) + 1;
  for (unsigned joined = 1; joined < workers; joined *= 2) {
    const std::uint64_t vertices = vertices_of_share(asked.size, share * joined);
    const std::uint64_t bytes = bytes_of_forest(asked.size, vertices);
    ++cost.rounds;
    cost.sent_bytes += bytes;
    cost.seconds +=
        static_cast<double>(bytes) / asked.network_bytes_per_second + static_cast<double>(2 * vertices) * rates.merge_seconds_per_vertex;
  }
  return cost;
}

std::vector<way> ways_of(const plan_question& asked, const machine_rates& rates) {
  const graph_size& size = asked.size;
  std::vector<way> ways;
  const bool rows = size.arcs != 0;
  if (!rows) {  // rows are held
    way stream{.name = "stream", .device = "cpu", .bytes = bytes_of_stream(size), .remark = "edges are united while they are parsed"};
    stream.seconds = stream_seconds(size, size.edges, size.vertices, rates);
    ways.push_back(stream);
  }
  way held{.name = "held",
           .device = "cpu",
           .bytes = rows ? bytes_of_rows(size) : bytes_of_reading_list(size, asked.threads),
           .remark = rows ? "rows in memory, to be solved again and again" : "a list of edges in memory, to be solved again and again"};
  held.seconds = static_cast<double>(size.edges) * rates.parse_seconds_per_edge + expected_on_cpu(size, rates) +
                 static_cast<double>(size.vertices) * rates.seconds_per_vertex;
  ways.push_back(held);
  if (asked.workers) {
    const std::uint64_t share = size.edges / *asked.workers + 1, seen = vertices_of_share(size, share);
    const tree_cost tree = cost_of_tree(asked, rates);
    graph_size part = size;
    part.vertices = seen;
    part.string_bytes = size.vertices == 0 ? 0 : size.string_bytes / size.vertices * seen;
    way workers{.name = fmt::format("{} workers", *asked.workers), .device = "cpu each"};
    workers.bytes = std::max(bytes_of_stream(part), 2 * bytes_of_forest(size, size.vertices));
    workers.seconds = stream_seconds(size, share, seen, rates) + tree.seconds;
    workers.remark = fmt::format("{} rounds of the tree, {:.1f} s, {} MB sent on its longest path", tree.rounds, tree.seconds,
                                 tree.sent_bytes / 1000000);
    ways.push_back(workers);
  }
  for (way& each : ways) each.fits = each.bytes <= asked.memory_bytes;
  return ways;
}

}  // namespace copse::cli
