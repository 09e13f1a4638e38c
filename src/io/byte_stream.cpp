#include "io/byte_stream.hpp"

#include <copse/errors.hpp>
#include <io/compressed_input.hpp>
#include <io/uninterrupted.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace copse::io {
namespace {

class plain_stream final : public byte_stream {
public:
  plain_stream(input_file file, std::string_view first_bytes) : file_{std::move(file)}, first_{first_bytes} {}
  std::size_t read(char* to, std::size_t count) override {
    std::size_t got = std::min(count, first_.size() - first_taken_);
    if (got != 0) {
      std::memcpy(to, first_.data() + first_taken_, got);
      first_taken_ += got;
    } else {
      got = file_.read(to, count);
    }
    consumed_ += got;
    return got;
  }
  [[nodiscard]] std::uint64_t consumed() const noexcept override { return consumed_; }

private:
  input_file file_;
  std::string first_;
  std::size_t first_taken_ = 0;
  std::uint64_t consumed_ = 0;
};

}  // namespace

input_file::input_file(const std::filesystem::path& path) : name_{path == "-" ? "<stdin>" : path.string()} {
  descriptor_ = path == "-" ? STDIN_FILENO : uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
  struct stat about {};
  if (descriptor_ < 0 || fstat(descriptor_, &about) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) throw input_error{name_ + ": no such file"};
    throw input_error{name_ + ": cannot be opened: " + std::strerror(errno)};
  }
  if (S_ISDIR(about.st_mode)) {
    if (!is_standard_input()) ::close(descriptor_);
    throw input_error::at(name_, 0, "a directory", "a file");
  }
  const bool from_first_byte = !is_standard_input() || lseek(descriptor_, 0, SEEK_CUR) == 0;
  if (S_ISREG(about.st_mode) && from_first_byte) size_ = static_cast<std::uint64_t>(about.st_size);
}

input_file::input_file(input_file&& other) noexcept
    : name_{std::move(other.name_)}, descriptor_{std::exchange(other.descriptor_, -1)}, size_{other.size_} {}

input_file::~input_file() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

std::size_t input_file::read(char* to, std::size_t count) const {
  const ssize_t got = uninterrupted([&] { return ::read(descriptor_, to, std::min<std::size_t>(count, std::size_t{1} << 30)); });
  if (got < 0) throw input_error{name_ + ": cannot be read: " + std::strerror(errno)};
  return static_cast<std::size_t>(got);
}

compression compression_by_suffix(const std::filesystem::path& path) {
  const auto suffix = path.extension();
  if (suffix == ".gz") return compression::gzip;
  if (suffix == ".zst") return compression::zstd;
  return compression::none;
}

compression compression_by_magic(std::string_view first_bytes) noexcept {
  if (first_bytes.starts_with("\x1f\x8b\x08")) return compression::gzip;
  if (first_bytes.starts_with("\x28\xb5\x2f\xfd")) return compression::zstd;
  return compression::none;
}

std::unique_ptr<byte_stream> open_stream(input_file file, compression method, std::pmr::memory_resource* memory,
                                         std::string_view first_bytes) {
  switch (method) {
    case compression::gzip:
      return open_gzip({std::move(file), first_bytes});
    case compression::zstd:
      return open_zstd({std::move(file), first_bytes}, memory);
    case compression::none:
      break;
  }
  return std::make_unique<plain_stream>(std::move(file), first_bytes);
}

std::unique_ptr<byte_stream> open_part(const std::string& name, std::string_view bytes, std::uint64_t offset, compression method,
                                       std::pmr::memory_resource* memory) {
  if (method == compression::gzip) return open_gzip({name, bytes, offset});
  return open_zstd({name, bytes, offset}, memory);
}

}  // namespace copse::io
