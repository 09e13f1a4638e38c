#include "io/arrow/rows.hpp"

#include <copse/types.hpp>

#include <array>
#include <charconv>
#include <numeric>

namespace copse::arrow {

row_rules::row_rules(const arrow_stream& table, std::vector<std::size_t> id_columns, std::optional<std::size_t> score_column,
                     const std::optional<score_threshold>& lowest_score, null_rule missing)
    : types{table.columns()}, ids{std::move(id_columns)}, score{score_column}, nulls{std::move(missing)} {
  if (score && lowest_score) threshold.emplace(*lowest_score, types[*score]);
  const auto refuse_rows = [this](std::string reason) {
    if (refusal.empty()) refusal = std::move(reason);
  };
  for (const std::size_t c : ids) {
    if (!types[c].holds_integers() && !types[c].holds_strings() && types[c].id_layout() != layout::nothing) {
      const bool floats = types[c].values == layout::float32 || types[c].values == layout::float64;
      refuse_rows(place(c) + ": found " + types[c].described() + ", expected integers, strings or binaries" +
                  (floats ? "; pandas keeps integers beside missing values as Int64" : ""));
    }
    strings |= types[c].holds_strings();
    if (types[c].holds_strings() && types[ids[0]].holds_strings() && types[c].binary != types[ids[0]].binary) {
      refuse_rows(place(c) + ": found " + types[c].described() + " beside " + types[ids[0]].described() + ", expected ids of one kind");
    }
  }
  for (const std::size_t c : ids) {
    if (strings && types[c].holds_integers()) {
      refuse_rows(place(c) + ": found " + types[c].described() + " beside strings, expected ids of one kind");
    }
  }
  if (score && !types[*score].holds_scores()) {
    refuse_rows(place(*score) + ": found " + types[*score].described() + ", expected numbers");
  }
}

open_batch::open_batch(const row_rules& rules, arrow_owner<ArrowArray> batch, std::uint64_t first)
    : array{std::move(batch)}, first_row{first} {
  if (rows() == 0) return;
  if (rows() < 0 || array->offset < 0)
    throw row_error{first, rules.address(first).source + "table: found a batch of " + std::to_string(rows()) + " rows, expected 0 or more"};
  rules.expect_types();
  for (const std::size_t c : rules.ids) columns.push_back(column(rules, c));
  if (rules.score) score.emplace(column(rules, *rules.score));
}

column_rows open_batch::column(const row_rules& rules, std::size_t place) const {
  const auto refuse = [&](const std::string& found, const std::string& expected) {
    throw row_error{first_row, rules.address(first_row).complaint(rules.place(place), found, expected)};
  };
  if (array->children == nullptr || array->n_children <= static_cast<std::int64_t>(place) || array->children[place] == nullptr) {
    refuse("no array", "one");
  }
  try {
    return {rules.types[place], *array->children[place], array->offset, rows()};
  } catch (const array_fault& fault) {
    refuse(fault.found(), fault.expected());
    throw;
  }
}

void row_taker::refuse(std::int64_t row, std::string text) {
  if (!wrong_ || row < wrong_->row) wrong_ = wrong_row{row, std::move(text)};
}

void row_taker::refuse(std::int64_t row, std::size_t column, const std::string& found, const std::string& expected) {
  refuse(row, rules_->address(first_row_ + static_cast<std::uint64_t>(row)).complaint(rules_->place(column), found, expected));
}

void row_taker::refuse_or_count_null(std::int64_t row, std::size_t column, const char* found) {
  if (rules_->nulls.drop) {
    ++counts_.nulls;
    counts_.null_scores += rules_->score == column ? 1 : 0;
  } else {
    refuse(row, column, found, "a value; " + rules_->nulls.advice);
  }
}

template <class Keep>
void row_taker::keep_rows(Keep keep) {
  std::size_t kept = 0;
  if (all_) {
    chosen_.resize(static_cast<std::size_t>(end_ - begin_));
    for (std::int64_t row = begin_; row < end_; ++row) {
      chosen_[kept] = row;
      kept += static_cast<std::size_t>(keep(row));
    }
    all_ = false;
  } else {
    for (std::size_t i = 0; i < taken_; ++i) {
      const std::int64_t row = chosen_[i];
      chosen_[kept] = row;
      kept += static_cast<std::size_t>(keep(row));
    }
  }
  taken_ = kept;
}

void row_taker::choose_by_score(const column_rows& score) {
  const std::size_t column = *rules_->score, before = taken_;
  const layout values = rules_->types[column].values;
  if (rules_->threshold && !score.has_nulls() && (values == layout::float64 || values == layout::float32)) {
    const auto keep_from = [&]<class T>(std::span<const T> scores) {  // without a branch per row, so it is faster than the loop below
      bool all_numbers = true;
      keep_rows([scores, least = static_cast<T>(rules_->threshold->number()), &all_numbers](std::int64_t row) {
        const T found = scores[static_cast<std::size_t>(row)];
        all_numbers &= found == found;
        return found >= least;
      });
      return all_numbers;
    };
    const bool all_numbers = values == layout::float64 ? keep_from(score.in_place<double>()) : keep_from(score.in_place<float>());
    if (all_numbers) {
      counts_.below += before - taken_;
      if (taken_ == 0) see_largest(score);
      counts_.reached |= taken_ != 0;
      return;
    }
    taken_ = before;  // a row is NaN: start again with the loop below, which handles NaN
    all_ = true;
  }
  keep_rows([&](std::int64_t row) {
    if (score.has_nulls() && score.is_null(row)) {
      refuse_or_count_null(row, column);
      return false;
    }
    const double found = score.score(row);
    if (found != found) {
      refuse_or_count_null(row, column, "NaN");
      return false;
    }
    if (!rules_->threshold || rules_->threshold->is_reached(score, row)) return true;
    ++counts_.below;
    counts_.largest = std::max(counts_.largest, found);
    return false;
  });
  counts_.reached |= taken_ != 0;
}

void row_taker::see_largest(const column_rows& score) {
  for (std::int64_t row = begin_; row < end_; ++row) counts_.largest = std::max(counts_.largest, score.score(row));
}

void tell_unreached(const table_counts& counts, const row_rules& rules, observer& watcher) {
  if (!rules.threshold || counts.below == 0 || counts.reached) return;
  std::array<char, 32> text{};
  const bool narrow = precision_of(rules.types[*rules.score]) != weight_precision::full;
  const auto end = narrow ? std::to_chars(text.data(), text.data() + text.size(), static_cast<float>(counts.largest))
                          : std::to_chars(text.data(), text.data() + text.size(), counts.largest);
  watcher.note(rules.place(*rules.score) + ": no score reaches the threshold " + rules.threshold->text() + ": the largest is " +
               std::string{text.data(), end.ptr});
}

void row_taker::choose_present(const column_rows& ids, std::size_t column) {
  keep_rows([&](std::int64_t row) {
    const bool null = ids.is_null(row);
    if (null) refuse_or_count_null(row, column);
    return !null;
  });
}

void row_taker::refuse_faults(const column_rows& ids, std::size_t column) {
  if (all_ && ids.are_sound(begin_, end_)) return;
  for (std::size_t i = 0; i < taken_; ++i) {
    const std::int64_t row = all_ ? begin_ + static_cast<std::int64_t>(i) : chosen_[i];
    if (!ids.has_fault(row)) continue;
    const array_fault fault = ids.fault(row);
    refuse(row, column, fault.found(), fault.expected());
    return;
  }
}

void row_taker::read_numbers(const open_batch& batch, std::size_t side) {
  const column_rows& column = batch.columns[side];
  const column_type& type = rules_->types[rules_->ids[side]];
  std::uint64_t bits = 0;  // bitwise OR of all ids, to see whether any has the sign bit
  if (all_ && !type.entries && (type.values == layout::int64 || type.values == layout::uint64)) {
    numbers_[side] = column.in_place<std::uint64_t>().subspan(static_cast<std::size_t>(begin_), taken_);
    for (const std::uint64_t id : numbers_[side]) bits |= id;
  } else {
    widened_[side].resize(taken_);
    std::uint64_t* const to = widened_[side].data();
    bits = all_ ? column.integers(begin_, end_, to) : column.integers({chosen_.data(), taken_}, to);
    numbers_[side] = widened_[side];
  }
  const bool is_signed = type.id_layout() != layout::uint64;
  if (!has_sign_bit(bits)) return;
  const auto ids = numbers_[side];
  const auto found = std::find_if(ids.begin(), ids.end(), has_sign_bit);
  if (found == ids.end()) return;
  signed_ |= is_signed;
  const std::int64_t i = found - ids.begin(), row = all_ ? begin_ + i : chosen_[static_cast<std::size_t>(i)];
  try {
    rules_->signs->expect(*found, is_signed, [&] {
      const row_address address = rules_->address(first_row_ + static_cast<std::uint64_t>(row));
      return address.source + rules_->place(rules_->ids[side]) + " in row " + std::to_string(address.row);
    });
  } catch (const input_error& both_kinds) {
    refuse(row, both_kinds.what());
  }
}

void row_taker::gather(const open_batch& batch, std::int64_t begin, std::int64_t end) {
  first_row_ = batch.first_row;
  begin_ = begin;
  end_ = end;
  taken_ = static_cast<std::size_t>(end - begin);
  all_ = true;
  signed_ = false;
  wrong_.reset();
  if (batch.score) choose_by_score(*batch.score);
  for (std::size_t side = 0; side < batch.columns.size(); ++side) {
    if (batch.columns[side].has_nulls()) choose_present(batch.columns[side], rules_->ids[side]);
  }
  const auto row = [&](std::size_t i) { return all_ ? begin_ + static_cast<std::int64_t>(i) : chosen_[i]; };
  for (std::size_t side = 0; side < batch.columns.size(); ++side) {
    if (batch.columns[side].may_have_faults()) refuse_faults(batch.columns[side], rules_->ids[side]);
    if (!rules_->strings) {
      read_numbers(batch, side);
      continue;
    }
    if (all_) {
      chosen_.resize(taken_);
      std::iota(chosen_.begin(), chosen_.end(), begin_);
      all_ = false;
    }
    texts_[side].resize(taken_);
    batch.columns[side].strings({chosen_.data(), taken_}, texts_[side].data());
  }
  if (wrong_) throw row_error{batch.first_row + static_cast<std::uint64_t>(wrong_->row), wrong_->text};
  if (!with_facts_) return;
  scores_.resize(batch.score ? taken_ : 0);
  for (std::size_t i = 0; i < scores_.size(); ++i) scores_[i] = batch.score->score(row(i));
  places_.resize(taken_);
  for (std::size_t i = 0; i < taken_; ++i) places_[i] = batch.first_row + static_cast<std::uint64_t>(row(i));
}

}  // namespace copse::arrow
