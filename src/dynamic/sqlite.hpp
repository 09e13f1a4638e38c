// SQLite, loaded at run time when it is first needed: a build of copse does not depend on it, and only durable graphs use it.
//
// The functions are those of its C interface, which has been stable since version 3.0, without the prefix `sqlite3_`.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace copse::dynamics {

/// True if this machine has the SQLite library, which is loaded when it is first needed.
[[nodiscard]] bool has_sqlite() noexcept;

enum class database_access : std::uint8_t { write, read };

/// A database in a file. Damage throws input_error, a full disk and other failures of the system resource_error.
class sqlite_database {
public:
  /// Opens the file; with `access` write it is made if it does not exist. On a file system that cannot be written to, one without a
  /// write-ahead log is read as it is, without the files that readers and writers share. Throws usage_error if the library is missing.
  sqlite_database(std::string path, database_access access);
  void run(const char* statement);
  [[nodiscard]] bool is_in_transaction() const noexcept;
  [[noreturn]] void refuse(int code) const;

  [[nodiscard]] sqlite3* handle() const noexcept { return handle_.get(); }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

private:
  struct closer {
    void operator()(sqlite3* handle) const noexcept;
  };
  std::string path_;
  std::unique_ptr<sqlite3, closer> handle_;
};

/// A transaction, which is rolled back unless it is committed.
class sqlite_transaction {
public:
  /// With `access` write it waits for other writers; with `read` it sees one committed state, while a writer may go on.
  sqlite_transaction(sqlite_database& database, database_access access);
  sqlite_transaction(const sqlite_transaction&) = delete;
  ~sqlite_transaction();
  void commit();

private:
  sqlite_database& database_;
};

/// A prepared statement. As in SQLite, parameters count from 1 and columns from 0.
class sqlite_statement {
public:
  sqlite_statement(const sqlite_database& database, const char* text);
  void bind(int parameter, std::int64_t value);
  /// The bytes are not copied, and must not move until reset().
  void bind(int parameter, std::string_view bytes);
  /// Returns true if there is a row.
  bool step();
  void reset() noexcept;
  [[nodiscard]] std::int64_t integer(int column) const noexcept;
  /// The result is valid until the next step().
  [[nodiscard]] std::string_view bytes(int column) const noexcept;

private:
  struct finalizer {
    void operator()(sqlite3_stmt* statement) const noexcept;
  };
  const sqlite_database& database_;
  std::unique_ptr<sqlite3_stmt, finalizer> statement_;
};

}  // namespace copse::dynamics
