// The bytes of a compressed file on their way to a decoder, and what opens the decoders that a build has.
#pragma once
#include <copse/errors.hpp>
#include <io/byte_stream.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace copse::io {

// The compressed bytes in hand, and where in the file they lie.
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
  /// Of a part of the file that lies in memory.
  compressed_input(const std::string& name, std::string_view part, std::uint64_t offset)
      : name_{name}, bytes_{part.data()}, end_{part.size()}, base_{offset} {}
  compressed_input(compressed_input&&) = default;
  /// False at the end of the file.
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
  std::optional<input_file> file_;  // none: all bytes are there already
  std::vector<char> held_;
  const char* bytes_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  std::uint64_t base_ = 0;
};

/// Decoders, each in a unit of its own; a build without their library refuses the file and says so.
std::unique_ptr<byte_stream> open_gzip(compressed_input in);
std::unique_ptr<byte_stream> open_zstd(compressed_input in, std::pmr::memory_resource* memory);
/// Compressed bytes of the first frame of `bytes`. 0: they begin with none that is whole, or nothing here can tell.
std::size_t zstd_frame_bytes(std::string_view bytes) noexcept;

}  // namespace copse::io
