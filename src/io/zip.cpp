// Layout of an archive: the members, each after its local header; then a list with one entry per member; then the end record, with the
// offset of the list. If fields of the end record are too small for a value, they are all ones, and a zip64 record before it has wide
// fields; entries have wide fields in their extra field number 1.
#include "io/zip.hpp"

#include "io/compression.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace copse::io {
namespace {

constexpr std::uint32_t local_mark = 0x04034b50;
constexpr std::uint32_t entry_mark = 0x02014b50;
constexpr std::uint32_t end_mark = 0x06054b50;
constexpr std::uint32_t wide_end_mark = 0x06064b50;
constexpr std::uint32_t wide_locator_mark = 0x07064b50;
constexpr std::size_t local_bytes = 30;
constexpr std::size_t entry_bytes = 46;
constexpr std::size_t end_bytes = 22;
constexpr std::size_t wide_locator_bytes = 20;
constexpr std::size_t wide_end_bytes = 56;
constexpr std::size_t longest_comment_bytes = 65535;
constexpr std::uint64_t most_inflation = 1032;  // deflate expands a byte to at most this many

std::uint64_t number(std::string_view from, std::size_t at, unsigned width) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < width; ++i) value |= std::uint64_t{static_cast<unsigned char>(from[at + i])} << (8 * i);
  return value;
}

std::size_t find_end(std::string_view file, std::string_view bytes) {
  if (bytes.size() >= end_bytes) {
    std::size_t at = bytes.size() - end_bytes;
    const std::size_t last = at - std::min(at, longest_comment_bytes);
    for (;; --at) {
      if (number(bytes, at, 4) == end_mark && number(bytes, at + 20, 2) == bytes.size() - at - end_bytes) return at;
      if (at == last) break;
    }
  }
  throw input_error::at(file, 0, "no end record of a zip archive in " + std::to_string(bytes.size()) + " bytes", "a whole .npz archive");
}

}  // namespace

std::string_view zip_archive::part(std::uint64_t at, std::uint64_t size, std::string_view what) const {
  if (at > bytes_.size() || size > bytes_.size() - at) {
    throw input_error::at(file_, 0, "the end of the archive at byte " + std::to_string(bytes_.size()),
                          std::to_string(size) + " bytes of " + std::string{what} + " from byte " + std::to_string(at));
  }
  return bytes_.substr(at, size);
}

zip_archive::zip_archive(std::string_view file, std::string_view bytes) : file_{file}, bytes_{bytes} {
  const std::size_t end_at = find_end(file, bytes);
  std::uint64_t count = number(bytes, end_at + 10, 2);
  std::uint64_t at = number(bytes, end_at + 16, 4);
  if (end_at >= wide_locator_bytes && number(bytes, end_at - wide_locator_bytes, 4) == wide_locator_mark) {
    const std::uint64_t wide_at = number(bytes, end_at - wide_locator_bytes + 8, 8);
    const std::string_view wide = part(wide_at, wide_end_bytes, "the zip64 end record");
    if (number(wide, 0, 4) != wide_end_mark) refuse_byte(file, wide_at, "other bytes", "the mark of a zip64 end record");
    count = number(wide, 32, 8);
    at = number(wide, 48, 8);
  }
  for (std::uint64_t i = 0; i < count; ++i) read_entry(at);
}

