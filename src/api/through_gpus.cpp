// Solves graphs and files by streaming their edges through GPUs. Edges that need checks are checked on the way.
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

namespace copse::api {
namespace {

using id = std::uint32_t;

template <class Edges>
components_result stream_checked(const Edges& g, const vertex_names& names, const request<device::streaming_options>& options) {
  buffer<id> labels{names.size(), options.memory};
  components_result result;
  result.report = device::stream_into(g, labels.span(), options);
  result.labels = labelling{std::move(labels), names};
  return result;
}

graph_view checked_view(graph_view g, const request<device::streaming_options>& options) {
  return std::visit([&](const auto& view) { return graph_view{checked(view, options)}; }, g);
}

/// Returns the largest array, in vertices, that may be indexed by the ids of a file; a file with larger ids is read to host memory and
/// numbered there. The limit is the size of the file in bytes: a file with larger ids would leave most elements unused.
std::uint64_t most_slots_for(const std::filesystem::path& path) {
  constexpr std::uint64_t always = std::uint64_t{1} << 24;
  std::error_code unknown;  // an error here is ignored: reading the file reports it
  const std::uint64_t bytes = std::filesystem::file_size(path, unknown);
  const bool packed = path.extension() == ".gz" || path.extension() == ".zst";
  constexpr std::uint64_t packed_to = 16;  // compressed files are assumed to have at most this many times their size when unpacked
  return unknown ? always : std::max(always, packed ? packed_to * bytes : bytes);
}

}  // namespace

components_result components_through_gpus(graph_view g, const vertex_names& names, const request<device::streaming_options>& options) {
  return stream_checked(checked_view(g, options), names, options);
}

components_result components_through_gpus(graph_view g, const request<device::streaming_options>& options) {
  const std::uint64_t vertices = std::visit([](const auto& view) { return std::uint64_t{view.vertices()}; }, g);
  return components_through_gpus(g, vertex_names::identity(vertices), options);
}

components_result components_through_gpus(edge_columns_view<id> edges, const request<device::streaming_options>& options) {
  return stream_checked(checked(edges, options), vertex_names::identity(edges.vertices()), options);
}

forest_result spanning_forest_through_gpus(graph_view g, const vertex_names& names, const request<device::streaming_options>& options,
                                           bool with_labels) {
  request<device::streaming_options> keeping = options;
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
                                                             const request<device::streaming_options>& options) {
  if (paths.empty()) throw usage_error{"cuda: at least one file is required"};
  const auto& path = paths.front();
  if (paths.size() == 1 && path != "-" && gpu_graph::reads(path, input))
    return device::stream_rows(path, input.format ? *input.format : io::format_of(path), input, options);
  std::error_code missing;
  const bool one_file = paths.size() == 1 && std::filesystem::is_regular_file(path, missing);  // a pipe cannot be read again
  try {
    return device::stream_parsed(paths, input, one_file ? most_slots_for(path) : UINT64_MAX, options);
  } catch (const device::ids_for_no_gpu&) {
    if (!one_file) throw usage_error{"cuda: ids of several files must be integers up to 2^32 - 2; other ids need a single file"};
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
