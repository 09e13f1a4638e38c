// The bytes of an input: a mapped file, or a stream that is read from a pipe or decompressed.
#pragma once
#include "core/memory_error.hpp"

#include <copse/memory.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <memory_resource>
#include <optional>
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
  /// The name for error messages: the path, or "<stdin>".
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// The size of the file if it is regular and nothing was read from it before; otherwise 0.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] bool is_standard_input() const noexcept { return name_ == "<stdin>"; }
  /// Reads up to `count` bytes and returns their number; 0 only at the end of the input. Several threads read parts of a regular file.
  std::size_t read(char* to, std::size_t count, unsigned threads = 1) const;

private:
  std::size_t read_parts(char* to, std::size_t count, unsigned threads) const;

  std::string name_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

enum class compression : std::uint8_t { none, gzip, zstd };
compression compression_by_suffix(const std::filesystem::path& path);
/// The compression that the first bytes of a file show; magic_bytes of them suffice. No text begins with the magic number of a compression.
constexpr std::size_t magic_bytes = 4;
compression compression_by_magic(std::string_view first_bytes) noexcept;

/// A stream of bytes that can be read only once and in order: a pipe, or a .gz or .zst file that is decompressed. Uses a buffer of fixed
/// size, whatever the size of the input.
class byte_stream {
public:
  virtual ~byte_stream() = default;
  /// Fills `to` with up to `count` bytes and returns their number; 0 only at the end of the input. Throws input_error with the offset if
  /// the input is damaged.
  virtual std::size_t read(char* to, std::size_t count) = 0;
  /// Like read(), but uses several threads if the stream can be decompressed concurrently.
  virtual std::size_t read_by(unsigned /*threads*/, char* to, std::size_t count) { return read(to, count); }
  /// Does the work of future reads of about `count` bytes in advance, if the stream can do that concurrently. May be called by any thread
  /// at any time.
  virtual void read_ahead(std::size_t /*count*/) {}
  /// Number of bytes of the (compressed) file that were consumed so far.
  [[nodiscard]] virtual std::uint64_t consumed() const noexcept = 0;
};

/// Decompresses `file`. `first_bytes` are bytes that were already read from it to detect the compression. `memory` is for the decoder,
/// which may need 128 MB for zstd.
std::unique_ptr<byte_stream> open_stream(input_file file, compression method, std::pmr::memory_resource* memory,
                                         std::string_view first_bytes = {});
/// Opens a stream for `workers` that read blocks of about `block_bytes` bytes. They decompress concurrently if the file has parts that can
/// be decompressed separately.
std::unique_ptr<byte_stream> open_stream_of_blocks(input_file file, compression method, std::string_view first_bytes,
                                                   std::size_t block_bytes, unsigned workers, std::pmr::memory_resource* memory);
/// Decompresses `bytes`, which are stored at `offset` in the file called `name`; the stream ends with them.
std::unique_ptr<byte_stream> open_part(const std::string& name, std::string_view bytes, std::uint64_t offset, compression method,
                                       std::pmr::memory_resource* memory);

/// A stream of a compressed file whose parts can be decompressed independently, by several workers. Returns null if the file has fewer than
/// two parts, or holds something else: open_stream() then reports what is wrong. `slice_bytes` is the compressed size that is worth the
/// work of a worker at a time. Up to 2 * `workers` decompressed slices are in memory.
std::unique_ptr<byte_stream> open_parts_stream(const input_file& file, compression method, std::size_t slice_bytes, unsigned workers,
                                               std::pmr::memory_resource* memory);

/// The byte order mark of UTF-8, which is removed from the beginning of texts.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Reads `count` bytes, or all that are left if these are fewer, and returns their number.
std::size_t read_fully(const input_file& file, char* to, std::size_t count);
std::size_t read_fully(byte_stream& from, char* to, std::size_t count);
/// Reads the rest of a stream. `likely_bytes` is a guess of its size, used as the initial size of the buffer.
buffer<char> read_rest(byte_stream& from, std::uint64_t likely_bytes, std::pmr::memory_resource* memory);

/// A regular file mapped into memory: its pages belong to the page cache and are not counted as memory of this process. `data()` is null if
/// the file cannot be mapped.
class mapped_file {
public:
  explicit mapped_file(const input_file& file);
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;
  ~mapped_file();
  /// Frees the memory pages of the mapping with several threads, which is faster than with the one thread of the destructor. To be called
  /// when the contents are no longer needed.
  void leave_pages(unsigned threads) noexcept;
  [[nodiscard]] const char* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::string_view bytes() const noexcept { return {data_, size_}; }

private:
  std::string name_;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A binary file, or standard input ("-"), decompressed if it is a .gz or .zst: mapped if possible and `mapped`, otherwise a stream for
/// `workers` that read blocks of about `block_bytes` bytes. Throws input_error if the file cannot be opened.
struct binary_input {
  binary_input(const std::filesystem::path& path, bool mapped, std::size_t block_bytes, unsigned workers,
               std::pmr::memory_resource* memory);

  std::string name;                     ///< the name for error messages
  std::optional<mapped_file> mapping;   ///< if set, its data() is not null
  std::unique_ptr<byte_stream> stream;  ///< set if the file is not mapped
  std::uint64_t likely_bytes = 0;       ///< a guess of the size of the stream
};

/// The whole content of a binary file: mapped if possible and `mapped`, otherwise in a buffer. Throws input_error if the file cannot be
/// opened, or with the offset if the compressed data are damaged or cut off.
class whole_file {
public:
  explicit whole_file(const std::filesystem::path& path, std::pmr::memory_resource* memory = host_memory(), bool mapped = true);
  whole_file(const whole_file&) = delete;
  whole_file& operator=(const whole_file&) = delete;
  ~whole_file();
  [[nodiscard]] std::string_view bytes() const noexcept {
    return input_.mapping ? input_.mapping->bytes() : std::string_view{held_.data(), held_.size()};
  }

private:
  binary_input input_;
  buffer<char> held_;
};

/// Repeats the system call `call` as long as signals interrupt it, and returns its result.
template <class Call>
auto uninterrupted(Call call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

/// Returns the result of `read`. Exceptions pass through; if memory runs out, the error also names the file.
template <class Read>
auto while_reading(const std::filesystem::path& path, Read read) {
  try {
    return read();
  } catch (const memory_error& problem) {
    throw problem.in_step(path == "-" ? "<stdin>" : path.string(), "reading");
  }
}

}  // namespace copse::io
