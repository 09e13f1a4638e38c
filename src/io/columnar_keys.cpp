#include "io/columnar_keys.hpp"

#include "core/team.hpp"
#include "io/arrow/row_queue.hpp"
#include "io/columnar_layout.hpp"
#include "io/written_suffix.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <atomic>
#include <charconv>

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace copse::io {
namespace {

/// Gathers records in batches and passes them on to the sink, for one worker.
class columnar_records {
public:
  /// `first_key` is the index of the first column of keys.
  columnar_records(const arrow::row_rules& rules, std::size_t first_key, std::size_t keys, keyed_sink& sink)
      : rules_{rules}, first_key_{first_key}, sink_{sink}, taker_{rules, static_cast<std::int64_t>(keyed_batch::most), false} {
    batch_.values.resize(keys);
    digits_.resize(keys * keyed_batch::most * longest_integer);
  }

  void pass_on(unsigned worker, const arrow::open_batch& batch, std::int64_t begin, std::int64_t end) {
    std::vector<arrow::column_rows> keys;
    for (std::size_t c = first_key_; c < rules_.types.size(); ++c) keys.push_back(batch.column(rules_, c));
    constexpr auto step = static_cast<std::int64_t>(keyed_batch::most);
    for (; begin < end; begin += step) {
      const std::int64_t next = std::min(begin + step, end);
      take_ids(batch, begin, next);
      for (std::size_t k = 0; k < keys.size(); ++k) take_values(keys[k], k, batch.first_row, begin, next);
      sink_.records(worker, batch_);
    }
  }

private:
  static constexpr std::size_t longest_integer = 20;

  void take_ids(const arrow::open_batch& batch, std::int64_t begin, std::int64_t end) {
    batch_.names.clear();
    batch_.numbers.clear();
    if (rules_.ids.empty()) {
      for (std::int64_t row = begin; row < end; ++row) batch_.numbers.push_back(batch.first_row + static_cast<std::uint64_t>(row));
      return;
    }
    taker_.rows(batch, begin, end, [&]<class Id>(std::span<const Id> ids, std::span<const Id>, const arrow::taken_facts&) {
      if constexpr (std::is_same_v<Id, std::string_view>) {
        batch_.names.assign(ids.begin(), ids.end());
      } else {
        batch_.numbers.assign(ids.begin(), ids.end());
      }
    });
  }

  void take_values(const arrow::column_rows& column, std::size_t key, std::uint64_t first_row, std::int64_t begin, std::int64_t end) {
    const arrow::column_type& type = rules_.types[first_key_ + key];
    const bool is_unsigned = type.id_layout() == arrow::layout::uint64;
    char* digits = digits_.data() + key * keyed_batch::most * longest_integer;
    auto& values = batch_.values[key];
    values.clear();
    for (std::int64_t row = begin; row < end; ++row, digits += longest_integer) {
      if (column.has_nulls() && column.is_null(row)) {
        values.emplace_back();
        continue;
      }
      if (column.may_have_faults() && column.has_fault(row)) {
        const std::uint64_t place = first_row + static_cast<std::uint64_t>(row);
        const arrow::array_fault fault = column.fault(row);
        throw arrow::row_error{place, rules_.address(place).complaint(rules_.place(first_key_ + key), fault.found(), fault.expected())};
      }
      if (type.holds_strings()) {
        values.push_back(column.string(row));
        continue;
      }
      const std::int64_t number = column.integer(row);
      const auto end_of_digits = is_unsigned ? std::to_chars(digits, digits + longest_integer, static_cast<std::uint64_t>(number))
                                             : std::to_chars(digits, digits + longest_integer, number);
      values.emplace_back(digits, static_cast<std::size_t>(end_of_digits.ptr - digits));
    }
  }

  const arrow::row_rules& rules_;
  std::size_t first_key_;
  keyed_sink& sink_;
  arrow::row_taker taker_;
  keyed_batch batch_;
  std::vector<char> digits_;  ///< the digits of integer keys, which are passed on as text
};

class silent_watcher final : public observer {
  void progress(std::string_view, std::uint64_t, std::uint64_t, std::string_view) override {}
};

/// Passes all rows on to the sink with `workers` threads, and returns the number of rows.
std::uint64_t pass_rows(const columnar_source& from, std::span<const int> columns, const arrow::row_rules& rules, std::size_t first_key,
                        unsigned workers, observer* watcher, keyed_sink& sink) {
  silent_watcher silent;
  std::vector<std::unique_ptr<columnar_records>> rows;
  for (unsigned worker = 0; worker < workers; ++worker)
    rows.push_back(std::make_unique<columnar_records>(rules, first_key, columns.size() - first_key, sink));
  std::atomic<std::uint64_t> end_row{0};
  for (std::int64_t next = 0; next < from.parts();) {
    const open_parts some = from.open(columns, next, from.parts(), 2 * workers * columnar_source::stream_rows);
    next = some.end;
    if (some.parts.empty()) continue;
    arrow::row_queue queue{some.parts, rules, workers, watcher != nullptr ? *watcher : silent};
    const auto serve = [&](unsigned worker) {
      queue.serve(worker, [&](const arrow::open_batch& batch, std::int64_t begin, std::int64_t end) {
        rows[worker]->pass_on(worker, batch, begin, end);
        const std::uint64_t behind = batch.first_row + static_cast<std::uint64_t>(end);
        for (std::uint64_t known = end_row; known < behind && !end_row.compare_exchange_weak(known, behind);) {
        }
      });
    };
    queue.is_for_several() ? on_workers(workers, serve) : serve(0);
    queue.finish();
  }
  return end_row;
}

}  // namespace

bool is_columnar_table(const std::filesystem::path& path, const read_options& options) {
  if (options.format) return is_columnar(*options.format);
  std::error_code unknown;
  return std::filesystem::is_directory(path, unknown) || is_columnar_suffix(path.extension().string());
}

bool parse_columnar_keys(const std::filesystem::path& path, const keyed_table& table, const read_request& options, unsigned workers,
                         std::optional<bool> named, bool begins, keyed_sink& sink, line_numbers& lines) {
  const std::string name = path.string();
  refuse_options_of_text(name, options);
  refuse_words(name, options);
  if (table.id && table.id->joined()) {
    throw usage_error{name + ": found an id of several columns, which is read from text only; make one column of them"};
  }
  const format f = options.format ? *options.format : format_of(path);
  const columnar_source from{path, f, options.mapped};
  const std::vector<int> columns = columns_of(request_for_keys(name, path, format::csv, table), from.columns(), options);
  const std::size_t first_key = table.id ? 1 : 0;
  arrow::row_rules rules =
      rules_for(from, columns, table.id ? std::vector<std::size_t>{0} : std::vector<std::size_t>{}, std::nullopt, options);
  rules.nulls = {false, "each record has an id"};
  if (table.id) expect_kind(name, rules, options.ids);
  for (std::size_t c = first_key; c < columns.size(); ++c) {
    const arrow::column_type& type = rules.types[c];
    if (type.holds_integers() || type.holds_strings() || type.id_layout() == arrow::layout::nothing) continue;
    throw usage_error{name + ": " + rules.place(c) + ": keys must be integers or strings, not " + type.described()};
  }
  if (named && *named != rules.strings && table.id && rules.types[0].id_layout() != arrow::layout::nothing) {
    throw input_error::at(name, 0, rules.place(0) + " of " + rules.types[0].described(),
                          *named ? "strings, as in the tables before" : "integers, as in the tables before");
  }
  if (begins) sink.begin({.workers = workers, .named = rules.strings});
  const std::uint64_t rows = pass_rows(from, columns, rules, first_key, workers, options.observer, sink);
  if (!table.id) {  // the name of a record is its row number, so each row counts as one line
    for (std::uint64_t block = 0; block <= rows >> line_numbers::line_bits; ++block)
      lines.set_lines(block, std::uint64_t{1} << line_numbers::line_bits);
    lines.set_before(UINT64_MAX);  // -1 lines before the first row, so that rows are numbered from 0
  }
  return rules.strings;
}

}  // namespace copse::io
