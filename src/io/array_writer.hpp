// Numbers into a file, of a width that is not the memory's.
#pragma once
#include <copse/io.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace copse::io {

/// Writes numbers of one width into a file, or a member of an archive.
template <class T, class File = output_file>
class array_writer {
public:
  explicit array_writer(File& file) : file_{file} { pending_.reserve(block); }
  void put(std::uint64_t value) {
    pending_.push_back(static_cast<T>(value));
    if (pending_.size() == block) flush();
  }
  void flush() {
    file_.write(pending_.data(), pending_.size() * sizeof(T));
    pending_.clear();
  }

private:
  static constexpr std::size_t block = std::size_t{1} << 14;
  File& file_;
  std::vector<T> pending_;
};

}  // namespace copse::io
