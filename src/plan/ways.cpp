// Bytes and seconds of each way, and the choice between devices: arithmetic only, so that the same facts give the same answer.
#include <copse/plan.hpp>
#include <device/gpus.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace copse {

namespace {

/// Bytes of rows and their labels.
std::uint64_t bytes_of_rows(const graph_size& size) noexcept {
  const std::uint64_t id_bytes = id_bytes_for(size.vertices), offset_bytes = std::max(id_bytes, id_bytes_for(size.arcs));
  return offset_bytes * (size.vertices + 1) + id_bytes * (size.arcs + size.vertices);
}

/// Bytes for reading a list of edges from text, which takes more than the list itself: while the ends are numbered, there are two copies of
/// the edges, and the map of ids.
std::uint64_t bytes_of_reading_list(const graph_size& size, unsigned threads) noexcept {
  // Bytes of an edge of 64-bit ids (wide_edge); of a 64-bit id with the 32-bit index of its vertex (counted_id); and of an entry in a table
  // of strings, without the text (table_bytes). The product with `threads` is an upper bound: threads share one table (ids/id_map.hpp).
  constexpr std::uint64_t wide_edge = 16, counted_id = 12, table_bytes = 56;
  const std::uint64_t list = bytes_of_list(size), id_bytes = id_bytes_for(size.vertices);
  if (size.ids == id_shape::strings) return list + wide_edge * size.edges + threads * (table_bytes * size.vertices + size.string_bytes);
  if (size.ids == id_shape::sparse) return std::max(list, wide_edge * size.edges) + counted_id * size.vertices;
  return list + 2 * id_bytes * size.edges;
}

/// The bytes that each GPU needs to have edges streamed through it; nothing if there are too many vertices for its 32-bit ids.
std::optional<std::uint64_t> bytes_of_gpu_stream(const graph_size& size) noexcept {
  // The GPU uses ids as the numbers of vertices if they fit 32 bits. Other ids are numbered on the CPU first, so the number of vertices is
  // known.
  const bool numbered_before = size.ids == id_shape::strings || size.slots > UINT32_MAX;
  const std::uint64_t vertices = numbered_before ? size.vertices : size.slots;
  if (vertices > UINT32_MAX) return std::nullopt;
  const auto count = static_cast<std::uint32_t>(vertices);
  return size.declared || numbered_before ? device::bytes_to_stream(count) : device::bytes_to_stream_growing(count);
}

/// The bytes of a partial answer for `vertices` vertices, in a file or on the wire.
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

}  // namespace

double machine_rates::unite_seconds_per_edge(std::uint64_t vertices) const noexcept {
  const double low = std::log2(static_cast<double>(near_vertices)), high = std::log2(static_cast<double>(far_vertices));
  const double at = std::clamp((std::log2(static_cast<double>(std::max<std::uint64_t>(vertices, 1))) - low) / (high - low), 0.0, 1.0);
  return near_seconds_per_edge + at * (std::max(far_seconds_per_edge, near_seconds_per_edge) - near_seconds_per_edge);
}

namespace {

/// Returns the seconds that one process takes to unite `edges` edges with `seen` different vertices while it parses them.
double stream_seconds(const graph_size& size, std::uint64_t edges, std::uint64_t seen, const machine_rates& rates) {
  const double far = rates.unite_seconds_per_edge(size.vertices) - rates.near_seconds_per_edge;
  const double reads = size.ids == id_shape::dense ? 1 : 2;  // reads per end: a parent, and before it the table entry of a name
  return static_cast<double>(edges) * (rates.parse_seconds_per_edge + reads * far) + static_cast<double>(seen) * rates.seconds_per_vertex;
}

/// Returns an upper bound for the number of vertices that a worker sees in a share of `edges` edges: both ends of each edge, or all
/// vertices if those are fewer.
std::uint64_t vertices_of_share(const graph_size& size, std::uint64_t edges) {
  return edges > size.vertices / 2 ? size.vertices : 2 * edges;
}

/// The cost of merging the forests of several processes into one along a binary tree: in each round, half of the processes that still hold
/// a forest send it to another one, which merges it into its own.
struct tree_cost {
  unsigned rounds = 0;
  std::uint64_t sent_bytes = 0;  ///< the size of one forest per round, because the forests of a round are sent at the same time
  double seconds = 0;
};

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

}  // namespace

double expected_on_cpu(const graph_size& size, const machine_rates& rates) {
  if (size.arcs != 0) return static_cast<double>(size.arcs) * rates.row_seconds_per_arc;
  return static_cast<double>(size.edges) * rates.unite_seconds_per_edge(size.vertices);
}

