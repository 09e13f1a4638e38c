// Tables that come as Arrow streams, batch by batch into a sink: integers where they lie, everything else gathered piece by piece.
#include <copse/errors.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "arrow_column.hpp"
#include "bindings.hpp"
#include "sink.hpp"

namespace copse::python {
namespace {

constexpr std::int64_t piece_rows = std::int64_t{1} << 16;

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

/// What a table had beside the edges that were taken.
struct table_counts {
  std::uint64_t rows = 0, nulls = 0, below = 0;
};

/// Takes the rows of one or two id columns, with a score or none.
class row_taker {
public:
  row_taker(const arrow_stream& table, std::vector<std::size_t> ids, std::optional<std::size_t> score, std::optional<double> threshold,
            bool drop_nulls)
      : types_{table.columns()}, ids_{std::move(ids)}, score_{score}, threshold_{threshold.value_or(0)}, drop_nulls_{drop_nulls} {
    for (const std::size_t c : ids_) {
      if (!types_[c].holds_integers() && !types_[c].holds_strings() && types_[c].id_layout() != layout::nothing) {
        throw usage_error{place(c) + ": found " + types_[c].described() + ", expected integers, strings or binaries"};
      }
      strings_ |= types_[c].holds_strings();
    }
    for (const std::size_t c : ids_) {
      if (strings_ && types_[c].holds_integers()) {
        throw usage_error{place(c) + ": found " + types_[c].described() + " beside strings, expected ids of one kind"};
      }
    }
    if (score_ && (types_[*score_].values > layout::float64 || types_[*score_].entries)) {
      throw usage_error{place(*score_) + ": found " + types_[*score_].described() + ", expected numbers"};
    }
  }

  template <class Take>
  void batch(const ArrowArray& batch, observer& watcher, Take&& take) {
    std::vector<column_rows> columns;
    for (const std::size_t c : ids_) columns.emplace_back(types_[c], *batch.children[c], batch.offset, batch.length);
    std::optional<column_rows> score;
    if (score_) score.emplace(types_[*score_], *batch.children[*score_], batch.offset, batch.length);
    const bool whole = !score && std::none_of(columns.begin(), columns.end(), [](const column_rows& c) { return c.has_nulls(); });
    if (!whole || !taken_in_place(columns, take)) {
      for (std::int64_t begin = 0; begin < batch.length; begin += piece_rows) {
        if (watcher.cancel_requested()) throw cancelled{};
        choose(columns, score ? &*score : nullptr, begin, std::min(begin + piece_rows, batch.length));
        if (!chosen_.empty()) pass_on(columns, take);
      }
    }
    counts_.rows += static_cast<std::uint64_t>(batch.length);
  }

  [[nodiscard]] const table_counts& counts() const noexcept { return counts_; }

private:
  [[nodiscard]] std::string place(std::size_t column) const { return "column '" + types_[column].name + "'"; }

  template <class Take>
  bool taken_in_place(const std::vector<column_rows>& columns, Take& take) const {
    const auto try_type = [&]<class T>(layout l, T) {
      if (!std::all_of(ids_.begin(), ids_.end(), [&](std::size_t c) { return types_[c].values == l && !types_[c].entries; })) return false;
      take(columns.front().template in_place<T>(), columns.back().template in_place<T>());
      return true;
    };
    return try_type(layout::int64, std::int64_t{}) || try_type(layout::int32, std::int32_t{}) ||
           try_type(layout::uint64, std::uint64_t{}) || try_type(layout::uint32, std::uint32_t{});
  }

