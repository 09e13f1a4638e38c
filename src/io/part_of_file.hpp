// Parts of a file, for several processes that share one input.
#pragma once
#include "io/request.hpp"

#include <copse/io.hpp>

#include <filesystem>
#include <span>

namespace copse::io {

/// Part `index` of `count`. `turn` is the index of the file if there are several; it determines which part gets a file that cannot be cut.
struct part_of_file {
  unsigned index = 0;
  unsigned count = 1;
  unsigned turn = 0;

  [[nodiscard]] bool whole() const noexcept { return count == 1; }
  [[nodiscard]] bool first() const noexcept { return index == 0; }
  /// True if this part gets a file that cannot be cut.
  [[nodiscard]] bool takes_turn() const noexcept { return turn % count == index; }
  /// Index of the first of `size` items that belongs to part i. The formula avoids products that could overflow.
  [[nodiscard]] std::uint64_t begin_of(unsigned i, std::uint64_t size) const noexcept {
    return size / count * i + size % count * i / count;
  }
};

/// Parses like parse(), but passes only one part on. If a file cannot be cut, all of it belongs to one part, and the other parts see an
/// input without edges. Every part sees the declared vertices; only the first one sees those of vertex tables. Throws usage_error for
/// standard input.
void parse(std::span<const std::filesystem::path> paths, const read_request& options, part_of_file part, edge_sink& sink);
void parse(const std::filesystem::path& path, const read_request& options, part_of_file part, edge_sink& sink);

}  // namespace copse::io
