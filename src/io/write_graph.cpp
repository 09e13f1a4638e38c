// Writes graphs to files that list edges, as tables or as pairs; files that hold rows are written by write_rows.cpp.
#include "io/table_writer.hpp"
#include "io/write_rows.hpp"
#include "io/written_suffix.hpp"

#include <copse/build.hpp>
#include <copse/errors.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace copse::io {
namespace {

template <class View>
constexpr bool is_rows = requires(const View& view) {
  view.offsets;
};

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& found, const std::string& expected) {
  throw input_error::at(path.string(), 0, found, expected);
}

/// True if both directions are stored, so that writing one of them is enough.
template <class View>
bool is_symmetric(const View& view, const execution& on) {
  if constexpr (is_rows<View>) {
    return detect_symmetry(view, on) == symmetry::yes;
  } else {
    return false;
  }
}

/// Calls visit(u, v) for every edge: only for those with u <= v if the rows are symmetric, otherwise for all.
template <class View, class Visit>
void for_each_edge(const View& view, bool symmetric, write_progress progress, Visit visit) {
  if constexpr (is_rows<View>) {
    for (std::uint64_t u = 0; u < view.vertices(); ++u) {
      progress.at(u);
      for (const auto v : view.row(static_cast<typename View::id_type>(u))) {
        if (!symmetric || u <= v) visit(u, std::uint64_t{v});
      }
    }
  } else {
    std::uint64_t done = 0;
    for (const auto& e : view.edges) {
      progress.at(done++);
      visit(std::uint64_t{e.u}, std::uint64_t{e.v});
    }
  }
}

template <class View>
write_progress progress_of(const View& view, const execution& on) {
  if constexpr (is_rows<View>) {
    return {on.observer, view.vertices(), "vertices"};
  } else {
    return {on.observer, view.edges.size(), "edges"};
  }
}

template <class View>
void write_edge_list(const View& view, const vertex_names& names, const std::filesystem::path& path, const write_options& options,
                     const execution& on) {
  const bool symmetric = is_symmetric(view, on);
  table_writer out{path, options, {{"u", column_kind::ids, &names}, {"v", column_kind::ids, &names}}, plain_lines::blanks};
  for_each_edge(view, symmetric, progress_of(view, on), [&](std::uint64_t u, std::uint64_t v) {
    out.name(names, u);
    out.name(names, v);
    out.end_row();
  });
  out.commit();
}

template <class View>
void write_matrix_market(const View& view, const std::filesystem::path& path, const execution& on) {
  const bool symmetric = is_symmetric(view, on);
  std::uint64_t entries = 0;
  for_each_edge(view, symmetric, {nullptr, 0, {}}, [&](std::uint64_t, std::uint64_t) { ++entries; });
  const std::string banner = std::string{"%%MatrixMarket matrix coordinate pattern "} + (symmetric ? "symmetric\n" : "general\n");
  write_text(path, banner, [&](text_writer& out) {
    const auto put_line = [&](std::initializer_list<std::uint64_t> numbers) {
      char before = 0;
      for (const std::uint64_t number : numbers) {
        if (before != 0) out.put(before);
        out.put(number);
        before = ' ';
      }
      out.put('\n');
    };
    put_line({view.vertices(), view.vertices(), entries});
    // A symmetric matrix is stored as its lower triangle: the row of an entry is at least its column.
    for_each_edge(view, symmetric, progress_of(view, on), [&](std::uint64_t u, std::uint64_t v) {
      symmetric ? put_line({v + 1, u + 1}) : put_line({u + 1, v + 1});
    });
  });
}

template <class T, class View>
void write_pairs(const View& view, const std::filesystem::path& path, const execution& on) {
  if (sizeof(T) == 4 && view.vertices() > 0 && std::uint64_t{view.vertices()} - 1 > std::numeric_limits<std::uint32_t>::max()) {
    refuse(path, std::to_string(view.vertices()) + " vertices", "at most 4294967296, or the suffix .coo64");
  }
  constexpr std::size_t block = 4096;
  const bool symmetric = is_symmetric(view, on);
  output_file file{path};
  std::vector<T> pairs;
  pairs.reserve(2 * block);
  const auto flush = [&] {
    file.write(pairs.data(), pairs.size() * sizeof(T));
    pairs.clear();
  };
  for_each_edge(view, symmetric, progress_of(view, on), [&](std::uint64_t u, std::uint64_t v) {
    pairs.push_back(static_cast<T>(u));
    pairs.push_back(static_cast<T>(v));
    if (pairs.size() == 2 * block) flush();
  });
  flush();
  file.commit();
}

}  // namespace

void expect_graph_suffix(const std::filesystem::path& path, const write_options& options) {
  expect_table_suffix(path, options, {".sg", ".egr", ".adj", ".gr", ".vgr", ".mtx", ".csv", ".tsv", ".el", ".txt", ".coo", ".coo64"},
                      "a graph");
}

void write_graph(const graph& g, const std::filesystem::path& path, const write_options& options, const execution& on) {
  expect_graph_suffix(path, options);
  const std::string suffix = written_suffix(path, options);
  std::visit(
      [&]<class View>(const View& view) {
        if (suffix == ".el" || suffix == ".txt" || suffix == ".csv" || suffix == ".tsv" || is_columnar_suffix(suffix))
          return write_edge_list(view, g.names(), path, options, on);
        if (suffix == ".mtx") return write_matrix_market(view, path, on);
        if (suffix == ".coo") return write_pairs<std::uint32_t>(view, path, on);
        if (suffix == ".coo64") return write_pairs<std::uint64_t>(view, path, on);
        if constexpr (is_rows<View>) {
          write_rows(view, suffix, path, on);
        } else {
          throw usage_error{path.string() + ": this format needs rows, which build_csr() makes of a list of edges"};
        }
      },
      g.view());
}

// Writes the ids of vertices to a file of their own, for formats that cannot store them.

void expect_names_suffix(const std::filesystem::path& path, const write_options& options) {
  expect_table_suffix(path, options, {".csv", ".txt", ".npy"}, "a map of ids");
}

void write_names(const vertex_names& names, std::uint64_t first_position, const std::filesystem::path& path, const write_options& options,
                 const execution& on) {
  expect_names_suffix(path, options);
  const std::string suffix = written_suffix(path, options);
  const std::uint64_t count = names.size();
  write_progress progress{on.observer, count, "vertices"};
  if (suffix == ".npy") {
    expect_numbers(names, path);
    return write_numbers(path, {count}, number_range::of(names), [&](auto put) {
      for (std::uint64_t i = 0; i < count; ++i) put(names.integer(i));
    });
  }
  table_writer out{path, options, {{"position", column_kind::numbers}, {"id", column_kind::ids, &names}}};
  for (std::uint64_t i = 0; i < count; ++i) {
    progress.at(i);
    out.number(first_position + i);
    out.name(names, i);
    out.end_row();
  }
  out.commit();
}

}  // namespace copse::io
