#include <copse/errors.hpp>
#include <core/byte_hash.hpp>
#include <dynamic/blob_table.hpp>

#include <algorithm>

namespace copse::dynamics {
namespace {

constexpr std::uint64_t parts_limit = std::uint64_t{1} << 16, numbers_limit = std::uint64_t{1} << 46;

std::int64_t sum_of(std::uint64_t key, std::string_view bytes) {
  byte_hash hash;
  hash.add(&key, sizeof key);
  hash.add(bytes.data(), bytes.size());
  return static_cast<std::int64_t>(hash.value());
}

std::int64_t first_key(std::uint64_t number) { return static_cast<std::int64_t>(std::min(number, numbers_limit) * parts_limit); }

}  // namespace

void blob_table::create() {
  database_.run(("CREATE TABLE IF NOT EXISTS " + name_ + "(key INTEGER PRIMARY KEY, sum INTEGER, bytes BLOB)").c_str());
}

void blob_table::put_part(std::uint64_t number, std::uint64_t part, std::string_view bytes) {
  if (number >= numbers_limit || part >= parts_limit)
    throw resource_error{database_.path() + ": " + what_ + " " + std::to_string(number) +
                         " cannot be stored, as its number or its size exceeds the limits of a folder"};
  if (!put_) put_.emplace(database_, ("INSERT INTO " + name_ + " VALUES(?, ?, ?)").c_str());
  const std::uint64_t key = number * parts_limit + part;
  put_->bind(1, static_cast<std::int64_t>(key));
  put_->bind(2, sum_of(key, bytes));
  put_->bind(3, bytes);
  put_->step();
  put_->reset();
}

void blob_table::put(std::uint64_t number, std::string_view bytes) {
  for (std::uint64_t part = 0; part == 0 || part * part_bytes < bytes.size(); ++part)
    put_part(number, part, bytes.substr(part * part_bytes, part_bytes));
}

void blob_table::erase(std::uint64_t first, std::uint64_t end) {
  sqlite_statement rows{database_, ("DELETE FROM " + name_ + " WHERE key >= ? AND key < ?").c_str()};
  rows.bind(1, first_key(first));
  rows.bind(2, first_key(end));
  rows.step();
}

blob_table::cursor::cursor(const blob_table& table, std::uint64_t first)
    : table_{table}, rows_{table.database_, ("SELECT key, sum, bytes FROM " + table.name_ + " WHERE key >= ? ORDER BY key").c_str()} {
  rows_.bind(1, first_key(first));
}

bool blob_table::cursor::next() {
  if (!rows_.step()) return false;
  const auto key = static_cast<std::uint64_t>(rows_.integer(0));
  const std::uint64_t number = key / parts_limit, part = key % parts_limit;
  bytes_ = rows_.bytes(2);
  const bool follows = part == 0 || (is_inside_ && number == number_ && part == part_ + 1);
  if (!follows || rows_.integer(1) != sum_of(key, bytes_)) table_.refuse(number);
  number_ = number;
  part_ = part;
  is_inside_ = true;
  return true;
}

std::optional<std::string> blob_table::get(std::uint64_t number) const {
  std::string bytes;
  cursor rows{*this, number};
  if (!rows.next() || rows.number() != number) return std::nullopt;
  do {
    bytes += rows.bytes();
  } while (rows.bytes().size() == part_bytes && rows.next() && rows.number() == number);
  return bytes;
}

std::optional<std::uint64_t> blob_table::first() const {
  sqlite_statement row{database_, ("SELECT key FROM " + name_ + " ORDER BY key LIMIT 1").c_str()};
  if (!row.step()) return std::nullopt;
  return static_cast<std::uint64_t>(row.integer(0)) / parts_limit;
}

std::vector<std::uint64_t> blob_table::numbers() const {
  std::vector<std::uint64_t> found;
  sqlite_statement rows{database_, ("SELECT key FROM " + name_ + " WHERE key % 65536 = 0 ORDER BY key").c_str()};
  while (rows.step()) found.push_back(static_cast<std::uint64_t>(rows.integer(0)) / parts_limit);
  return found;
}

void blob_table::refuse(std::uint64_t number) const {
  throw input_error::at(database_.path(), 0, what_ + " " + std::to_string(number) + " damaged", "what was committed");
}

}  // namespace copse::dynamics
