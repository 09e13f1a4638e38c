// Arrow tables of a caller: their ownership, and which of their columns are read.
#pragma once
#include <copse/execution.hpp>

#include <string_view>
#include <utility>

#include "c/call.hpp"
#include "io/arrow/rows.hpp"

namespace copse::c {

/// A table that a caller handed over. The caller's structures are taken first, so that they are released whatever follows.
class given_table {
public:
  /// Throws usage_error for structures that are null or were released before, and for a table that is a single column.
  explicit given_table(ArrowArrayStream* stream);
  given_table(ArrowSchema* schema, ArrowArray* array);

  [[nodiscard]] arrow::arrow_stream& stream() noexcept { return stream_; }
  /// The columns that `table` names; `weighted`: a column of weights is read even if none is named. Throws usage_error for columns that are
  /// not there.
  [[nodiscard]] arrow::row_rules rules(const copse_table* table, bool weighted) const;

private:
  arrow::arrow_stream stream_;
};

/// True if ids are strings of any bytes.
[[nodiscard]] bool has_binaries(const arrow::row_rules& rules) noexcept;

/// Passes on the rows of a table in their order, by one thread: take(sources, targets, facts), of spans of std::uint64_t or
/// std::string_view.
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
