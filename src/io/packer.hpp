// Bytes packed as gzip or zstd on their way into a file.
#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>

namespace copse::io {

class packer {
public:
  using consumer = std::function<void(const char* bytes, std::size_t count)>;

  virtual ~packer() = default;
  /// Takes all of the bytes, and hands on what is packed by now.
  virtual void pack(const char* bytes, std::size_t count, const consumer& out) = 0;
  /// After the last byte.
  virtual void finish(const consumer& out) = 0;
};

/// Each in the unit of its decoder; throw usage_error in a build without the library.
std::unique_ptr<packer> make_gzip_packer();
std::unique_ptr<packer> make_zstd_packer();
/// By the suffix .gz or .zst; null for others.
std::unique_ptr<packer> packer_for(const std::filesystem::path& path);

}  // namespace copse::io
