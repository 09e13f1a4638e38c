// A table that comes as an Arrow stream, batch by batch.
#pragma once
#include <copse/errors.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "arrow_column.hpp"

namespace copse::python {

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
    if (schema_->format == nullptr || std::string_view{schema_->format} != "+s") {
      throw usage_error{"table: found a single column, expected a table, whose columns have names"};
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

}  // namespace copse::python
