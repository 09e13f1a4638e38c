// Tables that come as Arrow streams, batch by batch: integers where they lie, everything else gathered piece by piece.
#pragma once
#include <copse/errors.hpp>
#include <copse/options.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "arrow_column.hpp"

namespace copse::python {

inline constexpr std::int64_t piece_rows = std::int64_t{1} << 17;

/// A stream of batches, or one batch that came as an array.
class arrow_stream {
public:
  explicit arrow_stream(nb::handle capsule) : stream_{arrow_owner<ArrowArrayStream>::from(capsule, "arrow_array_stream")} {
    const nb::gil_scoped_release unlocked;
    expect(stream_->get_schema(stream_.get(), schema_.get()));
    read_types();
  }
  arrow_stream(nb::handle schema, nb::handle array)
      : schema_{arrow_owner<ArrowSchema>::from(schema, "arrow_schema")}, only_{arrow_owner<ArrowArray>::from(array, "arrow_array")} {
    read_types();
  }

  [[nodiscard]] const std::vector<column_type>& columns() const noexcept { return columns_; }

  /// The next batch; one without a release when there is none.
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
    if (std::string_view{schema_->format} != "+s") {
      throw usage_error{"table: found a single column, expected a table, whose columns have names"};
    }
    for (std::int64_t i = 0; i < schema_->n_children; ++i) columns_.emplace_back(*schema_->children[i]);
  }

  arrow_owner<ArrowArrayStream> stream_;
  arrow_owner<ArrowSchema> schema_;
  arrow_owner<ArrowArray> only_;
  std::vector<column_type> columns_;
};

/// Strings of Python's own: None is a null, and counted. The views are of texts that the list holds.
std::uint64_t strings_of(const nb::list& from, std::vector<std::string_view>& to, const char* what);

/// What a table had beside the edges that were taken.
struct table_counts {
  std::uint64_t rows = 0, nulls = 0, below = 0;
};

/// What belongs to the rows that are passed on, beside their ids.
struct row_facts {
  std::span<const double> scores;       ///< where there is a column of scores
  std::span<const std::uint64_t> rows;  ///< their places in the table, from 0; nothing where all rows are passed on as they lie
};

/// Takes the rows of one or two id columns, with a score or none, and passes them on as take(first, second, row_facts): spans of
/// std::uint64_t or std::string_view, and of other integers where take() has them and the rows can stay where they lie. With a score but no
/// threshold every score counts, and must be a number.
class row_taker {
public:
  row_taker(const arrow_stream& table, std::vector<std::size_t> ids, std::optional<std::size_t> score, std::optional<double> threshold,
            bool drop_nulls)
      : types_{table.columns()}, ids_{std::move(ids)}, score_{score}, threshold_{threshold}, drop_nulls_{drop_nulls} {
    for (const std::size_t c : ids_) {
      if (!types_[c].holds_integers() && !types_[c].holds_strings() && types_[c].id_layout() != layout::nothing) {
        const bool floats = types_[c].values == layout::float32 || types_[c].values == layout::float64;
        refuse_rows(place(c) + ": found " + types_[c].described() + ", expected integers, strings or binaries" +
                    (floats ? "; pandas keeps integers beside missing values as Int64" : ""));
      }
      strings_ |= types_[c].holds_strings();
    }
    for (const std::size_t c : ids_) {
      if (strings_ && types_[c].holds_integers()) {
        refuse_rows(place(c) + ": found " + types_[c].described() + " beside strings, expected ids of one kind");
      }
    }
    if (score_ && !types_[*score_].holds_scores()) {
      refuse_rows(place(*score_) + ": found " + types_[*score_].described() + ", expected numbers");
    }
  }

  template <class Take>
  void batch(const ArrowArray& batch, observer& watcher, Take&& take) {
    if (batch.length == 0) return;
    if (!refusal_.empty()) throw usage_error{refusal_};
    std::vector<column_rows> columns;
    for (const std::size_t c : ids_) columns.emplace_back(types_[c], *batch.children[c], batch.offset, batch.length);
    std::optional<column_rows> score;
    if (score_) score.emplace(types_[*score_], *batch.children[*score_], batch.offset, batch.length);
    if (!taken_whole(columns, score.has_value(), take)) {
      for (std::int64_t begin = 0; begin < batch.length; begin += piece_rows) {
        if (watcher.cancel_requested()) throw cancelled{};
        choose(columns, score ? &*score : nullptr, begin, std::min(begin + piece_rows, batch.length));
        if (!chosen_.empty()) pass_on(columns, score ? &*score : nullptr, take);
      }
    }
    counts_.rows += static_cast<std::uint64_t>(batch.length);
  }

  [[nodiscard]] const table_counts& counts() const noexcept { return counts_; }

private:
  [[nodiscard]] std::string place(std::size_t column) const { return "column '" + types_[column].name + "'"; }

