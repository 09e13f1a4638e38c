// The plug-in that reads and writes files of Parquet and Arrow through Arrow C++.
#include <arrow/api.h>
#include <arrow/c/bridge.h>
#include <arrow/io/api.h>
#include <arrow/ipc/api.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>
#include <io/arrow/columnar_plugin.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

void expect(const arrow::Status& status) {
  if (status.IsOutOfMemory()) throw std::bad_alloc{};
  if (!status.ok()) throw std::runtime_error{status.message()};
}

template <class T>
T value_of(arrow::Result<T> result) {
  expect(result.status());
  return std::move(result).ValueUnsafe();
}

std::shared_ptr<arrow::io::RandomAccessFile> opened(const std::string& path, bool mapped) {
  if (mapped) return value_of(arrow::io::MemoryMappedFile::Open(path, arrow::io::FileMode::READ));
  return value_of(arrow::io::ReadableFile::Open(path));
}

/// A file whose parts are read apart from each other.
class columnar_file {
public:
  virtual ~columnar_file() = default;
  [[nodiscard]] virtual std::shared_ptr<arrow::Schema> schema() const = 0;
  [[nodiscard]] virtual std::int64_t parts() const = 0;
  [[nodiscard]] virtual std::int64_t part_rows(std::int64_t part) const = 0;
  [[nodiscard]] virtual std::shared_ptr<arrow::RecordBatchReader> read(const std::vector<int>& columns, std::int64_t begin,
                                                                       std::int64_t end) const = 0;
};

/// Batches with columns in the order that is wanted, of which some may be the same. Readers give each once, in the order of the file.
class reordered_batches final : public arrow::RecordBatchReader {
public:
  using reading = std::function<arrow::Result<std::shared_ptr<arrow::RecordBatch>>()>;

  /// `next` gives the columns `ascending(columns)` of a table of this schema; no batch at the end.
  reordered_batches(const arrow::Schema& all, const std::vector<int>& columns, reading next) : next_{std::move(next)} {
    const std::vector<int> given = ascending(columns);
    arrow::FieldVector fields;
    for (const int c : columns) {
      fields.push_back(all.field(c));
      places_.push_back(static_cast<int>(std::lower_bound(given.begin(), given.end(), c) - given.begin()));
    }
    schema_ = arrow::schema(std::move(fields));
  }

  [[nodiscard]] static std::vector<int> ascending(std::vector<int> columns) {
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    return columns;
  }

  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }
  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* to) override {
    ARROW_ASSIGN_OR_RAISE(const std::shared_ptr<arrow::RecordBatch> batch, next_());
    to->reset();
    if (batch == nullptr) return arrow::Status::OK();
    arrow::ArrayVector columns;
    for (const int place : places_) columns.push_back(batch->column(place));
    *to = arrow::RecordBatch::Make(schema_, batch->num_rows(), std::move(columns));
    return arrow::Status::OK();
  }

private:
  std::shared_ptr<arrow::Schema> schema_;
  reading next_;
  std::vector<int> places_;
};

