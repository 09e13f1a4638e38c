#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <core/devices.hpp>
#include <drivers/streaming/streaming_sink.hpp>
#include <plan/files.hpp>
#include <plan/streamed.hpp>

#include <algorithm>
#include <string>

namespace copse::plan {
namespace {

io::format format_of(const std::filesystem::path& path, const io::read_options& input) {
  return input.format ? *input.format : path == "-" ? io::format::edges : io::format_of(path);
}

std::optional<unsigned> threads_of_file(const std::filesystem::path& path, const io::read_options& input, const solve_request& options) {
  if (options.count || gpu_of_hybrid(options)) return std::nullopt;  // counting and hybrid solves need the whole graph
  const io::format format = format_of(path, input);
  if (io::has_rows(format)) return std::nullopt;
  const unsigned threads = usable_threads(options.threads);
  if (options.variant == "auto") return threads;
  if (io::declares_vertices(format)) return std::nullopt;
  if (options.variant == streaming::serial_variant) return 1;
  if (options.variant == streaming::shared_variant && threads > 1) return threads;
  return std::nullopt;
}

}  // namespace

std::optional<unsigned> streaming_threads(std::span<const std::filesystem::path> paths, const io::read_options& input,
                                          const solve_request& options) {
  if (paths.size() == 1) return threads_of_file(paths.front(), input, options);
  unsigned least_threads = usable_threads(options.threads);
  for (const auto& path : paths) {
    const auto threads = threads_of_file(path, input, options);
    if (!threads) {
      throw usage_error{path.string() + ": several files must be edge lists, solved by the variants auto, " +
                        std::string{streaming::serial_variant} + " and, with two threads or more, " +
                        std::string{streaming::shared_variant}};
    }
    least_threads = std::min(least_threads, *threads);
  }
  return least_threads;
}

bool is_streamed_to_gpu(const std::filesystem::path& path, const io::read_options& input, const solve_request& options) {
  return options.variant == "auto" && !options.count && !plan::is_read_once({&path, 1}) && !io::has_rows(format_of(path, input));
}

}  // namespace copse::plan

namespace copse {

bool is_streamed(const std::filesystem::path& path, const io::read_options& input, const solve_options& options, const execution& on) {
  const named_devices named = devices_of(on);
  if (named.several()) return true;
  if (!named.gpus.empty() && !named.hybrid) return plan::is_streamed_to_gpu(path, input, {options, on});
  return plan::streaming_threads({&path, 1}, input, {options, on}).has_value();
}

}  // namespace copse
