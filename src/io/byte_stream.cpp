#include "io/byte_stream.hpp"

#include <copse/errors.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

namespace copse::io {
namespace {

constexpr std::size_t input_bytes = std::size_t{256} << 10;

// The compressed bytes in hand, and where in the file they lie.
class compressed_input {
public:
  compressed_input(input_file file, std::string_view first_bytes)
      : file_{std::move(file)}, held_(std::max(input_bytes, first_bytes.size())), end_{first_bytes.size()} {
    std::copy(first_bytes.begin(), first_bytes.end(), held_.begin());
  }
  /// False at the end of the file.
  bool fill() {
    if (at_ < end_) return true;
    base_ += end_;
    at_ = 0;
    end_ = file_.read(held_.data(), held_.size());
    return end_ != 0;
  }
  [[nodiscard]] const char* data() const noexcept { return held_.data() + at_; }
  [[nodiscard]] std::size_t size() const noexcept { return end_ - at_; }
  void take(std::size_t count) noexcept { at_ += count; }
  [[nodiscard]] std::uint64_t offset() const noexcept { return base_ + at_; }
  [[nodiscard]] const input_file& file() const noexcept { return file_; }

  [[noreturn]] void cut_off(const char* what) const {
    throw input_error::at(file_.name(), 0, "the end of the file at byte " + std::to_string(offset()) + " inside a " + what + " stream",
                          "the rest of it (the file is cut off)");
  }
  [[noreturn]] void damaged(const char* what, const char* why) const {
    throw input_error::at(file_.name(), 0,
                          std::string{"a damaged "} + what + " stream near byte " + std::to_string(offset()) + " (" + why + ")",
                          std::string{"valid "} + what + " data");
  }

private:
  input_file file_;
  std::vector<char> held_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  std::uint64_t base_ = 0;
};

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

// A .gz file is one or more members in a row (pigz, bgzip and `cat` make several); zero bytes may pad the end.
class gzip_stream final : public byte_stream {
public:
  gzip_stream(input_file file, std::string_view first_bytes) : in_{std::move(file), first_bytes} {
    constexpr int gzip_only = 15 + 16;
    if (inflateInit2(&zlib_, gzip_only) != Z_OK) throw resource_error{"out of memory: zlib cannot start"};
  }
  gzip_stream(const gzip_stream&) = delete;
  gzip_stream& operator=(const gzip_stream&) = delete;
  ~gzip_stream() override { inflateEnd(&zlib_); }

  std::size_t read(char* to, std::size_t count) override {
    const std::size_t room = std::min<std::size_t>(count, std::size_t{1} << 30);
    zlib_.next_out = reinterpret_cast<Bytef*>(to);
    zlib_.avail_out = static_cast<uInt>(room);
    while (zlib_.avail_out == room && !ended_) step();
    return room - zlib_.avail_out;
  }
  [[nodiscard]] std::uint64_t consumed() const noexcept override { return in_.offset(); }

private:
  void step() {
    if (between_members_) {
      skip_padding();
      if (ended_) return;
    }
    if (!in_.fill()) in_.cut_off("gzip");
    zlib_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in_.data()));
    zlib_.avail_in = static_cast<uInt>(in_.size());
    const int status = inflate(&zlib_, Z_NO_FLUSH);
    in_.take(in_.size() - zlib_.avail_in);
    if (status == Z_STREAM_END) {
      inflateReset(&zlib_);
      between_members_ = true;
    } else if (status == Z_MEM_ERROR) {
      throw resource_error{"out of memory: zlib cannot go on"};
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      in_.damaged("gzip", zlib_.msg != nullptr ? zlib_.msg : "no reason given");
    }
  }
  void skip_padding() {
    while (in_.fill() && *in_.data() == '\0') in_.take(1);
    ended_ = !in_.fill();
    between_members_ = false;
  }

  compressed_input in_;
  z_stream zlib_{};
  bool between_members_ = false;
  bool ended_ = false;
};

class zstd_stream final : public byte_stream {
public:
  zstd_stream(input_file file, std::string_view first_bytes) : in_{std::move(file), first_bytes}, zstd_{ZSTD_createDCtx()} {
    if (zstd_ == nullptr) throw resource_error{"out of memory: zstd cannot start"};
  }
  zstd_stream(const zstd_stream&) = delete;
  zstd_stream& operator=(const zstd_stream&) = delete;
  ~zstd_stream() override { ZSTD_freeDCtx(zstd_); }

  std::size_t read(char* to, std::size_t count) override {
    ZSTD_outBuffer out{to, count, 0};
    while (out.pos == 0) {
      // Output may be left inside the decoder when the input is used up, so an empty input is an end only when nothing comes out either.
      const bool more = in_.fill();
      if (!more && expected_ == 0) break;
      ZSTD_inBuffer in{in_.data(), more ? in_.size() : 0, 0};
      expected_ = ZSTD_decompressStream(zstd_, &out, &in);
      in_.take(in.pos);
      if (ZSTD_isError(expected_) != 0) in_.damaged("zstd", ZSTD_getErrorName(expected_));
      if (!more && out.pos == 0 && expected_ != 0) in_.cut_off("zstd");
    }
    return out.pos;
  }
  [[nodiscard]] std::uint64_t consumed() const noexcept override { return in_.offset(); }

private:
  compressed_input in_;
  ZSTD_DCtx* zstd_;
  std::size_t expected_ = 1;  // 0: a frame has just ended; an empty file is no zstd stream
};

}  // namespace

input_file::input_file(const std::filesystem::path& path) : name_{path == "-" ? "<stdin>" : path.string()} {
  descriptor_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat about {};
  if (descriptor_ < 0 || fstat(descriptor_, &about) != 0) {
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
  for (;;) {
    const ssize_t got = ::read(descriptor_, to, std::min<std::size_t>(count, std::size_t{1} << 30));
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) throw input_error{name_ + ": cannot be read: " + std::strerror(errno)};
  }
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

std::unique_ptr<byte_stream> open_stream(input_file file, compression method, std::string_view first_bytes) {
  switch (method) {
    case compression::gzip:
      return std::make_unique<gzip_stream>(std::move(file), first_bytes);
    case compression::zstd:
      return std::make_unique<zstd_stream>(std::move(file), first_bytes);
    case compression::none:
      break;
  }
  return std::make_unique<plain_stream>(std::move(file), first_bytes);
}

}  // namespace copse::io
