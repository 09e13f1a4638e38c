// The bytes of an input: mapped, decompressed or read from a pipe.
#pragma once
#include "io/byte_stream.hpp"

#include <copse/memory.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace copse::io {

/// Of UTF-8: it may begin any text, and is taken off.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// As many bytes as there are, up to `count`.
std::size_t read_fully(const input_file& file, char* to, std::size_t count);

/// A regular file seen through the page cache: its pages are not memory of this process. `data()` is null when it cannot be mapped.
class mapped_file {
public:
  explicit mapped_file(const input_file& file);
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;
  ~mapped_file();
  /// For who needs it no more: many threads leave the pages faster than one does, who would make the others wait.
  void leave_pages(unsigned threads) noexcept;
  [[nodiscard]] const char* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
  std::string name_;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

/// The whole content of a file, transparent of .gz and .zst ("-": standard input): a mapping where possible and `mapped`, otherwise a
/// buffer. Throws input_error when it cannot be opened, or when the compressed stream is damaged or cut off (naming the byte).
class whole_file {
public:
  explicit whole_file(const std::filesystem::path& path, std::pmr::memory_resource* memory = host_memory(), bool mapped = true);
  whole_file(const whole_file&) = delete;
  whole_file& operator=(const whole_file&) = delete;
  ~whole_file();
  [[nodiscard]] std::string_view bytes() const noexcept { return {data_, size_}; }

private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::optional<mapped_file> mapped_;
  buffer<char> held_;
};

}  // namespace copse::io
