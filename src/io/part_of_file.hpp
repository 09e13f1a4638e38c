// Reading a part of a file: what several processes do with one input.
#pragma once
#include "io/request.hpp"

#include <copse/io.hpp>

#include <filesystem>
#include <span>

namespace copse::io {

/// Part `index` of `count`. `turn`: the number of the file among several, which says whose part it is where it cannot be cut.
struct part_of_file {
  unsigned index = 0;
  unsigned count = 1;
  unsigned turn = 0;

  [[nodiscard]] bool whole() const noexcept { return count == 1; }
  [[nodiscard]] bool first() const noexcept { return index == 0; }
  /// True if a file that is not cut belongs to this part.
  [[nodiscard]] bool takes_turn() const noexcept { return turn % count == index; }
  /// The first of `size` items that belongs to part i. Computed without a product of two large numbers, which might wrap.
  [[nodiscard]] std::uint64_t begin_of(unsigned i, std::uint64_t size) const noexcept {
    return size / count * i + size % count * i / count;
  }
};

/// Parses like parse(), but passes on one part only. If a file cannot be cut, all of it belongs to one part, and the others see an input
/// without edges. Every part sees the vertices that are declared; the first also those of vertex tables. Throws usage_error for standard
/// input.
void parse(std::span<const std::filesystem::path> paths, const read_request& options, part_of_file part, edge_sink& sink);
void parse(const std::filesystem::path& path, const read_request& options, part_of_file part, edge_sink& sink);

}  // namespace copse::io
