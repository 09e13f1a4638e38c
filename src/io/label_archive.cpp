#include "io/label_archive.hpp"

#include "io/fields.hpp"
#include "io/npy.hpp"
#include "io/text_writer.hpp"
#include "io/zip.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace copse::io {
namespace {

constexpr std::string_view id_member = "id.npy", component_member = "component.npy";

/// The number of vertices, the range of integer ids and labels, and the sizes of string ids.
struct archive_extent {
  std::uint64_t vertices = 0;
  number_range ids;           ///< range of the ids, if they are integers
  number_range labels;        ///< range of the labels, if they are integers
  std::uint64_t bytes = 0;    ///< total length of all string ids
  std::uint64_t longest = 1;  ///< length of the longest string id; at least 1, because numpy has no strings of 0 bytes
};

archive_extent measure(const labelling& all, const std::filesystem::path& path) {
  const vertex_names& names = all.names();
  const bool strings = names.what() == vertex_names::kind::strings;
  archive_extent found;
  for (std::uint64_t i = 0; i < all.slots(); ++i) {
    if (!all.present(i)) continue;
    ++found.vertices;
    if (all.is_numbered()) found.labels.largest = std::max(found.labels.largest, all.label(i));
    if (!strings) {
      found.ids.largest = names.integer(i);
      continue;
    }
    const std::string_view name = names.string(i);
    if (name.ends_with('\0'))
      throw input_error::at(path.string(), 0, "an id that ends with a zero byte", "ids without one, which numpy's strings lose, or .csv");
    found.bytes += name.size();
    found.longest = std::max<std::uint64_t>(found.longest, name.size());
  }
  found.ids.is_signed = names.is_signed();
  // Both columns get one type, unless ids are signed and labels are component numbers.
  if (!all.is_numbered()) found.labels = found.ids;
  if (!found.ids.is_signed) found.ids.largest = found.labels.largest = std::max(found.ids.largest, found.labels.largest);
  constexpr std::uint64_t always_fine = std::uint64_t{1} << 20, most_padding = 16;
  if (found.vertices * found.longest > always_fine && found.longest / most_padding > found.bytes / found.vertices) {
    throw input_error::at(path.string(), 0,
                          "ids of up to " + std::to_string(found.longest) + " bytes, which every id then takes in an array of numpy",
                          "ids of about the same length, or .csv");
  }
  return found;
}

class archive_writer {
public:
  archive_writer(const labelling& all, const archive_extent& size, output_file& file, const execution& on)
      : all_{all}, size_{size}, zip_{file}, progress_{on.observer, 2 * all.slots(), "vertices"} {}

  void write() {
    const bool strings = all_.names().what() == vertex_names::kind::strings;
    const auto number = [&](std::uint64_t i) { return all_.names().integer(i); };
    if (strings) {
      put_strings(id_member, [](std::uint64_t i) { return i; });
    } else {
      put_integers(id_member, size_.ids, number);
    }
    if (all_.is_numbered()) {
      put_integers(component_member, size_.labels, [&](std::uint64_t i) { return all_.label(i); });
    } else if (strings) {
      put_strings(component_member, [&](std::uint64_t i) { return all_.label(i); });
    } else {
      put_integers(component_member, size_.labels, [&](std::uint64_t i) { return number(all_.label(i)); });
    }
    zip_.finish();
  }

private:
  void begin(std::string_view member, char kind, std::uint64_t width) {
    const std::string header = npy_header(kind, width, {size_.vertices});
    zip_.begin(std::string{member}, header.size() + width * size_.vertices);
    zip_.write(header.data(), header.size());
  }
  template <class Use>
  void for_present(Use use) {
    for (std::uint64_t i = 0; i < all_.slots(); ++i) {
      progress_.at(done_++);
      if (all_.present(i)) use(i);
    }
  }
  template <class Value>
  void put_integers(std::string_view member, const number_range& range, Value value) {
    begin(member, range.kind(), range.width());
    const auto put_as = [&]<class T>(T) {
      array_writer<T, zip_writer> out{zip_};
      for_present([&](std::uint64_t i) { out.put(value(i)); });
      out.flush();
    };
    range.width() == 4 ? put_as(std::uint32_t{}) : put_as(std::uint64_t{});
  }
  template <class Vertex>
  void put_strings(std::string_view member, Vertex vertex) {
    constexpr std::size_t block_bytes = std::size_t{1} << 16;
    begin(member, 'S', size_.longest);
    std::string block;
    for_present([&](std::uint64_t i) {
      const std::string_view name = all_.names().string(vertex(i));
      block.append(name).append(size_.longest - name.size(), '\0');
      if (block.size() < block_bytes) return;
      zip_.write(block.data(), block.size());
      block.clear();
    });
    zip_.write(block.data(), block.size());
  }

