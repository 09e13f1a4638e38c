#include "io/packer.hpp"

namespace copse::io {

std::unique_ptr<packer> packer_for(const std::filesystem::path& path) {
  if (path.extension() == ".gz") return make_gzip_packer();
  if (path.extension() == ".zst") return make_zstd_packer();
  return nullptr;
}

}  // namespace copse::io
