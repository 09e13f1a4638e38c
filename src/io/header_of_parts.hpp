// Parts of one table that hold nothing but its header, as Spark writes them for partitions without a row. Such a part cannot tell by itself
// that its only record is a header; that other parts begin with the same record does.
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
  /// Looks for a header that all parts share. Only a file of a single record can have one that its own records do not tell apart from an
  /// edge, so the files are read if there is such a file, and only if `options` does not say what a header is. `format_of_part` says
  /// whether a file is read as csv or edges. A header that was found is noted for the observer.
  header_of_parts(std::span<const std::filesystem::path> paths, const read_request& options,
                  const std::function<format(const std::filesystem::path&)>& format_of_part);

  /// What to read path i with: that its first record is a header, if it is the one that parts share.
  [[nodiscard]] std::optional<bool> header_of(std::size_t i) const;

private:
  std::optional<bool> asked_;
  std::string header_;               // none: empty
  std::vector<std::string> firsts_;  // the first record of each file, where they matter
};

}  // namespace copse::io
