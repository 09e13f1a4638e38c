// gpu_edge_sink, and solves by it: what is streamed is checked where that is asked for.
#include <api/check_view.hpp>
#include <api/through_gpus.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <device/stream_run.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <system_error>
#include <utility>

namespace copse {
namespace {

using id = std::uint32_t;

template <class Edges>
components_result stream_checked(const Edges& g, const vertex_names& names, const request<gpu_edge_sink_options>& options) {
  buffer<id> labels{names.size(), options.memory};
  components_result result;
  result.report = device::stream_into(g, labels.span(), options);
  result.labels = labelling{std::move(labels), names};
  return result;
}

graph_view checked_view(graph_view g, const request<gpu_edge_sink_options>& options) {
  return std::visit([&](const auto& view) { return graph_view{api::checked(view, options)}; }, g);
}

/// How many vertices an array may have for the ids of a file, which is read to host memory and numbered there if its ids are larger. A file
/// has more bytes than that unless most of the slots stay empty.
std::uint64_t most_slots_for(const std::filesystem::path& path) {
  constexpr std::uint64_t always = std::uint64_t{1} << 24;
  std::error_code unknown;  // reading says what is wrong with it
  const std::uint64_t bytes = std::filesystem::file_size(path, unknown);
  const bool packed = path.extension() == ".gz" || path.extension() == ".zst";
  constexpr std::uint64_t packed_to = 16;  // a file at most, about
  return unknown ? always : std::max(always, packed ? packed_to * bytes : bytes);
}

}  // namespace

struct gpu_edge_sink::state {
  device::gpu_parts parts;
  bool keeps_forest;
  std::pmr::memory_resource* memory;
};

gpu_edge_sink::gpu_edge_sink(id vertices, const gpu_edge_sink_options& options, const execution& on)
    : state_{new state{{vertices, {options, on}}, options.keep_forest, on.memory}} {}
gpu_edge_sink::gpu_edge_sink(gpu_edge_sink&&) noexcept = default;
gpu_edge_sink& gpu_edge_sink::operator=(gpu_edge_sink&&) noexcept = default;
gpu_edge_sink::~gpu_edge_sink() = default;

void gpu_edge_sink::grow(id vertices) { state_->parts.grow(vertices); }
void gpu_edge_sink::add(std::span<const edge<id>> edges) { state_->parts.add(edges); }
void gpu_edge_sink::add(std::span<const id> sources, std::span<const id> targets) {
  if (sources.size() != targets.size()) {
    throw usage_error{"gpu_edge_sink: sources and targets must have the same length, not " + std::to_string(sources.size()) + " and " +
                      std::to_string(targets.size())};
  }
  state_->parts.add(sources, targets);
}
void gpu_edge_sink::add(csr_view<id, std::uint32_t> rows) { state_->parts.add(rows); }
void gpu_edge_sink::add(csr_view<id, std::uint64_t> rows) { state_->parts.add(rows); }

void gpu_edge_sink::add_resident(std::size_t part, device_span<const edge<id>> edges, std::optional<cuda_stream> stream) {
  if (part >= state_->parts.size()) {
    throw usage_error{"gpu_edge_sink: part must be below " + std::to_string(state_->parts.size()) + ", not " + std::to_string(part)};
  }
  device::stream_part& taker = state_->parts[part];
  const device::on_device there{taker.gpu()};
  taker.take_resident({edges.data(), edges.size()}, stream);
}

void gpu_edge_sink::wait() { state_->parts.wait(); }

labelling gpu_edge_sink::labels() {
  state_->parts.merge();
  buffer<id> found{state_->parts.labelled(), state_->memory};
  state_->parts.copy_labels(found.span());
  const std::size_t count = found.size();
  return {std::move(found), vertex_names::identity(count)};
}

graph gpu_edge_sink::forest() {
  if (!state_->keeps_forest) throw usage_error{"gpu_edge_sink: forest() needs gpu_edge_sink_options::keep_forest"};
  state_->parts.merge();
  return graph{coo<id>{state_->parts.labelled(), state_->parts.take_forest(state_->memory)}};
}

}  // namespace copse

namespace copse::api {

components_result components_through_gpus(graph_view g, const vertex_names& names, const request<gpu_edge_sink_options>& options) {
  return stream_checked(checked_view(g, options), names, options);
}

components_result components_through_gpus(graph_view g, const request<gpu_edge_sink_options>& options) {
  const std::uint64_t vertices = std::visit([](const auto& view) { return std::uint64_t{view.vertices()}; }, g);
  return components_through_gpus(g, vertex_names::identity(vertices), options);
}

components_result components_through_gpus(edge_columns_view<id> edges, const request<gpu_edge_sink_options>& options) {
  return stream_checked(checked(edges, options), vertex_names::identity(edges.vertices()), options);
}

forest_result spanning_forest_through_gpus(graph_view g, const vertex_names& names, const request<gpu_edge_sink_options>& options,
                                           bool with_labels) {
  request<gpu_edge_sink_options> keeping = options;
  keeping.keep_forest = true;
  const std::size_t vertices = names.size();
  buffer<id> labels{with_labels ? vertices : 0, options.memory};
  auto found = device::forest_by_streaming(checked_view(g, options), labels.span(), keeping);
  forest_result result;
  result.edges = graph{coo<id>{static_cast<id>(vertices), std::move(found.edges)}, names};
  result.report = std::move(found.report);
  if (with_labels) result.labels.emplace(std::move(labels), names);
  return result;
}

device::streamed_components components_of_files_through_gpus(std::span<const std::filesystem::path> paths, const io::read_options& input,
                                                             const request<gpu_edge_sink_options>& options) {
  if (paths.empty()) throw usage_error{"gpu_edge_sink: at least one file is required"};
  const auto& path = paths.front();
  if (paths.size() == 1 && path != "-" && gpu_graph::reads(path, input))
    return device::stream_rows(path, input.format ? *input.format : io::format_of(path), input, options);
  std::error_code missing;
  const bool one_file = paths.size() == 1 && std::filesystem::is_regular_file(path, missing);  // what is no file cannot be read again
  try {
    return device::stream_parsed(paths, input, one_file ? most_slots_for(path) : UINT64_MAX, options);
  } catch (const device::ids_for_no_gpu&) {
    if (!one_file) throw usage_error{"gpu_edge_sink: ids of several files must be integers up to 2^32 - 2; other ids need a single file"};
  }
  const auto start = std::chrono::steady_clock::now();
  const graph held = io::read_graph(path, input, options.on());
  const double read_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  device::streamed_components result;
  if (options.keep_forest) {
    forest_result found = spanning_forest_through_gpus(held.view(), held.names(), options, true);
    result.labels = *std::move(found.labels);
    result.report = std::move(found.report);
    result.forest = std::move(found.edges);
  } else {
    static_cast<components_result&>(result) = components_through_gpus(held.view(), held.names(), options);
  }
  result.report.read_seconds = read_seconds;
  result.arcs = result.report.edges;
  return result;
}

}  // namespace copse::api
