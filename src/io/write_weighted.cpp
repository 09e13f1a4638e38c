// Edges with their weights.
#include "io/npy_header.hpp"
#include "io/text_writer.hpp"
#include "io/write_whole.hpp"
#include "io/written_suffix.hpp"

#include <copse/errors.hpp>
#include <copse/weighted_graph.hpp>

#include <array>
#include <string>
#include <string_view>
#include <variant>

namespace copse::io {
namespace {

constexpr std::array<std::string_view, 5> suffixes{".csv", ".el", ".txt", ".npy", ".mtx"};

/// Integers are written as such; floats so that they read back the same.
struct put_weight {
  text_writer& out;
  template <class Weight>
  void operator()(Weight weight) const {
    if constexpr (std::is_floating_point_v<Weight>) {
      out.put_real(static_cast<double>(weight));
    } else {
      out.put_signed(weight);
    }
  }
};

template <class Edges, class Weight>
void write_text(const Edges& edges, std::span<const Weight> weights, const vertex_names& names, const std::filesystem::path& path,
                const write_options& options) {
  const bool csv = path.extension() == ".csv", mtx = path.extension() == ".mtx";
  const char between = csv ? ',' : ' ';
  write_progress progress{options.observer, edges.size(), "edges"};
  output_file file{path};
  text_writer out{file};
  if (csv) out.put(std::string_view{"u,v,weight\n"});
  const auto lines = [&](auto put_name) {
    for (std::size_t i = 0; i < edges.size(); ++i) {
      progress.at(i);
      put_name(edges[i].u);
      out.put(between);
      put_name(edges[i].v);
      out.put(between);
      put_weight{out}(weights[i]);
      out.put('\n');
    }
  };
  if (mtx) {
    out.put(std::string_view{"%%MatrixMarket matrix coordinate real general\n"});
    for (const std::uint64_t size : {names.size(), names.size(), std::uint64_t{edges.size()}}) {
      out.put(size);
      out.put(' ');
    }
    out.put('\n');
    lines([&](std::uint64_t v) { out.put(v + 1); });
  } else {
    with_names(names, out, csv ? quoting::csv : quoting::words, path, lines);
  }
  out.flush();
  file.commit();
}

template <class Edges, class Weight>
void write_npy(const Edges& edges, std::span<const Weight> weights, const vertex_names& names, const std::filesystem::path& path) {
  constexpr std::uint64_t exact = std::uint64_t{1} << 53;
  expect_numbers(names, path);
  if (names.size() != 0 && names.integer(names.size() - 1) > exact) {
    throw input_error::at(path.string(), 0, "the id " + std::to_string(names.integer(names.size() - 1)),
                          "ids up to 2^53, which doubles hold, or .txt or .csv");
  }
  output_file file{path};
  write_npy_header(file, 'f', 8, {edges.size(), 3});
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const std::array<double, 3> row{static_cast<double>(names.integer(edges[i].u)), static_cast<double>(names.integer(edges[i].v)),
                                    static_cast<double>(weights[i])};
    file.write(row.data(), sizeof row);
  }
  file.commit();
}

}  // namespace

void expect_weighted_suffix(const std::filesystem::path& path) {
  const std::string suffix = path.extension().string();
  if (path == "-" || std::find(suffixes.begin(), suffixes.end(), suffix) != suffixes.end()) return;
  throw input_error::at(path.string(), 0, suffix.empty() ? "a name without a suffix" : "the suffix " + suffix,
                        ".csv .el .txt .npy or .mtx for edges with weights");
}

void write_weighted_edges(const graph& edges, weights_view weights, const std::filesystem::path& path, const write_options& options) {
  expect_weighted_suffix(path);
  std::visit(
      [&](const auto& shape, auto column) {
        if constexpr (requires { shape.edges; }) {
          if (column.size() != shape.edges.size())
            throw usage_error{path.string() + ": found " + std::to_string(column.size()) + " weights, expected one for each edge"};
          if (path.extension() == ".npy") return write_npy(shape.edges, column, edges.names(), path);
          write_text(shape.edges, column, edges.names(), path, options);
        } else {
          throw usage_error{path.string() + ": found rows, expected a list of edges"};
        }
      },
      edges.shape(), weights);
}

}  // namespace copse::io
