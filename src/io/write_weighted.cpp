// Writes edges with their weights.
#include "io/npy.hpp"
#include "io/table_writer.hpp"
#include "io/written_suffix.hpp"

#include <copse/errors.hpp>
#include <copse/weighted_graph.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace copse::io {
namespace {

constexpr std::array<std::string_view, 9> weighted_suffixes{".csv", ".tsv", ".el", ".txt", ".npy", ".mtx", ".egr", ".parquet", ".arrow"};

/// Writes a weight: integers as such, floats with the fewest digits that read back as the same number in their precision.
struct put_weight {
  text_writer& out;
  weight_precision precision;
  template <class Weight>
  void operator()(Weight weight) const {
    if constexpr (!std::is_floating_point_v<Weight>) {
      out.put_signed(weight);
    } else if (precision != weight_precision::full) {
      out.put_real(static_cast<float>(weight));
    } else {
      out.put_real(static_cast<double>(weight));
    }
  }
};

template <class Weight>
column_kind kind_of(weight_precision precision) noexcept {
  if (!std::is_floating_point_v<Weight>) return column_kind::signed_numbers;
  return precision == weight_precision::full ? column_kind::reals : column_kind::singles;
}

template <class Edges, class Weight>
void write_table(const Edges& edges, std::span<const Weight> weights, weight_precision precision, const vertex_names& names,
                 const std::filesystem::path& path, const write_options& options, const execution& on) {
  write_progress progress{on.observer, edges.size(), "edges"};
  const column_kind kind = kind_of<Weight>(precision);
  table_writer out{
      path, options, {{"u", column_kind::ids, &names}, {"v", column_kind::ids, &names}, {"weight", kind}}, plain_lines::blanks};
  for (std::size_t i = 0; i < edges.size(); ++i) {
    progress.at(i);
    out.name(names, edges[i].u);
    out.name(names, edges[i].v);
    if constexpr (std::is_unsigned_v<Weight>) {
      out.number(weights[i]);
    } else if constexpr (!std::is_floating_point_v<Weight>) {
      out.signed_number(weights[i]);
    } else if (kind == column_kind::singles) {
      out.single(static_cast<float>(weights[i]));
    } else {
      out.real(static_cast<double>(weights[i]));
    }
    out.end_row();
  }
  out.commit();
}

template <class Edges, class Weight>
void write_mtx(const Edges& edges, std::span<const Weight> weights, weight_precision precision, std::uint64_t vertices,
               const std::filesystem::path& path, const execution& on) {
  const std::string side = std::to_string(vertices), count = std::to_string(edges.size());
  const std::string head = "%%MatrixMarket matrix coordinate real general\n" + side + " " + side + " " + count + "\n";
  write_progress progress{on.observer, edges.size(), "edges"};
  write_text(path, head, [&](text_writer& out) {
    for (std::size_t i = 0; i < edges.size(); ++i) {
      progress.at(i);
      for (const std::uint64_t end : {std::uint64_t{edges[i].u}, std::uint64_t{edges[i].v}}) {
        out.put(end + 1);
        out.put(' ');
      }
      put_weight{out, precision}(weights[i]);
      out.put('\n');
    }
  });
}

template <class Edges, class Weight>
void write_npy(const Edges& edges, std::span<const Weight> weights, const vertex_names& names, const std::filesystem::path& path) {
  constexpr std::uint64_t exact = std::uint64_t{1} << 53;
  expect_numbers(names, path);
  for (const std::uint64_t end : {std::uint64_t{0}, names.size() - 1}) {
    if (names.size() == 0) break;
    const std::uint64_t id = names.integer(end), size = names.is_signed() && has_sign_bit(id) ? 0 - id : id;
    if (size > exact) {
      throw input_error::at(path.string(), 0, "the id " + id_text(id, names.is_signed()),
                            "ids up to 2^53, which doubles hold, or .txt or .csv");
    }
  }
  const auto number = [&](std::uint64_t v) {
    return names.is_signed() ? static_cast<double>(static_cast<std::int64_t>(names.integer(v))) : static_cast<double>(names.integer(v));
  };
  output_file file{path};
  write_npy_header(file, 'f', 8, {edges.size(), 3});
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const std::array<double, 3> row{number(edges[i].u), number(edges[i].v), static_cast<double>(weights[i])};
    file.write(row.data(), sizeof row);
  }
  file.commit();
}

