// The first records of a table in text, by which its layout is found.
#pragma once
#include "io/records.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace copse::io {

/// How many records are looked at, at most.
inline constexpr std::size_t most_first_records = 100;

/// The first records of a text, comments and blank lines passed over.
struct first_records {
  std::vector<std::string_view> records;
  std::size_t first_at = 0;      ///< where the first one begins in the text; without a record, its end
  std::size_t behind_first = 0;  ///< where what comes behind it begins
  bool complete = false;         ///< there are two, or the text ends

  [[nodiscard]] bool empty() const noexcept { return records.empty(); }
};

/// `whole`: nothing comes behind `text`. Records that do not end in it are left out.
first_records find_first_records(std::string_view text, const record_syntax& syntax, bool whole, std::size_t most = most_first_records);

}  // namespace copse::io
