// Reads a table of edges that comes as an Arrow stream: decides which rows are taken, and gathers their ids and scores in pieces of a
// batch.
#pragma once
#include <copse/errors.hpp>
#include <copse/execution.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ids/id_signs.hpp"
#include "io/arrow/column.hpp"
#include "io/arrow/scores.hpp"

namespace copse::arrow {

/// A stream of batches, or one batch that came as an array.
class arrow_stream {
public:
  explicit arrow_stream(arrow_owner<ArrowArrayStream> stream) : stream_{std::move(stream)} {
    expect(stream_->get_schema(stream_.get(), schema_.get()));
    read_types();
  }
  arrow_stream(arrow_owner<ArrowSchema> schema, arrow_owner<ArrowArray> only) : schema_{std::move(schema)}, only_{std::move(only)} {
    read_types();
  }

  [[nodiscard]] const std::vector<column_type>& columns() const noexcept { return columns_; }

  /// The next batch; after the last one, an array that is marked as released.
  arrow_owner<ArrowArray> next() {
    if (!stream_) return std::move(only_);
    arrow_owner<ArrowArray> batch;
    expect(stream_->get_next(stream_.get(), batch.get()));
    return batch;
  }

private:
  void expect(int status) {
    if (status == 0) return;
    const char* text = stream_->get_last_error != nullptr ? stream_->get_last_error(stream_.get()) : nullptr;
    throw input_error{"table: its stream failed: " + std::string{text != nullptr ? text : "no reason given"}};
  }
  void read_types() {
    if (schema_->format == nullptr || std::string_view{schema_->format} != "+s") {
      throw usage_error{"table must be a table with named columns, not a single column"};
    }
    for (std::int64_t i = 0; i < schema_->n_children; ++i) {
      if (schema_->children == nullptr || schema_->children[i] == nullptr) throw input_error{"table: found a schema without its columns"};
      columns_.emplace_back(*schema_->children[i]);
    }
  }

  arrow_owner<ArrowArrayStream> stream_;
  arrow_owner<ArrowSchema> schema_;
  arrow_owner<ArrowArray> only_;
  std::vector<column_type> columns_;
};

inline constexpr std::int64_t piece_rows = std::int64_t{1} << 17;

/// Counts of the rows of a table, and of those that were left out.
struct table_counts {
  std::uint64_t rows = 0, below = 0;
  std::uint64_t nulls = 0;        ///< rows that were left out for a missing id or score
  std::uint64_t null_scores = 0;  ///< how many of the rows left out for a missing value lack their score
  bool reached = false;           ///< true if some score reaches the threshold
  /// The largest score, if no score reaches the threshold.
  double largest = -std::numeric_limits<double>::infinity();

  table_counts& operator+=(const table_counts& more) noexcept {
    rows += more.rows;
    below += more.below;
    nulls += more.nulls;
    null_scores += more.null_scores;
    reached |= more.reached;
    largest = std::max(largest, more.largest);
    return *this;
  }
};

/// The error for one wrong row of a caller's table, with its number, counted from 0.
class row_error : public input_error {
public:
  row_error(std::uint64_t row, const std::string& text) : input_error{text}, row_{row} {}
  [[nodiscard]] std::uint64_t row() const noexcept { return row_; }

private:
  std::uint64_t row_;
};

/// How rows with a missing value are treated.
struct null_rule {
  null_rule(bool drops = false, std::string how = "the option nulls 'drop' leaves such rows out and counts them")
      : drop{drops}, advice{std::move(how)} {}

  bool drop;           ///< leave rows with a missing value out and count them; otherwise they are errors
  std::string advice;  ///< for the error message: how the caller can drop rows with missing values
};

/// The place of a row for error messages.
struct row_address {
  std::string source{};   ///< prefix of the message, such as `pairs.parquet: `, or empty
  std::uint64_t row = 0;  ///< number of the row in the table, from 0

  /// The error message `SOURCECOLUMN: found WHAT in row N, expected EXPECTED`.
  [[nodiscard]] std::string complaint(const std::string& column, const std::string& what, const std::string& expected) const {
    return source + column + ": found " + what + " in row " + std::to_string(row) + ", expected " + expected;
  }
};

/// Which rows of a table are taken: those whose score reaches the threshold, with ids from one or two columns. Every score must be a
/// number; NaN counts as a missing value, as a null does.
struct row_rules {
  row_rules(const arrow_stream& table, std::vector<std::size_t> id_columns, std::optional<std::size_t> score_column,
            const std::optional<score_threshold>& lowest_score, null_rule missing);

  [[nodiscard]] std::string place(std::size_t column) const { return "column '" + types[column].name + "'"; }
  /// Throws usage_error for column types that cannot be ids. Called only if there is a row, because data frames without rows often have
  /// column types that were not chosen on purpose.
  void expect_types() const {
    if (!refusal.empty()) throw usage_error{refusal};
  }

  /// The place of a row for error messages.
  [[nodiscard]] row_address address(std::uint64_t row) const { return address_of ? address_of(row) : row_address{.row = row}; }

  std::vector<column_type> types;
  std::vector<std::size_t> ids;
  std::optional<std::size_t> score;
  std::optional<score_floor> threshold;
  null_rule nulls;
  bool strings = false;
  std::string refusal;  ///< why the column types cannot be ids; an error only if the table has rows
  /// Gives the place of a row for error messages; if empty, rows are called by their numbers. May be called by any thread.
  std::function<row_address(std::uint64_t)> address_of{};
  /// Checks that signed and unsigned ids do not mix in the whole input, which may include other tables.
  std::shared_ptr<ids::id_signs> signs = std::make_shared<ids::id_signs>();
};

/// A batch with its columns of ids and scores looked up. The rules must outlive it.
struct open_batch {
  open_batch(const row_rules& rules, arrow_owner<ArrowArray> batch, std::uint64_t first);

