// Computes the partial answers of parts of files.
#include <copse/errors.hpp>
#include <copse/partial.hpp>

#include <api/forest_sink.hpp>
#include <core/request.hpp>
#include <drivers/streaming/streaming_sink.hpp>
#include <io/readers.hpp>
#include <io/request.hpp>
#include <io/weight_rule.hpp>
#include <verify/parts.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace copse {

partial<labelling> components_of_part(std::span<const std::filesystem::path> paths, file_part part, const io::read_options& input,
                                      const execution& on) {
  return partial<labelling>{streaming::components_of_part(paths, checked(part), {input, on}), on.memory};
}

partial<weighted_forest_result> weighted_forest_of_part(std::span<const std::filesystem::path> paths, file_part part,
                                                        const io::read_options& input, const weighted_forest_options& options,
                                                        const execution& on) {
  const request<weighted_forest_options> solving{options, on};
  merger<weighted_forest_result> all{on};
  weighted_forest_result nothing = partial<weighted_forest_result>{}.take_answer();
  nothing.goal = options.goal;
  // adds an empty answer, so that the result has the goal (minimum or maximum spanning forest) even if no file belongs to the part
  all.add(partial<weighted_forest_result>{nothing, on.memory});
  std::optional<partial<weighted_forest_result>> last;
  for_files(paths, {input, on}, part, [&](const std::filesystem::path& path, const io::read_request& reading, io::part_of_file own) {
    weighted_forest_result found;
    if (io::streams_weights(path, reading)) {
      const io::read_request weights = io::with_all_weights(reading);
      api::forest_sink sink{weights, solving};
      io::parse(path, weights, own, sink);
      found = std::move(sink).take();
    } else if (own.takes_turn()) {
      found = weighted_forest(io::read_weighted_graph(path, reading.options(), on), options, on);
    } else {
      return;
    }
    last.emplace(found, on.memory);
    if (paths.size() == 1) return;
    try {
      all.add(*last);
    } catch (const usage_error& e) {
      throw usage_error{path.string() + ": " + e.what()};
    }
  });
  return paths.size() == 1 && last ? *std::move(last) : all.finish();
}

void parse_part(std::span<const std::filesystem::path> paths, file_part part, const io::read_options& input, io::edge_sink& sink,
                const execution& on) {
  io::parse(paths, io::read_request{input, on}, checked(part), sink);
}

bool is_cut(std::span<const std::filesystem::path> paths, const io::read_options& input) {
  return std::all_of(paths.begin(), paths.end(), [&input](const std::filesystem::path& path) {
    const io::format f = input.format ? *input.format : io::format_of(path);
    const bool plain = path != "-" && path.extension() != ".gz" && path.extension() != ".zst";
    return plain && input.mapped && (f == io::format::edges || f == io::format::npy || f == io::format::coo || f == io::format::coo64);
  });
}

}  // namespace copse
