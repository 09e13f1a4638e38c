// A dynamic graph on disk: a folder with a database of SQLite, in which each batch is one transaction, and the lock of the one writer. What
// batches, logs and states hold is bytes to this file.
//
// Tables: graph has one row: the header and the remark of the caller with their checksum, and the number of the last batch. record has
// the batches; state has whole states of the graph, each as of a batch; log has what batches did, of those up to the last state. Numbers of
// batches have no gaps, so that a lost row is found. The first batch in `record` is the one after the horizon: what was before it is
// dropped, and a state as of the horizon takes its place.
#pragma once
#include <copse/dynamic.hpp>
#include <dynamic/blob_table.hpp>
#include <dynamic/sqlite.hpp>
#include <dynamic/state_bytes.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace copse::dynamics {

/// Held by the process that writes; the system releases it when that process ends, however it does.
class writer_lock {
public:
  /// Throws usage_error, with the id of the process, when another writer holds it.
  explicit writer_lock(const std::filesystem::path& folder);
  writer_lock(const writer_lock&) = delete;
  ~writer_lock();

private:
  int descriptor_;
};

class batch_store {
public:
  struct description {
    std::string header, remark;
  };

  /// Opens the store; a writer makes it if there is none. Throws input_error for what is no store or damaged.
  batch_store(const std::filesystem::path& folder, database_access access, durability durable);

  /// None: the store is new.
  [[nodiscard]] const std::optional<description>& described() const noexcept { return described_; }
  void describe(description about);
  /// Commits a batch, and a new remark if there is one. Throws uncommitted_batch when it cannot, and then the store is as it was.
  void append(std::uint64_t number, std::string_view bytes, const std::optional<std::string>& remark);
  /// Calls body(), in which all reads are of one committed state of the store, although a writer goes on.
  void view(const std::function<void()>& body);
  /// The batch before the first one that can be read.
  [[nodiscard]] std::uint64_t horizon() const;
  /// The last batch, up to that one, of which there is a state; 0: none.
  [[nodiscard]] std::uint64_t newest_state(std::uint64_t until) const;
  void read_state(std::uint64_t number, const std::function<void(byte_source&)>& visit) const;
  /// Calls visit(number, bytes) for the batches first, first + 1, ... up to `last` or the last one there is. Throws input_error for a
  /// damaged batch, with its number.
  void read(std::uint64_t first, std::uint64_t last, const std::function<void(std::uint64_t, const std::string&)>& visit);
  /// Thread-safe. None if the writer has dropped it since. Throws input_error for a log that is damaged, or missing behind the horizon.
  [[nodiscard]] std::optional<std::string> read_log(std::uint64_t number) const;

  struct log_range {
    std::uint64_t first, end;
    std::function<std::string(std::uint64_t number)> bytes_of;
  };
  /// Puts a state as of the batch `number`, and logs. Moves the horizon as far as the last `history` batches allow. Throws
  /// uncommitted_batch when it cannot, and then the store is as it was.
  void put_state(std::uint64_t number, std::uint64_t history, const std::function<void(byte_sink&)>& write, const log_range& logs);
  /// Leaves nothing but a state as of the batch `number`, and the horizon there. Throws uncommitted_batch when it cannot, and then the
  /// store is as it was.
  void begin_with(std::uint64_t number, std::span<const std::string> state);
  /// Removes what was deleted from every byte of the folder: rows leave theirs in free pages, in what is free of used ones, and in the
  /// write-ahead log. The database is written anew, and the log emptied. Throws uncommitted_batch when it cannot.
  void scrub();

private:
  void expect_no_gap(std::uint64_t first, std::uint64_t next, std::uint64_t last);
  [[nodiscard]] std::uint64_t last_batch() const;
  void write(const description& about);
  void drop(std::uint64_t newest, std::uint64_t history);

  std::optional<writer_lock> lock_;
  sqlite_database database_;
  blob_table records_{database_, "record", "batch"}, states_{database_, "state", "the state as of batch"},
      logs_{database_, "log", "the log of batch"};
  mutable std::mutex reads_logs_;
  std::optional<description> described_;
  std::optional<sqlite_statement> note_last_;
};

}  // namespace copse::dynamics
