// Arrow tables of a caller: ownership, and the choice of the columns to read.
#pragma once
#include <copse/execution.hpp>

#include <string_view>
#include <utility>

#include "c/call.hpp"
#include "io/arrow/rows.hpp"

namespace copse::c {

/// A table that a caller passed to the library, which takes ownership of the structures first, so that they are released even after an
/// exception.
class given_table {
public:
  /// Throws usage_error for structures that are null or were already released, and for a table that is a single column.
  explicit given_table(ArrowArrayStream* stream);
  given_table(ArrowSchema* schema, ArrowArray* array);

  [[nodiscard]] arrow::arrow_stream& stream() noexcept { return stream_; }
  /// Finds the columns that `table` names, or else those at their default positions. If `weighted`, a column of weights is read even if
  /// none is named. Throws usage_error for columns that do not exist.
  [[nodiscard]] arrow::row_rules rules(const copse_table* table, bool weighted) const;

private:
  arrow::arrow_stream stream_;
};

/// True if an id column has a binary type (strings of any bytes).
[[nodiscard]] bool has_binaries(const arrow::row_rules& rules) noexcept;

/// Calls take(sources, targets, facts) for pieces of a table in the order of its rows, on one thread. The ids are spans of std::uint64_t or
/// std::string_view; `facts` (arrow::taken_facts) has the scores and numbers of the rows, and whether ids are signed.
template <class Take>
copse_table_counts take_rows(given_table& from, const arrow::row_rules& rules, observer& watcher, Take take) {
  arrow::row_taker taker{rules, arrow::piece_rows, true};
  arrow::take_all(from.stream(), rules, taker, watcher, take);
  arrow::tell_unreached(taker.counts(), rules, watcher);
  return {taker.counts().rows, taker.counts().nulls, taker.counts().below};
}

inline void tell_counts(copse_table_counts* to, const copse_table_counts& counts) noexcept {
  if (to != nullptr) *to = counts;
}

}  // namespace copse::c
