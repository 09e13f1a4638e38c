// Reads and writes members of zip archives, stored or deflated, with or without zip64, as numpy.savez and scipy.sparse.save_npz write them.
#pragma once
#include "io/binary_source.hpp"

#include <copse/io.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace copse::io {

/// Reads an archive that is in memory.
class zip_archive {
public:
  /// Reads the list of members at the end of the archive. `bytes` must outlive it.
  zip_archive(std::string_view file, std::string_view bytes);

  struct member {
    std::string name;
    std::uint64_t method = 0;  ///< 0 for stored, 8 for deflated
    std::uint32_t crc = 0;
    std::uint64_t packed_bytes = 0;
    std::uint64_t bytes = 0;
    std::uint64_t header_at = 0;
  };
  /// The content of a member: a view into the archive if the member is stored, otherwise into `held`.
  struct content {
    std::string_view bytes;
    buffer<char> held;
  };
  [[nodiscard]] std::optional<content> find(std::string_view name, std::pmr::memory_resource* memory) const;

private:
  [[nodiscard]] content unpack(const member& m, std::pmr::memory_resource* memory) const;
  [[nodiscard]] std::string_view part(std::uint64_t at, std::uint64_t size, std::string_view what) const;
  void read_entry(std::uint64_t& at);

  std::string file_;
  std::string_view bytes_;
  std::vector<member> members_;
};

/// Writes an archive from front to back, with members stored without compression, which numpy.load reads. All sizes are in zip64 fields, so
/// members may have any size; the checksum of a member follows its data, because it is known only then.
class zip_writer {
public:
  explicit zip_writer(output_file& file) : file_{file} {}

  /// Begins a member with this name and size, and ends the previous one.
  void begin(std::string name, std::uint64_t bytes);
  void write(const void* bytes, std::size_t count);
  /// Ends the archive. To be called after the last member.
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
