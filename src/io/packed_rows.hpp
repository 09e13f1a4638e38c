// Rows as binary files hold them, checked and copied into a graph.
#pragma once
#include "io/binary_source.hpp"

#include <functional>

namespace copse::io {

/// Does arc i stay? Empty: all do.
using arc_filter = std::function<bool(std::uint64_t)>;

/// Rows of `offsets` (n + 1, ascending from 0 to the number of targets) and `targets` (each below n), of the narrowest widths. Whether they
/// are sorted and symmetric is found out, not believed: a file that claimed it wrongly would make wrong labels.
graph rows_of(const packed_integers& offsets, const packed_integers& targets, const read_options& options, const arc_filter& keep = {});

/// A least weight was asked of a format that holds none.
void refuse_min_weight(std::string_view file, const read_options& options);

}  // namespace copse::io
