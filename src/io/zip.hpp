// Members of a zip archive, stored or deflated, zip64 or not: what numpy.savez and scipy.sparse.save_npz write.
#pragma once
#include "io/binary_source.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace copse::io {

class zip_archive {
public:
  /// Reads the list of members at the end of the archive. `bytes` must outlive it.
  zip_archive(std::string_view file, std::string_view bytes);

  struct member {
    std::string name;
    std::uint64_t method = 0;  ///< 0 stored, 8 deflated
    std::uint32_t crc = 0;
    std::uint64_t packed_bytes = 0;
    std::uint64_t bytes = 0;
    std::uint64_t header_at = 0;
  };
  /// The content of a member: a view into the archive when it is stored, or of `held`.
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

}  // namespace copse::io