  /// Rows of a piece that have ids, and a score that is not below the threshold.
  void choose(const std::vector<column_rows>& columns, const column_rows* score, std::int64_t begin, std::int64_t end) {
    chosen_.clear();
    for (std::int64_t row = begin; row < end; ++row) {
      if (score != nullptr) {
        if (score->has_nulls() && score->is_null(row)) {
          refuse_null(*score_, row);
          continue;
        }
        if (!(score->score(row) >= threshold_)) {  // NaN is not
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
  void refuse_null(std::size_t column, std::int64_t row) {
    if (!drop_nulls_) {
      throw input_error{place(column) + ": found a null in row " + std::to_string(counts_.rows + static_cast<std::uint64_t>(row)) +
                        ", expected a value; nulls='drop' leaves such rows out and counts them"};
    }
    ++counts_.nulls;
  }

  template <class Take>
  void pass_on(const std::vector<column_rows>& columns, Take& take) {
    if (strings_) {
      for (std::size_t side = 0; side < columns.size(); ++side) {
        texts_[side].resize(chosen_.size());
        for (std::size_t i = 0; i < chosen_.size(); ++i) texts_[side][i] = columns[side].string(chosen_[i]);
      }
      take(std::span<const std::string_view>{texts_[0]}, std::span<const std::string_view>{texts_[columns.size() - 1]});
      return;
    }
    for (std::size_t side = 0; side < columns.size(); ++side) {
      const bool is_unsigned = types_[ids_[side]].id_layout() == layout::uint64;
      numbers_[side].resize(chosen_.size());
      for (std::size_t i = 0; i < chosen_.size(); ++i) {
        const std::int64_t value = columns[side].integer(chosen_[i]);
        if (value < 0 && !is_unsigned) {
          throw input_error{place(ids_[side]) + ": found " + std::to_string(value) + " in row " +
                            std::to_string(counts_.rows + static_cast<std::uint64_t>(chosen_[i])) + ", expected ids of 0 or more"};
        }
        numbers_[side][i] = static_cast<std::uint64_t>(value);
      }
    }
    take(std::span<const std::uint64_t>{numbers_[0]}, std::span<const std::uint64_t>{numbers_[columns.size() - 1]});
  }

  std::vector<column_type> types_;
  std::vector<std::size_t> ids_;
  std::optional<std::size_t> score_;
  double threshold_;
  bool drop_nulls_, strings_ = false;
  table_counts counts_;
  std::vector<std::int64_t> chosen_;
  std::vector<std::string_view> texts_[2];
  std::vector<std::uint64_t> numbers_[2];
};

/// All batches of the stream; the stream is drained even where an error ends the work early, as some of them are busy until then.
table_counts add_table(batch_sink& to, arrow_stream& table, std::size_t left, std::optional<std::size_t> right,
                       std::optional<std::size_t> score, std::optional<double> threshold, bool drop_nulls) {
  std::vector<std::size_t> ids{left};
  if (right) ids.push_back(*right);
  row_taker taker{table, std::move(ids), score, threshold, drop_nulls};
  to.watched([&](edge_batch_sink& sink, observer& watcher) {
    while (const arrow_owner<ArrowArray> batch = table.next()) {
      taker.batch(*batch, watcher, [&](auto first, auto second) {
        if (right) {
          sink.add(first, second);
        } else {
          sink.add_vertices(first);
        }
      });
    }
  });
  return taker.counts();
}

/// Strings of Python's own: None is a null. The views are of texts that the lists hold.
std::uint64_t strings_of(const nb::list& from, std::vector<std::string_view>& to, const char* what) {
  std::uint64_t nulls = 0;
  to.reserve(nb::len(from));
  for (const nb::handle item : from) {
    Py_ssize_t size = 0;
    if (PyUnicode_Check(item.ptr())) {
      const char* text = PyUnicode_AsUTF8AndSize(item.ptr(), &size);
      if (text == nullptr) throw nb::python_error{};
      to.emplace_back(text, static_cast<std::size_t>(size));
    } else if (PyBytes_Check(item.ptr())) {
      to.emplace_back(PyBytes_AsString(item.ptr()), static_cast<std::size_t>(PyBytes_Size(item.ptr())));
    } else if (item.is_none()) {
      to.emplace_back();
      ++nulls;
    } else {
      throw usage_error{std::string{what} + "[" + std::to_string(to.size()) + "]: found " +
                        nb::cast<std::string>(nb::str(nb::handle(item.type().attr("__name__")))) + ", expected a string"};
    }
  }
  return nulls;
}

void add_strings(batch_sink& to, const nb::list& left, const nb::list& right) {
  std::vector<std::string_view> sources, targets;
  if (strings_of(left, sources, "left") + strings_of(right, targets, "right") != 0) {
    throw usage_error{"strings: found None, expected strings"};
  }
  to.watched([&](edge_batch_sink& sink, observer&) {
    sink.add(std::span<const std::string_view>{sources}, std::span<const std::string_view>{targets});
  });
}

void add_string_vertices(batch_sink& to, const nb::list& ids) {
  std::vector<std::string_view> all;
  if (strings_of(ids, all, "vertices") != 0) throw usage_error{"vertices: found None, expected strings"};
  to.watched([&](edge_batch_sink& sink, observer&) { sink.add_vertices(std::span<const std::string_view>{all}); });
}

}  // namespace

void bind_tables(nb::module_& m) {
  nb::class_<table_counts>(m, "TableCounts", "What a table had beside the edges that were taken.")
      .def_ro("rows", &table_counts::rows)
      .def_ro("nulls", &table_counts::nulls, "rows left out for a null")
      .def_ro("below", &table_counts::below, "rows left out for a score below the threshold, or none");
  nb::class_<arrow_stream>(m, "ArrowStream")
      .def(nb::init<nb::handle>())
      .def(nb::init<nb::handle, nb::handle>())
      .def_prop_ro("names",
                   [](const arrow_stream& s) {
                     nb::list names;
                     for (const column_type& c : s.columns()) names.append(c.name);
                     return names;
                   })
      .def("is_binary", [](const arrow_stream& s, std::size_t column) { return s.columns().at(column).binary; });
  m.def("add_table", &add_table, nb::arg("sink"), nb::arg("table"), nb::arg("left"), nb::arg("right").none(), nb::arg("score").none(),
        nb::arg("threshold").none(), nb::arg("drop_nulls"));
  m.def("add_strings", &add_strings);
  m.def("add_string_vertices", &add_string_vertices);
}

}  // namespace copse::python