  const labelling& all_;
  const archive_extent& size_;
  zip_writer zip_;
  write_progress progress_;
  std::uint64_t done_ = 0;
};

/// A member of the archive, and the array in it.
struct archive_column {
  std::string file;
  zip_archive::content content;
  npy_array array;

  [[nodiscard]] bool strings() const noexcept { return array.kind == 'S'; }
  [[nodiscard]] std::string_view string(std::uint64_t i) const {
    const std::string_view padded = array.data.substr(i * array.width, array.width);
    return padded.substr(0, padded.find_last_not_of('\0') + 1);
  }
  [[noreturn]] void refuse(std::uint64_t i, const std::string& found, std::string_view expected) const {
    throw input_error::at(file, 0, found + " as item " + std::to_string(i), expected);
  }
};

void open_column(archive_column& to, const zip_archive& archive, const std::string& path, std::string_view member, const execution& on) {
  auto found = archive.find(member, on.memory);
  if (!found) throw input_error::at(path, 0, "no member " + std::string{member}, "an archive of id.npy and component.npy");
  to.file = path + " (" + std::string{member} + ")";
  to.content = std::move(*found);
  to.array = npy_array_of(to.file, to.content.bytes);
  if (to.array.shape.size() != 1) throw input_error::at(to.file, 0, "the shape " + shape_text(to.array), "one dimension");
}

integer_id item(const packed_integers& from, std::uint64_t i) {
  return from.with_type([&]<class T>(T) {
    const T value = load<T>(from.bytes.data() + i * sizeof(T));
    return integer_id{static_cast<std::uint64_t>(value), std::cmp_less(value, 0)};
  });
}

vertex_names names_in(const archive_column& ids, const execution& on) {
  const std::uint64_t count = ids.array.size();
  if (!ids.strings()) {
    const packed_integers numbers = integers_of(ids.file, ids.array, "the ids");
    buffer<std::uint64_t> held{count, on.memory};
    for (std::uint64_t i = 0; i < count; ++i) {
      held[i] = item(numbers, i).word;
      if (i != 0 && id_rank(held[i], numbers.is_signed) <= id_rank(held[i - 1], numbers.is_signed))
        ids.refuse(i, "the id " + numbers.text(i), "one above the id before it");
    }
    if (count == 0 || (held[0] == 0 && held[count - 1] == count - 1)) return vertex_names::identity(count);
    return vertex_names::integers(std::move(held), numbers.is_signed);
  }
  std::uint64_t bytes = 0;
  for (std::uint64_t i = 0; i < count; ++i) bytes += ids.string(i).size();
  buffer<char> text{bytes, on.memory};
  buffer<std::uint64_t> offsets{count + 1, on.memory};
  offsets[0] = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string_view name = ids.string(i);
    if (i != 0 && name <= ids.string(i - 1)) ids.refuse(i, "another id", "one above the id before it");
    std::copy(name.begin(), name.end(), text.data() + offsets[i]);
    offsets[i + 1] = offsets[i] + name.size();
  }
  return vertex_names::strings(std::move(text), std::move(offsets));
}

}  // namespace

void write_label_archive(const labelling& all, const std::filesystem::path& path, const execution& on) {
  const archive_extent size = measure(all, path);
  output_file file{path};
  archive_writer{all, size, file, on}.write();
  file.commit();
}

labelling read_label_archive(std::string_view bytes, const std::filesystem::path& path, const execution& on, bool numbered) {
  const zip_archive archive{path.string(), bytes};
  archive_column ids, labels;
  open_column(ids, archive, path.string(), id_member, on);
  open_column(labels, archive, path.string(), component_member, on);
  const std::uint64_t count = ids.array.size();
  if (labels.array.size() != count) {
    throw input_error::at(labels.file, 0, std::to_string(labels.array.size()) + " items", std::to_string(count) + ", one per id");
  }
  vertex_names names = names_in(ids, on);
  const bool by_string = ids.strings() && !numbered;
  if (labels.strings() != by_string)
    throw input_error::at(labels.file, 0, "the type " + labels.array.dtype, "labels that are ids of the other member");
  const packed_integers numbers = by_string ? packed_integers{} : integers_of(labels.file, labels.array, "the labels");
  buffer<std::uint64_t> held{count, on.memory};
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto label = by_string  ? names.find(labels.string(i))
                       : numbered ? std::optional{item(numbers, i).word}
                                  : io::find(names, item(numbers, i));
    if (!label)
      labels.refuse(i, by_string ? "the label " + quoted(labels.string(i)) : "the label " + numbers.text(i), "an id that the file lists");
    held[i] = *label;
  }
  return numbered ? labelling::numbered(std::move(held), std::move(names)) : labelling{std::move(held), std::move(names)};
}

}  // namespace copse::io
