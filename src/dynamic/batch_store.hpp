// The batches of a dynamic graph on disk: a folder with a database of SQLite, in which each batch is one transaction, and the lock of the
// one writer. What a batch holds is bytes to this file.
//
// Tables: graph has one row: the header and the remark of the caller with their checksum, and the number of the last batch. record has
// the bytes of batches, each batch in parts of at most part_bytes; the key is number * 2^16 + part, and each part has a checksum of key and
// bytes. SQLite keeps a torn write from being seen; checksums and numbers without gaps find damage.
#pragma once
#include <copse/dynamic.hpp>
#include <dynamic/sqlite.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
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
  /// Commits a batch. Throws uncommitted_batch when it cannot, and then the store is as it was.
  void append(std::uint64_t number, std::string_view bytes);
  /// Calls visit(number, bytes) for the batches first, first + 1, ... up to `last` or the last one there is. Throws input_error for a
  /// damaged batch, with its number.
  void read(std::uint64_t first, std::uint64_t last, const std::function<void(std::uint64_t, const std::string&)>& visit);

private:
  void expect_no_gap(std::uint64_t first, std::uint64_t next, std::uint64_t last);

  std::optional<writer_lock> lock_;
  sqlite_database database_;
  std::optional<description> described_;
  std::optional<sqlite_statement> insert_, note_last_;
};

}  // namespace copse::dynamics
