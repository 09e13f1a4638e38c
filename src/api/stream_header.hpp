// What a checkpoint of a stream keeps beside its structure. The open queries follow the header, and the names follow them.
#pragma once
#include <copse/live_stream.hpp>
#include <drivers/incremental/connectivity_file.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace copse::api {

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
  std::uint32_t one = 1;  ///< fills the word; a file that has another number is none of ours
  std::uint32_t automatic = 1;

  static constexpr std::uint64_t most_records = INT64_MAX;  ///< the next batch can always be counted

  [[nodiscard]] bool is_stream() const noexcept { return magic == stream_header{}.magic; }
  [[nodiscard]] bool vertices_are_slots() const noexcept { return vertices <= static_cast<std::uint32_t>(stream_vertices::integers); }
};
static_assert(sizeof(stream_header) == 72);

/// Takes the header off the front. Throws input_error where it is none, or holds numbers that no stream has.
inline stream_header take_header(std::span<const std::byte>& bytes, const drivers::refuser& refuse) {
  stream_header header;
  if (bytes.size() < sizeof header) refuse("a header that is cut off", "what was saved");
  std::memcpy(static_cast<void*>(&header), bytes.data(), sizeof header);
  bytes = bytes.subspan(sizeof header);
  const bool sane = header.vertices <= 3 && header.how <= 1 && header.is_stream() && header.one == 1 && header.automatic <= 1 &&
                    header.records <= stream_header::most_records && header.batch <= stream_header::most_records &&
                    header.answers <= header.records && header.open_queries <= header.answers &&
                    header.open_queries <= (header.batch == 0 ? 0 : header.records % header.batch);
  if (!sane) refuse("numbers that contradict each other", "what was saved");
  return header;
}

}  // namespace copse::api
