#include "drivers/incremental/connectivity_file.hpp"

#include "drivers/incremental/byte_hash.hpp"
#include "io/source.hpp"

#include <copse/errors.hpp>
#include <copse/io.hpp>

#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>

namespace copse::drivers {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is little-endian, and is read and written as it lies in memory");

constexpr std::string_view magic = "copse-cc";
constexpr std::uint32_t version = 1;
constexpr std::uint64_t no_forest = UINT64_MAX;

struct header {
  std::array<char, 8> magic{};
  std::uint32_t version = drivers::version;
  std::uint32_t id_bytes = 0;
  std::uint64_t slots = 0;
  std::uint64_t forest_edges = no_forest;
  std::uint64_t beside_bytes = 0;
  std::uint64_t knows_all_edges = 0;
};
static_assert(sizeof(header) == 48);

/// Writes a file piece by piece and hashes it on the way.
class hashed_output {
public:
  explicit hashed_output(const std::filesystem::path& path) : file_{path, false} {}
  void write(const void* bytes, std::size_t count) {
    hash_.add(bytes, count);
    file_.write(bytes, count);
  }
  void commit() {
    const std::uint64_t sum = hash_.value();
    file_.write(&sum, sizeof sum);
    file_.commit_to_disk();
  }

private:
  io::output_file file_;
  byte_hash hash_;
};

class refuser {
public:
  explicit refuser(const std::filesystem::path& path) : name_{path.string()} {}
  [[noreturn]] void operator()(std::string_view found, std::string_view expected) const {
    throw input_error::at(name_, 0, found, expected);
  }

private:
  std::string name_;
};

/// Precondition: `bytes` holds the header.
template <class Id>
header checked_header(std::string_view bytes, const refuser& refuse) {
  header h;
  std::memcpy(&h, bytes.data(), sizeof h);
  if (h.version != version) refuse("version " + std::to_string(h.version), "version " + std::to_string(version));
  if (h.id_bytes != sizeof(Id)) {
    refuse("ids of " + std::to_string(h.id_bytes) + " bytes", "ids of " + std::to_string(sizeof(Id)) + " bytes");
  }
  // One after the other, so that no sum of hostile numbers can wrap.
  std::uint64_t left = bytes.size() - sizeof h;
  const auto take = [&](std::uint64_t count, std::uint64_t size) {
    if (count > left / size) {
      refuse(std::to_string(bytes.size()) + " bytes",
             "the " + std::to_string(h.slots) + " slots and more that its header tells of (the file is cut off)");
    }
    left -= count * size;
  };
  take(h.slots, sizeof(Id));
  if (h.forest_edges != no_forest) take(h.forest_edges, sizeof(edge<Id>));
  take(h.beside_bytes, 1);
  take(1, sizeof(std::uint64_t));
  if (left != 0) refuse(std::to_string(left) + " bytes behind the checksum", "the end of the file");
  return h;
}

template <class Id>
void expect_canonical(std::span<const Id> labels, const refuser& refuse) {
  for (std::size_t v = 0; v < labels.size(); ++v) {
    const Id label = labels[v];
    if (label == no_vertex<Id>) continue;
    if (label > v || labels[label] != label)
      refuse("label " + std::to_string(label) + " of vertex " + std::to_string(v), "canonical labels");
  }
}

}  // namespace

template <class Id>
void write_connectivity(const std::filesystem::path& path, std::span<const Id> labels, std::optional<std::span<const edge<Id>>> forest,
                        bool knows_all_edges, std::span<const std::byte> beside) {
  header h;
  std::memcpy(h.magic.data(), magic.data(), magic.size());
  h.id_bytes = sizeof(Id);
  h.slots = labels.size();
  if (forest) h.forest_edges = forest->size();
  h.beside_bytes = beside.size();
  h.knows_all_edges = knows_all_edges ? 1 : 0;
  hashed_output out{path};
  out.write(&h, sizeof h);
  out.write(labels.data(), labels.size_bytes());
  if (forest) out.write(forest->data(), forest->size_bytes());
  out.write(beside.data(), beside.size());
  out.commit();
}

template <class Id>
connectivity<Id> read_connectivity(const std::filesystem::path& path, std::pmr::memory_resource* memory) {
  const refuser refuse{path};
  const io::whole_file file{path, memory};
  const std::string_view bytes = file.bytes();
  if (!bytes.starts_with(magic)) refuse("no saved connectivity", "a file that copse has saved (it begins with \"copse-cc\")");
  if (bytes.size() < sizeof(header) + sizeof(std::uint64_t)) {
    refuse(std::to_string(bytes.size()) + " bytes",
           "at least " + std::to_string(sizeof(header) + sizeof(std::uint64_t)) + " (the file is cut off)");
  }
  const header h = checked_header<Id>(bytes, refuse);
  byte_hash hash;
  hash.add(bytes.data(), bytes.size() - sizeof(std::uint64_t));
  std::uint64_t sum = 0;
  std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
  if (hash.value() != sum) refuse("a wrong checksum", "the bytes that were saved (the file is damaged)");

  connectivity<Id> held;
  const char* at = bytes.data() + sizeof h;
  held.labels = buffer<Id>{h.slots, memory};
  if (h.slots != 0) std::memcpy(held.labels.data(), at, h.slots * sizeof(Id));
  at += h.slots * sizeof(Id);
  if (h.forest_edges != no_forest) {
    held.forest.emplace(h.forest_edges, memory);
    if (h.forest_edges != 0) std::memcpy(static_cast<void*>(held.forest->data()), at, h.forest_edges * sizeof(edge<Id>));
    at += h.forest_edges * sizeof(edge<Id>);
  }
  held.knows_all_edges = h.knows_all_edges != 0;
  const auto* beside = reinterpret_cast<const std::byte*>(at);
  held.beside.assign(beside, beside + h.beside_bytes);
  expect_canonical<Id>(held.labels.span(), refuse);
  return held;
}

template void write_connectivity(const std::filesystem::path&, std::span<const std::uint32_t>,
                                 std::optional<std::span<const edge<std::uint32_t>>>, bool, std::span<const std::byte>);
template void write_connectivity(const std::filesystem::path&, std::span<const std::uint64_t>,
                                 std::optional<std::span<const edge<std::uint64_t>>>, bool, std::span<const std::byte>);
template connectivity<std::uint32_t> read_connectivity(const std::filesystem::path&, std::pmr::memory_resource*);
template connectivity<std::uint64_t> read_connectivity(const std::filesystem::path&, std::pmr::memory_resource*);

}  // namespace copse::drivers
