// A live structure in a file: labels, which are all that any variant needs to continue, the edges of its forest, and the caller's bytes.
//
//   0  "copse-cc"              magic
//   8  u32 version, u32 width of an id in bytes
//  16  u64 slots, forest edges (all ones: none is kept), bytes beside
//  40  u64 1 when the forest is that of all edges
//  48  labels, slots of them (no_vertex: absent); forest edges (u, v); the bytes beside
//   n  u64 checksum of all before
// Little-endian. The file is replaced as a whole, once all of it is on the disk.
#pragma once
#include <copse/memory.hpp>
#include <copse/views.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace copse::drivers {

template <class Id>
struct connectivity {
  buffer<Id> labels;
  std::optional<buffer<edge<Id>>> forest;
  bool knows_all_edges = true;
  std::vector<std::byte> beside;
};

/// Throws input_error or resource_error when the file cannot be written; then an older one of that name is as it was.
template <class Id>
void write_connectivity(const std::filesystem::path& path, std::span<const Id> labels, std::optional<std::span<const edge<Id>>> forest,
                        bool knows_all_edges, std::span<const std::byte> beside);

/// Throws input_error unless the file is whole, unchanged, of this version and width, and its labels are canonical.
template <class Id>
connectivity<Id> read_connectivity(const std::filesystem::path& path, std::pmr::memory_resource* memory);

}  // namespace copse::drivers