std::vector<planned_way> ways_on_cpu(const plan_question& asked, const machine_rates& rates) {
  const graph_size& size = asked.size;
  std::vector<planned_way> ways;
  const bool rows = size.arcs != 0;
  if (!rows) {  // rows cannot be streamed, only held
    planned_way stream{
        .name = "stream", .device = "cpu", .bytes = bytes_of_stream(size), .remark = "edges are united while they are parsed"};
    stream.seconds = stream_seconds(size, size.edges, size.vertices, rates);
    ways.push_back(stream);
  }
  planned_way held{
      .name = "held",
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
    planned_way workers{.name = fmt::format("{} workers", *asked.workers), .device = "cpu each"};
    workers.bytes = std::max(bytes_of_stream(part), 2 * bytes_of_forest(size, size.vertices));
    workers.seconds = stream_seconds(size, share, seen, rates) + tree.seconds;
    workers.remark = fmt::format("{} rounds of the tree, {:.1f} s, {} MB sent on its longest path", tree.rounds, tree.seconds,
                                 tree.sent_bytes / 1000000);
    ways.push_back(workers);
  }
  for (planned_way& each : ways) each.fits = each.bytes <= asked.memory_bytes;
  return ways;
}

namespace {

// GPUs have ids of 32 bits.
constexpr std::uint64_t id_bytes = 4;
constexpr const char* too_wide = "64-bit ids run on the CPU only";

bool has_ids_for(const graph_size& size) { return size.vertices <= UINT32_MAX; }

/// Bytes of the graph as it is copied to a GPU: the offsets and targets of rows, or both ends of every edge of a list.
std::uint64_t bytes_of_load(const graph_size& size) {
  return size.arcs != 0 ? id_bytes * (size.arcs + size.vertices + 1) : 2 * id_bytes * size.edges;
}
double solve_seconds(const graph_size& size, const machine_rates& rates) {
  return static_cast<double>(size.edges) * *rates.gpu_seconds_per_edge;
}
double seconds_of_link(std::uint64_t bytes, const machine_rates& rates) {
  return static_cast<double>(bytes) / *rates.link_bytes_per_second;
}
double parse_seconds(const graph_size& size, const machine_rates& rates) {
  return static_cast<double>(size.edges) * rates.parse_seconds_per_edge;
}

std::uint64_t bytes_held(const graph_size& size) {
  // bytes_needed() reads only the sizes of its argument, so the view of a list below has no edges behind it.
  const auto n = static_cast<std::uint32_t>(size.vertices);
  if (size.arcs == 0) {
    const coo_view<std::uint32_t> list{n, {static_cast<const edge<std::uint32_t>*>(nullptr), static_cast<std::size_t>(size.edges)}};
    return gpu_graph::bytes_needed(list);
  }
  return bytes_of_load(size) + 3 * id_bytes * n;  // labels, and two lists of the fast path
}

/// The two ways to solve on a GPU, with the bytes that each needs, which are the same for every GPU: to hold the graph in its memory, or to
/// stream the edges through it. `fits` is still false, and no time is estimated.
planned_way held_needs(const graph_size& size) {
  planned_way found{.name = "gpu", .device = "none", .fits = false, .remark = too_wide};
  if (!has_ids_for(size)) return found;
  found.remark = size.arcs != 0 ? "rows in its memory" : "a list of edges in its memory";
  found.bytes = bytes_held(size);
  return found;
}
planned_way stream_needs(const graph_size& size) {
  planned_way found{.name = "gpu stream", .device = "none", .fits = false, .remark = too_wide};
  const auto bytes = bytes_of_gpu_stream(size);
  if (!bytes) return found;
  found.remark = "the edges are streamed in pieces, none held there";
  found.bytes = *bytes;
  return found;
}

/// The way that streams edges through one or more GPUs, each by a link of its own to the host (`links`). `free_bytes`: the free memory of
/// the GPU that has the least.
planned_way streamed(std::uint64_t free_bytes, std::size_t links, const graph_size& size, const machine_rates& rates) {
  planned_way found = stream_needs(size);
  if (found.bytes == 0) return found;
  found.fits = found.bytes <= free_bytes;
  const double shared = 1 / static_cast<double>(links);
  const double by_link = shared * seconds_of_link(bytes_of_load(size), rates), by_gpu = shared * solve_seconds(size, rates);
  found.seconds =
      rates.gpu_start_seconds + std::max({parse_seconds(size, rates), by_link, by_gpu}) + seconds_of_link(id_bytes * size.vertices, rates);
  return found;
}

/// The GPUs as the option --device takes them, such as cuda:0,1.
std::string device_text(std::span<const gpu_facts> some, std::size_t all) {
  if (some.size() == all) return "cuda:all";
  std::string text = "cuda:";
  for (const gpu_facts& gpu : some) text += fmt::format("{}{}", text.back() == ':' ? "" : ",", gpu.index);
  return text;
}

/// The seconds that copying the graph to a GPU and its labels back takes.
double copy_seconds(const graph_size& size, const machine_rates& rates) {
  return seconds_of_link(bytes_of_load(size) + id_bytes * size.vertices, rates);
}

/// The way that holds the graph in the memory of `gpu`. Precondition of all functions here that return seconds on a GPU: the rates include
/// those of a GPU.
planned_way held_on_gpu(const gpu_facts& gpu, const graph_size& size, const machine_rates& rates) {
  planned_way found = held_needs(size);
  found.device = fmt::format("cuda:{}", gpu.index);
  if (!has_ids_for(size)) return found;
  found.fits = found.bytes <= gpu.free_bytes;
  found.seconds = rates.gpu_start_seconds + parse_seconds(size, rates) + solve_seconds(size, rates) + copy_seconds(size, rates);
  return found;
}

/// The way that streams the edges through `gpu` while parsing goes on.
planned_way streamed_through(const gpu_facts& gpu, const graph_size& size, const machine_rates& rates) {
  planned_way found = streamed(gpu.free_bytes, 1, size, rates);
  found.device = fmt::format("cuda:{}", gpu.index);
  return found;
}

}  // namespace

