// The names of vertices as bytes, where ids are not slots:
//
//   0  "names-1\0"             magic
//   8  u64 kind: 1 ids of 4 bytes, 2 ids of 8 bytes, 3 strings
//  16  u64 count, bytes of all strings
//  32  ids, ascending; or the lengths of the strings (4 bytes each) and then their bytes, ascending
#pragma once
#include <copse/graph.hpp>
#include <copse/memory.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace copse::drivers {

using byte_pieces = std::span<const std::span<const std::byte>>;

/// put(pieces): the names in three pieces, which live as long as the call. Precondition: there are some.
void with_pieces_of(const vertex_names& names, std::pmr::memory_resource* memory, const std::function<void(byte_pieces)>& put);

/// Do these bytes begin as names do?
[[nodiscard]] bool holds_names(std::span<const std::byte> bytes) noexcept;

/// The names of `count` vertices; `file` is what a refusal calls the bytes. Throws input_error when they are not what with_pieces_of gave.
vertex_names names_in(std::string_view bytes, std::uint64_t count, std::string_view file, std::pmr::memory_resource* memory);

}  // namespace copse::drivers
