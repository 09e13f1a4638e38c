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
#include <exception>
#include <system_error>
#include <utility>

namespace copse::dynamics {
namespace {

constexpr std::int64_t store_version = 3;

std::int64_t sum_of(const batch_store::description& about) {
  byte_hash hash;
  const std::uint64_t size = about.header.size();
  hash.add(&size, sizeof size);
  hash.add(about.header.data(), about.header.size());
  hash.add(about.remark.data(), about.remark.size());
  return static_cast<std::int64_t>(hash.value());
}

std::string database_in(const std::filesystem::path& folder, database_access access) {
  std::error_code failure;
  if (access == database_access::write) {
    const std::filesystem::path whole = std::filesystem::absolute(folder, failure);
    if (std::filesystem::create_directories(whole, failure)) synchronise_folder(whole.parent_path());
  }
  if (std::error_code unknown; access == database_access::write && !std::filesystem::is_directory(folder, unknown)) {
    throw input_error{folder.string() + ": the folder cannot be made (" + failure.message() +
                      "); give the path of a folder that can be written to"};
  }
  const std::filesystem::path file = folder / "batches.sqlite";
  if (access == database_access::read && !std::filesystem::exists(file, failure))
    throw input_error{folder.string() + ": there is no dynamic graph here; check the path, or open it for writing, which makes one"};
  return file.string();
}

/// Calls work(), and throws uncommitted_batch for its errors, with what they left undone.
template <class Work>
void committing(const std::string& undone, Work work) {
  try {
    work();
  } catch (const error& failure) {
    throw uncommitted_batch{undone + ": " + failure.what()};
  }
}

std::string not_written(std::uint64_t state) { return "the state as of batch " + std::to_string(state) + " was not written"; }

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
                access},
      files_{folder},
      durable_{durable} {
  if (access == database_access::write) {
    database_.run("PRAGMA journal_mode=WAL");
    synchronise_as(durable);
    database_.run("PRAGMA journal_size_limit=67108864");  // limits the log that stays after a large batch was written through it
    sqlite_transaction made{database_, access};
    database_.run(
        "CREATE TABLE IF NOT EXISTS graph(one INTEGER PRIMARY KEY, version INTEGER, last INTEGER, sum INTEGER, header BLOB, remark BLOB)");
    for (blob_table* table : {&records_, &states_, &logs_}) table->create();
    made.commit();
    note_last_.emplace(database_, "UPDATE graph SET last = ?");
  } else {
    database_.run("PRAGMA query_only=ON");
    sqlite_statement tables{database_, "SELECT count(*) FROM sqlite_master WHERE name = 'graph'"};
    if (tables.step() && tables.integer(0) == 0) return;  // the writer was stopped before it made the tables
  }
  sqlite_statement about{database_, "SELECT version, sum, header, remark FROM graph"};
  if (!about.step()) return;
  if (about.integer(0) != store_version)
    throw input_error::at(database_.path(), 0, "version " + std::to_string(about.integer(0)),
                          "version " + std::to_string(store_version) + "; another version of copse may read it");
  description found{std::string{about.bytes(2)}, std::string{about.bytes(3)}};
  if (about.integer(1) != sum_of(found)) throw input_error::at(database_.path(), 0, "a damaged header", "the store of a dynamic graph");
  described_ = std::move(found);
  if (access == database_access::write) remove_unnamed_states();  // those that a crash has left
}

void batch_store::describe(description about) {
  write(about);
  described_ = std::move(about);
}

void batch_store::write(const description& about) {
  const char* const text = described_ ? "UPDATE graph SET sum = ?1, header = ?2, remark = ?3, version = ?4"
                                      : "INSERT INTO graph(last, sum, header, remark, version) VALUES(0, ?1, ?2, ?3, ?4)";
  sqlite_statement set{database_, text};
  set.bind(1, sum_of(about));
  set.bind(2, std::string_view{about.header});
  set.bind(3, std::string_view{about.remark});
  set.bind(4, store_version);
  set.step();
}

void batch_store::append(std::uint64_t number, std::string_view bytes, const std::optional<std::string>& remark) {
  committing("batch " + std::to_string(number) + " was not committed", [&] {
    sqlite_transaction batch{database_, database_access::write};
    records_.put(number, bytes);
    note_last_->bind(1, static_cast<std::int64_t>(number));
    note_last_->step();
    note_last_->reset();
    if (remark) write({described_->header, *remark});
    batch.commit();
    if (remark) described_->remark = *remark;
  });
}

// ---- reading

void batch_store::view(const std::function<void()>& body) {
  for (;;) {
    try {
      sqlite_transaction seen{database_, database_access::read};
      body();
      seen.commit();
      return;
    } catch (const missing_state& gone) {
      const std::vector<std::uint64_t> all = states_.numbers();
      if (std::binary_search(all.begin(), all.end(), gone.number)) throw;
    }
  }
}

std::uint64_t batch_store::last_batch() const {
  sqlite_statement last{database_, "SELECT last FROM graph"};
  return last.step() ? static_cast<std::uint64_t>(last.integer(0)) : 0;
}

std::uint64_t batch_store::horizon() const {
  const auto first = records_.first();
  return first ? *first - 1 : last_batch();
}

std::uint64_t batch_store::newest_state(std::uint64_t until) const {
  std::uint64_t newest = 0;
  for (const std::uint64_t number : states_.numbers())
    if (number <= until) newest = number;
  return newest;
}

std::optional<std::string> batch_store::read_log(std::uint64_t number) const {
  const std::lock_guard lock{reads_logs_};
  std::optional<std::string> log = logs_.get(number);
  if (!log && number > horizon()) logs_.refuse(number);
  return log;
}

void batch_store::expect_no_gap(std::uint64_t first, std::uint64_t next, std::uint64_t last) {
  const std::uint64_t kept = last_batch();
  if (next <= std::min(last, kept) || next > std::max(kept + 1, first))
    throw input_error::at(database_.path(), 0, "batches up to " + std::to_string(next - 1), "batches up to " + std::to_string(kept));
}

void batch_store::read(std::uint64_t first, std::uint64_t last, const std::function<void(std::uint64_t, const std::string&)>& visit) {
  std::uint64_t next = first;
  blob_table::cursor parts{records_, first};
  std::string bytes;
  bool more = next <= last && parts.next();
  while (more) {
    if (parts.number() != next || parts.part() != 0) records_.refuse(next);
    bytes.clear();
    bool is_whole = false;
    do {
      bytes += parts.bytes();
      is_whole = parts.bytes().size() < blob_table::part_bytes;
      more = (!is_whole || next < last) && parts.next();  // rows behind those of batch `last` are not read, as they may be damaged
    } while (more && !is_whole && parts.number() == next);
    visit(next++, bytes);
  }
  expect_no_gap(first, next, last);
}

// ---- states

// Keeps at most three states: that of the horizon (the last batch that was dropped), the newest, and one between them, to which the horizon
// can move once it is old enough.
void batch_store::drop(std::uint64_t newest, std::uint64_t history) {
  const std::uint64_t enough = newest - std::min(newest, history);
  const std::vector<std::uint64_t> all = states_.numbers();
  std::uint64_t base = 0;
  for (const std::uint64_t number : all)
    if (number <= enough) base = number;
  states_.erase(0, base);
  records_.erase(0, base + 1);
  logs_.erase(0, base + 1);
  const auto between = std::upper_bound(all.begin(), all.end(), base);
  if (between != all.end()) states_.erase(*between + 1, newest);
}

// A file is removed for good, so the transaction that no longer names it is on the disk before, whatever the durability of batches. A
// failed one may still take effect, when SQLite finds its log after a crash, so the new file stays then: until the next state, or writer.
void batch_store::name_state(std::uint64_t number, const std::function<void()>& drop_others) {
  synchronise_as(durability::full);
  {
    sqlite_transaction whole{database_, database_access::write};
    states_.put(number, {});
    drop_others();
    whole.commit();
  }
  synchronise_as(durable_);
  remove_unnamed_states();
}

bool batch_store::remove_unnamed_states() noexcept {
  try {
    return files_.keep_only(states_.numbers());
  } catch (const std::exception&) {
    return false;
  }
}

void batch_store::synchronise_as(durability durable) {
  database_.run(durable == durability::full ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
}

void batch_store::name_state(std::uint64_t number, std::uint64_t history, const log_range& logs) {
  name_state(number, [&] {
    for (std::uint64_t batch = logs.first; batch < logs.end; ++batch) logs_.put(batch, logs.bytes_of(batch));
    drop(number, history);
  });
}

void batch_store::put_state(std::uint64_t number, std::uint64_t history, const std::function<void(byte_sink&)>& write,
                            const log_range& logs) {
  if (newest_state(UINT64_MAX) == number) return;
  committing(not_written(number), [&] {
    files_.write(number, write);
    name_state(number, history, logs);
  });
}

void batch_store::begin_state(std::uint64_t number, std::vector<std::string> pieces) {
  const auto write = [files = files_, number, all = std::make_shared<std::vector<std::string>>(std::move(pieces))] {
    files.write(number, [&](byte_sink& to) {
      for (std::string& piece : *all) {
        to.bytes(piece);
        std::string{}.swap(piece);
      }
    });
  };
  ahead_ = std::make_unique<state_ahead>(number, write);
}

void batch_store::finish_state(std::uint64_t history, const log_range& logs) {
  const std::unique_ptr<state_ahead> ahead = std::exchange(ahead_, nullptr);
  committing(not_written(ahead->number), [&] {
    ahead->file.finish();
    name_state(ahead->number, history, logs);
  });
}

void batch_store::begin_with(std::uint64_t number, std::span<const std::string> state) {
  committing("the batches up to " + std::to_string(number) + " were not removed from the folder", [&] {
    files_.write(number, [&](byte_sink& to) {
      for (const std::string& piece : state) to.bytes(piece);
    });
    name_state(number, [&] {
      records_.erase(0, UINT64_MAX);
      states_.erase(0, number);
      logs_.erase(0, UINT64_MAX);
    });
  });
}

void batch_store::scrub() {
  std::string why = "a reader has held an older state for 10 seconds";
  try {
    if (!remove_unnamed_states()) throw resource_error{"the file of an older state cannot be removed"};
    files_.synchronise();
    database_.run("VACUUM");
    sqlite_statement emptied{database_, "PRAGMA wal_checkpoint(TRUNCATE)"};
    if (!emptied.step() || emptied.integer(0) == 0) return;
  } catch (const error& failure) {
    why = failure.what();
  }
  throw uncommitted_batch{"what was removed from the folder may still be in free bytes of its files: " + why + "; purge again"};
}

}  // namespace copse::dynamics
