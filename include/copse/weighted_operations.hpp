// Streams of inserts with weights, and queries.
#pragma once
#include <copse/operations.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <vector>

namespace copse::io {

/// Reads what operation_reader reads, where inserts have a weight in a column of text.
class weighted_operation_reader {
public:
  /// As operation_reader, with `options.weight_column`; without `options.min_weight` all weights are taken. Throws usage_error without the
  /// column, and for raw pairs, which have none.
  explicit weighted_operation_reader(const std::filesystem::path& path, const stream_read_options& options);
  weighted_operation_reader(weighted_operation_reader&&) noexcept;
  ~weighted_operation_reader();

  /// operation_reader::next(), and the weight of each record of the batch: of a query 0. Throws input_error for a weight that is not a
  /// number, too.
  bool next(operation_batch& batch, std::vector<double>& weights, std::size_t limit);

private:
  class source;
  std::unique_ptr<source> source_;
};

}  // namespace copse::io