  [[nodiscard]] std::int64_t rows() const noexcept { return array->length; }
  /// Column `place` of the batch. Throws row_error for an array that does not match its type.
  [[nodiscard]] column_rows column(const row_rules& rules, std::size_t place) const;

  arrow_owner<ArrowArray> array;
  std::uint64_t first_row;  ///< number of the batch's first row in the table
  std::vector<column_rows> columns;
  std::optional<column_rows> score;
};

/// Tells the observer if no score reaches the threshold.
void tell_unreached(const table_counts& counts, const row_rules& rules, observer& watcher);

/// Scores and row numbers of the rows that are passed on with their ids.
struct taken_facts {
  std::span<const double> scores;       ///< empty if there is no column of scores
  std::span<const std::uint64_t> rows;  ///< the numbers of these rows in the table, from 0
  bool are_signed = false;              ///< true if some id is negative; ids are then in two's complement
};

/// Takes rows on one thread, and calls take(first, second, facts) with those that the rules accept. `first` and `second` are spans of their
/// ids (std::uint64_t or std::string_view), the same span if the table has one column of ids; `facts` are their taken_facts.
class row_taker {
public:
  /// `rows_at_once` is the number of rows that each call of `take` gets. Without `with_facts`, scores and row numbers are left empty.
  row_taker(const row_rules& rules, std::int64_t rows_at_once, bool with_facts)
      : rules_{&rules}, step_{rows_at_once}, with_facts_{with_facts} {}

  /// Takes rows [begin, end), and passes on those that the rules accept, with a call of `take` for every rows_at_once rows. Throws
  /// row_error for the first wrong row; rows of the same call are then not passed on.
  template <class Take>
  void rows(const open_batch& batch, std::int64_t begin, std::int64_t end, Take&& take) {
    for (; begin < end; begin += step_) {
      const std::int64_t next = std::min(begin + step_, end);
      gather(batch, begin, next);
      counts_.rows += static_cast<std::uint64_t>(next - begin);
      if (taken_ == 0) continue;
      const taken_facts facts{scores_, places_, signed_};
      const std::size_t last = batch.columns.size() - 1;
      if (rules_->strings) {
        take(std::span<const std::string_view>{texts_[0]}, std::span<const std::string_view>{texts_[last]}, facts);
      } else {
        take(numbers_[0], numbers_[last], facts);
      }
    }
  }

  [[nodiscard]] const table_counts& counts() const noexcept { return counts_; }

private:
  struct wrong_row {
    std::int64_t row;
    std::string text;
  };

  /// Gathers the ids, and the scores and row numbers if wanted, of rows [begin, end).
  void gather(const open_batch& batch, std::int64_t begin, std::int64_t end);
  void choose_by_score(const column_rows& score);
  /// Updates the largest score. Precondition: all rows are below the threshold, and none is NaN.
  void see_largest(const column_rows& score);
  void choose_present(const column_rows& ids, std::size_t column);
  /// Leaves out the rows for which keep(row) is false.
  template <class Keep>
  void keep_rows(Keep keep);
  void read_numbers(const open_batch& batch, std::size_t side);
  /// Refuses the first of the taken rows whose id cannot be read.
  void refuse_faults(const column_rows& ids, std::size_t column);
  /// Notes a wrong row; of several, the first one is reported.
  void refuse(std::int64_t row, std::string text);
  void refuse(std::int64_t row, std::size_t column, const std::string& found, const std::string& expected);
  /// Counts a row that lacks a value, or refuses it, as the rules say.
  void refuse_or_count_null(std::int64_t row, std::size_t column, const char* found = "a null");

  const row_rules* rules_;
  std::int64_t step_;
  bool with_facts_;
  table_counts counts_;
  std::uint64_t first_row_ = 0;  ///< number of the batch's first row in the input
  std::int64_t begin_ = 0, end_ = 0;
  std::size_t taken_ = 0;
  bool all_ = true;                   ///< no row is left out, and chosen_ is not filled
  bool signed_ = false;               ///< true if an id of the rows that are taken is negative
  std::vector<std::int64_t> chosen_;  ///< the rows that are taken: its first taken_ entries
  std::optional<wrong_row> wrong_;
  std::vector<std::string_view> texts_[2];
  /// the ids of each column: in the batch itself if all rows are taken and ids have 64 bits there, otherwise converted in widened_
  std::span<const std::uint64_t> numbers_[2];
  std::vector<std::uint64_t> widened_[2];
  std::vector<double> scores_;
  std::vector<std::uint64_t> places_;
};

/// Takes all rows of a stream in order, on the calling thread.
template <class Take>
void take_all(arrow_stream& table, const row_rules& rules, row_taker& taker, const observer& watcher, const Take& take) {
  while (arrow_owner<ArrowArray> next = table.next()) {
    const open_batch batch{rules, std::move(next), taker.counts().rows};
    for (std::int64_t begin = 0; begin < batch.rows(); begin += piece_rows) {
      if (watcher.cancel_requested()) throw cancelled{};
      taker.rows(batch, begin, std::min(begin + piece_rows, batch.rows()), take);
    }
  }
}

}  // namespace copse::arrow
