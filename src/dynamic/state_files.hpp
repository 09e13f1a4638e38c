// The files of whole states in the folder of a store: `state.N.sqlite` has the state as of batch N, as checksummed parts in a database.
//
// A file is written once, without a journal, and is on the disk before the database of the batches names it; it is removed after that
// database no longer does. So a crash can leave files that nothing names, and never a name without its file.
#pragma once
#include <copse/errors.hpp>
#include <dynamic/state_bytes.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <utility>

namespace copse::dynamics {

/// Waits until the names of the files in a folder are on the disk. Errors are ignored, because some file systems do not support it.
void synchronise_folder(const std::filesystem::path& folder) noexcept;

/// There is no file of the state as of batch `number`.
class missing_state : public input_error {
public:
  missing_state(const std::string& file, std::uint64_t batch);
  std::uint64_t number;
};

class state_files {
public:
  explicit state_files(std::filesystem::path folder) : folder_{std::move(folder)} {}

  /// Writes what `state` puts into the sink, and returns when it is on the disk. If that fails, throws and leaves no file.
  void write(std::uint64_t number, const std::function<void(byte_sink&)>& state) const;
  /// Throws missing_state if there is no file, and input_error if it is damaged. Once it is open, it can be read even if it is removed.
  void read(std::uint64_t number, const std::function<void(byte_source&)>& visit) const;
  /// Removes the files of all states that are not in `numbers`, which ascend. Returns false if that fails.
  [[nodiscard]] bool keep_only(std::span<const std::uint64_t> numbers) const;
  /// Waits until what was made and removed is on the disk.
  void synchronise() const noexcept { synchronise_folder(folder_); }

private:
  [[nodiscard]] std::filesystem::path file_of(std::uint64_t number) const;

  std::filesystem::path folder_;
};

}  // namespace copse::dynamics
