// Uses zlib for reading and writing gzip, and for the members of zip archives. If ISA-L is available, its igzip reads gzip instead.
#include "io/compression.hpp"
#include "io/gzip_stream.hpp"
#ifdef COPSE_HAS_IGZIP
#include "io/igzip_inflater.hpp"
#endif

#include <copse/errors.hpp>

#include <zlib.h>

#include <algorithm>

namespace copse::io {
namespace {

#ifdef COPSE_HAS_IGZIP
using inflater = igzip_inflater;
#else
using inflater = zlib_inflater;
#endif

constexpr std::size_t room_bytes = std::size_t{1} << 16;
constexpr int gzip_level = 4;  // compresses labels nearly as well as level 6, in half the time

class gzip_packer final : public packer {
public:
  gzip_packer() {
    constexpr int gzip_header = 15 + 16;
    if (deflateInit2(&zlib_, gzip_level, Z_DEFLATED, gzip_header, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw resource_error{"out of memory: zlib cannot start"};
    }
  }
  gzip_packer(const gzip_packer&) = delete;
  gzip_packer& operator=(const gzip_packer&) = delete;
  ~gzip_packer() override { deflateEnd(&zlib_); }

  void pack(const char* bytes, std::size_t count, const consumer& out) override {
    while (count > 0) {
      const std::size_t now = std::min(count, std::size_t{1} << 30);
      zlib_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes));
      zlib_.avail_in = static_cast<uInt>(now);
      run(Z_NO_FLUSH, out);
      bytes += now;
      count -= now;
    }
  }
  void finish(const consumer& out) override { run(Z_FINISH, out); }

private:
  void run(int flush, const consumer& out) {
    do {
      zlib_.next_out = reinterpret_cast<Bytef*>(room_.data());
      zlib_.avail_out = static_cast<uInt>(room_.size());
      deflate(&zlib_, flush);
      out(room_.data(), room_.size() - zlib_.avail_out);
    } while (zlib_.avail_out == 0);
  }

  z_stream zlib_{};
  std::vector<char> room_ = std::vector<char>(room_bytes);
};

}  // namespace

std::unique_ptr<byte_stream> open_gzip(compressed_input in) { return std::make_unique<gzip_stream<inflater>>(std::move(in)); }
std::unique_ptr<packer> make_gzip_packer() { return std::make_unique<gzip_packer>(); }

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
    state = inflate(&stream, Z_NO_FLUSH);  // returns Z_BUF_ERROR when no more progress is possible
    consumed += in - stream.avail_in;
    written += out - stream.avail_out;
  }
  inflateEnd(&stream);
  return state == Z_STREAM_END ? written : std::min(written, to.size() - (to.empty() ? 0 : 1));
}

}  // namespace copse::io
