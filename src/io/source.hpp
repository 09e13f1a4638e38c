// The bytes of an input: mapped, or a stream that is read from a pipe or decompressed.
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
  /// What error messages call it: the path, or "<stdin>".
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// The size of a regular file that is read from its first byte; 0 otherwise.
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

/// Bytes that arrive in order and once: a pipe, or a .gz or .zst being decompressed. Memory is a fixed buffer, whatever the size of the
/// input.
class byte_stream {
public:
  virtual ~byte_stream() = default;
  /// Fills `to` with up to `count` bytes; 0 only at the end of the input. Throws input_error naming the byte where the input is damaged.
  virtual std::size_t read(char* to, std::size_t count) = 0;
  /// Does the work of future reads for about `count` bytes, where that can be done concurrently. Any thread may call it at any time.
  virtual void read_ahead(std::size_t /*count*/) {}
  /// Bytes of the (compressed) file taken so far.
  [[nodiscard]] virtual std::uint64_t consumed() const noexcept = 0;
};

/// Decompresses `file`; `first_bytes` were taken from it already (to look at the magic) and come first. `memory` is for what a decoder
/// needs, which of zstd may be 128 MB.
std::unique_ptr<byte_stream> open_stream(input_file file, compression method, std::pmr::memory_resource* memory,
                                         std::string_view first_bytes = {});
/// Opens a stream for `workers` that ask for blocks of about `block_bytes` bytes: parts of the file that can be decompressed separately
/// are.
std::unique_ptr<byte_stream> open_stream_of_blocks(input_file file, compression method, std::string_view first_bytes,
                                                   std::size_t block_bytes, unsigned workers, std::pmr::memory_resource* memory);
/// Decompresses bytes that lie at `offset` of the file called `name`; it ends with them.
std::unique_ptr<byte_stream> open_part(const std::string& name, std::string_view bytes, std::uint64_t offset, compression method,
                                       std::pmr::memory_resource* memory);

/// The stream of a compressed file whose parts decompress by themselves, each by another worker. Null when it has fewer than two, or
/// something that is none: then it is a stream like any other, which says what is wrong. `slice_bytes`: compressed ones that are worth a
/// turn of a worker. Memory: what `workers` have decompressed ahead, twice.
std::unique_ptr<byte_stream> open_parts_stream(const input_file& file, compression method, std::size_t slice_bytes, unsigned workers,
                                               std::pmr::memory_resource* memory);

/// The byte order mark of UTF-8, which may begin any text and is removed.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Reads `count` bytes, or as many as there are, and returns their number.
std::size_t read_fully(const input_file& file, char* to, std::size_t count);
std::size_t read_fully(byte_stream& from, char* to, std::size_t count);
/// Reads the rest of a stream. `likely_bytes`: a guess, at which the buffer begins to grow.
buffer<char> read_rest(byte_stream& from, std::uint64_t likely_bytes, std::pmr::memory_resource* memory);

/// A regular file seen through the page cache: its pages are not memory of this process. `data()` is null when it cannot be mapped.
class mapped_file {
public:
  explicit mapped_file(const input_file& file);
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;
  ~mapped_file();
  /// Releases the pages, which are not needed any more: several threads do that faster than one, for which the others would wait.
  void leave_pages(unsigned threads) noexcept;
  [[nodiscard]] const char* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::string_view bytes() const noexcept { return {data_, size_}; }

private:
  std::string name_;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A binary file, transparent of .gz and .zst ("-": standard input): mapped where it can be and `mapped`, otherwise a stream, of which
/// `workers` ask for blocks of about `block_bytes` bytes. Throws input_error when it cannot be opened.
struct binary_input {
  binary_input(const std::filesystem::path& path, bool mapped, std::size_t block_bytes, unsigned workers,
               std::pmr::memory_resource* memory);

  std::string name;                     ///< what error messages call it
  std::optional<mapped_file> mapping;   ///< its data is not null
  std::unique_ptr<byte_stream> stream;  ///< unless it is mapped
  std::uint64_t likely_bytes = 0;       ///< a guess of what the stream gives
};

/// The whole content of a binary file: a mapping where possible and `mapped`, otherwise a buffer. Throws input_error when it cannot be
/// opened, or when the compressed stream is damaged or cut off (naming the byte).
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

/// What `call` returns once no signal interrupts it: then it is made again.
template <class Call>
auto uninterrupted(Call call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

/// Calls `read` and returns its result. Throws what it throws; if memory ends, the error names the file.
template <class Read>
auto while_reading(const std::filesystem::path& path, Read read) {
  try {
    return read();
  } catch (const memory_error& problem) {
    throw problem.in_step(path == "-" ? "<stdin>" : path.string(), "reading");
  }
}

}  // namespace copse::io
