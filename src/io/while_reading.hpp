// Where memory ends while a file is read, the error names the file.
#pragma once
#include <core/memory_error.hpp>

#include <filesystem>
#include <string>

namespace copse::io {

/// What `read` returns. Throws what it throws, and memory_error with the name of the file.
template <class Read>
auto while_reading(const std::filesystem::path& path, Read read) {
  try {
    return read();
  } catch (const memory_error& problem) {
    throw problem.in_step(path == "-" ? "<stdin>" : path.string(), "reading");
  }
}

}  // namespace copse::io
