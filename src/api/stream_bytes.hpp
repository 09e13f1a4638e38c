// Names and operations as bytes, for what a checkpoint of a stream keeps beside the structure: a name behind its length in 4 bytes, an
// integer in 8.
#pragma once
#include <copse/operations.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace copse::api {

inline void append_bytes(std::pmr::vector<std::byte>& bytes, const void* from, std::size_t count) {
  const auto* first = static_cast<const std::byte*>(from);
  bytes.insert(bytes.end(), first, first + count);
}

inline void append_name(std::pmr::vector<std::byte>& bytes, std::string_view name) {
  const auto length = static_cast<std::uint32_t>(name.size());
  append_bytes(bytes, &length, sizeof length);
  append_bytes(bytes, name.data(), name.size());
}

/// Nothing when there are fewer bytes.
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

/// The ids of the queries in `batch`, all of which are queries.
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

/// False when they are not `count` queries about ids that there can be.
[[nodiscard]] inline bool take_queries(std::span<const std::byte>& bytes, std::uint64_t count, bool named, io::operation_batch& batch) {
  batch.clear(named);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (named) {
      const auto u = take_name(bytes), v = take_name(bytes);
      if (!u || !v) return false;
      batch.add(operation::query, io::named_edge{*u, *v});
    } else {
      const auto pair = take_value<edge<std::uint64_t>>(bytes);
      if (!pair || pair->u == no_vertex<std::uint64_t> || pair->v == no_vertex<std::uint64_t>) return false;
      batch.add(operation::query, *pair);
    }
  }
  return true;
}

}  // namespace copse::api
