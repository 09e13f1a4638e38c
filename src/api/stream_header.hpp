// What a checkpoint of a stream keeps beside its structure. The open queries follow the header, and the names follow them.
#pragma once
#include <copse/live_stream.hpp>
#include <drivers/refuser.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace copse::api {

/// Version 1 ended before `sum`.
struct stream_header {
  std::array<char, 8> magic{'s', 't', 'r', 'e', 'a', 'm', '-', '2'};
  std::uint64_t records = 0;
  std::uint64_t answers = 0;
  std::uint64_t batch = 0;
  std::uint64_t names = 0;
  std::uint32_t vertices = 0;
  std::uint32_t how = 0;
  std::uint64_t sum = 0;
  std::uint64_t open_queries = 0;
  std::uint32_t knows_sum = 0;
  std::uint32_t automatic = 1;

  static constexpr std::size_t version_1_bytes = 48;
  static constexpr std::uint64_t most_records = INT64_MAX;  ///< the next batch can always be counted

  /// True if bytes that begin like this are those of a stream, whatever its version.
  [[nodiscard]] bool is_stream() const noexcept {
    return std::string_view{magic.data(), magic.size() - 1} == std::string_view{stream_header{}.magic.data(), magic.size() - 1};
  }
  [[nodiscard]] bool is_known_version() const noexcept { return magic.back() == '1' || magic.back() == '2'; }
  [[nodiscard]] bool vertices_are_slots() const noexcept { return vertices <= static_cast<std::uint32_t>(stream_vertices::integers); }
};
static_assert(sizeof(stream_header) == 72);

/// Takes the header off the front. Throws input_error where it is none, or holds numbers that no stream has.
inline stream_header take_header(std::span<const std::byte>& bytes, const drivers::refuser& refuse) {
  stream_header header;
  if (bytes.size() < stream_header::version_1_bytes) refuse("a header that is cut off", "what was saved");
  std::memcpy(static_cast<void*>(&header), bytes.data(), stream_header::version_1_bytes);
  if (!header.is_stream() || !header.is_known_version()) refuse("another version of checkpoint", "version 1 or 2");
  const std::size_t size = header.magic.back() == '2' ? sizeof header : stream_header::version_1_bytes;
  if (bytes.size() < size) refuse("a header that is cut off", "what was saved");
  std::memcpy(static_cast<void*>(&header), bytes.data(), size);
  bytes = bytes.subspan(size);
  const bool sane = header.vertices <= 3 && header.how <= 1 && header.knows_sum <= 1 && header.automatic <= 1 &&
                    header.records <= stream_header::most_records && header.batch <= stream_header::most_records &&
                    header.answers <= header.records && header.open_queries <= header.answers &&
                    header.open_queries <= (header.batch == 0 ? 0 : header.records % header.batch);
  if (!sane) refuse("numbers that contradict each other", "what was saved");
  return header;
}

}  // namespace copse::api
