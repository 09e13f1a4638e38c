// The part of files that a caller names, for the readers.
#pragma once
#include <copse/errors.hpp>
#include <copse/mergeable_forest.hpp>
#include <io/part_of_file.hpp>

#include <string>

namespace copse::api {

inline io::part_of_file checked(file_part part) {
  if (part.index < part.count) return {part.index, part.count};
  throw usage_error{"part " + std::to_string(part.index) + ": found " + std::to_string(part.count) + " parts, counted from 0"};
}

}  // namespace copse::api
