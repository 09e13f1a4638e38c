#include "drivers/merging/names_bytes.hpp"
#include "drivers/refuser.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

namespace copse::drivers {
namespace {

constexpr std::array<char, 8> names_magic{'n', 'a', 'm', 'e', 's', '-', '1', '\0'};

enum class name_kind : std::uint64_t { narrow = 1, wide = 2, strings = 3 };

struct names_header {
  std::array<char, 8> magic = names_magic;
  name_kind kind = name_kind::narrow;
  std::uint64_t count = 0;
  std::uint64_t string_bytes = 0;
};
static_assert(sizeof(names_header) == 32);

template <class T>
std::span<const std::byte> bytes_of(const T* first, std::size_t count) {
  return {reinterpret_cast<const std::byte*>(first), count * sizeof(T)};
}

template <class Id>
vertex_names ids_in(std::string_view column, std::uint64_t count, const refuser& refuse, std::pmr::memory_resource* memory) {
  buffer<std::uint64_t> ids{count, memory};
  for (std::uint64_t i = 0; i < count; ++i) {
    Id id = 0;
    std::memcpy(&id, column.data() + i * sizeof(Id), sizeof id);
    if (id == no_vertex<std::uint64_t> || (i > 0 && id <= ids[i - 1])) refuse("the id " + std::to_string(id), "ascending ids");
    ids[i] = id;
  }
  return vertex_names::integers(std::move(ids));
}

vertex_names strings_in(std::string_view column, std::string_view text, std::uint64_t count, const refuser& refuse,
                        std::pmr::memory_resource* memory) {
  buffer<std::uint64_t> offsets{count + 1, memory};
  offsets[0] = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint32_t length = 0;
    std::memcpy(&length, column.data() + i * sizeof length, sizeof length);
    if (length > text.size() - offsets[i]) refuse("strings of more bytes than there are", "what was saved");
    offsets[i + 1] = offsets[i] + length;
    if (i > 0 && text.substr(offsets[i - 1], offsets[i] - offsets[i - 1]) >= text.substr(offsets[i], length)) {
      refuse("strings out of order", "ascending strings");
    }
  }
  if (offsets[count] != text.size()) refuse("strings of fewer bytes than there are", "what was saved");
  buffer<char> bytes{text.size(), memory};
  std::copy(text.begin(), text.end(), bytes.begin());
  return vertex_names::strings(std::move(bytes), std::move(offsets));
}

}  // namespace

void with_pieces_of(const vertex_names& names, std::pmr::memory_resource* memory, const std::function<void(byte_pieces)>& put) {
  names_header head;
  const std::uint64_t count = head.count = names.size();
  const auto pass = [&put, &head](std::span<const std::byte> column, std::span<const std::byte> text) {
    const std::array<std::span<const std::byte>, 3> all{bytes_of(&head, 1), column, text};
    put(byte_pieces{all});
  };
  if (names.what() == vertex_names::kind::strings) {
    buffer<std::uint32_t> lengths{count, memory};
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::size_t length = names.string(i).size();
      if (length > UINT32_MAX) throw resource_error{"forest: found a string of " + std::to_string(length) + " bytes, expected below 2^32"};
      lengths[i] = static_cast<std::uint32_t>(length);
      head.string_bytes += length;
    }
    head.kind = name_kind::strings;  // strings lie side by side
    return pass(bytes_of(lengths.data(), count), bytes_of(names.string(0).data(), head.string_bytes));
  }
  const bool narrow = names.integer(count - 1) <= UINT32_MAX;
  head.kind = narrow ? name_kind::narrow : name_kind::wide;
  const auto as = [&]<class Id>(Id) {
    buffer<Id> ids{count, memory};
    for (std::uint64_t i = 0; i < count; ++i) ids[i] = static_cast<Id>(names.integer(i));
    pass(bytes_of(ids.data(), count), {});
  };
  narrow ? as(std::uint32_t{}) : as(std::uint64_t{});
}

bool holds_names(std::span<const std::byte> bytes) noexcept {
  return bytes.size() >= names_magic.size() && std::memcmp(bytes.data(), names_magic.data(), names_magic.size()) == 0;
}

vertex_names names_in(std::string_view beside, std::uint64_t slots, std::string_view file, std::pmr::memory_resource* memory) {
  const refuser refuse{file};
  names_header head;
  if (beside.size() < sizeof head) refuse("names that are cut off", "what was saved");
  std::memcpy(static_cast<void*>(&head), beside.data(), sizeof head);
  beside.remove_prefix(sizeof head);
  const std::uint64_t width = head.kind == name_kind::wide ? 8 : 4;
  if (head.kind < name_kind::narrow || head.kind > name_kind::strings) {
    refuse("names of kind " + std::to_string(static_cast<std::uint64_t>(head.kind)), "kind 1, 2 or 3");
  }
  if (head.count != slots || beside.size() / width < slots || beside.size() - slots * width != head.string_bytes) {
    refuse(std::to_string(head.count) + " names in " + std::to_string(beside.size()) + " bytes",
           "one for each of " + std::to_string(slots) + " vertices");
  }
  const std::string_view column = beside.substr(0, slots * width), text = beside.substr(slots * width);
  if (head.kind == name_kind::strings) return strings_in(column, text, slots, refuse, memory);
  if (!text.empty()) refuse("bytes behind the ids", "what was saved");
  return width == 4 ? ids_in<std::uint32_t>(column, slots, refuse, memory) : ids_in<std::uint64_t>(column, slots, refuse, memory);
}

}  // namespace copse::drivers
