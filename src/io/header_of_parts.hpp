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
  /// Looks for a header that all parts share. Only a file with a single record can have a header that looks like an edge. So the files are
  /// read only if there is such a file, and if `options` does not specify the header. `format_of_part` returns whether a file is read as
  /// csv or edges. If a header is found, the observer gets a note.
  header_of_parts(std::span<const std::filesystem::path> paths, const read_request& options,
                  const std::function<format(const std::filesystem::path&)>& format_of_part);

  /// The option `header` for reading file i: true if its first record is the shared header, otherwise what the caller's options say.
  [[nodiscard]] std::optional<bool> header_of(std::size_t i) const;

private:
  std::optional<bool> asked_;
  std::string header_;               // empty if no header was found
  std::vector<std::string> firsts_;  // the first record of each file; empty if no header is shared
};

}  // namespace copse::io
