#include <copse/errors.hpp>
#include <core/byte_hash.hpp>
#include <dynamic/batch_store.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace copse::dynamics {
namespace {

constexpr std::size_t part_bytes = std::size_t{256} << 20;  // SQLite takes at most 10^9
constexpr std::uint64_t parts_limit = std::uint64_t{1} << 16;

std::int64_t sum_of(std::uint64_t key, std::string_view bytes) {
  byte_hash hash;
  hash.add(&key, sizeof key);
  hash.add(bytes.data(), bytes.size());
  return static_cast<std::int64_t>(hash.value());
}

/// A folder that was made is in its parent for good.
void synchronise_folder(const std::filesystem::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

std::string database_in(const std::filesystem::path& folder, database_access access) {
  std::error_code failure;
  if (access == database_access::write) {
    const std::filesystem::path whole = std::filesystem::absolute(folder, failure);
    if (std::filesystem::create_directories(whole, failure)) synchronise_folder(whole.parent_path());
  }
  if (!std::filesystem::is_directory(folder, failure))
    throw input_error::at(folder.string(), 0, "no folder", "one that a dynamic graph was made in");
  const std::filesystem::path file = folder / "batches.sqlite";
  if (access == database_access::read && !std::filesystem::exists(file, failure))
    throw input_error::at(folder.string(), 0, "no batches.sqlite", "a folder that a dynamic graph was made in");
  return file.string();
}

}  // namespace

writer_lock::writer_lock(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "writer";
  descriptor_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw input_error::at(file.string(), 0, std::strerror(errno), "a file that can be written");
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    std::array<char, 32> text{};
    const ssize_t size = pread(descriptor_, text.data(), text.size(), 0);
    close(descriptor_);
    const std::string process{text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
    throw usage_error{folder.string() + ": process " + process + " writes to it; close it there, or open this one for reading"};
  }
  const std::string process = std::to_string(getpid());
  if (ftruncate(descriptor_, 0) != 0 || pwrite(descriptor_, process.data(), process.size(), 0) != static_cast<ssize_t>(process.size())) {
    const int failure = errno;
    close(descriptor_);
    throw resource_error{file.string() + ": " + std::strerror(failure)};
  }
}

writer_lock::~writer_lock() { close(descriptor_); }

batch_store::batch_store(const std::filesystem::path& folder, database_access access, durability durable)
    : database_{[&] {
                  std::string file = database_in(folder, access);
                  if (access == database_access::write) lock_.emplace(folder);
                  return file;
                }(),
                access} {
  if (access == database_access::write) {
    database_.run("PRAGMA journal_mode=WAL");
    database_.run(durable == durability::full ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
    database_.run(
        "BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS graph(one INTEGER PRIMARY KEY, version INTEGER, last INTEGER, sum INTEGER,"
        " header BLOB, remark BLOB); CREATE TABLE IF NOT EXISTS record(key INTEGER PRIMARY KEY, sum INTEGER, bytes BLOB); COMMIT");
    insert_.emplace(database_, "INSERT INTO record VALUES(?, ?, ?)");
    note_last_.emplace(database_, "UPDATE graph SET last = ?");
  } else {
    database_.run("PRAGMA query_only=ON");
    sqlite_statement tables{database_, "SELECT count(*) FROM sqlite_master WHERE name = 'graph'"};
    if (tables.step() && tables.integer(0) == 0) return;  // its writer was stopped before it made them
  }
  sqlite_statement about{database_, "SELECT version, sum, header, remark FROM graph"};
  if (!about.step()) return;
  if (about.integer(0) != 1)
    throw input_error::at(database_.path(), 0, "version " + std::to_string(about.integer(0)), "version 1; a newer copse may read it");
  description found{std::string{about.bytes(2)}, std::string{about.bytes(3)}};
  if (about.integer(1) != sum_of(found.header.size(), found.header + found.remark))
    throw input_error::at(database_.path(), 0, "a damaged header", "the store of a dynamic graph");
  described_ = std::move(found);
}

void batch_store::describe(description about) {
  sqlite_statement set{
      database_, described_ ? "UPDATE graph SET sum = ?1, header = ?2, remark = ?3" : "INSERT INTO graph VALUES(1, 1, 0, ?1, ?2, ?3)"};
  set.bind(1, sum_of(about.header.size(), about.header + about.remark));
  set.bind(2, std::string_view{about.header});
  set.bind(3, std::string_view{about.remark});
  set.step();
  described_ = std::move(about);
}

void batch_store::append(std::uint64_t number, std::string_view bytes) {
  try {
    database_.run("BEGIN IMMEDIATE");
    const std::uint64_t parts = std::max<std::uint64_t>(1, (bytes.size() + part_bytes - 1) / part_bytes);
    if (number >= parts_limit << 31 || parts > parts_limit)
      throw resource_error{database_.path() + ": a batch too large or too late to be kept"};
    for (std::uint64_t part = 0; part < parts; ++part) {
      const std::uint64_t key = number * parts_limit + part;
      const std::string_view piece = bytes.substr(part * part_bytes, part_bytes);
      insert_->bind(1, static_cast<std::int64_t>(key));
      insert_->bind(2, sum_of(key, piece));
      insert_->bind(3, piece);
      insert_->step();
      insert_->reset();
    }
    note_last_->bind(1, static_cast<std::int64_t>(number));
    note_last_->step();
    note_last_->reset();
    database_.run("COMMIT");
  } catch (const error& failure) {
    insert_->reset();
    note_last_->reset();
    try {
      if (database_.is_in_transaction()) database_.run("ROLLBACK");
    } catch (const error&) {  // SQLite has rolled back by itself
    }
    throw uncommitted_batch{"batch " + std::to_string(number) + " was not committed: " + failure.what()};
  }
}

void batch_store::expect_no_gap(std::uint64_t first, std::uint64_t next, std::uint64_t last) {
  sqlite_statement count{database_, "SELECT last FROM graph"};
  const std::uint64_t kept = count.step() ? static_cast<std::uint64_t>(count.integer(0)) : 0;
  if (next <= std::min(last, kept) || next > std::max(kept + 1, first))
    throw input_error::at(database_.path(), 0, "batches up to " + std::to_string(next - 1), "batches up to " + std::to_string(kept));
}

void batch_store::read(std::uint64_t first, std::uint64_t last, const std::function<void(std::uint64_t, const std::string&)>& visit) {
  database_.run("BEGIN");  // one committed state, although a writer goes on
  std::uint64_t next = first;
  try {
    sqlite_statement records{database_, "SELECT key, sum, bytes FROM record WHERE key >= ? ORDER BY key"};
    records.bind(1, static_cast<std::int64_t>(first * parts_limit));
    std::string bytes;
    bool more = records.step();
    while (more && next <= last) {
      bytes.clear();
      for (std::uint64_t part = 0;; ++part) {
        const auto key = static_cast<std::uint64_t>(records.integer(0));
        const std::string_view piece = records.bytes(2);
        if (key != next * parts_limit + part || records.integer(1) != sum_of(key, piece)) {
          throw input_error::at(database_.path(), 0, "batch " + std::to_string(next) + " damaged",
                                "the batch that was committed; those before it can be read on their own");
        }
        bytes += piece;
        const bool is_last = piece.size() < part_bytes;
        more = records.step();
        if (is_last || !more || static_cast<std::uint64_t>(records.integer(0)) / parts_limit != next) break;
      }
      visit(next++, bytes);
    }
    expect_no_gap(first, next, last);
  } catch (...) {
    try {
      database_.run("ROLLBACK");
    } catch (const error&) {  // the failure that is thrown says more
    }
    throw;
  }
  database_.run("COMMIT");
}

}  // namespace copse::dynamics