/// Parquet. Every stream has a reader of its own, which shares what the end of the file says. Pages are read into small buffers, because
/// those of a mapping count as memory of the process until the whole file is unmapped.
class parquet_file final : public columnar_file {
public:
  explicit parquet_file(const std::string& path)
      : file_{opened(path, false)},
        facts_{parquet::ParquetFileReader::Open(file_)->metadata()},
        schema_{of_reader(*reader(file_, facts_))} {
    for (int i = 0; i < facts_->num_row_groups(); ++i) rows_.push_back(facts_->RowGroup(i)->num_rows());
  }

  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }
  std::int64_t parts() const override { return static_cast<std::int64_t>(rows_.size()); }
  std::int64_t part_rows(std::int64_t part) const override { return rows_[static_cast<std::size_t>(part)]; }

  std::shared_ptr<arrow::RecordBatchReader> read(const std::vector<int>& columns, std::int64_t begin, std::int64_t end) const override {
    std::vector<int> groups(static_cast<std::size_t>(end - begin));
    std::iota(groups.begin(), groups.end(), static_cast<int>(begin));
    std::shared_ptr<parquet::arrow::FileReader> from = reader(file_, facts_);
    std::vector<int> leaves;  // a column of a table may be several in a file
    for (const int c : reordered_batches::ascending(columns)) {
      const auto& field = from->manifest().schema_fields.at(static_cast<std::size_t>(c));
      if (!field.is_leaf()) throw std::runtime_error{"column '" + schema_->field(c)->name() + "' is nested, and neither ids nor weights"};
      leaves.push_back(field.column_index);
    }
    // Pages are looked at when the first batch is wanted, and let go behind the last: of many streams few take memory at a time.
    auto next = [from, groups, leaves,
                 batches = std::shared_ptr<arrow::RecordBatchReader>{}]() mutable -> arrow::Result<std::shared_ptr<arrow::RecordBatch>> {
      if (from == nullptr) return nullptr;
      if (batches == nullptr) {
        ARROW_ASSIGN_OR_RAISE(batches, from->GetRecordBatchReader(groups, leaves));
      }
      ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::RecordBatch> batch, batches->Next());
      if (batch == nullptr) {
        batches.reset();
        from.reset();
      }
      return batch;
    };
    return std::make_shared<reordered_batches>(*schema_, columns, std::move(next));
  }

private:
  static constexpr std::int64_t rows_of_batch = std::int64_t{1} << 15, bytes_of_buffer = std::int64_t{1} << 16;

  [[nodiscard]] static std::unique_ptr<parquet::arrow::FileReader> reader(const std::shared_ptr<arrow::io::RandomAccessFile>& file,
                                                                          const std::shared_ptr<parquet::FileMetaData>& facts) {
    parquet::ArrowReaderProperties how;
    how.set_use_threads(false);  // parts are read side by side
    how.set_pre_buffer(false);
    how.set_batch_size(rows_of_batch);
    parquet::arrow::FileReaderBuilder builder;
    parquet::ReaderProperties buffers = parquet::default_reader_properties();
    buffers.enable_buffered_stream();
    buffers.set_buffer_size(bytes_of_buffer);
    expect(builder.Open(file, buffers, facts));
    builder.properties(how);
    std::unique_ptr<parquet::arrow::FileReader> made;
    expect(builder.Build(&made));
    return made;
  }
  static std::shared_ptr<arrow::Schema> of_reader(parquet::arrow::FileReader& from) {
    std::shared_ptr<arrow::Schema> schema;
    expect(from.GetSchema(&schema));
    return schema;
  }

  std::shared_ptr<arrow::io::RandomAccessFile> file_;
  std::shared_ptr<parquet::FileMetaData> facts_;
  std::shared_ptr<arrow::Schema> schema_;
  std::vector<std::int64_t> rows_;  ///< the number of rows of each row group
};

