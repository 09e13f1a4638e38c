#include <dynamic/blob_table.hpp>
#include <dynamic/state_files.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace copse::dynamics {
namespace {

constexpr std::string_view prefix = "state.", suffix = ".sqlite";

blob_table parts_in(sqlite_database& database) { return {database, "state", "the state as of batch"}; }

/// Returns the batch of the state in the file with this name; nothing for other files.
std::optional<std::uint64_t> number_in(std::string_view name) {
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return std::nullopt;
  std::uint64_t number = 0;
  const char* const end = name.data() + name.size() - suffix.size();
  const auto [stop, failure] = std::from_chars(name.data() + prefix.size(), end, number);
  return stop == end && failure == std::errc{} ? std::optional{number} : std::nullopt;
}

}  // namespace

missing_state::missing_state(const std::string& file, std::uint64_t batch)
    : input_error{input_error::at(file, 0, "no file", "the state as of batch " + std::to_string(batch))}, number{batch} {}

void synchronise_folder(const std::filesystem::path& folder) noexcept {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

std::filesystem::path state_files::file_of(std::uint64_t number) const {
  return folder_ / (std::string{prefix} + std::to_string(number) + std::string{suffix});
}

void state_files::write(std::uint64_t number, const std::function<void(byte_sink&)>& state) const {
  const std::filesystem::path file = file_of(number);
  std::error_code ignored;
  std::filesystem::remove(file, ignored);  // a database that is there would be written to in place
  try {
    sqlite_database database{file.string(), database_access::write};
    database.run("PRAGMA page_size=16384; PRAGMA journal_mode=OFF; PRAGMA synchronous=FULL");
    sqlite_transaction whole{database, database_access::write};
    blob_table parts = parts_in(database);
    parts.create();
    std::uint64_t part = 0;
    byte_sink to{[&](std::string_view piece) { parts.put_part(number, part++, piece); }};
    state(to);
    to.finish();
    whole.commit();
  } catch (...) {
    std::filesystem::remove(file, ignored);
    throw;
  }
  synchronise();
}

void state_files::read(std::uint64_t number, const std::function<void(byte_source&)>& visit) const {
  const std::filesystem::path file = file_of(number);
  std::optional<sqlite_database> database;
  try {
    database.emplace(file.string(), database_access::read);
  } catch (const input_error&) {
    std::error_code failure;
    if (!std::filesystem::exists(file, failure)) throw missing_state{file.string(), number};
    throw;
  }
  const blob_table parts = parts_in(*database);
  blob_table::cursor rows{parts, number};
  byte_source from{[&] { return rows.next() && rows.number() == number ? rows.bytes() : std::string_view{}; }};
  visit(from);
  from.expect_end();
}

bool state_files::keep_only(std::span<const std::uint64_t> numbers) const {
  std::error_code failure;
  bool all_gone = true;
  for (std::filesystem::directory_iterator at{folder_, failure}, end; !failure && at != end; at.increment(failure)) {
    const auto number = number_in(at->path().filename().native());
    if (!number || std::binary_search(numbers.begin(), numbers.end(), *number)) continue;
    std::error_code refusal;
    std::filesystem::remove(at->path(), refusal);
    all_gone = all_gone && !refusal;
  }
  return all_gone && !failure;
}

}  // namespace copse::dynamics
