#include <drivers/incremental/connectivity_file.hpp>

#include <copse/errors.hpp>
#include <copse/io.hpp>
#include <io/source.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace copse::drivers {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is little-endian, and is read and written as memory holds it");

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

/// Passes bytes on to an output and hashes them. finish() appends the checksum.
class hashed_output {
public:
  explicit hashed_output(const byte_output& output) : output_{output} {}
  void write(const void* bytes, std::size_t count) {
    hash_.add(bytes, count);
    output_(bytes, count);
  }
  void finish() {
    const std::uint64_t sum = hash_.value();
    output_(&sum, sizeof sum);
  }

private:
  const byte_output& output_;
  byte_hash hash_;
};

/// Reads a few pieces of a file, which may be compressed, each at a larger offset than the one before.
class passing_bytes {
public:
  passing_bytes(const std::filesystem::path& path, std::pmr::memory_resource* memory) : file_{path} {
    const io::compression method = io::compression_by_suffix(path);
    if (method != io::compression::none) unpacked_ = io::open_stream(std::move(file_), method, memory);
  }

  /// Reads `count` bytes at `offset`. Returns false if the file ends before.
  bool read_at(std::uint64_t offset, void* to, std::size_t count) {
    if (!unpacked_) return pread(file_.descriptor(), to, count, static_cast<off_t>(offset)) == static_cast<ssize_t>(count);
    std::array<char, 1 << 14> passed;
    while (at_ < offset) {
      const std::size_t got = unpacked_->read(passed.data(), std::min<std::uint64_t>(passed.size(), offset - at_));
      if (got == 0) return false;
      at_ += got;
    }
    for (std::size_t have = 0; have < count;) {
      const std::size_t got = unpacked_->read(static_cast<char*>(to) + have, count - have);
      if (got == 0) return false;
      have += got;
      at_ += got;
    }
    return true;
  }

private:
  io::input_file file_;
  std::unique_ptr<io::byte_stream> unpacked_;
  std::uint64_t at_ = 0;
};

/// Returns the header of a saved file, after it has checked that the length is the one that the header says and that the checksum at the
/// end is right.
header checked_header(std::string_view bytes, const refuser& refuse) {
  if (!bytes.starts_with(magic)) refuse("no saved connectivity", "a file that copse has saved (it begins with \"copse-cc\")");
  header h;
  if (bytes.size() < sizeof h + sizeof(std::uint64_t)) {
    refuse(std::to_string(bytes.size()) + " bytes",
           "at least " + std::to_string(sizeof h + sizeof(std::uint64_t)) + " (the file is cut off)");
  }
  std::memcpy(&h, bytes.data(), sizeof h);
  if (h.version != version) refuse("version " + std::to_string(h.version), "version " + std::to_string(version));
  if (h.id_bytes != 4 && h.id_bytes != 8) refuse("ids of " + std::to_string(h.id_bytes) + " bytes", "ids of 4 or 8 bytes");
  // Sizes are subtracted one after the other, so that no sum of hostile numbers can wrap.
  std::uint64_t left = bytes.size() - sizeof h;
  const auto take = [&](std::uint64_t count, std::uint64_t size) {
    if (count > left / size) {
      refuse(std::to_string(bytes.size()) + " bytes",
             "the " + std::to_string(h.slots) + " slots and more that its header tells of (the file is cut off)");
    }
    left -= count * size;
  };
  take(h.slots, h.id_bytes);
  if (h.forest_edges != no_forest) take(h.forest_edges, 2 * std::uint64_t{h.id_bytes});
  take(h.beside_bytes, 1);
  take(1, sizeof(std::uint64_t));
  if (left != 0) refuse(std::to_string(left) + " bytes behind the checksum", "the end of the file");
  if (h.id_bytes == 4 && h.slots > no_vertex<std::uint32_t>) {
    refuse(std::to_string(h.slots) + " vertices",
           "at most " + std::to_string(no_vertex<std::uint32_t>) + " of ids of 4 bytes; it is damaged");
  }
  if (h.knows_all_edges > 1) refuse("the number " + std::to_string(h.knows_all_edges) + " for yes or no", "0 or 1");
  byte_hash hash;
  hash.add(bytes.data(), bytes.size() - sizeof(std::uint64_t));
  std::uint64_t sum = 0;
  std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
  if (hash.value() != sum) refuse("a wrong checksum", "the bytes that were saved (the file is damaged)");
  return h;
}

