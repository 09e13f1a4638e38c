#include <copse/errors.hpp>
#include <core/new_pages.hpp>
#include <device/stream_into.hpp>
#include <device/stream_run.hpp>

#include <string>
#include <type_traits>

namespace copse::device {
namespace {

using id = std::uint32_t;

/// Edges that `add(parts)` lets pass. `forest`: for the edges that joined two components, or null. No room for labels: none are wanted.
template <class Add>
solve_report stream(id vertices, std::uint64_t edges, std::span<id> labels, buffer<edge<id>>* forest, const gpu_edge_sink_options& options,
                    Add add) {
  stream_run run{vertices, options};
  {
    const phase_timer time{run.times, "stream"};
    touching_pages_beside(usable_threads(options.threads), labels, [&] {
      add(run.parts);
      run.parts.wait();
    });
  }
  {
    const phase_timer time{run.times, "merge"};
    run.parts.merge();
  }
  if (forest != nullptr) {
    const phase_timer time{run.times, "forest"};
    *forest = run.parts.take_forest(options.memory);
  }
  if (!labels.empty()) {
    const phase_timer time{run.times, "labels"};
    run.parts.copy_labels(labels);
  }
  return run.report(edges);
}

solve_report stream_view(graph_view g, std::span<id> labels, buffer<edge<id>>* forest, const gpu_edge_sink_options& options) {
  return std::visit(
      [&]<class View>(const View& view) -> solve_report {
        if constexpr (sizeof(typename View::id_type) != sizeof(id)) {
          throw usage_error{"gpu_edge_sink: found 64-bit ids, expected at most 2^32 - 1 vertices"};
        } else if constexpr (requires { view.offsets; }) {
          return stream(view.vertices(), view.targets.size(), labels, forest, options, [&](gpu_parts& parts) { parts.add(view); });
        } else {
          return stream(view.vertices(), view.edges.size(), labels, forest, options, [&](gpu_parts& parts) { parts.add(view.edges); });
        }
      },
      g);
}

}  // namespace

stream_run::stream_run(id vertices, const gpu_edge_sink_options& options) : options_{options}, parts{vertices, options} {}

solve_report stream_run::report(std::uint64_t edges) const {
  solve_report report;
  report.variant = "cuda.none.fast";
  report.device.clear();
  for (const unsigned gpu : options_.gpus) report.device.append(report.device.empty() ? "cuda:" : ",").append(std::to_string(gpu));
  report.threads = usable_threads(options_.threads);
  report.edges = edges;
  report.copy_seconds = std::chrono::duration<double>(start_ - waking_).count();
  report.solve_seconds = std::chrono::duration<double>(clock::now() - start_).count();
  report.phases = times.all();
  return report;
}

solve_report stream_into(graph_view g, std::span<id> labels, const gpu_edge_sink_options& options) {
  return stream_view(g, labels, nullptr, options);
}

streamed_forest stream_forest(graph_view g, std::span<id> labels, const gpu_edge_sink_options& options) {
  streamed_forest found;
  found.report = stream_view(g, labels, &found.edges, options);
  return found;
}

solve_report stream_into(edge_columns_view<id> edges, std::span<id> labels, const gpu_edge_sink_options& options) {
  return stream(edges.vertices(), edges.sources.size(), labels, nullptr, options,
                [&](gpu_parts& parts) { parts.add(edges.sources, edges.targets); });
}

}  // namespace copse::device
