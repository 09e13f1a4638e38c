#include "io/deflate.hpp"

#include <copse/errors.hpp>

#include <zlib.h>

#include <algorithm>

namespace copse::io {

std::uint32_t crc_of(std::string_view bytes, std::uint32_t before) {
  uLong crc = before;
  constexpr std::size_t step = std::size_t{1} << 30;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    crc = crc32(crc, reinterpret_cast<const Bytef*>(bytes.data() + at), static_cast<uInt>(std::min(step, bytes.size() - at)));
  }
  return static_cast<std::uint32_t>(crc);
}

std::size_t inflate_raw(std::string_view from, std::span<char> to) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw resource_error{"out of memory: zlib was refused its tables"};
  constexpr std::size_t step = std::size_t{1} << 30;
  std::size_t consumed = 0;
  std::size_t written = 0;
  int state = Z_OK;
  while (state == Z_OK) {
    const std::size_t in = std::min(step, from.size() - consumed);
    const std::size_t out = std::min(step, to.size() - written);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(from.data() + consumed));
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = reinterpret_cast<Bytef*>(to.data() + written);
    stream.avail_out = static_cast<uInt>(out);
    state = inflate(&stream, Z_NO_FLUSH);  // says Z_BUF_ERROR when nothing moves any more
    consumed += in - stream.avail_in;
    written += out - stream.avail_out;
  }
  inflateEnd(&stream);
  return state == Z_STREAM_END ? written : std::min(written, to.size() - (to.empty() ? 0 : 1));
}

}  // namespace copse::io
