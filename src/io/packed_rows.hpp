// Rows as binary files hold them, checked and copied into a graph.
#pragma once
#include "io/binary_source.hpp"

#include <functional>
#include <memory>

namespace copse::io {

/// Does arc i stay? Empty: all do.
using arc_filter = std::function<bool(std::uint64_t)>;

/// A file of rows whose header is checked, and whose length fits it. What the arrays hold is not.
struct rows_file {
  std::unique_ptr<binary_source> source;  ///< what the others refer to
  packed_integers offsets, targets;
  std::string_view weights;  ///< of ECL graphs, signed, 4 bytes each; empty: none

  [[nodiscard]] std::uint64_t vertices() const noexcept { return offsets.size() - 1; }
  [[nodiscard]] std::uint64_t arcs() const noexcept { return targets.size(); }
};
rows_file open_sg(const std::filesystem::path& path, const read_options& options);
rows_file open_egr(const std::filesystem::path& path, const read_options& options);

/// Throw what is wrong with an offset, and with a target, the first of the file that is.
[[noreturn]] void refuse_offset(const packed_integers& offsets, std::uint64_t at, std::uint64_t arcs);
[[noreturn]] void refuse_target(const packed_integers& targets, std::uint64_t at, std::uint64_t vertices);

/// Rows of `offsets` (n + 1, ascending from 0 to the number of targets) and `targets` (each below n), of the narrowest widths. Whether they
/// are sorted and symmetric is found out, not believed: a file that claimed it wrongly would make wrong labels.
graph rows_of(const packed_integers& offsets, const packed_integers& targets, const read_options& options, const arc_filter& keep = {});

/// A least weight was asked of a format that holds none.
void refuse_min_weight(std::string_view file, const read_options& options);

}  // namespace copse::io
