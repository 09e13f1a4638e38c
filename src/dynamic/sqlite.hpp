// SQLite, loaded when it is first needed: a build of copse does not depend on it, and only durable graphs use it.
//
// The functions are those of its C interface, which has been stable since version 3.0; the names are without the prefix `sqlite3_`.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace copse::dynamics {

/// Is the library on this machine?
[[nodiscard]] bool has_sqlite() noexcept;

enum class database_access : std::uint8_t { write, read };

/// A database in a file. Damage throws input_error, a full disk and other failures of the system resource_error.
class sqlite_database {
public:
  /// Makes the file where there is none and it is to be written. Throws usage_error where the library is missing.
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

/// One transaction; rolled back unless it is committed.
class sqlite_transaction {
public:
  /// With `access` write it waits for other writers; with `read` it sees one committed state, although a writer goes on.
  sqlite_transaction(sqlite_database& database, database_access access);
  sqlite_transaction(const sqlite_transaction&) = delete;
  ~sqlite_transaction();
  void commit();

private:
  sqlite_database& database_;
};

/// A prepared statement. Parameters and columns count from 1 and 0, as those of SQLite do.
class sqlite_statement {
public:
  sqlite_statement(const sqlite_database& database, const char* text);
  void bind(int parameter, std::int64_t value);
  /// The bytes stay where they are until reset().
  void bind(int parameter, std::string_view bytes);
  /// True if there is a row.
  bool step();
  void reset() noexcept;
  [[nodiscard]] std::int64_t integer(int column) const noexcept;
  /// Valid until the next step.
  [[nodiscard]] std::string_view bytes(int column) const noexcept;

private:
  struct finalizer {
    void operator()(sqlite3_stmt* statement) const noexcept;
  };
  const sqlite_database& database_;
  std::unique_ptr<sqlite3_stmt, finalizer> statement_;
};

}  // namespace copse::dynamics
