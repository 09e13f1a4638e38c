// The bytes of an input: mapped, decompressed or read from a pipe.
#pragma once
#include <copse/core/memory.hpp>

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace copse::io {

/// The whole content of a file, transparent of .gz and .zst ("-": standard input): a mapping where possible, otherwise a buffer.
/// Throws input_error when it cannot be opened, or when the compressed stream is damaged or cut off (naming the byte).
class whole_file {
public:
  explicit whole_file(const std::filesystem::path& path, std::pmr::memory_resource* memory = host_memory());
  whole_file(const whole_file&) = delete;
  whole_file& operator=(const whole_file&) = delete;
  ~whole_file();
  [[nodiscard]] std::string_view bytes() const noexcept { return {data_, size_}; }

private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  bool mapped_ = false;
  buffer<char> held_;
};

}  // namespace copse::io