template <class Id>
void expect_canonical(std::span<const Id> labels, const refuser& refuse) {
  for (std::size_t v = 0; v < labels.size(); ++v) {
    const Id label = labels[v];
    if (label == no_vertex<Id>) continue;
    if (label > v || labels[label] != label)
      refuse("label " + std::to_string(label) + " of vertex " + std::to_string(v), "the smallest vertex of its component");
  }
}

template <class Id>
header header_of(std::size_t slots, std::size_t beside_bytes) {
  header h;
  std::memcpy(h.magic.data(), magic.data(), magic.size());
  h.id_bytes = sizeof(Id);
  h.slots = slots;
  h.beside_bytes = beside_bytes;
  return h;
}

}  // namespace

template <class Id>
void write_connectivity(const std::filesystem::path& path, std::span<const Id> labels, std::optional<std::span<const edge<Id>>> forest,
                        bool knows_all_edges, std::span<const std::byte> beside) {
  header h = header_of<Id>(labels.size(), beside.size());
  if (forest) h.forest_edges = forest->size();
  h.knows_all_edges = knows_all_edges ? 1 : 0;
  io::output_file file{path};
  const byte_output output = [&file](const void* bytes, std::size_t count) { file.write(bytes, count); };
  hashed_output out{output};
  out.write(&h, sizeof h);
  out.write(labels.data(), labels.size_bytes());
  if (forest) out.write(forest->data(), forest->size_bytes());
  out.write(beside.data(), beside.size());
  out.finish();
  file.commit_to_disk();
}

template <class Id>
void put_labels(const byte_output& output, std::span<const Id> labels, std::span<const std::span<const std::byte>> beside,
                std::optional<std::span<const edge<Id>>> forest) {
  std::size_t beside_bytes = 0;
  for (const auto& piece : beside) beside_bytes += piece.size();
  header h = header_of<Id>(labels.size(), beside_bytes);
  if (forest) h.forest_edges = forest->size();
  hashed_output out{output};
  out.write(&h, sizeof h);
  out.write(labels.data(), labels.size_bytes());
  if (forest) out.write(forest->data(), forest->size_bytes());
  for (const auto& piece : beside) out.write(piece.data(), piece.size());
  out.finish();
}

connectivity_bytes look_into(std::string_view bytes, std::string_view name) {
  const header h = checked_header(bytes, refuser{name});
  std::string_view rest = bytes.substr(sizeof h);
  const auto cut = [&rest](std::size_t count) {
    const std::string_view piece = rest.substr(0, count);
    rest.remove_prefix(count);
    return piece;
  };
  connectivity_bytes held;
  held.id_bytes = h.id_bytes;
  held.slots = h.slots;
  held.knows_all_edges = h.knows_all_edges != 0;
  held.labels = cut(h.slots * h.id_bytes);
  if (h.forest_edges != no_forest) held.forest = cut(h.forest_edges * 2 * h.id_bytes);
  held.beside = cut(h.beside_bytes);
  return held;
}

