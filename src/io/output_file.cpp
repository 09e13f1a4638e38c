// Writes bytes to a temporary file in the folder of the target, which commit() renames: readers see the old file or the whole new one. A
// target that is not a regular file (/dev/null, a pipe) cannot be replaced and is written directly.
#include "io/compression.hpp"
#include "io/source.hpp"
#include "io/temporaries.hpp"

#include <copse/errors.hpp>
#include <copse/io.hpp>

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

namespace copse::io {
namespace {

constexpr std::size_t pending_bytes = std::size_t{1} << 20;

/// The names of all open temporary files, for a signal handler, which may neither allocate memory nor take a lock.
class temporary_names {
public:
  void add(const char* path) noexcept {
    const std::size_t length = std::strlen(path);
    if (length >= PATH_MAX) return;
    for (auto& slot : slots_) {
      int was = unused;
      if (!slot.state.compare_exchange_strong(was, busy, std::memory_order_acquire)) continue;
      std::memcpy(slot.path, path, length + 1);
      slot.state.store(ready, std::memory_order_release);
      return;
    }
    // No slot is free: the destructor of output_file still removes this temporary file, but a signal that ends the program does not.
  }
  void remove(const char* path) noexcept {
    for (auto& slot : slots_) {
      if (slot.state.load(std::memory_order_acquire) == ready && std::strcmp(slot.path, path) == 0) {
        slot.state.store(unused, std::memory_order_release);
        return;
      }
    }
  }
  void unlink_all() noexcept {
    for (auto& slot : slots_) {
      if (slot.state.load(std::memory_order_acquire) == ready) unlink(slot.path);
    }
  }

private:
  enum : int { unused, busy, ready };
  struct entry {
    std::atomic<int> state{unused};
    char path[PATH_MAX];
  };
  std::array<entry, 16> slots_;
};
temporary_names open_temporaries;

std::atomic<int> renaming{0};
std::atomic<bool> no_more{false};

/// Protects the moments in which the list of temporary files is not up to date: while it exists, its thread takes no signals, and a
/// thread that removes temporary files waits for it.
class undisturbed {
public:
  undisturbed() noexcept {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
    renaming.fetch_add(1);
    if (!no_more.load()) return;
    renaming.fetch_sub(1);
    for (;;) sched_yield();  // remove_temporaries(true) was called: the process is about to end
  }
  undisturbed(const undisturbed&) = delete;
  undisturbed& operator=(const undisturbed&) = delete;
  ~undisturbed() {
    renaming.fetch_sub(1);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

private:
  sigset_t before_;
};

[[noreturn]] void refuse_target(const std::filesystem::path& target, int reason, std::string_view expected) {
  std::error_code unknown;
  if (const auto folder = target.parent_path(); reason == ENOENT && !folder.empty() && !std::filesystem::exists(folder, unknown))
    throw input_error{target.string() + ": the folder " + folder.string() + " does not exist"};
  throw input_error::at(target.string(), 0, std::generic_category().message(reason), expected);
}

std::filesystem::path temporary_beside(const std::filesystem::path& target) {
  static std::atomic<unsigned> counter{0};
  auto name = target;
  name += ".copse-" + std::to_string(getpid()) + "-" + std::to_string(counter.fetch_add(1, std::memory_order_relaxed)) + ".tmp";
  return name;
}

/// Follows symbolic links to their target, which may not exist yet.
std::filesystem::path behind_links(const std::filesystem::path& target) {
  constexpr int most_links = 40;  // the limit of the Linux kernel
  std::filesystem::path real = target;
  std::error_code fault;
  for (int links = 0; std::filesystem::is_symlink(real, fault); ++links) {
    if (links == most_links) refuse_target(target, ELOOP, "a file that can be written");
    const auto next = std::filesystem::read_symlink(real, fault);
    if (fault) refuse_target(target, fault.value(), "a file that can be written");
    real = real.parent_path() / next;
  }
  return real;
}

}  // namespace

output_file::output_file(std::filesystem::path target, bool packs)
    : target_{std::move(target)}, packer_{packs ? packer_for(target_) : nullptr} {
  if (target_ == "-") {
    descriptor_ = STDOUT_FILENO;
    pending_.reserve(pending_bytes);
    return;
  }
  pending_.reserve(pending_bytes);
  struct stat facts {};
  const bool exists = stat(target_.c_str(), &facts) == 0;
  if (exists && S_ISDIR(facts.st_mode)) refuse_target(target_, EISDIR, "a file that can be written");
  if (exists && access(target_.c_str(), W_OK) != 0) refuse_target(target_, errno, "a file that can be written");
  if (exists && !S_ISREG(facts.st_mode)) {
    // opening a pipe waits for its reader, so a signal may interrupt it
    descriptor_ = uninterrupted([this] { return open(target_.c_str(), O_WRONLY | O_CLOEXEC); });
    if (descriptor_ < 0) refuse_target(target_, errno, "a device or pipe that can be written");
    return;
  }
  target_ = behind_links(target_);
  create_temporary(exists ? std::optional<unsigned>{facts.st_mode & 07777} : std::nullopt);
}

void output_file::create_temporary(std::optional<unsigned> mode) {
  int reason = 0;
  do {
    temporary_ = temporary_beside(target_);
    const undisturbed while_made;
    descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    reason = errno;
    if (descriptor_ >= 0) open_temporaries.add(temporary_.c_str());
  } while (descriptor_ < 0 && reason == EEXIST);
  if (descriptor_ < 0) {
    temporary_.clear();
    refuse_target(target_, reason, "a file that can be created");
  }
  if (mode) fchmod(descriptor_, *mode);  // ignores errors, as some file systems have no modes
}

output_file::~output_file() {
  if (descriptor_ >= 0 && target_ != "-") close(descriptor_);
  if (temporary_.empty()) return;
  unlink(temporary_.c_str());
  open_temporaries.remove(temporary_.c_str());
}

void output_file::write(const void* bytes, std::size_t count) {
  const auto* from = static_cast<const char*>(bytes);
  if (count >= pending_bytes / 16) {  // large enough for a system call of its own, without a copy to the buffer
    flush();
    return write_through(from, count);
  }
  if (pending_.size() + count > pending_bytes) flush();
  pending_.insert(pending_.end(), from, from + count);
}

void output_file::flush() {
  write_through(pending_.data(), pending_.size());
  pending_.clear();
}

void output_file::write_through(const char* from, std::size_t count) {
  if (!packer_) return write_bytes(from, count);
  packer_->pack(from, count, [this](const char* bytes, std::size_t packed) { write_bytes(bytes, packed); });
}

void output_file::write_bytes(const char* from, std::size_t count) {
  while (count > 0) {
    const ssize_t now = uninterrupted([&] { return ::write(descriptor_, from, std::min<std::size_t>(count, std::size_t{1} << 30)); });
    if (now < 0) refuse_write(errno, count);
    written_bytes_ += static_cast<std::uint64_t>(now);
    from += now;
    count -= static_cast<std::size_t>(now);
  }
}

void output_file::refuse_write(int reason, std::size_t left) const {
  const std::string name = target_ == "-" ? "<stdout>" : target_.string();
  const std::string found = std::generic_category().message(reason) + " after " + std::to_string(written_bytes_) + " bytes";
  const std::string expected = "room for " + std::to_string(left) + " bytes more";
  if (reason == ENOSPC || reason == EDQUOT || reason == EFBIG) {
    throw resource_error{name + ": found " + found + ", expected " + expected};
  }
  throw input_error::at(name, 0, found, "a file that takes " + std::to_string(left) + " bytes more");
}

void output_file::commit() { replace_target(false); }

void output_file::commit_to_disk() {
  replace_target(true);
  // The new name is stored in the folder, which needs an fsync of its own. Errors are ignored, because some file systems do not support it.
  const auto parent = target_.parent_path();
  const int folder = open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  fsync(folder);
  close(folder);
}

void output_file::replace_target(bool to_disk) {
  flush();
  if (packer_) packer_->finish([this](const char* bytes, std::size_t packed) { write_bytes(bytes, packed); });
  if (target_ == "-") return;
  if (to_disk && !temporary_.empty() && uninterrupted([this] { return fsync(descriptor_); }) != 0) refuse_write(errno, 0);
  const int closed = close(std::exchange(descriptor_, -1));   // the file is closed even if a signal interrupts close()
  if (closed != 0 && errno != EINTR) refuse_write(errno, 0);  // some file systems only report here that they are full
  if (temporary_.empty()) return;
  const undisturbed while_renamed;
  if (rename(temporary_.c_str(), target_.c_str()) != 0) refuse_target(target_, errno, "a file that can be replaced");
  open_temporaries.remove(temporary_.c_str());
  temporary_.clear();
}

void remove_temporaries(bool ending) noexcept {
  if (ending) {
    no_more.store(true);
    while (renaming.load() != 0) sched_yield();
  }
  open_temporaries.unlink_all();
}

std::unique_ptr<packer> packer_for(const std::filesystem::path& path) {
  if (path.extension() == ".gz") return make_gzip_packer();
  if (path.extension() == ".zst") return make_zstd_packer();
  return nullptr;
}

}  // namespace copse::io
