// What members of a zip archive need: CRC-32 and raw deflate data.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace copse::io {

/// `before`: that of the bytes in front of these.
std::uint32_t crc_of(std::string_view bytes, std::uint32_t before = 0);

/// Bytes made, which is less than `to` when the packed bytes are damaged or end early. Throws input_error in a build without zlib.
std::size_t inflate_raw(std::string_view from, std::span<char> to);

}  // namespace copse::io
