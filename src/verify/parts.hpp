// Checks the part of some files that a caller names, and visits the files of that part.
#pragma once
#include <copse/errors.hpp>
#include <copse/partial.hpp>
#include <io/part_of_file.hpp>
#include <io/request.hpp>

#include <span>
#include <string>

namespace copse {

/// Returns the part of a file that `part` numbers. Throws usage_error unless its index is below the number of parts.
inline io::part_of_file checked(file_part part) {
  if (part.index < part.count) return {part.index, part.count};
  throw usage_error{"part " + std::to_string(part.index) + " of " + std::to_string(part.count) +
                    " does not exist: parts are counted from 0"};
}

/// Calls work(path, options, part) for every file, for functions that read one file at a time. Tables of vertices are in the options of the
/// first file of the first part only, so that they are read once.
template <class Work>
void for_files(std::span<const std::filesystem::path> paths, const io::read_request& asked, file_part which, Work work) {
  if (paths.empty()) throw usage_error{"give at least one input"};
  io::part_of_file part = checked(which);
  io::read_request input = asked;
  if (!part.first()) input.vertex_tables.clear();
  for (const auto& path : paths) {
    if (path == "-" && !part.whole()) throw usage_error{"standard input cannot be read in parts: give files"};
    work(path, input, part);
    ++part.turn;
    input.vertex_tables.clear();
  }
}

}  // namespace copse