/// The largest number in an ECL file, which are 32-bit integers.
constexpr std::uint64_t ecl_limit = std::numeric_limits<std::int32_t>::max();

template <class Weight>
std::int32_t as_int32(Weight weight, const std::filesystem::path& path) {
  const auto number = static_cast<double>(weight);
  if (number >= std::numeric_limits<std::int32_t>::min() && number <= static_cast<double>(ecl_limit) && number == std::floor(number))
    return static_cast<std::int32_t>(number);
  std::string text;
  text_writer out{text};
  put_weight{out, weight_precision::full}(weight);
  out.flush();
  throw input_error::at(path.string(), 0, "the weight " + text, "integers of 32 bits, which .egr holds (.mtx and .csv hold any weight)");
}

/// Writes an ECL graph of the arcs in a list: they are grouped into rows by their sources, and keep their order within a row.
template <class Edges, class Weight>
void write_egr(const Edges& edges, std::span<const Weight> weights, std::uint64_t vertices, const std::filesystem::path& path) {
  if (vertices > ecl_limit || edges.size() > ecl_limit) {
    throw input_error::at(path.string(), 0, std::to_string(vertices) + " vertices and " + std::to_string(edges.size()) + " arcs",
                          "at most 2147483647 of each, because they are of 32 bits there");
  }
  std::vector<std::int32_t> offsets(vertices + 1), targets(edges.size()), values(edges.size());
  for (const auto& e : edges) ++offsets[e.u + 1];
  for (std::uint64_t v = 0; v < vertices; ++v) offsets[v + 1] += offsets[v];
  std::vector<std::int32_t> next(offsets.begin(), offsets.end() - 1);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto place = static_cast<std::size_t>(next[edges[i].u]++);
    targets[place] = static_cast<std::int32_t>(edges[i].v);
    values[place] = as_int32(weights[i], path);
  }
  output_file file{path};
  const std::array<std::int32_t, 2> head{static_cast<std::int32_t>(vertices), static_cast<std::int32_t>(edges.size())};
  file.write(head.data(), sizeof head);
  for (const auto* column : {&offsets, &targets, &values}) file.write(column->data(), column->size() * sizeof(std::int32_t));
  file.commit();
}

}  // namespace

bool holds_weights(const std::filesystem::path& path, const write_options& options) {
  const std::string suffix = written_suffix(path, options);
  return std::ranges::find(weighted_suffixes, suffix) != weighted_suffixes.end();
}

void expect_weighted_suffix(const std::filesystem::path& path, const write_options& options) {
  expect_table_suffix(path, options, {".csv", ".tsv", ".el", ".txt", ".npy", ".mtx"}, "edges with weights");
}

void write_weighted_edges(const graph& edges, weights_view weights, const std::filesystem::path& path, const write_options& options,
                          const execution& on) {
  if (written_suffix(path, options) != ".egr") expect_weighted_suffix(path, options);
  const std::string suffix = written_suffix(path, options);
  std::visit(
      [&](const auto& shape, auto column) {
        if constexpr (requires { shape.edges; }) {
          if (column.size() != shape.edges.size())
            throw usage_error{path.string() + ": there must be one weight for each edge, not " + std::to_string(column.size())};
          const weight_precision precision = weights.precision();
          const vertex_names& names = edges.names();
          if (suffix == ".npy") return write_npy(shape.edges, column, names, path);
          if (suffix == ".egr") return write_egr(shape.edges, column, edges.vertices(), path);
          if (suffix == ".mtx") return write_mtx(shape.edges, column, precision, edges.vertices(), path, on);
          write_table(shape.edges, column, precision, names, path, options, on);
        } else {
          throw usage_error{path.string() + ": the graph must be held as a list of edges, not as rows"};
        }
      },
      edges.shape(), weights);
}

}  // namespace copse::io
