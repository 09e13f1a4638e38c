// Graphs into files. Text and pairs list edges; .sg and .egr are the arrays themselves.
#include "io/text_writer.hpp"
#include "io/written_suffix.hpp"

#include <copse/build.hpp>
#include <copse/errors.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace copse::io {
namespace {

constexpr std::uint64_t largest_int32 = std::numeric_limits<std::int32_t>::max();

template <class View>
constexpr bool is_rows = requires(const View& view) {
  view.offsets;
};

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& found, const std::string& expected) {
  throw input_error::at(path.string(), 0, found, expected);
}

/// Are both directions stored, so that one of them is enough?
template <class View>
bool is_symmetric(const View& view, const execution& on) {
  if constexpr (is_rows<View>) {
    return detect_symmetry(view, on) == symmetry::yes;
  } else {
    return false;
  }
}

/// Calls visit(u, v) for every edge: of symmetric rows those with u <= v, otherwise all.
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

/// How an edge list in text is written.
struct list_style {
  char between;
  quoting names;
  std::string_view header;
};
list_style style_of(std::string_view suffix) {
  if (suffix == ".csv") return {',', quoting::csv, "u,v\n"};
  if (suffix == ".tsv") return {'\t', quoting::tsv, "u\tv\n"};
  return {' ', quoting::words, ""};
}

template <class View>
void write_edge_list(const View& view, const vertex_names& names, const list_style& style, const std::filesystem::path& path,
                     const execution& on) {
  const bool symmetric = is_symmetric(view, on);
  write_text(path, style.header, [&](text_writer& out) {
    with_names(names, out, style.names, path, [&](auto put_name) {
      for_each_edge(view, symmetric, progress_of(view, on), [&](std::uint64_t u, std::uint64_t v) {
        put_name(u);
        out.put(style.between);
        put_name(v);
        out.put('\n');
      });
    });
  });
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
    // Of a symmetric matrix the lower triangle is stored: the row is not below the column.
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

/// Numbers of a file's width, whatever the graph's; as they are when the widths agree.
template <class To, class From>
void write_array(output_file& file, std::span<const From> values) {
  if constexpr (sizeof(To) == sizeof(From)) {
    file.write(values.data(), values.size_bytes());
  } else {
    constexpr std::size_t block = 8192;
    std::vector<To> wide;
    for (std::size_t at = 0; at < values.size(); at += block) {
      const auto part = values.subspan(at, std::min(block, values.size() - at));
      wide.assign(part.begin(), part.end());
      file.write(wide.data(), wide.size() * sizeof(To));
    }
  }
}

template <class T>
void write_number(output_file& file, T value) {
  file.write(&value, sizeof value);
}

template <class View>
void expect_rows_that_fit(const View& view, const std::filesystem::path& path) {
  if (view.vertices() > largest_int32) {
    refuse(path, std::to_string(view.vertices()) + " vertices", "at most 2147483647, because ids are of 32 bits there");
  }
}

/// No entries at all stand for no vertices; files want the one offset.
template <class View>
std::vector<typename View::offset_type> no_offsets(const View& view) {
  return std::vector<typename View::offset_type>(view.offsets.empty() ? 1 : 0);
}

/// The arcs reversed. Rows come out ascending because the sources are visited in order.
template <unsigned_index Id, unsigned_index Offset>
csr<Id, Offset> transposed(csr_view<Id, Offset> rows) {
  const std::uint64_t n = rows.vertices();
  csr<Id, Offset> turned{buffer<Offset>{n + 1}, buffer<Id>{rows.targets.size()}};
  std::fill(turned.offsets.begin(), turned.offsets.end(), Offset{0});
  for (const Id v : rows.targets) ++turned.offsets[v];
  Offset sum = 0;
  for (Offset& offset : turned.offsets) sum += std::exchange(offset, sum);
  for (std::uint64_t u = 0; u < n; ++u) {
    for (const Id v : rows.row(static_cast<Id>(u))) turned.targets[turned.offsets[v]++] = static_cast<Id>(u);
  }
  // Each offset has moved to the end of its row, where the next begins.
  std::copy_backward(turned.offsets.begin(), turned.offsets.end() - 1, turned.offsets.end());
  turned.offsets[0] = 0;
  return turned;
}

template <unsigned_index Id, unsigned_index Offset>
void write_sg(csr_view<Id, Offset> rows, const std::filesystem::path& path, const execution& on) {
  expect_rows_that_fit(rows, path);
  const bool symmetric = is_symmetric(rows, on);
  output_file file{path};
  write_number(file, static_cast<unsigned char>(symmetric ? 0 : 1));
  write_number(file, static_cast<std::int64_t>(rows.arcs()));
  write_number(file, static_cast<std::int64_t>(rows.vertices()));
  const auto write_rows = [&](csr_view<Id, Offset> all) {
    write_array<std::int64_t>(file, std::span<const Offset>{no_offsets(all)});
    write_array<std::int64_t>(file, all.offsets);
    write_array<std::int32_t>(file, all.targets);
  };
  write_rows(rows);
  if (!symmetric) write_rows(transposed(rows).view());
  file.commit();
}

template <unsigned_index Id, unsigned_index Offset>
void write_egr(csr_view<Id, Offset> rows, const std::filesystem::path& path) {
  expect_rows_that_fit(rows, path);
  if (rows.arcs() > largest_int32)
    refuse(path, std::to_string(rows.arcs()) + " arcs", "at most 2147483647, because offsets are of 32 bits there");
  output_file file{path};
  write_number(file, static_cast<std::int32_t>(rows.vertices()));
  write_number(file, static_cast<std::int32_t>(rows.arcs()));
  write_array<std::int32_t>(file, std::span<const Offset>{no_offsets(rows)});
  write_array<std::int32_t>(file, rows.offsets);
  write_array<std::int32_t>(file, rows.targets);
  file.commit();
}

}  // namespace

