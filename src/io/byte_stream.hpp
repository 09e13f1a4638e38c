// Bytes that arrive in order and once: a pipe, or a .gz or .zst being decompressed. Memory is a fixed buffer, whatever the size of the
// input.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <memory_resource>
#include <string>
#include <string_view>

namespace copse::io {

/// An open file descriptor; "-" is standard input, which is not closed.
class input_file {
public:
  explicit input_file(const std::filesystem::path& path);
  input_file(input_file&& other) noexcept;
  input_file& operator=(input_file&&) = delete;
  ~input_file();

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  /// What error messages call it: the path, or "<stdin>".
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// Of a regular file that is read from its first byte; 0 otherwise.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] bool is_standard_input() const noexcept { return name_ == "<stdin>"; }
  /// Up to `count` bytes; 0 only at the end.
  std::size_t read(char* to, std::size_t count) const;

private:
  std::string name_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

enum class compression : std::uint8_t { none, gzip, zstd };
compression compression_by_suffix(const std::filesystem::path& path);
/// By the first bytes, of which this many tell. No text starts like that.
constexpr std::size_t magic_bytes = 4;
compression compression_by_magic(std::string_view first_bytes) noexcept;

class byte_stream {
public:
  virtual ~byte_stream() = default;
  /// Fills `to` with up to `count` bytes; 0 only at the end of the input. Throws input_error naming the byte where the input is damaged.
  virtual std::size_t read(char* to, std::size_t count) = 0;
  /// Does the work of reads to come for about so many bytes, where that can be done beside them. Any thread may call it at any time.
  virtual void read_ahead(std::size_t /*count*/) {}
  /// Bytes of the (compressed) file taken so far.
  [[nodiscard]] virtual std::uint64_t consumed() const noexcept = 0;
};

/// Decompresses `file`; `first_bytes` were taken from it already (to look at the magic) and come first. `memory` is for what a decoder
/// needs, which of zstd may be 128 MB.
std::unique_ptr<byte_stream> open_stream(input_file file, compression method, std::pmr::memory_resource* memory,
                                         std::string_view first_bytes = {});
/// Decompresses bytes that lie at `offset` of the file called `name`; it ends with them.
std::unique_ptr<byte_stream> open_part(const std::string& name, std::string_view bytes, std::uint64_t offset, compression method,
                                       std::pmr::memory_resource* memory);

}  // namespace copse::io