/// Arrow's own format: a file, whose batches can be read in any order, or a stream.
class ipc_file final : public columnar_file {
public:
  ipc_file(std::string path, bool mapped) : path_{std::move(path)}, mapped_{mapped} {
    const auto whole = arrow::ipc::RecordBatchFileReader::Open(opened(path_, mapped_));
    is_stream_ = !whole.ok();
    schema_ = is_stream_ ? value_of(arrow::ipc::RecordBatchStreamReader::Open(opened(path_, mapped_)))->schema() : (*whole)->schema();
    if (is_stream_) return;
    parts_ = (*whole)->num_record_batches();
    if (schema_->num_fields() == 0) rows_.resize(static_cast<std::size_t>(parts_));
    arrow::ipc::IpcReadOptions first_column = arrow::ipc::IpcReadOptions::Defaults();
    first_column.included_fields = {0};
    const auto counting = value_of(arrow::ipc::RecordBatchFileReader::Open(opened(path_, mapped_), first_column));
    for (int i = 0; rows_.size() < static_cast<std::size_t>(parts_); ++i)
      rows_.push_back(value_of(counting->ReadRecordBatch(i))->num_rows());
  }

  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }
  std::int64_t parts() const override { return parts_; }
  std::int64_t part_rows(std::int64_t part) const override { return is_stream_ ? -1 : rows_[static_cast<std::size_t>(part)]; }

  std::shared_ptr<arrow::RecordBatchReader> read(const std::vector<int>& columns, std::int64_t begin, std::int64_t end) const override {
    arrow::ipc::IpcReadOptions how = arrow::ipc::IpcReadOptions::Defaults();
    how.use_threads = false;
    how.included_fields = reordered_batches::ascending(columns);
    if (begin == end) return std::make_shared<reordered_batches>(*schema_, columns, [] { return nullptr; });
    if (is_stream_) {
      const std::shared_ptr<arrow::RecordBatchReader> from =
          value_of(arrow::ipc::RecordBatchStreamReader::Open(opened(path_, mapped_), how));
      return std::make_shared<reordered_batches>(*schema_, columns, [from] { return checked(from->Next()); });
    }
    const std::shared_ptr<arrow::ipc::RecordBatchFileReader> from =
        value_of(arrow::ipc::RecordBatchFileReader::Open(opened(path_, mapped_), how));
    return std::make_shared<reordered_batches>(*schema_, columns,
                                               [from, next = begin, end]() mutable -> arrow::Result<std::shared_ptr<arrow::RecordBatch>> {
                                                 if (next == end) return nullptr;
                                                 return checked(from->ReadRecordBatch(static_cast<int>(next++)));
                                               });
  }

private:
  /// Offsets and sizes of the buffers are what a file says.
  static arrow::Result<std::shared_ptr<arrow::RecordBatch>> checked(arrow::Result<std::shared_ptr<arrow::RecordBatch>> read) {
    if (read.ok() && *read != nullptr) ARROW_RETURN_NOT_OK((*read)->Validate());
    return read;
  }

  std::string path_;
  bool mapped_;
  std::shared_ptr<arrow::Schema> schema_;
  std::int64_t parts_ = 1;
  std::vector<std::int64_t> rows_;  ///< the number of rows of each part
  bool is_stream_ = false;
};

/// Bytes to the function of a caller.
class put_stream final : public arrow::io::OutputStream {
public:
  put_stream(int (*put)(void*, const void*, std::int64_t), void* context) : put_{put}, context_{context} {}
  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  bool closed() const override { return closed_; }
  arrow::Result<std::int64_t> Tell() const override { return written_; }
  arrow::Status Write(const void* data, std::int64_t count) override {
    if (put_(context_, data, count) != 0) return arrow::Status::IOError("writing failed");
    written_ += count;
    return arrow::Status::OK();
  }
  using arrow::io::OutputStream::Write;

private:
  int (*put_)(void*, const void*, std::int64_t);
  void* context_;
  std::int64_t written_ = 0;
  bool closed_ = false;
};

/// A table that is written some rows at a time.
class columnar_table {
public:
  columnar_table(std::shared_ptr<arrow::Schema> schema, bool is_parquet, std::shared_ptr<put_stream> to)
      : schema_{std::move(schema)}, to_{std::move(to)} {
    if (is_parquet) {
      const auto how =
          parquet::WriterProperties::Builder().compression(parquet::Compression::SNAPPY)->max_row_group_length(rows_of_group)->build();
      // Without the schema of Arrow in the file, readers give strings the type `string`, not `large_string`, which does not join with it.
      parquet_ = value_of(parquet::arrow::FileWriter::Open(*schema_, arrow::default_memory_pool(), to_, how));
    } else {
      ipc_ = value_of(arrow::ipc::MakeFileWriter(to_, schema_));
    }
  }

