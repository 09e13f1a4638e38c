#include "io/write_rows.hpp"

#include "io/text_writer.hpp"

#include <copse/build.hpp>
#include <copse/errors.hpp>
#include <copse/io.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace copse::io {
namespace {

constexpr std::uint64_t largest_int32 = std::numeric_limits<std::int32_t>::max();

/// Writes numbers in the width of the file, converting them only if the graph's width differs.
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
void expect_vertices_that_fit(const View& view, std::uint64_t most, const std::filesystem::path& path) {
  if (view.vertices() > most) {
    throw input_error::at(path.string(), 0, std::to_string(view.vertices()) + " vertices",
                          "at most " + std::to_string(most) + ", because ids are of 32 bits there");
  }
}

/// The single offset 0 if `view` has no offsets, because files need one even without vertices; otherwise empty.
template <class View>
std::vector<typename View::offset_type> no_offsets(const View& view) {
  return std::vector<typename View::offset_type>(view.offsets.empty() ? 1 : 0);
}

/// The transposed rows, with all arcs reversed. They are sorted, because the sources are visited in ascending order.
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
  // Each offset is now the end of its row, which is the beginning of the next one.
  std::copy_backward(turned.offsets.begin(), turned.offsets.end() - 1, turned.offsets.end());
  turned.offsets[0] = 0;
  return turned;
}

template <unsigned_index Id, unsigned_index Offset>
void write_sg(csr_view<Id, Offset> rows, const std::filesystem::path& path, const execution& on) {
  expect_vertices_that_fit(rows, largest_int32, path);
  const bool symmetric = detect_symmetry(rows, on) == symmetry::yes;
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
  expect_vertices_that_fit(rows, largest_int32, path);
  if (rows.arcs() > largest_int32)
    throw input_error::at(path.string(), 0, std::to_string(rows.arcs()) + " arcs",
                          "at most 2147483647, because offsets are of 32 bits there");
  output_file file{path};
  write_number(file, static_cast<std::int32_t>(rows.vertices()));
  write_number(file, static_cast<std::int32_t>(rows.arcs()));
  write_array<std::int32_t>(file, std::span<const Offset>{no_offsets(rows)});
  write_array<std::int32_t>(file, rows.offsets);
  write_array<std::int32_t>(file, rows.targets);
  file.commit();
}

template <unsigned_index Id, unsigned_index Offset>
void write_galois(csr_view<Id, Offset> rows, const std::filesystem::path& path) {
  expect_vertices_that_fit(rows, std::uint64_t{1} << 32, path);
  output_file file{path};
  for (const std::uint64_t number : {std::uint64_t{1}, std::uint64_t{0}, std::uint64_t{rows.vertices()}, std::uint64_t{rows.arcs()}})
    write_number(file, number);  // the second number is the size of the data per arc in bytes
  write_array<std::uint64_t>(file, rows.offsets.subspan(rows.offsets.empty() ? 0 : 1));
  write_array<std::uint32_t>(file, rows.targets);
  if (rows.arcs() % 2 == 1) write_number(file, std::uint32_t{0});
  file.commit();
}

template <unsigned_index Id, unsigned_index Offset>
void write_adj(csr_view<Id, Offset> rows, const std::filesystem::path& path, const execution& on) {
  write_text(path, "AdjacencyGraph\n", [&](text_writer& out) {
    write_progress progress{on.observer, rows.arcs(), "arcs"};
    const auto put_line = [&](std::uint64_t number) {
      out.put(number);
      out.put('\n');
    };
    put_line(rows.vertices());
    put_line(rows.arcs());
    for (std::uint64_t v = 0; v < rows.vertices(); ++v) put_line(rows.offsets[v]);
    std::uint64_t done = 0;
    for (const Id target : rows.targets) {
      progress.at(done++);
      put_line(target);
    }
  });
}

}  // namespace

template <unsigned_index Id, unsigned_index Offset>
void write_rows(csr_view<Id, Offset> rows, std::string_view suffix, const std::filesystem::path& path, const execution& on) {
  if (suffix == ".sg") {
    write_sg(rows, path, on);
  } else if (suffix == ".egr") {
    write_egr(rows, path);
  } else if (suffix == ".adj") {
    write_adj(rows, path, on);
  } else {
    write_galois(rows, path);
  }
}

template void write_rows(csr_view<std::uint32_t, std::uint32_t>, std::string_view, const std::filesystem::path&, const execution&);
template void write_rows(csr_view<std::uint32_t, std::uint64_t>, std::string_view, const std::filesystem::path&, const execution&);
template void write_rows(csr_view<std::uint64_t, std::uint64_t>, std::string_view, const std::filesystem::path&, const execution&);

}  // namespace copse::io
