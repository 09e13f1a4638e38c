// A mergeable forest as bytes: those of a saved structure (drivers/incremental/connectivity_file.hpp). Where ids are slots, that is all;
// otherwise vertex i of it has a name, which stands in what the structure keeps beside itself:
//
//   0  "names-1\0"             magic
//   8  u64 kind: 1 ids of 4 bytes, 2 ids of 8 bytes, 3 strings
//  16  u64 count, bytes of all strings
//  32  ids, ascending; or the lengths of the strings (4 bytes each) and then their bytes, ascending
#pragma once
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <drivers/incremental/connectivity_file.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace copse::drivers {

/// Do the bytes beside a structure say that its vertices have names?
[[nodiscard]] bool holds_names(std::span<const std::byte> beside) noexcept;

/// Precondition: the normal form (normal_form.hpp).
void put_forest(const labelling& forest, const byte_output& output, std::pmr::memory_resource* memory);

/// Throws input_error when bytes are not what put_forest wrote, or incremental::save.
labelling forest_in(const connectivity_bytes& held, std::string_view name, std::pmr::memory_resource* memory);

}  // namespace copse::drivers