void expect_graph_suffix(const std::filesystem::path& path, const write_options& options) {
  expect_suffix(path, options, {".sg", ".egr", ".mtx", ".csv", ".tsv", ".el", ".txt", ".coo", ".coo64"},
                ".sg .egr .mtx .csv .tsv .el .txt .coo or .coo64 for a graph");
}

void write_graph(const graph& g, const std::filesystem::path& path, const write_options& options, const execution& on) {
  expect_graph_suffix(path, options);
  const std::string suffix = written_suffix(path, options);
  std::visit(
      [&]<class View>(const View& view) {
        if (suffix == ".el" || suffix == ".txt" || suffix == ".csv" || suffix == ".tsv")
          return write_edge_list(view, g.names(), style_of(suffix), path, on);
        if (suffix == ".mtx") return write_matrix_market(view, path, on);
        if (suffix == ".coo") return write_pairs<std::uint32_t>(view, path, on);
        if (suffix == ".coo64") return write_pairs<std::uint64_t>(view, path, on);
        if constexpr (is_rows<View>) {
          suffix == ".sg" ? write_sg(view, path, on) : write_egr(view, path);
        } else {
          throw usage_error{path.string() + ": found a list of edges, expected rows (build_csr makes them)"};
        }
      },
      g.view());
}

// Which id a vertex had, for formats that have no place for it.

void expect_names_suffix(const std::filesystem::path& path, const write_options& options) {
  expect_suffix(path, options, {".csv", ".txt", ".npy"}, ".csv .txt or .npy for a map of ids");
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
  const bool csv = suffix == ".csv";
  write_text(path, csv ? "position,id\n" : "", [&](text_writer& out) {
    with_names(names, out, csv ? quoting::csv : quoting::tabs, path, [&](auto put_name) {
      for (std::uint64_t i = 0; i < count; ++i) {
        progress.at(i);
        out.put(first_position + i);
        out.put(csv ? ',' : '\t');
        put_name(i);
        out.put('\n');
      }
    });
  });
}

}  // namespace copse::io