  /// Types are refused once there is a row of them: a frame without rows often has types that nobody chose.
  void refuse_rows(std::string reason) {
    if (refusal_.empty()) refusal_ = std::move(reason);
  }

  /// The batch where it lies: plain integers, without scores and nulls.
  template <class Take>
  bool taken_whole(const std::vector<column_rows>& columns, bool scored, Take& take) const {
    using narrow = std::span<const std::int32_t>;
    if constexpr (std::invocable<Take&, narrow, narrow, row_facts>) {
      if (scored || std::any_of(columns.begin(), columns.end(), [](const column_rows& c) { return c.has_nulls(); })) return false;
      const auto try_type = [&]<class T>(layout l, T) {
        if (!std::all_of(ids_.begin(), ids_.end(), [&](std::size_t c) { return types_[c].values == l && !types_[c].entries; }))
          return false;
        take(columns.front().template in_place<T>(), columns.back().template in_place<T>(), row_facts{});
        return true;
      };
      return try_type(layout::int64, std::int64_t{}) || try_type(layout::int32, std::int32_t{}) ||
             try_type(layout::uint64, std::uint64_t{}) || try_type(layout::uint32, std::uint32_t{});
    }
    return false;
  }

  /// Rows of a piece that have ids, and a score that is not below the threshold.
  void choose(const std::vector<column_rows>& columns, const column_rows* score, std::int64_t begin, std::int64_t end) {
    chosen_.clear();
    chosen_.reserve(static_cast<std::size_t>(end - begin));
    for (std::int64_t row = begin; row < end; ++row) {
      if (score != nullptr) {
        if (score->has_nulls() && score->is_null(row)) {
          refuse_null(*score_, row);
          continue;
        }
        const double found = score->score(row);
        if (!threshold_) {
          if (found != found) throw input_error{place(*score_) + ": found NaN in row " + row_text(row) + ", expected a number"};
        } else if (!(found >= *threshold_)) {  // NaN is not
          ++counts_.below;
          continue;
        }
      }
      bool null = false;
      for (std::size_t i = 0; i < columns.size() && !null; ++i) {
        if (columns[i].has_nulls() && columns[i].is_null(row)) {
          refuse_null(ids_[i], row);
          null = true;
        }
      }
      if (!null) chosen_.push_back(row);
    }
  }
  /// Counted from the start of the table.
  [[nodiscard]] std::uint64_t row_number(std::int64_t row) const noexcept { return counts_.rows + static_cast<std::uint64_t>(row); }
  [[nodiscard]] std::string row_text(std::int64_t row) const { return std::to_string(row_number(row)); }
  void refuse_null(std::size_t column, std::int64_t row) {
    if (!drop_nulls_) {
      throw input_error{place(column) + ": found a null in row " + row_text(row) +
                        ", expected a value; nulls='drop' leaves such rows out and counts them"};
    }
    ++counts_.nulls;
  }

  template <class Take>
  void pass_on(const std::vector<column_rows>& columns, const column_rows* score, Take& take) {
    scores_.resize(score != nullptr ? chosen_.size() : 0);
    for (std::size_t i = 0; i < scores_.size(); ++i) scores_[i] = score->score(chosen_[i]);
    rows_.resize(chosen_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i] = row_number(chosen_[i]);
    const row_facts facts{scores_, rows_};
    if (strings_) {
      for (std::size_t side = 0; side < columns.size(); ++side) {
        texts_[side].resize(chosen_.size());
        columns[side].strings(chosen_, texts_[side].data());
      }
      take(std::span<const std::string_view>{texts_[0]}, std::span<const std::string_view>{texts_[columns.size() - 1]}, facts);
      return;
    }
    for (std::size_t side = 0; side < columns.size(); ++side) {
      const bool is_unsigned = types_[ids_[side]].id_layout() == layout::uint64;
      numbers_[side].resize(chosen_.size());
      for (std::size_t i = 0; i < chosen_.size(); ++i) {
        const std::int64_t value = columns[side].integer(chosen_[i]);
        if (value < 0 && !is_unsigned) {
          throw input_error{place(ids_[side]) + ": found " + std::to_string(value) + " in row " + row_text(chosen_[i]) +
                            ", expected ids of 0 or more"};
        }
        numbers_[side][i] = static_cast<std::uint64_t>(value);
      }
    }
    take(std::span<const std::uint64_t>{numbers_[0]}, std::span<const std::uint64_t>{numbers_[columns.size() - 1]}, facts);
  }

  std::vector<column_type> types_;
  std::vector<std::size_t> ids_;
  std::optional<std::size_t> score_;
  std::optional<double> threshold_;
  bool drop_nulls_, strings_ = false;
  table_counts counts_;
  std::string refusal_;  ///< of a table that has rows
  std::vector<std::int64_t> chosen_;
  std::vector<std::string_view> texts_[2];
  std::vector<std::uint64_t> numbers_[2];
  std::vector<double> scores_;
  std::vector<std::uint64_t> rows_;
};

}  // namespace copse::python
