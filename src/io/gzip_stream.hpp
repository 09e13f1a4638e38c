// Reads the members of a gzip file with any library that inflates them.
#pragma once
#include "io/compression.hpp"

#include <copse/errors.hpp>

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace copse::io {

// The maximum number of bytes to pass to one call of zlib or igzip, which count them in 32 bits.
constexpr std::size_t most_inflated = std::size_t{1} << 30;

/// A .gz file is one or more members in a row (pigz, bgzip and `cat` make several); zero bytes may pad the end. `Inflater::inflate(in, to,
/// room)` takes bytes from `in`, writes at most `room` bytes to `to`, and updates both. It returns true at the end of a member, after
/// comparing its checksum; the next call begins a new member. If `in` is empty, it writes the output that it still holds.
template <class Inflater>
class gzip_stream final : public byte_stream {
public:
  explicit gzip_stream(compressed_input in) : in_{std::move(in)} {}

  std::size_t read(char* to, std::size_t count) override {
    const std::size_t room = std::min(count, most_inflated);
    std::size_t left = room;
    while (left == room && !ended_) step(to, left);
    return room - left;
  }
  [[nodiscard]] std::uint64_t consumed() const noexcept override { return in_.offset(); }

private:
  void step(char*& to, std::size_t& left) {
    if (between_members_) {
      skip_padding();
      if (ended_) return;
    }
    const std::size_t before = left;
    const bool at_end = !in_.fill();
    between_members_ = inflater_.inflate(in_, to, left);
    if (at_end && !between_members_ && left == before) in_.cut_off("gzip");
  }
  void skip_padding() {
    while (in_.fill() && *in_.data() == '\0') in_.take(1);
    ended_ = !in_.fill();
    between_members_ = false;
  }

  compressed_input in_;
  Inflater inflater_;
  bool between_members_ = false;
  bool ended_ = false;
};

class zlib_inflater {
public:
  zlib_inflater() {
    constexpr int gzip_only = 15 + 16;
    if (inflateInit2(&zlib_, gzip_only) != Z_OK) throw resource_error{"out of memory: zlib cannot start"};
  }
  zlib_inflater(const zlib_inflater&) = delete;
  zlib_inflater& operator=(const zlib_inflater&) = delete;
  ~zlib_inflater() { inflateEnd(&zlib_); }

  bool inflate(compressed_input& in, char*& to, std::size_t& room) {
    const std::size_t given = std::min(in.size(), most_inflated);
    zlib_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    zlib_.avail_in = static_cast<uInt>(given);
    zlib_.next_out = reinterpret_cast<Bytef*>(to);
    zlib_.avail_out = static_cast<uInt>(room);
    const int status = ::inflate(&zlib_, Z_NO_FLUSH);
    in.take(given - zlib_.avail_in);
    to += room - zlib_.avail_out;
    room = zlib_.avail_out;
    if (status == Z_STREAM_END) {
      inflateReset(&zlib_);
      return true;
    }
    if (status == Z_MEM_ERROR) throw resource_error{"out of memory: zlib cannot go on"};
    if (status != Z_OK && status != Z_BUF_ERROR) in.damaged("gzip", zlib_.msg != nullptr ? zlib_.msg : "no reason given");
    return false;
  }

private:
  z_stream zlib_{};
};

}  // namespace copse::io
