// .npz files made by hand.
#pragma once
#include "io/npy_bytes.hpp"

#include <zlib.h>

#include <string>
#include <utility>
#include <vector>

namespace copse::testing {

struct zip_form {
  bool deflate = false;
  bool wide = false;  ///< zip64: sizes and places in extra fields and a second end record, as Python's force_zip64 does
};

inline std::string deflated(const std::string& bytes) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed_bytes(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed_bytes.data());
  stream.avail_out = static_cast<uInt>(packed_bytes.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed_bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return packed_bytes;
}

using members = std::vector<std::pair<std::string, std::string>>;

inline std::string u16(std::size_t value) { return packed<std::uint16_t>({static_cast<std::uint16_t>(value)}); }
inline std::string u32(std::size_t value) { return packed<std::uint32_t>({static_cast<std::uint32_t>(value)}); }
inline std::string u64(std::size_t value) { return packed<std::uint64_t>({value}); }

inline std::string zip(const members& all, zip_form form = {}) {
  std::string bytes;
  std::string entries;
  for (const auto& [name, content] : all) {
    const std::string data = form.deflate ? deflated(content) : content;
    const std::size_t at = bytes.size();
    const auto crc =
        static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())));
    const std::string method = u16(form.deflate ? 8 : 0);
    const std::string sizes = form.wide ? u32(UINT32_MAX) + u32(UINT32_MAX) : u32(data.size()) + u32(content.size());
    const std::string local_extra = form.wide ? u16(1) + u16(16) + u64(content.size()) + u64(data.size()) : "";
    const std::string entry_extra = form.wide ? u16(1) + u16(24) + u64(content.size()) + u64(data.size()) + u64(at) : "";
    bytes += "PK\x03\x04" + u16(20) + u16(0) + method + u32(0) + u32(crc) + sizes + u16(name.size()) + u16(local_extra.size()) + name +
             local_extra + data;
    entries += "PK\x01\x02" + u16(20) + u16(20) + u16(0) + method + u32(0) + u32(crc) + sizes + u16(name.size()) + u16(entry_extra.size()) +
               u16(0) + u16(0) + u16(0) + u32(0) + u32(form.wide ? UINT32_MAX : at) + name + entry_extra;
  }
  const std::size_t entries_at = bytes.size();
  bytes += entries;
  if (form.wide) {
    const std::size_t wide_at = bytes.size();
    bytes += "PK\x06\x06" + u64(44) + u16(45) + u16(45) + u32(0) + u32(0) + u64(all.size()) + u64(all.size()) + u64(entries.size()) +
             u64(entries_at);
    bytes += "PK\x06\x07" + u32(0) + u64(wide_at) + u32(1);
  }
  const std::size_t count = form.wide ? UINT16_MAX : all.size();
  bytes += "PK\x05\x06" + u16(0) + u16(0) + u16(count) + u16(count) + u32(form.wide ? UINT32_MAX : entries.size()) +
           u32(form.wide ? UINT32_MAX : entries_at) + u16(0);
  return bytes;
}

}  // namespace copse::testing
