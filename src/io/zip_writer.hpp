// A zip archive written from the front, its members stored as they are: what numpy.load reads. Every size is written as zip64 has it, so
// that a member may be of any size; its checksum, which is known when all of it has passed, stands behind it.
#pragma once
#include <copse/io.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace copse::io {

class zip_writer {
public:
  explicit zip_writer(output_file& file) : file_{file} {}

  /// The member of this name comes next, and is of that size.
  void begin(std::string name, std::uint64_t bytes);
  void write(const void* bytes, std::size_t count);
  /// Behind the last member.
  void finish();

private:
  struct member {
    std::string name;
    std::uint64_t bytes = 0, at = 0;
    std::uint32_t crc = 0;
  };
  void put(const std::string& bytes);
  void end_member();

  output_file& file_;
  std::vector<member> members_;
  std::uint64_t written_ = 0;
};

}  // namespace copse::io
