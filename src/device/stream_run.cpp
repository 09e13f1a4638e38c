#include <device/stream_run.hpp>

#include <copse/errors.hpp>
#include <core/new_pages.hpp>
#include <core/parallel.hpp>
#include <io/binary_source.hpp>
#include <io/request.hpp>

#include <algorithm>
#include <atomic>
#include <string>
#include <type_traits>
#include <utility>

namespace copse::device {
namespace {

using id = std::uint32_t;

/// Solves the edges that add(parts) adds. `forest` receives the edges that joined two components, unless it is null. Labels are written
/// unless `labels` is empty.
template <class Add>
solve_report stream(id vertices, std::uint64_t edges, std::span<id> labels, buffer<edge<id>>* forest,
                    const request<streaming_options>& options, Add add) {
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

solve_report stream_view(graph_view g, std::span<id> labels, buffer<edge<id>>* forest, const request<streaming_options>& options) {
  return std::visit(
      [&]<class View>(const View& view) -> solve_report {
        if constexpr (sizeof(typename View::id_type) != sizeof(id)) {
          throw usage_error{"a GPU takes ids of 32 bits, not of 64; solve this graph on the CPU"};
        } else if constexpr (requires { view.offsets; }) {
          return stream(view.vertices(), view.targets.size(), labels, forest, options, [&](gpu_parts& parts) { parts.add(view); });
        } else {
          return stream(view.vertices(), view.edges.size(), labels, forest, options, [&](gpu_parts& parts) { parts.add(view.edges); });
        }
      },
      g);
}

}  // namespace

stream_run::stream_run(id vertices, const request<streaming_options>& options) : options_{options}, parts{vertices, options} {}

solve_report stream_run::report(std::uint64_t edges) const {
  solve_report report;
  report.variant = "cuda.none.fast";
  report.device = parts.device();
  report.threads = usable_threads(options_.threads);
  report.edges = edges;
  report.copy_seconds = std::chrono::duration<double>(start_ - waking_).count();
  report.solve_seconds = std::chrono::duration<double>(clock::now() - start_).count();
  report.phases = times.all();
  return report;
}

solve_report stream_into(graph_view g, std::span<id> labels, const request<streaming_options>& options) {
  return stream_view(g, labels, nullptr, options);
}

streamed_forest forest_by_streaming(graph_view g, std::span<id> labels, const request<streaming_options>& options) {
  streamed_forest found;
  found.report = stream_view(g, labels, &found.edges, options);
  return found;
}

solve_report stream_into(edge_columns_view<id> edges, std::span<id> labels, const request<streaming_options>& options) {
  return stream(edges.vertices(), edges.sources.size(), labels, nullptr, options,
                [&](gpu_parts& parts) { parts.add(edges.sources, edges.targets); });
}

// Streams of files: binary rows go to GPUs as they are stored, and every other format goes through its reader.

namespace {

/// Returns an item as an unsigned number: a negative one becomes huge, so that the checks find it.
std::uint64_t item(const io::packed_integers& all, std::uint64_t i) {
  return all.with_type([&]<class T>(T) { return static_cast<std::uint64_t>(io::load<T>(all.bytes.data() + i * sizeof(T))); });
}

/// Returns the smallest i < count for which wrong(i) is true; count if there is none.
template <class Wrong>
std::uint64_t first_wrong(std::uint64_t count, unsigned threads, Wrong wrong) {
  std::atomic<std::uint64_t> first{count};
  parallel_blocks(usable_threads(threads), count, std::size_t{1} << 16, [&](std::size_t begin, std::size_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      if (!wrong(i)) continue;
      std::uint64_t seen = first.load(std::memory_order_relaxed);
      while (i < seen && !first.compare_exchange_weak(seen, i, std::memory_order_relaxed)) {
      }
      return;
    }
  });
  return first.load(std::memory_order_relaxed);
}

void expect_offsets(const io::rows_file& file, unsigned threads) {
  const std::uint64_t n = file.vertices(), m = file.arcs();
  const std::uint64_t bad = first_wrong(n + 1, threads, [&](std::uint64_t i) {
    const std::uint64_t value = item(file.offsets, i);
    return value > m || (i == 0 ? value != 0 : value < item(file.offsets, i - 1)) || (i == n && value != m);
  });
  if (bad <= n) io::refuse_offset(file.offsets, bad, m);
}

}  // namespace

/// Checks the offsets first, because they decide which rows each copy to the GPU has. The GPU counts targets that are not vertices; if
/// there are any, the host finds the first one for the error.
streamed_components stream_rows(const std::filesystem::path& path, io::format format, const io::read_options& input,
                                const request<streaming_options>& options) {
  const io::read_request reading{input, options.on()};
  const io::rows_file file = format == io::format::sg ? io::open_sg(path, reading) : io::open_egr(path, reading);
  const std::uint64_t n = file.vertices(), m = file.arcs();
  stream_run run{static_cast<id>(n), options};
  expect_offsets(file, options.threads);
  buffer<id> labels{n, options.memory};
  try {
    const phase_timer time{run.times, "stream"};
    touching_pages_beside(usable_threads(options.threads), labels.span(), [&] {
      run.parts.add_rows({n, m, file.offsets.bytes.data(), file.offsets.width, file.targets.bytes.data(), false, true},
                         [&file](std::uint64_t row) { return item(file.offsets, row); });
      run.parts.wait();
    });
  } catch (const input_error&) {
    const std::uint64_t at = first_wrong(m, options.threads, [&](std::uint64_t i) { return item(file.targets, i) >= n; });
    if (at < m) io::refuse_target(file.targets, at, n);
    throw;
  }
  {
    const phase_timer time{run.times, "merge"};
    run.parts.merge();
  }
  const arc_sums sums = run.parts.sums();
  {
    const phase_timer time{run.times, "labels"};
    run.parts.copy_labels(labels.span());
  }
  streamed_components result;
  if (options.keep_forest) {
    const phase_timer time{run.times, "forest"};
    result.forest = graph{coo<id>{static_cast<id>(n), run.parts.take_forest(options.memory)}};
  }
  result.labels = labelling{std::move(labels), vertex_names::identity(n)};
  result.report = run.report(sums.symmetric() ? (m - sums.loops) / 2 + sums.loops : m);
  result.arcs = m;
  return result;
}

streamed_components stream_parsed(std::span<const std::filesystem::path> paths, const io::read_options& input, std::uint64_t most_slots,
                                  const request<streaming_options>& options) {
  stream_run run{0, options};
  stream_sink sink{run.parts, most_slots, options};
  {
    const phase_timer time{run.times, "stream"};
    io::parse(paths, input, sink, options.on());
  }
  streamed_components result;
  if (options.keep_forest) {
    const phase_timer time{run.times, "forest and labels"};
    auto [forest, labels] = sink.take_forest();
    result.forest = std::move(forest);
    result.labels = std::move(labels);
  } else {
    const phase_timer time{run.times, "labels"};
    result.labels = sink.take_labelling();
  }
  result.arcs = sink.edge_count();
  result.report = run.report(result.arcs);
  return result;
}

}  // namespace copse::device
