// Compressed bytes: decoders for files that are read, packers for files that are written, and what members of a zip archive need. Each
// library is used in one source file (gzip.cpp, zstd.cpp); in a build without the library, another file throws instead (gzip_off.cpp,
// zstd_off.cpp).
#pragma once
#include "io/source.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace copse::io {

/// The compressed bytes that a decoder reads, with their offset in the file.
class compressed_input {
public:
  compressed_input(input_file file, std::string_view first_bytes)
      : name_{file.name()},
        file_{std::move(file)},
        held_(std::max(block_bytes, first_bytes.size())),
        bytes_{held_.data()},
        end_{first_bytes.size()} {
    std::copy(first_bytes.begin(), first_bytes.end(), held_.begin());
  }
  /// Reads from a part of the file that is already in memory.
  compressed_input(const std::string& name, std::string_view part, std::uint64_t offset)
      : name_{name}, bytes_{part.data()}, end_{part.size()}, base_{offset} {}
  compressed_input(compressed_input&&) = default;
  /// Makes sure that there are bytes to take; returns false at the end of the file.
  bool fill() {
    if (at_ < end_) return true;
    base_ += end_;
    at_ = 0;
    end_ = file_ ? file_->read(held_.data(), held_.size()) : 0;
    return end_ != 0;
  }
  [[nodiscard]] const char* data() const noexcept { return bytes_ + at_; }
  [[nodiscard]] std::size_t size() const noexcept { return end_ - at_; }
  void take(std::size_t count) noexcept { at_ += count; }
  [[nodiscard]] std::uint64_t offset() const noexcept { return base_ + at_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  [[noreturn]] void cut_off(const char* what) const {
    throw input_error::at(name_, 0, "the end of the file at byte " + std::to_string(offset()) + " inside a " + what + " stream",
                          "the rest of it (the file is cut off)");
  }
  [[noreturn]] void damaged(const char* what, const char* why) const {
    throw input_error::at(name_, 0, std::string{"a damaged "} + what + " stream near byte " + std::to_string(offset()) + " (" + why + ")",
                          std::string{"valid "} + what + " data");
  }

private:
  static constexpr std::size_t block_bytes = std::size_t{256} << 10;

  std::string name_;
  std::optional<input_file> file_;  // empty if all bytes are already in memory
  std::vector<char> held_;
  const char* bytes_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  std::uint64_t base_ = 0;
};

/// Decoders of gzip and Zstandard. Both functions throw input_error in a build without the library.
std::unique_ptr<byte_stream> open_gzip(compressed_input in);
std::unique_ptr<byte_stream> open_zstd(compressed_input in, std::pmr::memory_resource* memory);
/// The compressed size of the first frame of `bytes`; 0 if they do not begin with a whole frame, or if this build cannot tell.
std::size_t zstd_frame_bytes(std::string_view bytes) noexcept;

/// Compresses bytes to gzip or zstd while they are written.
class packer {
public:
  using consumer = std::function<void(const char* bytes, std::size_t count)>;

  virtual ~packer() = default;
  /// Compresses all of the bytes, and passes the output so far to `out`.
  virtual void pack(const char* bytes, std::size_t count, const consumer& out) = 0;
  /// Passes the rest of the output to `out`. To be called after the last pack().
  virtual void finish(const consumer& out) = 0;
};

/// Packers for gzip and Zstandard. Both functions throw usage_error in a build without the library.
std::unique_ptr<packer> make_gzip_packer();
std::unique_ptr<packer> make_zstd_packer();
/// A packer for the suffix .gz or .zst; null for other names.
std::unique_ptr<packer> packer_for(const std::filesystem::path& path);

/// The CRC-32 of the bytes. `before` is the CRC-32 of the bytes in front of them.
std::uint32_t crc_of(std::string_view bytes, std::uint32_t before = 0);

/// Decompresses raw deflate data. Returns the number of bytes written, which is less than the size of `to` if the data are damaged or end
/// early. Throws input_error in a build without zlib.
std::size_t inflate_raw(std::string_view from, std::span<char> to);

}  // namespace copse::io
