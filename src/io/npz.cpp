// Square sparse matrices in `.npz` archives as graphs. Every stored entry is an arc; a csc matrix gives the graph with its arcs reversed,
// which has the same weak components. A least weight keeps the entries whose value is at least that weight.
#include "io/binary_source.hpp"
#include "io/collect.hpp"
#include "io/declared_sizes.hpp"
#include "io/npy.hpp"
#include "io/readers.hpp"
#include "io/simple_lines.hpp"
#include "io/weight_rule.hpp"
#include "io/weighted_rows.hpp"
#include "io/zip.hpp"

#include <copse/build.hpp>
#include <copse/weighted_graph.hpp>

#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace copse::io {
namespace {

// scipy.sparse.save_npz writes a matrix as a zip archive of the arrays `format`, `shape` and `data`, with `indptr` and `indices` for csr
// and csc, or `row` and `col` for coo.

/// A sparse matrix in an archive. The lengths of its arrays are checked; their contents are not.
class npz_matrix {
public:
  enum class numbers : bool { unread, read };
  /// `data` is numbers::read if the values of the entries are wanted.
  npz_matrix(const std::filesystem::path& path, const read_request& options, numbers data);

  [[nodiscard]] const std::string& file() const noexcept { return source_.name(); }
  [[nodiscard]] std::uint64_t file_bytes() const noexcept { return source_.bytes().size(); }
  /// The number of rows, which is the number of columns, too.
  [[nodiscard]] std::uint64_t side() const noexcept { return side_; }
  /// True for coo, which stores the row and the column of each entry; false for csr and csc, which store the entries of each row (or
  /// column) together.
  [[nodiscard]] bool coordinates() const noexcept { return coordinates_; }
  [[nodiscard]] std::uint64_t entries() const noexcept { return minor_.size(); }
  /// For coo, the rows of the entries; for csr and csc, the offsets.
  [[nodiscard]] const packed_integers& major() const noexcept { return major_; }
  /// For coo and csr, the columns of the entries; for csc, their rows.
  [[nodiscard]] const packed_integers& minor() const noexcept { return minor_; }
  // Precondition of the functions below: constructed with numbers::read.

  /// The value of entry i as a double, which may be NaN; integers beyond 2^53 are rounded down.
  [[nodiscard]] double weight(std::uint64_t i) const;
  [[nodiscard]] weight_precision precision() const noexcept;
  /// Throws input_error for entry i, whose value is not a number.
  [[noreturn]] void refuse_weight(std::uint64_t i) const;
  /// True if all values are 1 or of type bool, and so only mark the entries that exist.
  [[nodiscard]] bool all_ones() const;

private:
  /// A member of the archive and its array. Not copyable or movable, because the array refers to the member.
  struct member {
    member(const npz_matrix& matrix, const char* name, std::pmr::memory_resource* memory);
    member(const member&) = delete;
    member& operator=(const member&) = delete;
    [[nodiscard]] packed_integers integers(std::string_view what) const;
    void expect_items(std::uint64_t expected) const;
    std::string file;  ///< name of the archive and the member, for error messages
    zip_archive::content content;
    npy_array array;
  };
  void read_side(const member& shape);

