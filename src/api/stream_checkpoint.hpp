// The part of a stream's checkpoint that is not its structure: a header, the queries of a batch that is still incomplete, and the names of
// vertices. The bytes of a name follow its length, an integer of 4 bytes; an id that is an integer is a name of 8 bytes.
#pragma once
#include <copse/incremental.hpp>
#include <copse/operations.hpp>
#include <core/parallel.hpp>
#include <core/random.hpp>
#include <core/seeded_hash.hpp>
#include <drivers/incremental/connectivity_file.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace copse::api {

struct stream_header {
  std::array<char, 8> magic{'s', 't', 'r', 'e', 'a', 'm', '-', '3'};
  std::uint64_t records = 0;
  std::uint64_t answers = 0;
  std::uint64_t batch = 0;
  std::uint64_t names = 0;
  std::uint32_t vertices = 0;
  std::uint32_t how = 0;
  std::uint64_t sum = 0;
  std::uint64_t open_queries = 0;
  std::uint32_t integers = unsigned_ids;  ///< signed_ids if a vertex, or a query of the incomplete batch, has a negative id
  std::uint32_t automatic = 1;

  static constexpr std::uint32_t unsigned_ids = 1, signed_ids = 2;
  /// a header with more records or batches is refused, so that adding a batch cannot overflow
  static constexpr std::uint64_t most_records = INT64_MAX;

  [[nodiscard]] bool is_stream() const noexcept { return magic == stream_header{}.magic; }
  [[nodiscard]] bool vertices_are_slots() const noexcept { return vertices <= static_cast<std::uint32_t>(vertex_ids::integers); }
};
static_assert(sizeof(stream_header) == 72);

/// Reads the header at the front of `bytes` and removes it. Throws input_error if it is not a header, or has numbers that no stream can
/// have.
inline stream_header take_header(std::span<const std::byte>& bytes, const drivers::refuser& refuse) {
  stream_header header;
  if (bytes.size() < sizeof header) refuse("a header that is cut off", "an undamaged file");
  std::memcpy(static_cast<void*>(&header), bytes.data(), sizeof header);
  bytes = bytes.subspan(sizeof header);
  const bool sane = header.vertices <= 3 && header.how <= 1 && header.is_stream() && header.automatic <= 1 &&
                    (header.integers == stream_header::unsigned_ids || header.integers == stream_header::signed_ids) &&
                    header.records <= stream_header::most_records && header.batch <= stream_header::most_records &&
                    header.answers <= header.records && header.open_queries <= header.answers &&
                    header.open_queries <= (header.batch == 0 ? 0 : header.records % header.batch);
  if (!sane) refuse("numbers that contradict each other", "an undamaged file");
  return header;
}

/// A running checksum of the records of a stream, in their order. A checkpoint keeps it, so that records that are read again can be
/// compared with those that were applied. It detects change, not malice. Equal records have equal sums, however they are cut into batches,
/// spelled or compressed. It is a sum of 64-bit hashes of each record with its position, so that many threads can add to it.
class record_sum {
public:
  /// Adds the records of a batch to the checksum. `before`: the number of records in the stream before this batch.
  void add(const io::operation_batch& batch, std::uint64_t before, unsigned threads) {
    constexpr std::size_t block = 4096;
    std::atomic<std::uint64_t> all{value_};
    parallel_blocks(threads, batch.size(), block, [&](std::size_t begin, std::size_t end) {
      std::uint64_t sum = 0;
      for (std::size_t i = begin; i < end; ++i) {
        const auto [u, v] = batch.named() ? sums_of(batch.names(i)) : batch.pairs()[i];
        const std::uint64_t kind = batch.kinds()[i] == operation::query ? 2 : 1;
        sum += mix(mix((before + i) * 0xD1B54A32D192ED03u + u * 0x9E3779B97F4A7C15u + kind) + v);
      }
      all.fetch_add(sum, std::memory_order_relaxed);
    });
    value_ = all.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t value() const noexcept { return value_; }
  /// Continues from the value() of an earlier sum.
  void resume(std::uint64_t value) noexcept { value_ = value; }

private:
  static edge<std::uint64_t> sums_of(const io::named_edge& names) noexcept {
    constexpr seeded_hash sum_of{0x9E3779B97F4A7C15u, 0xD1B54A32D192ED03u};
    return {sum_of(names.u), sum_of(names.v)};
  }

  std::uint64_t value_ = 0;
};

inline void append_bytes(std::pmr::vector<std::byte>& bytes, const void* from, std::size_t count) {
  const auto* first = static_cast<const std::byte*>(from);
  bytes.insert(bytes.end(), first, first + count);
}

inline void append_name(std::pmr::vector<std::byte>& bytes, std::string_view name) {
  const auto length = static_cast<std::uint32_t>(name.size());
  append_bytes(bytes, &length, sizeof length);
  append_bytes(bytes, name.data(), name.size());
}

/// Reads a value at the front of `bytes` and removes it; std::nullopt if there are too few bytes.
template <class T>
std::optional<T> take_value(std::span<const std::byte>& bytes) {
  T value{};
  if (bytes.size() < sizeof value) return std::nullopt;
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes = bytes.subspan(sizeof value);
  return value;
}

inline std::optional<std::string_view> take_name(std::span<const std::byte>& bytes) {
  const auto length = take_value<std::uint32_t>(bytes);
  if (!length || bytes.size() < *length) return std::nullopt;
  const std::string_view name{reinterpret_cast<const char*>(bytes.data()), *length};
  bytes = bytes.subspan(*length);
  return name;
}

/// Appends an integer as a name of 8 bytes, the most significant byte first.
inline void append_integer(std::pmr::vector<std::byte>& bytes, std::uint64_t id) {
  std::array<char, sizeof id> name;
  for (std::size_t i = 0; i < name.size(); ++i) name[i] = static_cast<char>(id >> (56 - 8 * i));
  append_name(bytes, {name.data(), name.size()});
}

inline std::optional<std::uint64_t> take_integer(std::span<const std::byte>& bytes) {
  const auto name = take_name(bytes);
  if (!name || name->size() != sizeof(std::uint64_t)) return std::nullopt;
  std::uint64_t id = 0;
  for (const char c : *name) id = id << 8 | static_cast<unsigned char>(c);
  return id;
}

/// Appends the ids of the queries in `batch`. Precondition: it has no inserts.
inline void append_queries(std::pmr::vector<std::byte>& bytes, const io::operation_batch& batch) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch.named()) {
      append_name(bytes, batch.names(i).u);
      append_name(bytes, batch.names(i).v);
    } else {
      append_bytes(bytes, &batch.pairs()[i], sizeof batch.pairs()[i]);
    }
  }
}

/// Reads `count` queries at the front of `bytes` into `batch` and removes them. Returns false if there are too few bytes. `are_signed`:
/// whether integer ids are signed.
[[nodiscard]] inline bool take_queries(std::span<const std::byte>& bytes, std::uint64_t count, bool named, bool are_signed,
                                       io::operation_batch& batch) {
  batch.clear(named);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (named) {
      const auto u = take_name(bytes), v = take_name(bytes);
      if (!u || !v) return false;
      batch.add(operation::query, io::named_edge{*u, *v});
    } else {
      const auto pair = take_value<edge<std::uint64_t>>(bytes);
      if (!pair) return false;
      batch.add(operation::query, *pair, are_signed);
    }
  }
  return true;
}

}  // namespace copse::api