void zip_archive::read_entry(std::uint64_t& at) {
  const std::string_view entry = part(at, entry_bytes, "an entry of the list of members");
  if (number(entry, 0, 4) != entry_mark) refuse_byte(file_, at, "other bytes", "an entry of the list of members");
  if ((number(entry, 8, 2) & 1) != 0) refuse_byte(file_, at, "an encrypted member", "plain ones");
  const std::uint64_t name_bytes = number(entry, 28, 2);
  const std::uint64_t extra_bytes = number(entry, 30, 2);
  const std::uint64_t all_bytes = entry_bytes + name_bytes + extra_bytes + number(entry, 32, 2);
  const std::string_view whole = part(at, all_bytes, "an entry of the list of members");
  member m{std::string{whole.substr(entry_bytes, name_bytes)},
           number(entry, 10, 2),
           static_cast<std::uint32_t>(number(entry, 16, 4)),
           number(entry, 20, 4),
           number(entry, 24, 4),
           number(entry, 42, 4)};
  std::string_view extra = whole.substr(entry_bytes + name_bytes, extra_bytes);
  while (extra.size() >= 4) {
    const std::uint64_t id = number(extra, 0, 2);
    const std::uint64_t size = std::min<std::uint64_t>(number(extra, 2, 2), extra.size() - 4);
    std::string_view fields = extra.substr(4, size);
    if (id == 1) {
      for (std::uint64_t* field : {&m.bytes, &m.packed_bytes, &m.header_at}) {
        if (*field != std::numeric_limits<std::uint32_t>::max() || fields.size() < 8) continue;
        *field = number(fields, 0, 8);
        fields.remove_prefix(8);
      }
    }
    extra.remove_prefix(4 + size);
  }
  at += all_bytes;
  members_.push_back(std::move(m));
}

std::optional<zip_archive::content> zip_archive::find(std::string_view name, std::pmr::memory_resource* memory) const {
  const auto at = std::find_if(members_.begin(), members_.end(), [name](const member& m) { return m.name == name; });
  if (at == members_.end()) return std::nullopt;
  return unpack(*at, memory);
}

zip_archive::content zip_archive::unpack(const member& m, std::pmr::memory_resource* memory) const {
  const std::string_view header = part(m.header_at, local_bytes, "the header of " + m.name);
  if (number(header, 0, 4) != local_mark) refuse_byte(file_, m.header_at, "other bytes", "the header of " + m.name);
  const std::uint64_t data_at = m.header_at + local_bytes + number(header, 26, 2) + number(header, 28, 2);
  const std::string_view packed = part(data_at, m.packed_bytes, m.name);
  content unpacked;
  if (m.method == 0) {
    if (m.bytes != m.packed_bytes) {
      refuse_byte(file_, m.header_at, std::to_string(m.packed_bytes) + " bytes stored", std::to_string(m.bytes) + " bytes of " + m.name);
    }
    unpacked.bytes = packed;
  } else if (m.method == 8) {
    if (m.bytes / most_inflation > m.packed_bytes) {
      refuse_byte(file_, m.header_at, std::to_string(m.bytes) + " bytes packed into " + std::to_string(m.packed_bytes),
                  "at most " + std::to_string(most_inflation) + " times as many");
    }
    unpacked.held = buffer<char>{m.bytes, memory};
    const std::size_t written = inflate_raw(packed, unpacked.held.span());
    if (written != m.bytes) {
      refuse_byte(file_, data_at, "damaged deflate data after " + std::to_string(written) + " bytes",
                  std::to_string(m.bytes) + " bytes of " + m.name);
    }
    unpacked.bytes = {unpacked.held.data(), unpacked.held.size()};
  } else {
    refuse_byte(file_, m.header_at, "compression method " + std::to_string(m.method), "0 (stored) or 8 (deflated)");
  }
  if (crc_of(unpacked.bytes) != m.crc) refuse_byte(file_, data_at, "a wrong checksum of " + m.name, "an undamaged member");
  return unpacked;
}

namespace {

constexpr std::uint64_t version = 45;               // the first version with zip64
constexpr std::uint64_t checksum_behind = 1u << 3;  // flag: the checksum follows the data
constexpr std::uint64_t first_day = 0x21;           // 1980-01-01, so that equal labels give equal files
constexpr std::uint64_t see_extra = 0xffffffff;     // value of a 32-bit field whose value is in the extra field of zip64
constexpr std::uint64_t wide_sizes = 1;             // id of the extra field of zip64, which has 64-bit sizes

/// Builds a sequence of little-endian fields.
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

/// Appends version, flags, method (stored), time and day, which the local header and the entry of a member have in common.
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
    // lengths of comment 0, disk number 0, attributes 0; the offset of the member is in the extra field
    entry.put(0, 2).put(0, 2).put(0, 2).put(0, 4).put(see_extra, 4).put(m.name);
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