  binary_source source_;
  zip_archive archive_;
  std::optional<member> first_, second_, data_;
  packed_integers major_, minor_;
  std::uint64_t side_ = 0;
  bool coordinates_ = false;
};

npz_matrix::member::member(const npz_matrix& matrix, const char* name, std::pmr::memory_resource* memory)
    : file{matrix.source_.name() + " (" + name + ".npy)"} {
  auto found = matrix.archive_.find(std::string{name} + ".npy", memory);
  if (!found) {
    throw input_error::at(matrix.source_.name(), 0, "no member " + std::string{name} + ".npy", "what scipy.sparse.save_npz writes");
  }
  content = std::move(*found);
  array = npy_array_of(file, content.bytes);
}

packed_integers npz_matrix::member::integers(std::string_view what) const {
  if (array.shape.size() != 1) refuse_byte(file, 10, "the shape " + shape_text(array), "one dimension");
  return integers_of(file, array, what);
}

void npz_matrix::member::expect_items(std::uint64_t expected) const {
  if (array.size() != expected) throw input_error::at(file, 0, std::to_string(array.size()) + " items", std::to_string(expected));
}

void npz_matrix::read_side(const member& shape) {
  const packed_integers sides = shape.integers("the shape");
  const auto at = [&](std::uint64_t i) {
    return sides.with_type([&]<class T>(T) {
      const auto value = load<T>(sides.bytes.data() + i * sizeof(T));
      if (std::is_signed_v<T> && value < T{0}) sides.refuse(i, i == 0 ? "the number of rows" : "the number of columns", "0 or more");
      return static_cast<std::uint64_t>(value);
    });
  };
  if (sides.size() != 2) throw input_error::at(shape.file, 0, std::to_string(sides.size()) + " dimensions", "two, rows and columns");
  if (at(0) != at(1)) {
    throw input_error::at(shape.file, 0, std::to_string(at(0)) + " rows and " + std::to_string(at(1)) + " columns",
                          "a square matrix: its rows and columns are the vertices");
  }
  side_ = at(0);
}

npz_matrix::npz_matrix(const std::filesystem::path& path, const read_request& options, numbers data)
    : source_{path, options}, archive_{source_.name(), source_.bytes()} {
  const member format{*this, "format", options.memory};
  const std::string_view kind = format.array.data.substr(0, format.array.data.find('\0'));
  if (kind != "csr" && kind != "csc" && kind != "coo") {
    throw input_error::at(format.file, 0, "the format " + std::string{kind.substr(0, 16)}, "csr, csc or coo");
  }
  coordinates_ = kind == "coo";
  read_side(member{*this, "shape", options.memory});
  first_.emplace(*this, coordinates_ ? "row" : "indptr", options.memory);
  second_.emplace(*this, coordinates_ ? "col" : "indices", options.memory);
  major_ = first_->integers(coordinates_ ? "the rows" : "the offsets");
  minor_ = second_->integers(coordinates_ ? "the columns" : "the targets");
  if (coordinates_) {
    second_->expect_items(major_.size());
  } else {
    if (side_ == UINT64_MAX)
      throw input_error::at(first_->file, 0, std::to_string(major_.size()) + " items", std::to_string(side_) + " and one more");
    first_->expect_items(side_ + 1);
  }
  if (data == numbers::unread) return;
  data_.emplace(*this, "data", options.memory);
  if (data_->array.kind == 'S') refuse_byte(data_->file, 0, "the type " + data_->array.dtype, "numbers, which are weights");
  data_->expect_items(entries());
}

double npz_matrix::weight(std::uint64_t i) const {
  const npy_array& array = data_->array;
  const char* const at = array.data.data() + i * array.width;
  switch (array.kind) {
    case 'f':
      return array.width == 4 ? static_cast<double>(load<float>(at)) : load<double>(at);
    case 'b':
      return *at != 0 ? 1 : 0;
    default:
      return packed_integers{array.data, array.width, array.kind == 'i', 0, data_->file}.with_type(
          [&]<class T>(T) { return largest_double_up_to(load<T>(at)); });
  }
}

weight_precision npz_matrix::precision() const noexcept {
  return data_->array.kind == 'f' && data_->array.width == 4 ? weight_precision::single : weight_precision::full;
}

void npz_matrix::refuse_weight(std::uint64_t i) const {
  refuse_byte(data_->file, data_->array.data_at + i * data_->array.width, "nan", "a number as weight");
}

bool npz_matrix::all_ones() const {
  if (data_->array.kind == 'b') return true;
  for (std::uint64_t i = 0; i < entries(); ++i) {
    if (weight(i) != 1) return false;
  }
  return true;
}

/// Refuses an unlikely number of vertices: in coo, any number of entries can come with any size of the matrix.
void refuse_unlikely_side(const npz_matrix& matrix, const read_request& options) {
  refuse_unlikely_vertices(matrix.file(), 0, matrix.side(), matrix.file_bytes(), options);
}

/// The row (or column, by `from`) of entry i in coo format.
std::uint64_t place(const npz_matrix& matrix, const packed_integers& from, std::uint64_t i) {
  const auto value = from.with_type([&]<class T>(T) { return static_cast<std::uint64_t>(load<T>(from.bytes.data() + i * sizeof(T))); });
  if (value >= matrix.side()) from.refuse(i, "the index", "one below " + std::to_string(matrix.side()));
  return value;
}

template <unsigned_index Id>
graph rows_from_pairs(const npz_matrix& matrix, const read_request& options, const arc_filter& keep) {
  refuse_unlikely_side(matrix, options);
  coo<Id> list{static_cast<Id>(matrix.side()), {}};
  std::uint64_t kept = matrix.entries();
  if (keep) {
    kept = 0;
    for (std::uint64_t i = 0; i < matrix.entries(); ++i) kept += keep(i) ? 1 : 0;
  }
  list.edges = buffer<edge<Id>>{kept, options.memory};
  std::uint64_t to = 0;
  for (std::uint64_t i = 0; i < matrix.entries(); ++i) {
    const edge<Id> e{static_cast<Id>(place(matrix, matrix.major(), i)), static_cast<Id>(place(matrix, matrix.minor(), i))};
    if (!keep || keep(i)) list.edges[to++] = e;
  }
  build_options building;
  building.symmetrise = building.drop_duplicates = building.drop_loops = false;
  return build_csr(graph_view{list.view()}, building, options.on());
}

/// Checks all weights: refuses NaN, and gives the observer notes about the weights.
void judge_data(const npz_matrix& matrix, weight_rule& rule) {
  judge_weights(
      rule, matrix.entries(), matrix.file(), [&](std::uint64_t i) { return matrix.weight(i); },
      [&](std::uint64_t i) { matrix.refuse_weight(i); });
}

/// The entries and their weights as a list, in the order of the file.
weighted_graph list_from_pairs(const npz_matrix& matrix, const read_request& options) {
  refuse_unlikely_side(matrix, options);
  weight_rule rule{options, matrix.precision()};
  judge_data(matrix, rule);
  collecting_sink sink{options, {.weights = true}};
  sink.begin({.vertices = matrix.side(), .first_id = 0, .edges = matrix.entries(), .workers = 1, .named = false});
  batched_edges batch{sink, 0};
  for (std::uint64_t i = 0; i < matrix.entries(); ++i) {
    const std::uint64_t u = place(matrix, matrix.major(), i), v = place(matrix, matrix.minor(), i);
    if (const double weight = matrix.weight(i); rule.takes(weight)) batch.push(u, v, weight);
  }
  batch.flush();
  sink.finish();
  graph edges = std::move(sink).take();
  return {std::move(edges), weight_column{std::move(sink).take_weights(), matrix.precision()}};
}

graph read_plain(const npz_matrix& matrix, const read_request& options, const arc_filter& keep) {
  if (!matrix.coordinates()) return rows_of(matrix.major(), matrix.minor(), options, keep);
  return matrix.side() <= std::numeric_limits<std::uint32_t>::max() ? rows_from_pairs<std::uint32_t>(matrix, options, keep)
                                                                    : rows_from_pairs<std::uint64_t>(matrix, options, keep);
}

weighted_graph read_weighted(const npz_matrix& matrix, const read_request& options) {
  if (matrix.coordinates()) return list_from_pairs(matrix, options);
  const graph rows = rows_of(matrix.major(), matrix.minor(), options);
  return weighted_list(
      rows, matrix.file(), options, matrix.precision(), [&](std::uint64_t i) { return matrix.weight(i); },
      [&](std::uint64_t i) { matrix.refuse_weight(i); });
}

}  // namespace

graph read_npz(const std::filesystem::path& path, const read_request& options) {
  const npz_matrix matrix{path, options, options.min_weight ? npz_matrix::numbers::read : npz_matrix::numbers::unread};
  if (!options.min_weight) return read_plain(matrix, options, {});
  weight_rule rule{options, matrix.precision()};
  judge_data(matrix, rule);
  return read_plain(matrix, options, [&](std::uint64_t i) { return rule.takes(matrix.weight(i)); });
}

weighted_graph read_weighted_npz(const std::filesystem::path& path, const read_request& options) {
  return read_weighted(npz_matrix{path, options, npz_matrix::numbers::read}, options);
}

perhaps_weighted_graph read_any_npz(const std::filesystem::path& path, const read_request& options) {
  const npz_matrix matrix{path, options, npz_matrix::numbers::read};
  if (!options.min_weight && matrix.all_ones()) return {read_plain(matrix, options, {}), std::nullopt};
  auto [edges, weights] = read_weighted(matrix, with_all_weights(options));
  return {std::move(edges), std::move(weights)};
}

}  // namespace copse::io
