// The proof over files or a part of them, whose edges are not stored: readers parse in parallel and pass them to the proof.
#include <copse/verify.hpp>
#include <io/part_of_file.hpp>
#include <verify/proof.hpp>
#include <verify/proving_sink.hpp>
#include <verify/verify_part.hpp>

#include <span>
#include <utility>
#include <variant>

namespace copse {
namespace {

template <unsigned_index Id>
verdict prove(std::span<const std::filesystem::path> paths, const io::read_request& options, io::part_of_file part,
              const buffer<Id>& labels, const vertex_names& names) {
  return proving::prove(labels, names, options.memory, [&](io::edge_sink& sink) { io::parse(paths, options, part, sink); });
}

}  // namespace

verdict verify_part(std::span<const std::filesystem::path> paths, const io::read_request& options, io::part_of_file part,
                    const labelling& labels) {
  return std::visit([&](const auto& values) { return prove(paths, options, part, values, labels.names()); }, labels.labels());
}

verdict verify(std::span<const std::filesystem::path> paths, const io::read_options& options, const labelling& labels,
               const execution& on) {
  return verify_part(paths, io::read_request{options, on}, {}, labels);
}

verdict verify(const std::filesystem::path& path, const io::read_options& options, const labelling& labels, const execution& on) {
  return verify(std::span{&path, 1}, options, labels, on);
}

verdict verify_dense(std::span<const std::filesystem::path> paths, const io::read_options& options, const labelling& labels,
                     const execution& on) {
  return std::visit(
      [&](const auto& numbers) {
        auto canonical = from_numbers(numbers, labels.names());
        if (canonical.fault) return proving::wrong(std::move(*canonical.fault));
        return prove(paths, io::read_request{options, on}, {}, canonical.labels, labels.names());
      },
      labels.labels());
}

verdict verify_dense(const std::filesystem::path& path, const io::read_options& options, const labelling& labels, const execution& on) {
  return verify_dense(std::span{&path, 1}, options, labels, on);
}

}  // namespace copse
