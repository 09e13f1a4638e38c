// A dynamic graph on disk: a folder with an SQLite database, in which each batch is one transaction, files of whole states, and the lock of
// the one writer. Here the contents of batches, logs and states are just bytes.
//
// Tables: `graph` has one row: the header and the caller's remark with their checksum, and the number of the last batch. `record` has the
// batches; `state` names the states that count, each as of a batch; `log` has what batches did, up to the batch of the last state.
// Numbers of batches have no gaps, so that a lost row is noticed. The first batch in `record` is the one after the horizon: earlier batches
// are dropped, and a state as of the horizon takes their place.
#pragma once
#include <copse/dynamic.hpp>
#include <core/background_call.hpp>
#include <dynamic/blob_table.hpp>
#include <dynamic/sqlite.hpp>
#include <dynamic/state_bytes.hpp>
#include <dynamic/state_files.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace copse::dynamics {

/// The writing process holds this lock; the system releases it when the process ends in any way.
class writer_lock {
public:
  /// Throws usage_error, with the id of the process, if another writer holds the lock.
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

  /// Opens the store; a writer makes it if there is none. Throws input_error if it is damaged, or no store.
  batch_store(const std::filesystem::path& folder, database_access access, durability durable);

  /// Returns the header and the remark, a text of the caller; empty for a new store.
  [[nodiscard]] const std::optional<description>& described() const noexcept { return described_; }
  void describe(description about);
  /// Commits a batch, and a new remark (text of the caller) if there is one. If that fails, throws uncommitted_batch and leaves the store
  /// as it was.
  void append(std::uint64_t number, std::string_view bytes, const std::optional<std::string>& remark);
  /// Calls body(), in which all reads see the same committed state of the store, while a writer may go on. Calls it again, with what is
  /// committed then, if it ended in missing_state because the writer has dropped that state in the meantime.
  void view(const std::function<void()>& body);
  /// Returns the number of the batch before the first one that can be read.
  [[nodiscard]] std::uint64_t horizon() const;
  /// Returns the number of the last batch up to `until` for which there is a state; 0 if there is none.
  [[nodiscard]] std::uint64_t newest_state(std::uint64_t until) const;
  void read_state(std::uint64_t number, const std::function<void(byte_source&)>& visit) const { files_.read(number, visit); }
  /// Calls visit(number, bytes) for the batches first, first + 1, ... up to `last` or the last one that exists. Throws input_error for a
  /// damaged batch, with its number.
  void read(std::uint64_t first, std::uint64_t last, const std::function<void(std::uint64_t, const std::string&)>& visit);
  /// Returns the log of a batch; empty if the writer has dropped it since. Thread-safe. Throws input_error if the log is damaged, or
  /// missing though its batch is after the horizon, the last batch that was dropped.
  [[nodiscard]] std::optional<std::string> read_log(std::uint64_t number) const;

  struct log_range {
    std::uint64_t first, end;
    std::function<std::string(std::uint64_t number)> bytes_of;
  };
  /// Writes the state as of the batch `number`, and the logs of the batches in `logs`. Then drops all batches up to the latest stored state
  /// that at least `history` batches follow. Does nothing if that state is there. If it fails, throws uncommitted_batch and leaves the
  /// store as it was. Precondition: !has_state_ahead().
  void put_state(std::uint64_t number, std::uint64_t history, const std::function<void(byte_sink&)>& write, const log_range& logs);
  /// Like put_state(), but in two steps: begin_state() returns while the file is being written on another thread, and finish_state() waits
  /// for that and does the rest. In between, has_state_ahead() is true, and batches can be appended.
  void begin_state(std::uint64_t number, std::vector<std::string> pieces);
  void finish_state(std::uint64_t history, const log_range& logs);
  [[nodiscard]] bool has_state_ahead() const noexcept { return ahead_ != nullptr; }
  /// Returns true if finish_state() need not wait.
  [[nodiscard]] bool is_state_written() const noexcept { return ahead_ && ahead_->file.has_ended(); }
  /// Replaces everything by a state as of the batch `number`, which becomes the horizon: only later batches can be read. There must be no
  /// state as of that batch. If it fails, throws uncommitted_batch and leaves the store as it was. Precondition: !has_state_ahead().
  void begin_with(std::uint64_t number, std::span<const std::string> state);
  /// Removes all bytes of dropped states and deleted rows from the folder: SQLite leaves the latter in free pages, in free parts of used
  /// pages, and in the write-ahead log. So the database is written anew, and the log is emptied. Throws uncommitted_batch if that fails.
  void scrub();

private:
  void expect_no_gap(std::uint64_t first, std::uint64_t next, std::uint64_t last);
  [[nodiscard]] std::uint64_t last_batch() const;
  void write(const description& about);
  void drop(std::uint64_t newest, std::uint64_t history);
  struct state_ahead {
    state_ahead(std::uint64_t batch, std::function<void()> write) : number{batch}, file{std::move(write)} {}
    std::uint64_t number;
    background_call file;
  };
  void name_state(std::uint64_t number, const std::function<void()>& drop_others);
  void name_state(std::uint64_t number, std::uint64_t history, const log_range& logs);
  bool remove_unnamed_states() noexcept;
  void synchronise_as(durability durable);

  std::optional<writer_lock> lock_;
  sqlite_database database_;
  state_files files_;
  durability durable_;
  blob_table records_{database_, "record", "batch"}, states_{database_, "state", "the state as of batch"},
      logs_{database_, "log", "the log of batch"};
  mutable std::mutex reads_logs_;
  std::optional<description> described_;
  std::optional<sqlite_statement> note_last_;
  std::unique_ptr<state_ahead> ahead_;
};

}  // namespace copse::dynamics
