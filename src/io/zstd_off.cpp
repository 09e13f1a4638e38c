// The functions of zstd.cpp for a build without zstd.
#include "io/compression.hpp"

namespace copse::io {

std::unique_ptr<byte_stream> open_zstd(compressed_input in, std::pmr::memory_resource* /*memory*/) {
  throw input_error::at(in.name(), 0, "a zstd stream, which this build of copse cannot read (it was made without zstd)", "plain data");
}
std::unique_ptr<packer> make_zstd_packer() { throw usage_error{".zst: this build of copse was made without zstd, and cannot write it"}; }
std::size_t zstd_frame_bytes(std::string_view /*bytes*/) noexcept { return 0; }

}  // namespace copse::io
