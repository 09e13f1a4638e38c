// components() and spanning_forest() of files: streamed where that is possible, otherwise read and solved.
#include <api/through_gpus.hpp>
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/spanning_forest.hpp>
#include <core/devices.hpp>
#include <device/gpus.hpp>
#include <drivers/streaming/streaming_sink.hpp>
#include <plan/auto_device.hpp>
#include <plan/room.hpp>

#include <algorithm>
#include <chrono>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace copse {
namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }

/// How many threads may unite while they parse; nothing when the file must be read first.
std::optional<unsigned> streaming_threads(const std::filesystem::path& path, const io::read_options& input, const solve_request& options) {
  if (options.count || gpu_of_hybrid(options)) return std::nullopt;  // both need the whole graph in memory
  const io::format format = input.format ? *input.format : path == "-" ? io::format::edges : io::format_of(path);
  if (io::has_rows(format)) return std::nullopt;
  const unsigned threads = usable_threads(options.threads);
  if (options.variant == "auto") return threads;
  if (io::declares_vertices(format)) return std::nullopt;
  if (options.variant == streaming::serial_variant) return 1;
  if (options.variant == streaming::shared_variant && threads > 1) return threads;
  return std::nullopt;
}

/// The same for files that are one graph. Throws usage_error for one of several that must be read first.
std::optional<unsigned> streaming_threads(std::span<const std::filesystem::path> paths, const io::read_options& input,
                                          const solve_request& options) {
  if (paths.size() == 1) return streaming_threads(paths.front(), input, options);
  unsigned least_threads = usable_threads(options.threads);
  for (const auto& path : paths) {
    const auto threads = streaming_threads(path, input, options);
    if (!threads) {
      throw usage_error{path.string() + ": only edge lists can be united with others, by the variants auto, " +
                        std::string{streaming::serial_variant} + " and, with two threads or more, " +
                        std::string{streaming::shared_variant}};
    }
    least_threads = std::min(least_threads, *threads);
  }
  return least_threads;
}

/// The one way from files to an answer: `through_gpus(why)` if several GPUs share the edges, or a GPU takes several files, which are never
/// held; `streamed(threads)` if the threads unite them while they parse; otherwise `solved(graph)`.
template <class ThroughGpus, class Streamed, class Solved>
auto solve_files(std::span<const std::filesystem::path> paths, const io::read_options& input, const solve_request& options,
                 ThroughGpus through_gpus, Streamed streamed, Solved solved) {
  const named_devices named = devices_of(options);
  const bool several_files = paths.size() > 1 && named.gpus.size() == 1 && !named.hybrid && options.variant == "auto";
  if (named.several() || several_files) api::expect_streamed_variant(options);
  try {
    if (named.several()) return through_gpus("several GPUs");
    if (several_files) return through_gpus("several files");
    if (const auto threads = streaming_threads(paths, input, options)) return streamed(*threads);
    plan::expect_room(paths, input, options.on());
    const auto start = clock::now();
    const graph whole = io::read_graph(paths.front(), input, options.on());
    const double read_seconds = seconds_since(start);
    auto result = solved(whole);
    result.report.read_seconds = read_seconds;
    return result;
  } catch (const memory_error& problem) {
    throw plan::with_ways(problem, paths, input, options.on());
  } catch (const std::bad_alloc&) {
    throw resource_error{"out of memory while " +
                         (paths.size() == 1 ? paths.front().string() + " was read" : std::to_string(paths.size()) + " files were read")};
  }
}

/// Has the sink unite the edges while `threads` parse them; `take()` makes the answer of it. `held`: which edges are, for the explanation.
template <class Take>
auto stream(streaming::streaming_sink& sink, unsigned threads, std::span<const std::filesystem::path> paths, const io::read_options& input,
            const solve_request& options, std::string_view held, Take take) {
  const auto start = clock::now();
  execution reading = options.on();
  reading.threads = threads;
  io::parse(paths, input, sink, reading);
  auto result = take();
  result.report.variant = sink.shared() ? streaming::shared_variant : streaming::serial_variant;
  if (options.variant == "auto") {
    result.report.explanation = "the edges pass by once: united while parsed (" + std::to_string(sink.workers()) +
                                (sink.shared() ? " workers" : " worker") + "), " + std::string{held};
  }
  result.report.threads = sink.workers();
  result.report.edges = sink.edge_count();
  result.report.solve_seconds = seconds_since(start);
  return result;
}

}  // namespace

components_result components(std::span<const std::filesystem::path> paths, const io::read_options& input, const solve_options& asked,
                             const execution& on) {
  const solve_request options{asked, on};
  if (devices_of(on).by_cost) {
    return plan::solve_on_chosen(
        options, [&] { return device_for(paths, input, on); },
        [&](const execution& chosen) { return components(paths, input, asked, chosen); });
  }
  const auto through_gpus = [&](std::string_view why) {
    components_result result = api::components_of_files_through_gpus(paths, input, {{}, on});
    result.report.explanation = api::streaming_explanation(why, device::gpus_of(on).size(), api::united_as_they_come);
    return result;
  };
  const auto streamed = [&](unsigned threads) {
    streaming::streaming_sink sink{threads, on.memory};
    return stream(sink, threads, paths, input, options, "none held", [&] {
      components_result result;
      result.labels = sink.take_labelling();
      return result;
    });
  };
  return solve_files(paths, input, options, through_gpus, streamed, [&](const graph& whole) { return components(whole, asked, on); });
}

components_result components(const std::filesystem::path& path, const io::read_options& input, const solve_options& options,
                             const execution& on) {
  return components(std::span{&path, 1}, input, options, on);
}

forest_result spanning_forest(std::span<const std::filesystem::path> paths, const io::read_options& input, const solve_options& asked,
                              const execution& on) {
  const solve_request options{asked, on};
  api::expect_forest_possible(options);
  const auto result_of = [&](graph forest, labelling labels) {
    forest_result result;
    result.edges = std::move(forest);
    if (options.with_labels) result.labels = std::move(labels);
    return result;
  };
  const auto through_gpus = [&](std::string_view why) {
    auto found = api::components_of_files_through_gpus(paths, input, {{.keep_forest = true}, on});
    forest_result result = result_of(std::move(found.forest), std::move(found.labels));
    result.report = std::move(found.report);
    result.report.explanation = api::streaming_explanation(why, device::gpus_of(on).size(), api::joining_edges_kept);
    return result;
  };
  const auto streamed = [&](unsigned threads) {
    streaming::streaming_sink sink{threads, on.memory, true};
    return stream(sink, threads, paths, input, options, api::joining_edges_kept, [&] {
      auto [forest, labels] = sink.take_forest();
      return result_of(std::move(forest), std::move(labels));
    });
  };
  return solve_files(paths, input, options, through_gpus, streamed, [&](const graph& whole) { return spanning_forest(whole, asked, on); });
}

forest_result spanning_forest(const std::filesystem::path& path, const io::read_options& input, const solve_options& options,
                              const execution& on) {
  return spanning_forest(std::span{&path, 1}, input, options, on);
}

bool is_streamed(const std::filesystem::path& path, const io::read_options& input, const solve_options& options, const execution& on) {
  return devices_of(on).several() || streaming_threads(path, input, {options, on}).has_value();
}

}  // namespace copse
