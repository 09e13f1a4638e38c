// Square sparse matrices as scipy.sparse.save_npz writes them: a zip of arrays `format`, `shape`, `data` and, of csr and csc, `indptr` and
// `indices`, of coo `row` and `col`. Every stored entry is an arc; a csc is the graph with its arcs reversed, which has the same weak
// components. A least weight keeps the entries whose data is at least that.
#include "io/npy_array.hpp"
#include "io/npz_weights.hpp"
#include "io/packed_rows.hpp"
#include "io/readers.hpp"
#include "io/zip.hpp"

#include <copse/build.hpp>

#include <limits>

namespace copse::io {
namespace {

/// A member of the archive that stays put while its array is looked at.
class npz_member {
public:
  npz_member(const binary_source& source, const zip_archive& archive, std::string_view name, const read_options& options)
      : file_{source.name() + " (" + std::string{name} + ".npy)"} {
    auto found = archive.find(std::string{name} + ".npy", options.memory);
    if (!found) throw input_error::at(source.name(), 0, "no member " + std::string{name} + ".npy", "what scipy.sparse.save_npz writes");
    content_ = std::move(*found);
    array_ = npy_array_of(file_, content_.bytes);
  }
  npz_member(const npz_member&) = delete;
  npz_member& operator=(const npz_member&) = delete;

  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  [[nodiscard]] const npy_array& array() const noexcept { return array_; }
  [[nodiscard]] packed_integers integers(std::string_view what) const {
    if (array_.shape.size() != 1) refuse_byte(file_, 10, "the shape " + shape_text(array_), "one dimension");
    return integers_of(file_, array_, what);
  }
  /// Item i of the data, whatever its type.
  [[nodiscard]] double weight(std::uint64_t i) const {
    const char* at = array_.data.data() + i * array_.width;
    switch (array_.kind) {
      case 'f':
        return array_.width == 4 ? static_cast<double>(load<float>(at)) : load<double>(at);
      case 'b':
        return *at != 0 ? 1 : 0;
      default:
        return packed_integers{array_.data, array_.width, array_.kind == 'i', 0, file_}.with_type(
            [&]<class T>(T) { return static_cast<double>(load<T>(at)); });
    }
  }

private:
  std::string file_;
  zip_archive::content content_;
  npy_array array_;
};

/// The side of a square shape.
std::uint64_t side(const npz_member& shape) {
  const packed_integers sides = shape.integers("the shape");
  const auto at = [&](std::uint64_t i) {
    return sides.with_type([&]<class T>(T) {
      const auto value = load<T>(sides.bytes.data() + i * sizeof(T));
      if (std::is_signed_v<T> && value < T{0}) sides.refuse(i, "the side", "0 or more");
      return static_cast<std::uint64_t>(value);
    });
  };
  if (sides.size() != 2) throw input_error::at(shape.file(), 0, std::to_string(sides.size()) + " dimensions", "two, rows and columns");
  if (at(0) != at(1)) {
    throw input_error::at(shape.file(), 0, std::to_string(at(0)) + " rows and " + std::to_string(at(1)) + " columns",
                          "as many of one as of the other: a square matrix is a graph");
  }
  return at(0);
}

void expect_items(const npz_member& member, std::uint64_t found, std::uint64_t expected) {
  if (found != expected) throw input_error::at(member.file(), 0, std::to_string(found) + " items", std::to_string(expected));
}

template <unsigned_index Id>
graph rows_from_pairs(std::uint64_t n, const packed_integers& row, const packed_integers& col, const read_options& options,
                      const arc_filter& keep) {
  coo<Id> list{static_cast<Id>(n), {}};
  std::uint64_t kept = row.size();
  if (keep) {
    kept = 0;
    for (std::uint64_t i = 0; i < row.size(); ++i) kept += keep(i) ? 1 : 0;
  }
  list.edges = buffer<edge<Id>>{kept, options.memory};
  const auto id = [n](const packed_integers& from, std::uint64_t i) {
    const auto value = from.with_type([&]<class T>(T) { return static_cast<std::uint64_t>(load<T>(from.bytes.data() + i * sizeof(T))); });
    if (value >= n) from.refuse(i, "the index", "one below " + std::to_string(n));
    return static_cast<Id>(value);
  };
  std::uint64_t to = 0;
  for (std::uint64_t i = 0; i < row.size(); ++i) {
    const edge<Id> e{id(row, i), id(col, i)};
    if (!keep || keep(i)) list.edges[to++] = e;
  }
  build_options building;
  building.symmetrise = building.drop_duplicates = building.drop_loops = false;
  building.threads = options.threads;
  building.observer = options.observer;
  building.memory = options.memory;
  return build_csr(graph_view{list.view()}, building);
}

}  // namespace

graph read_npz(const std::filesystem::path& path, const read_options& options) {
  const binary_source source{path, options};
  const zip_archive archive{source.name(), source.bytes()};
  const npz_member format{source, archive, "format", options};
  const std::string_view kind = format.array().data.substr(0, format.array().data.find('\0'));
  if (kind != "csr" && kind != "csc" && kind != "coo") {
    throw input_error::at(format.file(), 0, "the format " + std::string{kind.substr(0, 16)}, "csr, csc or coo");
  }
  const npz_member shape{source, archive, "shape", options};
  const std::uint64_t n = side(shape);

  std::optional<npz_member> data;
  arc_filter keep;
  if (options.min_weight) {
    data.emplace(source, archive, "data", options);
    if (data->array().kind == 'S')
      refuse_byte(data->file(), 0, "the type " + data->array().dtype, "numbers, to compare them with a least weight");
    keep = [&data, least = *options.min_weight](std::uint64_t i) { return data->weight(i) >= least; };
  }
  const auto expect_data = [&](std::uint64_t arcs) {
    if (data) expect_items(*data, data->array().size(), arcs);
  };

  if (kind == "coo") {
    const npz_member row{source, archive, "row", options};
    const npz_member col{source, archive, "col", options};
    const packed_integers rows = row.integers("the rows");
    const packed_integers cols = col.integers("the columns");
    expect_items(col, cols.size(), rows.size());
    expect_data(rows.size());
    return n <= std::numeric_limits<std::uint32_t>::max() ? rows_from_pairs<std::uint32_t>(n, rows, cols, options, keep)
                                                          : rows_from_pairs<std::uint64_t>(n, rows, cols, options, keep);
  }
  const npz_member indptr{source, archive, "indptr", options};
  const npz_member indices{source, archive, "indices", options};
  const packed_integers offsets = indptr.integers("the offsets");
  const packed_integers targets = indices.integers("the targets");
  if (n == UINT64_MAX)
    throw input_error::at(indptr.file(), 0, std::to_string(offsets.size()) + " items", std::to_string(n) + " and one more");
  expect_items(indptr, offsets.size(), n + 1);
  expect_data(targets.size());
  return rows_of(offsets, targets, options, keep);
}

struct npz_weights::contents {
  contents(const std::filesystem::path& path, const read_options& options)
      : source{path, options}, archive{source.name(), source.bytes()}, data{source, archive, "data", options} {
    const npz_member format{source, archive, "format", options};
    const std::string_view kind = format.array().data.substr(0, format.array().data.find('\0'));
    if (kind == "coo") throw input_error::at(format.file(), 0, "the format coo", "csr or csc, to read its data as weights");
    if (data.array().kind == 'S') refuse_byte(data.file(), 0, "the type " + data.array().dtype, "numbers as weights");
  }
  binary_source source;
  zip_archive archive;
  npz_member data;
};

npz_weights::npz_weights(const std::filesystem::path& path, const read_options& options)
    : held_{std::make_unique<contents>(path, options)} {}
npz_weights::~npz_weights() = default;
double npz_weights::operator[](std::uint64_t i) const { return held_->data.weight(i); }

}  // namespace copse::io
