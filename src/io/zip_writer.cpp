#include "io/zip_writer.hpp"

#include "io/deflate.hpp"

#include <utility>

namespace copse::io {
namespace {

constexpr std::uint64_t version = 45;               // the first that knows zip64
constexpr std::uint64_t checksum_behind = 1u << 3;  // a flag
constexpr std::uint64_t first_day = 0x21;           // 1980-01-01: the same labels are the same bytes
constexpr std::uint64_t see_extra = 0xffffffff;     // of a field of 32 bits that zip64 widens
constexpr std::uint64_t wide_sizes = 1;             // the number of that extra field

/// Little-endian fields, one after the other.
class fields {
public:
  fields& put(std::uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xff);
    return *this;
  }
  fields& put(const std::string& text) {
    bytes_ += text;
    return *this;
  }
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

private:
  std::string bytes_;
};

/// Version, flags, method (stored), time, day: the same in front of a member and in the list of all.
fields& put_what_it_is(fields& to) { return to.put(version, 2).put(checksum_behind, 2).put(0, 2).put(0, 2).put(first_day, 2); }

}  // namespace

void zip_writer::put(const std::string& bytes) {
  file_.write(bytes.data(), bytes.size());
  written_ += bytes.size();
}

void zip_writer::begin(std::string name, std::uint64_t bytes) {
  end_member();
  members_.push_back({.name = std::move(name), .bytes = bytes, .at = written_});
  const member& m = members_.back();
  fields header;
  put_what_it_is(header.put(0x04034b50, 4));
  header.put(0, 4).put(see_extra, 4).put(see_extra, 4).put(m.name.size(), 2).put(20, 2).put(m.name);
  put(header.put(wide_sizes, 2).put(16, 2).put(m.bytes, 8).put(m.bytes, 8).bytes());
}

void zip_writer::write(const void* bytes, std::size_t count) {
  const auto* const from = static_cast<const char*>(bytes);
  members_.back().crc = crc_of({from, count}, members_.back().crc);
  file_.write(from, count);
  written_ += count;
}

void zip_writer::end_member() {
  if (members_.empty()) return;
  const member& m = members_.back();
  put(fields{}.put(0x08074b50, 4).put(m.crc, 4).put(m.bytes, 8).put(m.bytes, 8).bytes());
}

void zip_writer::finish() {
  end_member();
  const std::uint64_t list_at = written_;
  for (const member& m : members_) {
    fields entry;
    put_what_it_is(entry.put(0x02014b50, 4).put(version, 2));
    entry.put(m.crc, 4).put(see_extra, 4).put(see_extra, 4).put(m.name.size(), 2).put(28, 2);
    entry.put(0, 2).put(0, 2).put(0, 2).put(0, 4).put(see_extra, 4).put(m.name);  // comment, disk, attributes; where it begins
    put(entry.put(wide_sizes, 2).put(24, 2).put(m.bytes, 8).put(m.bytes, 8).put(m.at, 8).bytes());
  }
  const std::uint64_t list_bytes = written_ - list_at, count = members_.size(), end_at = written_;
  fields end;
  end.put(0x06064b50, 4).put(44, 8).put(version, 2).put(version, 2).put(0, 4).put(0, 4);
  end.put(count, 8).put(count, 8).put(list_bytes, 8).put(list_at, 8);
  end.put(0x07064b50, 4).put(0, 4).put(end_at, 8).put(1, 4);
  end.put(0x06054b50, 4).put(0, 2).put(0, 2).put(count, 2).put(count, 2).put(see_extra, 4).put(see_extra, 4).put(0, 2);
  put(end.bytes());
}

}  // namespace copse::io
