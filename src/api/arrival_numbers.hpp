// Names of vertices, numbered in the order of their arrival. An integer is a name of its 8 bytes, most significant first, so that names are
// ordered as integers are.
#pragma once
#include <copse/memory.hpp>
#include <io/name_table.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

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
  std::uint32_t number_of(std::uint64_t id) {
    const integer_name name = name_of(id);
    return number({name.data(), name.size()});
  }
  [[nodiscard]] std::uint32_t known_number_of(std::uint64_t id) const noexcept {
    const integer_name name = name_of(id);
    return known_number({name.data(), name.size()});
  }
  [[nodiscard]] std::uint32_t size() const noexcept { return table_.size(); }
  [[nodiscard]] std::string_view name(std::uint32_t i) const noexcept { return table_.string(i); }

private:
  io::name_table table_;
};

}  // namespace copse::api
