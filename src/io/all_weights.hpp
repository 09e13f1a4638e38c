// Reading edges whose weights are all wanted.
#pragma once
#include <copse/io.hpp>

#include <filesystem>
#include <limits>

namespace copse::io {

/// Without a least weight: minus infinity. So all weights are taken, but looked at: one that is no number is refused.
template <class Options>
Options with_all_weights(Options options) {
  if (!options.min_weight) options.min_weight = -std::numeric_limits<double>::infinity();
  return options;
}

/// Does the format pass weights on while it is parsed?
inline bool streams_weights(const std::filesystem::path& path, const read_options& options) {
  const format f = options.format ? *options.format : format_of(path);
  return is_edge_list(f) ? options.weight_column.has_value() : f == format::mtx || f == format::dimacs;
}

}  // namespace copse::io
