// The file format of an incremental structure: its labels, which are all that any variant needs to continue, the edges of its forest, and
// extra bytes of the caller. Partial forests that are merged have the same format, in files and when they are sent to another machine.
//
//   0  "copse-cc"              magic
//   8  u32 version, u32 width of an id in bytes
//  16  u64 slots, forest edges (all ones: none is kept), length of the extra bytes
//  40  u64 1 when the forest is that of all edges
//  48  labels, slots of them (no_vertex: absent); forest edges (u, v); the extra bytes
//   n  u64 checksum of all before
// Little-endian. The file is replaced as a whole, once all of it is on the disk.
#pragma once
#include <copse/errors.hpp>
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <core/byte_hash.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace copse::drivers {

template <class Id>
struct connectivity {
  buffer<Id> labels;
  std::optional<buffer<edge<Id>>> forest;
  bool knows_all_edges = true;
  buffer<std::byte> beside;

  [[nodiscard]] std::string_view beside_text() const noexcept { return {reinterpret_cast<const char*>(beside.data()), beside.size()}; }
};

/// Throws input_error or resource_error if the file cannot be written; an older file of that name then stays as it was.
template <class Id>
void write_connectivity(const std::filesystem::path& path, std::span<const Id> labels, std::optional<std::span<const edge<Id>>> forest,
                        bool knows_all_edges, std::span<const std::byte> beside);

/// Throws input_error unless the file is whole, unchanged, of this version and width, and its labels are canonical.
template <class Id>
connectivity<Id> read_connectivity(const std::filesystem::path& path, std::pmr::memory_resource* memory);
/// An incremental structure as read from a file, with ids of either width.
using any_connectivity = std::variant<connectivity<std::uint32_t>, connectivity<std::uint64_t>>;
any_connectivity read_connectivity(const std::filesystem::path& path, std::pmr::memory_resource* memory);

// The same format in any stream of bytes.

/// A function that takes the next bytes of the output.
using byte_output = std::function<void(const void* bytes, std::size_t count)>;

/// Writes labels in this format. `beside`: the extra bytes, in pieces, so that the caller need not join them.
template <class Id>
void put_labels(const byte_output& output, std::span<const Id> labels, std::span<const std::span<const std::byte>> beside,
                std::optional<std::span<const edge<Id>>> forest = std::nullopt);

/// The parts of a structure as views of a file's bytes, which may begin at any address.
struct connectivity_bytes {
  unsigned id_bytes = 4;
  std::uint64_t slots = 0;
  bool knows_all_edges = false;
  std::string_view labels;
  std::optional<std::string_view> forest;
  std::string_view beside;
};

/// Splits the bytes of a file into its parts. Throws input_error, in which the bytes are called `name`, unless they are whole, unchanged
/// and of this version.
connectivity_bytes look_into(std::string_view bytes, std::string_view name);
/// Returns the first eight bytes of what the caller saved in addition to the structure, or all if there are fewer. The file may be
/// compressed; the structure is neither loaded nor checked. Returns std::nullopt if the file is not a readable one of this format.
std::optional<std::string> begin_of_beside(const std::filesystem::path& path, std::pmr::memory_resource* memory);
/// Copies the labels out. Throws input_error unless they are canonical. Precondition: id_bytes is the width of an id.
template <class Id>
buffer<Id> labels_in(const connectivity_bytes& held, std::string_view name, std::pmr::memory_resource* memory);

/// Throws input_error for a saved file that cannot be used. The error calls the file `name`.
class refuser {
public:
  explicit refuser(std::string_view name) : name_{name} {}
  [[noreturn]] void operator()(std::string_view found, std::string_view expected) const {
    throw input_error::at(name_, 0, found, expected);
  }

private:
  std::string_view name_;
};

}  // namespace copse::drivers
