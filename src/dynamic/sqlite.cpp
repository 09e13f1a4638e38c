#include <copse/errors.hpp>
#include <dynamic/sqlite.hpp>

#include <dlfcn.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <optional>
#include <type_traits>
#include <utility>

namespace copse::dynamics {
namespace {

enum class sqlite_code : int { ok = 0, no_memory = 7, io_failure = 10, full = 13, row = 100, done = 101 };

bool is(int code, sqlite_code one) noexcept { return code == static_cast<int>(one); }

constexpr int open_read_write = 2, open_create = 4, open_uri = 64;

/// Returns the name by which SQLite opens the database as one that does not change; nothing if the file system can be written to, or if
/// there is a write-ahead log.
std::optional<std::string> name_of_unchanging(const std::string& path) {
  struct statvfs about {};
  if (statvfs(path.c_str(), &about) != 0 || (about.f_flag & ST_RDONLY) == 0 || access((path + "-wal").c_str(), F_OK) == 0)
    return std::nullopt;
  std::string name = "file:";
  for (const char c : path) name += c == '%' ? "%25" : c == '?' ? "%3f" : c == '#' ? "%23" : std::string{c};
  return name + "?immutable=1";
}

struct sqlite_library {
  int (*open_v2)(const char*, sqlite3**, int, const char*) = nullptr;
  int (*close_v2)(sqlite3*) = nullptr;
  int (*exec)(sqlite3*, const char*, int (*)(void*, int, char**, char**), void*, char**) = nullptr;
  int (*prepare_v2)(sqlite3*, const char*, int, sqlite3_stmt**, const char**) = nullptr;
  int (*step)(sqlite3_stmt*) = nullptr;
  int (*reset)(sqlite3_stmt*) = nullptr;
  int (*finalize)(sqlite3_stmt*) = nullptr;
  int (*bind_int64)(sqlite3_stmt*, int, std::int64_t) = nullptr;
  int (*bind_blob64)(sqlite3_stmt*, int, const void*, std::uint64_t, void (*)(void*)) = nullptr;
  std::int64_t (*column_int64)(sqlite3_stmt*, int) = nullptr;
  const void* (*column_blob)(sqlite3_stmt*, int) = nullptr;
  int (*column_bytes)(sqlite3_stmt*, int) = nullptr;
  const char* (*errmsg)(sqlite3*) = nullptr;
  int (*busy_timeout)(sqlite3*, int) = nullptr;
  int (*get_autocommit)(sqlite3*) = nullptr;
  bool is_complete = false;

  sqlite_library() {
    void* library = nullptr;
    for (const char* name : {"libsqlite3.so.0", "libsqlite3.so", "libsqlite3.dylib"})
      if (library == nullptr) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return;
    const auto take = [library](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      return function != nullptr;
    };
    is_complete = take(open_v2, "sqlite3_open_v2") && take(close_v2, "sqlite3_close_v2") && take(exec, "sqlite3_exec") &&
                  take(prepare_v2, "sqlite3_prepare_v2") && take(step, "sqlite3_step") && take(reset, "sqlite3_reset") &&
                  take(finalize, "sqlite3_finalize") && take(bind_int64, "sqlite3_bind_int64") &&
                  take(bind_blob64, "sqlite3_bind_blob64") && take(column_int64, "sqlite3_column_int64") &&
                  take(column_blob, "sqlite3_column_blob") && take(column_bytes, "sqlite3_column_bytes") &&
                  take(errmsg, "sqlite3_errmsg") && take(busy_timeout, "sqlite3_busy_timeout") &&
                  take(get_autocommit, "sqlite3_get_autocommit");
  }
};

const sqlite_library& library() {
  static const sqlite_library loaded;
  return loaded;
}

}  // namespace

bool has_sqlite() noexcept { return library().is_complete; }

void sqlite_database::closer::operator()(sqlite3* handle) const noexcept { library().close_v2(handle); }

sqlite_database::sqlite_database(std::string path, database_access access) : path_{std::move(path)} {
  if (!has_sqlite()) throw usage_error{path_ + ": a durable graph needs SQLite: install libsqlite3 (libsqlite3-0 on Debian and Ubuntu)"};
  sqlite3* handle = nullptr;
  const std::optional<std::string> unchanging = access == database_access::read ? name_of_unchanging(path_) : std::nullopt;
  const int code = library().open_v2(unchanging.value_or(path_).c_str(), &handle,
                                     access == database_access::write ? open_read_write | open_create
                                     : unchanging                     ? open_read_write | open_uri
                                                                      : open_read_write,
                                     nullptr);
  handle_.reset(handle);
  if (!is(code, sqlite_code::ok)) refuse(code);
  library().busy_timeout(handle, 10'000);
}

void sqlite_database::run(const char* statement) {
  if (const int code = library().exec(handle(), statement, nullptr, nullptr, nullptr); !is(code, sqlite_code::ok)) refuse(code);
}

bool sqlite_database::is_in_transaction() const noexcept { return library().get_autocommit(handle()) == 0; }

void sqlite_database::refuse(int code) const {
  const std::string said = handle_ ? library().errmsg(handle()) : "out of memory";
  const int kind = code & 0xFF;
  if (is(kind, sqlite_code::full) || is(kind, sqlite_code::io_failure) || is(kind, sqlite_code::no_memory))
    throw resource_error{path_ + ": " + said};
  throw input_error::at(path_, 0, "what SQLite cannot read or write (" + said + ")", "the store of a dynamic graph");
}

sqlite_transaction::sqlite_transaction(sqlite_database& database, database_access access) : database_{database} {
  database_.run(access == database_access::write ? "BEGIN IMMEDIATE" : "BEGIN");
}

sqlite_transaction::~sqlite_transaction() {
  try {
    if (database_.is_in_transaction()) database_.run("ROLLBACK");
  } catch (const error&) {  // SQLite has already rolled back
  }
}

void sqlite_transaction::commit() { database_.run("COMMIT"); }

void sqlite_statement::finalizer::operator()(sqlite3_stmt* statement) const noexcept { library().finalize(statement); }

sqlite_statement::sqlite_statement(const sqlite_database& database, const char* text) : database_{database} {
  sqlite3_stmt* made = nullptr;
  const int code = library().prepare_v2(database.handle(), text, -1, &made, nullptr);
  statement_.reset(made);
  if (!is(code, sqlite_code::ok)) database.refuse(code);
}

void sqlite_statement::bind(int parameter, std::int64_t value) {
  if (const int code = library().bind_int64(statement_.get(), parameter, value); !is(code, sqlite_code::ok)) database_.refuse(code);
}

void sqlite_statement::bind(int parameter, std::string_view bytes) {
  const int code = library().bind_blob64(statement_.get(), parameter, bytes.data(), bytes.size(), nullptr);
  if (!is(code, sqlite_code::ok)) database_.refuse(code);
}

bool sqlite_statement::step() {
  const int code = library().step(statement_.get());
  if (!is(code, sqlite_code::row) && !is(code, sqlite_code::done)) {
    library().reset(statement_.get());
    database_.refuse(code);
  }
  return is(code, sqlite_code::row);
}

void sqlite_statement::reset() noexcept { library().reset(statement_.get()); }
std::int64_t sqlite_statement::integer(int column) const noexcept { return library().column_int64(statement_.get(), column); }
std::string_view sqlite_statement::bytes(int column) const noexcept {
  const auto* data = static_cast<const char*>(library().column_blob(statement_.get(), column));
  return {data, static_cast<std::size_t>(library().column_bytes(statement_.get(), column))};
}

}  // namespace copse::dynamics
