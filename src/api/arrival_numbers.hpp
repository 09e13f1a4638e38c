// Names of vertices, numbered in the order of their arrival, and as bytes for a checkpoint. An integer is a name of its 8 bytes, most
// significant first, so that names are ordered as integers are.
#pragma once
#include <copse/errors.hpp>
#include <copse/memory.hpp>
#include <io/string_table.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace copse::api {

class arrival_numbers {
public:
  using integer_name = std::array<char, 8>;

  explicit arrival_numbers(std::pmr::memory_resource* memory) : table_{memory} {}

  static integer_name name_of(std::uint64_t id) noexcept {
    integer_name name;
    for (std::size_t i = 0; i < name.size(); ++i) name[i] = static_cast<char>(id >> (56 - 8 * i));
    return name;
  }
  static std::uint64_t integer_of(std::string_view name) noexcept {
    std::uint64_t id = 0;
    for (const char c : name) id = id << 8 | static_cast<unsigned char>(c);
    return id;
  }

  /// The number of a name, a new one when it is new.
  std::uint32_t number(std::string_view name) { return table_.insert(name); }
  /// no_vertex when it has none.
  [[nodiscard]] std::uint32_t known_number(std::string_view name) const noexcept { return table_.find(name); }
  [[nodiscard]] std::uint32_t size() const noexcept { return table_.size(); }
  [[nodiscard]] std::string_view name(std::uint32_t i) const noexcept { return table_.string(i); }

  /// Each name behind its length in 4 bytes.
  void append_to(std::vector<std::byte>& bytes) const {
    for (std::uint32_t i = 0; i < size(); ++i) {
      const std::string_view text = name(i);
      const auto length = static_cast<std::uint32_t>(text.size());
      const auto* from = reinterpret_cast<const std::byte*>(&length);
      bytes.insert(bytes.end(), from, from + sizeof length);
      from = reinterpret_cast<const std::byte*>(text.data());
      bytes.insert(bytes.end(), from, from + text.size());
    }
  }
  /// False when the bytes are not `count` different names. Precondition: empty.
  [[nodiscard]] bool take_from(std::span<const std::byte> bytes, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      std::uint32_t length = 0;
      if (bytes.size() < sizeof length) return false;
      std::memcpy(&length, bytes.data(), sizeof length);
      bytes = bytes.subspan(sizeof length);
      if (bytes.size() < length) return false;
      if (number({reinterpret_cast<const char*>(bytes.data()), length}) != i) return false;
      bytes = bytes.subspan(length);
    }
    return bytes.empty();
  }

private:
  io::string_table table_;
};

}  // namespace copse::api