  void append(ArrowArray* rows) {
    const auto batch = value_of(arrow::ImportRecordBatch(rows, schema_));
    expect(parquet_ != nullptr ? parquet_->WriteRecordBatch(*batch) : ipc_->WriteRecordBatch(*batch));
  }
  void finish() { expect(parquet_ != nullptr ? parquet_->Close() : ipc_->Close()); }

private:
  static constexpr std::int64_t rows_of_group = std::int64_t{1} << 20;

  std::shared_ptr<arrow::Schema> schema_;
  std::shared_ptr<put_stream> to_;
  std::unique_ptr<parquet::arrow::FileWriter> parquet_;
  std::shared_ptr<arrow::ipc::RecordBatchWriter> ipc_;  ///< if it is no Parquet
};

/// Calls body(), whose exceptions become the text of an error.
template <class Body>
auto without_exceptions(char* error, std::size_t size, decltype(std::declval<Body>()()) failed, Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    std::snprintf(error, size, "%s", copse_columnar_out_of_memory);
  } catch (const std::exception& fault) {
    std::snprintf(error, size, "%s", fault.what());
  } catch (...) {
    std::snprintf(error, size, "unknown failure");
  }
  return failed;
}

void* open_file(const char* path, int is_parquet, int mapped, char* error, std::size_t size) {
  return without_exceptions(error, size, static_cast<void*>(nullptr), [&]() -> void* {
    std::unique_ptr<columnar_file> file;
    if (is_parquet != 0) {
      file = std::make_unique<parquet_file>(path);
    } else {
      file = std::make_unique<ipc_file>(path, mapped != 0);
    }
    return file.release();
  });
}

constexpr copse_columnar_files functions{
    .version = copse_columnar_files_version,
    .open = open_file,
    .close = [](void* file) { delete static_cast<columnar_file*>(file); },
    .schema =
        [](void* file, ArrowSchema* to, char* error, std::size_t size) {
          return without_exceptions(error, size, -1, [&] {
            expect(arrow::ExportSchema(*static_cast<columnar_file*>(file)->schema(), to));
            return 0;
          });
        },
    .parts = [](void* file) { return static_cast<columnar_file*>(file)->parts(); },
    .part_rows = [](void* file, std::int64_t part) { return static_cast<columnar_file*>(file)->part_rows(part); },
    .read =
        [](void* file, const int* columns, int count, std::int64_t begin, std::int64_t end, ArrowArrayStream* to, char* error,
           std::size_t size) {
          return without_exceptions(error, size, -1, [&] {
            const std::vector<int> wanted(columns, columns + count);
            expect(arrow::ExportRecordBatchReader(static_cast<columnar_file*>(file)->read(wanted, begin, end), to));
            return 0;
          });
        },
    .create =
        [](ArrowSchema* columns, int is_parquet, int (*put)(void*, const void*, std::int64_t), void* context, char* error,
           std::size_t size) {
          return without_exceptions(error, size, static_cast<void*>(nullptr), [&]() -> void* {
            auto to = std::make_shared<put_stream>(put, context);
            return std::make_unique<columnar_table>(value_of(arrow::ImportSchema(columns)), is_parquet != 0, std::move(to)).release();
          });
        },
    .append =
        [](void* table, ArrowArray* rows, char* error, std::size_t size) {
          return without_exceptions(error, size, -1, [&] {
            static_cast<columnar_table*>(table)->append(rows);
            return 0;
          });
        },
    .finish =
        [](void* table, char* error, std::size_t size) {
          return without_exceptions(error, size, -1, [&] {
            static_cast<columnar_table*>(table)->finish();
            return 0;
          });
        },
    .discard = [](void* table) { delete static_cast<columnar_table*>(table); },
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const copse_columnar_files* copse_columnar_plugin() { return &functions; }
