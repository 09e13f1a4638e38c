// Detects files of a table in parts that hold nothing but the header, as Spark writes them for partitions without rows. Such a file does
// not show that its only record is a header; other parts that begin with the same record do.
#pragma once
#include "io/request.hpp"

#include <copse/io.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace copse::io {

class header_of_parts {
public:
  /// Looks for a file whose only record does not begin with a number and is also the first record of a longer file. If there is one, this
  /// record is the header of all files that begin with it, and the observer gets a note. Reads only the beginnings of files, and nothing if
  /// `options` specifies the header. `format_of_part` returns the format that a file is read as.
  header_of_parts(std::span<const std::filesystem::path> paths, const read_request& options,
                  const std::function<format(const std::filesystem::path&)>& format_of_part);

  /// The option `header` for reading file i: true if the file begins with the header that was found, otherwise what the caller's options
  /// say.
  [[nodiscard]] std::optional<bool> header_of(std::size_t i) const;

private:
  std::optional<bool> asked_;
  std::string header_;               // empty if no header was found
  std::vector<std::string> firsts_;  // the first record of each file; left empty if there is no file whose only record may be a header
};

}  // namespace copse::io