std::vector<planned_way> ways_on_gpus(std::span<const gpu_facts> all, const graph_size& size, const machine_rates& rates) {
  if (!built_with_cuda()) return {{.name = "gpu", .device = "none", .fits = false, .remark = "this build has no GPU part"}};
  if (all.empty()) return {held_needs(size), stream_needs(size)};
  std::vector<planned_way> ways;
  const bool can_stream = bytes_of_gpu_stream(size).has_value();
  for (const gpu_facts& gpu : all) {
    ways.push_back(held_on_gpu(gpu, size, rates));
    if (can_stream) ways.push_back(streamed_through(gpu, size, rates));
  }
  for (std::size_t count = 2; can_stream && count <= all.size(); ++count) {
    const auto some = all.first(count);
    const auto least = std::ranges::min_element(some, {}, &gpu_facts::free_bytes);
    ways.push_back(streamed(least->free_bytes, count, size, rates));
    ways.back().name = fmt::format("{} gpus", count);
    ways.back().device = device_text(some, all.size()) + ", each";
  }
  return ways;
}

namespace {

std::string seconds_text(double seconds) { return seconds < 0.0005 ? "less than 0.001 s" : fmt::format("about {:.3f} s", seconds); }

std::string cpu_text(const device_question& asked, double seconds) {
  return fmt::format("{} on the CPU with {} thread{}", seconds_text(seconds), asked.threads, asked.threads == 1 ? "" : "s");
}

/// Returns how copse components uses the GPU: it holds the graph in GPU memory if that fits, and otherwise streams the edges through the
/// GPU.
planned_way way_on(gpu_facts gpu, const device_question& asked, const machine_rates& rates) {
  gpu.free_bytes = std::min(gpu.free_bytes, asked.gpu_memory_bytes);
  planned_way held = held_on_gpu(gpu, asked.graph, rates);
  return held.fits ? held : streamed_through(gpu, asked.graph, rates);
}

}  // namespace

device_choice choose_device(const device_question& asked, const machine_rates& measured, std::span<const gpu_facts> all) {
  machine_rates rates = measured;
  rates.parse_seconds_per_edge = 0;  // parsing takes as long for the CPU as for a GPU, so it is left out of both times
  const double cpu_seconds = expected_on_cpu(asked.graph, rates);
  const std::string cpu = cpu_text(asked, cpu_seconds);
  if (all.empty()) return {"cpu", "no GPU is seen; " + cpu};
  if (cpu_seconds <= quickest_gpu_start_seconds) return {"cpu", cpu + ", before a GPU would have started"};
  if (asked.graph.vertices > UINT32_MAX) return {"cpu", cpu + "; 64-bit ids do not run on a GPU"};
  std::optional<planned_way> best;
  device_choice chosen;
  for (const gpu_facts& gpu : all) {
    const planned_way found = way_on(gpu, asked, rates);
    if (!found.fits || (best && *best->seconds <= *found.seconds)) continue;
    best = found;
    chosen.device = found.device;
    chosen.way = found.name;
  }
  if (!best) return {"cpu", fmt::format("{}; no GPU has the memory for it, not even streamed", cpu)};
  chosen.reason = fmt::format("{}; {} on {} ({}): {:.3f} s to start, {:.3f} s for copies", cpu, seconds_text(*best->seconds), best->device,
                              best->remark, rates.gpu_start_seconds, copy_seconds(asked.graph, rates));
  if (*best->seconds >= cpu_seconds) {
    chosen.device = "cpu";
    chosen.way.clear();
  }
  return chosen;
}

solve_plan make_plan(const plan_question& asked, const sized_source& source, const machine_rates& rates, std::span<const gpu_facts> gpus) {
  solve_plan plan{
      .asked = asked, .sizes = source.origin, .ways = ways_on_cpu(asked, rates), .auto_device = {}, .auto_way = {}, .auto_reason = {}};
  std::vector<gpu_facts> limited{gpus.begin(), gpus.end()};
  for (gpu_facts& gpu : limited) gpu.free_bytes = std::min(gpu.free_bytes, asked.gpu_memory_bytes);
  const std::vector<planned_way> on_gpus = ways_on_gpus(limited, asked.size, rates);
  plan.ways.insert(plan.ways.end(), on_gpus.begin(), on_gpus.end());
  const device_choice chosen = source.hidden.empty() ? choose_device({.graph = asked.size, .threads = asked.threads}, rates, limited)
                                                     : device_choice{"cpu", source.hidden};
  plan.auto_device = chosen.device;
  plan.auto_way = chosen.device != "cpu" ? chosen.way : source.streamed ? "stream" : "held";
  plan.auto_reason = chosen.reason;
  return plan;
}

}  // namespace copse
