// Inflates gzip with ISA-L's igzip, about twice as fast as zlib.
#pragma once
#include "io/compression.hpp"
#include "io/gzip_stream.hpp"

#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace copse::io {

/// Parses the header of a gzip member. igzip's own parser is not used, because it accepts reserved flags, and fails if a buffer ends inside
/// the header.
class gzip_header {
public:
  /// Takes bytes of the header; returns true once it is complete. Throws input_error for an invalid header.
  bool take(compressed_input& in) {
    for (;;) {
      while (part_ != part::end && !is_present()) next();
      if (part_ == part::end) return true;
      if (in.size() == 0) return false;
      const char byte = *in.data();
      take(static_cast<unsigned char>(byte), in);
      in.take(1);
    }
  }

private:
  enum class part : std::uint8_t { fixed, extra_length, extra, name, comment, checksum, end };

  [[nodiscard]] bool is_present() const noexcept {
    switch (part_) {
      case part::extra_length:
        return (flags_ & 4) != 0;
      case part::extra:
        return extra_bytes_ != 0;
      case part::name:
        return (flags_ & 8) != 0;
      case part::comment:
        return (flags_ & 16) != 0;
      case part::checksum:
        return (flags_ & 2) != 0;
      default:
        return true;
    }
  }
  void next() noexcept {
    part_ = static_cast<part>(static_cast<std::uint8_t>(part_) + 1);
    at_ = 0;
  }
  /// Takes one byte; `at_` counts the bytes of the current part of the header.
  void take(unsigned char byte, const compressed_input& in) {
    const char as_char = static_cast<char>(byte);
    if (part_ != part::checksum) crc_ = crc_of({&as_char, 1}, crc_);
    const std::size_t at = at_++;
    switch (part_) {
      case part::fixed: {
        constexpr std::array<unsigned char, 2> magic{0x1f, 0x8b};
        if (at < 2 && byte != magic[at]) in.damaged("gzip", "incorrect header check");
        if (at == 2 && byte != 8) in.damaged("gzip", "unknown compression method");
        if (at == 3 && (byte & 0xe0) != 0) in.damaged("gzip", "unknown header flags set");
        if (at == 3) flags_ = byte;
        if (at == 9) next();
        break;
      }
      case part::extra_length:
        extra_bytes_ |= static_cast<std::size_t>(byte) << 8 * at;
        if (at == 1) next();
        break;
      case part::extra:
        if (at_ == extra_bytes_) next();
        break;
      case part::name:
      case part::comment:
        if (byte == 0) next();
        break;
      case part::checksum:
        if (byte != (crc_ >> 8 * at & 0xff)) in.damaged("gzip", "header crc mismatch");
        if (at == 1) next();
        break;
      case part::end:
        break;
    }
  }

  part part_ = part::fixed;
  std::size_t at_ = 0;
  unsigned flags_ = 0;
  std::size_t extra_bytes_ = 0;
  std::uint32_t crc_ = 0;
};

class igzip_inflater {
public:
  igzip_inflater() { begin(); }

  bool inflate(compressed_input& in, char*& to, std::size_t& room) {
    if (!header_.take(in)) return false;
    const std::size_t given = std::min(in.size(), most_inflated);
    state_.next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(in.data()));
    state_.avail_in = static_cast<std::uint32_t>(given);
    state_.next_out = reinterpret_cast<std::uint8_t*>(to);
    state_.avail_out = static_cast<std::uint32_t>(room);
    const int status = isal_inflate(&state_);
    in.take(given - state_.avail_in);
    to += room - state_.avail_out;
    room = state_.avail_out;
    if (status < 0) in.damaged("gzip", reason(status));
    if (state_.block_state != ISAL_BLOCK_FINISH) return false;
    begin();
    return true;
  }

private:
  void begin() noexcept {
    header_ = {};
    isal_inflate_init(&state_);
    state_.crc_flag = ISAL_GZIP_NO_HDR_VER;  // no header to parse, but a checksum to compare
  }
  /// The message for an error code of igzip, in the words that zlib uses for the same error.
  static const char* reason(int status) noexcept {
    switch (status) {
      case ISAL_INVALID_BLOCK:
        return "invalid block type";
      case ISAL_INVALID_SYMBOL:
        return "invalid code";
      case ISAL_INVALID_LOOKBACK:
        return "invalid distance too far back";
      case ISAL_INVALID_WRAPPER:
        return "incorrect header check";
      case ISAL_UNSUPPORTED_METHOD:
        return "unknown compression method";
      case ISAL_INCORRECT_CHECKSUM:
        return "incorrect data check";
      default:
        return "no reason given";
    }
  }

  gzip_header header_;
  inflate_state state_;
};

}  // namespace copse::io
