// The functions of gzip.cpp for a build without zlib.
#include "io/compression.hpp"

#include <copse/errors.hpp>

#include <array>

namespace copse::io {

std::unique_ptr<byte_stream> open_gzip(compressed_input in) {
  throw input_error::at(in.name(), 0, "a gzip stream, which this build of copse cannot read (it was made without zlib)", "plain data");
}
std::unique_ptr<packer> make_gzip_packer() { throw usage_error{".gz: this build of copse was made without zlib, and cannot write it"}; }

std::uint32_t crc_of(std::string_view bytes, std::uint32_t before) {
  static constexpr auto table = [] {
    std::array<std::uint32_t, 256> values{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0xedb88320u : 0);
      values[i] = value;
    }
    return values;
  }();
  std::uint32_t crc = ~before;
  for (const char byte : bytes) crc = (crc >> 8) ^ table[(crc ^ static_cast<unsigned char>(byte)) & 0xff];
  return ~crc;
}

std::size_t inflate_raw(std::string_view, std::span<char>) {
  throw input_error{
      "deflated members cannot be read, because this build of copse was made without zlib; save the arrays without compression "
      "(numpy.savez, or scipy.sparse.save_npz with compressed=False)"};
}

}  // namespace copse::io
