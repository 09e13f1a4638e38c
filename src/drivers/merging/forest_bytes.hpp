// A mergeable forest as bytes: those of a saved structure (drivers/incremental/connectivity_file.hpp). Where ids are slots, that is all;
// otherwise its vertices have names (names_bytes.hpp), which stand in what the structure keeps beside itself.
#pragma once
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <drivers/incremental/connectivity_file.hpp>

#include <cstddef>
#include <cstring>
#include <string_view>

namespace copse::drivers {

/// Precondition: the normal form (normal_form.hpp).
void put_forest(const labelling& forest, const byte_output& output, std::pmr::memory_resource* memory);

/// What `put(output)` puts, in memory.
template <class Put>
buffer<std::byte> bytes_of(Put put, std::pmr::memory_resource* memory) {
  std::size_t size = 0;
  put([&size](const void*, std::size_t count) { size += count; });
  buffer<std::byte> all{size, memory};
  std::byte* to = all.data();
  put([&to](const void* bytes, std::size_t count) {
    if (count != 0) std::memcpy(to, bytes, count);
    to += count;
  });
  return all;
}

/// Throws input_error when bytes are not what put_forest wrote, or put_weighted_forest, or incremental::save.
labelling forest_in(const connectivity_bytes& held, std::string_view name, std::pmr::memory_resource* memory);

}  // namespace copse::drivers