std::optional<std::string> begin_of_beside(const std::filesystem::path& path, std::pmr::memory_resource* memory) {
  passing_bytes file{path, memory};
  header h;
  if (!file.read_at(0, &h, sizeof h) || std::string_view{h.magic.data(), h.magic.size()} != magic) return std::nullopt;
  // A number in a header that is larger is wrong, as no file is so large. Sums of smaller ones do not wrap, even if they are hostile.
  constexpr std::uint64_t most = std::uint64_t{1} << 59;
  const std::uint64_t pairs = h.forest_edges == no_forest ? 0 : h.forest_edges;
  if (h.slots > most || pairs > most || h.id_bytes > 8) return std::nullopt;
  std::string first(std::min<std::uint64_t>(h.beside_bytes, 8), '\0');
  if (!file.read_at(sizeof h + (h.slots + 2 * pairs) * h.id_bytes, first.data(), first.size())) return std::nullopt;
  return first;
}

template <class Id>
buffer<Id> labels_in(const connectivity_bytes& held, std::string_view name, std::pmr::memory_resource* memory) {
  buffer<Id> labels{held.slots, memory};
  if (held.slots != 0) std::memcpy(labels.data(), held.labels.data(), held.labels.size());
  expect_canonical<Id>(labels.span(), refuser{name});
  return labels;
}

namespace {

template <class Id>
connectivity<Id> copy_of(const connectivity_bytes& saved, std::string_view name, std::pmr::memory_resource* memory) {
  connectivity<Id> held;
  held.labels = labels_in<Id>(saved, name, memory);
  if (saved.forest) {
    held.forest.emplace(saved.forest->size() / sizeof(edge<Id>), memory);
    if (!saved.forest->empty()) std::memcpy(static_cast<void*>(held.forest->data()), saved.forest->data(), saved.forest->size());
  }
  held.knows_all_edges = saved.knows_all_edges;
  held.beside = buffer<std::byte>{saved.beside.size(), memory};
  if (!saved.beside.empty()) std::memcpy(held.beside.data(), saved.beside.data(), saved.beside.size());
  return held;
}

}  // namespace

any_connectivity read_connectivity(const std::filesystem::path& path, std::pmr::memory_resource* memory) {
  const std::string name = path.string();
  const io::whole_file file{path, memory};
  const connectivity_bytes saved = look_into(file.bytes(), name);
  if (saved.id_bytes == sizeof(std::uint32_t)) return copy_of<std::uint32_t>(saved, name, memory);
  return copy_of<std::uint64_t>(saved, name, memory);
}

template <class Id>
connectivity<Id> read_connectivity(const std::filesystem::path& path, std::pmr::memory_resource* memory) {
  auto saved = read_connectivity(path, memory);
  if (auto* const fitting = std::get_if<connectivity<Id>>(&saved)) return std::move(*fitting);
  const std::string name = path.string();
  const std::string found = sizeof(Id) == sizeof(std::uint32_t) ? "8" : "4";
  refuser{name}("ids of " + found + " bytes", "ids of " + std::to_string(sizeof(Id)) + " bytes");
}

template void write_connectivity(const std::filesystem::path&, std::span<const std::uint32_t>,
                                 std::optional<std::span<const edge<std::uint32_t>>>, bool, std::span<const std::byte>);
template void write_connectivity(const std::filesystem::path&, std::span<const std::uint64_t>,
                                 std::optional<std::span<const edge<std::uint64_t>>>, bool, std::span<const std::byte>);
template void put_labels(const byte_output&, std::span<const std::uint32_t>, std::span<const std::span<const std::byte>>,
                         std::optional<std::span<const edge<std::uint32_t>>>);
template void put_labels(const byte_output&, std::span<const std::uint64_t>, std::span<const std::span<const std::byte>>,
                         std::optional<std::span<const edge<std::uint64_t>>>);
template buffer<std::uint32_t> labels_in(const connectivity_bytes&, std::string_view, std::pmr::memory_resource*);
template buffer<std::uint64_t> labels_in(const connectivity_bytes&, std::string_view, std::pmr::memory_resource*);
template connectivity<std::uint32_t> read_connectivity(const std::filesystem::path&, std::pmr::memory_resource*);
template connectivity<std::uint64_t> read_connectivity(const std::filesystem::path&, std::pmr::memory_resource*);

}  // namespace copse::drivers
