// components() of files: streamed where that is possible, otherwise read and solved.
#include <api/through_gpus.hpp>
#include <copse/components.hpp>
#include <copse/errors.hpp>
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

namespace copse {
namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }

/// How many threads may unite while they parse; nothing when the file must be read first.
std::optional<unsigned> streaming_threads(const std::filesystem::path& path, const io::read_options& input, const solve_request& options) {
  if (options.count || gpu_of_hybrid(options)) return std::nullopt;  // both need the whole graph in memory
  const io::format format = input.format ? *input.format : path == "-" ? io::format::edges : io::format_of(path);
  const bool declares_vertices = format == io::format::mtx || format == io::format::dimacs;
  const unsigned threads = usable_threads(options.threads);
  if (options.variant == "auto") {
    if (io::is_edge_list(format) || declares_vertices) return threads;
  } else if (io::is_edge_list(format)) {
    if (options.variant == streaming::serial_variant) return 1;
    if (options.variant == streaming::shared_variant && threads > 1) return threads;
  }
  return std::nullopt;
}

components_result stream(std::span<const std::filesystem::path> paths, const io::read_options& input, const solve_request& options,
                         unsigned threads) {
  const auto start = clock::now();
  streaming::streaming_sink sink{threads, options.memory};
  execution reading = options.on();
  reading.threads = threads;
  io::parse(paths, input, sink, reading);
  components_result result;
  result.labels = sink.take_labelling();
  result.report.variant = sink.shared() ? streaming::shared_variant : streaming::serial_variant;
  if (options.variant == "auto") {
    result.report.explanation = "the edges pass by once: united while parsed (" + std::to_string(sink.workers()) +
                                (sink.shared() ? " workers" : " worker") + "), none held";
  }
  result.report.threads = sink.workers();
  result.report.edges = sink.edge_count();
  result.report.solve_seconds = seconds_since(start);
  return result;
}

/// Straight from the files to several GPUs.
components_result stream_through_gpus(std::span<const std::filesystem::path> paths, const io::read_options& input,
                                      const solve_request& options) {
  api::expect_streamed_variant(options);
  components_result result = api::components_of_files_through_gpus(paths, input, {{}, options.on()});
  const std::size_t gpus = device::gpus_of(options).size();
  result.report.explanation = gpus == 1 && paths.size() > 1
                                  ? "several files: the edges are streamed through the GPU in pieces, united as they come"
                                  : api::several_gpus_explanation(gpus, "united as they come");
  return result;
}

/// On the device that auto takes for the files.
components_result solve_on_chosen(std::span<const std::filesystem::path> paths, const io::read_options& input, const solve_options& asked,
                                  const execution& on) {
  return plan::solve_on_chosen(
      {asked, on}, [&] { return device_for(paths, input, on); },
      [&](const execution& chosen) { return components(paths, input, asked, chosen); });
}

}  // namespace

components_result components(const std::filesystem::path& path, const io::read_options& input, const solve_options& asked,
                             const execution& on) {
  const solve_request options{asked, on};
  if (devices_of(on).by_cost) return solve_on_chosen({&path, 1}, input, asked, on);
  if (devices_of(on).several()) return stream_through_gpus({&path, 1}, input, options);
  try {
    if (const auto threads = streaming_threads(path, input, options)) return stream({&path, 1}, input, options, *threads);
    plan::expect_room({&path, 1}, input, on);
    const auto start = clock::now();
    const graph whole = io::read_graph(path, input, on);
    const double read_seconds = seconds_since(start);
    components_result result = components(whole, asked, on);
    result.report.read_seconds = read_seconds;
    return result;
  } catch (const memory_error& problem) {
    throw plan::with_ways(problem, {&path, 1}, input, on);
  } catch (const std::bad_alloc&) {
    throw resource_error{"out of memory while " + path.string() + " was read"};
  }
}

components_result components(std::span<const std::filesystem::path> paths, const io::read_options& input, const solve_options& asked,
                             const execution& on) {
  if (paths.size() == 1) return components(paths.front(), input, asked, on);
  const solve_request options{asked, on};
  const named_devices named = devices_of(on);
  if (named.by_cost) return solve_on_chosen(paths, input, asked, on);
  const bool one_gpu = named.gpus.size() == 1 && !named.hybrid && options.variant == "auto";  // several files are never held
  if (named.several() || one_gpu) return stream_through_gpus(paths, input, options);
  unsigned least_threads = usable_threads(on.threads);
  for (const auto& path : paths) {
    const auto threads = streaming_threads(path, input, options);
    if (!threads) {
      throw usage_error{path.string() + ": only edge lists can be united with others, by the variants auto, " +
                        std::string{streaming::serial_variant} + " and, with two threads or more, " +
                        std::string{streaming::shared_variant}};
    }
    least_threads = std::min(least_threads, *threads);
  }
  try {
    return stream(paths, input, options, least_threads);
  } catch (const memory_error& problem) {
    throw plan::with_ways(problem, paths, input, on);
  } catch (const std::bad_alloc&) {
    throw resource_error{"out of memory while " + std::to_string(paths.size()) + " files were read"};
  }
}

bool is_streamed(const std::filesystem::path& path, const io::read_options& input, const solve_options& options, const execution& on) {
  return devices_of(on).several() || streaming_threads(path, input, {options, on}).has_value();
}

}  // namespace copse
