// Writes forests: as edges, or as the parents and depths of vertices.
#include "io/request.hpp"
#include "io/table_writer.hpp"
#include "io/written_suffix.hpp"

#include <copse/errors.hpp>

#include <initializer_list>
#include <variant>
#include <vector>

namespace copse::io {
namespace {

/// Calls f(edges) with the edges of a forest, which must be held as a list.
template <class F>
void with_edges(const graph& forest, const std::filesystem::path& path, F f) {
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires { shape.offsets; }) {
          throw usage_error{path.string() + ": the forest must be held as a list of edges, not as rows"};
        } else {
          f(shape.edges.span());
        }
      },
      forest.shape());
}

void write_npy(const graph& forest, const std::filesystem::path& path, const execution& on) {
  const vertex_names& names = forest.names();
  expect_numbers(names, path);
  with_edges(forest, path, [&](auto edges) {
    write_progress progress{on.observer, edges.size(), "edges"};
    write_numbers(path, {edges.size(), 2}, number_range::of(names), [&](auto put) {
      for (std::size_t i = 0; i < edges.size(); ++i) {
        progress.at(i);
        put(names.integer(edges[i].u));
        put(names.integer(edges[i].v));
      }
    });
  });
}

/// Writes the name and the parent of every vertex of a forest, and some numbers: `numbers(v, put)` must put the numbers of v, one for each
/// of `number_columns`.
template <class Trees, class Numbers>
void write_by_vertex(const Trees& trees, std::initializer_list<const char*> number_columns, const std::filesystem::path& path,
                     const write_request& options, Numbers numbers) {
  expect_rooted_suffix(path, options);
  const vertex_names& names = trees.names();
  const std::uint64_t n = trees.vertices();
  write_progress progress{options.observer, n, "vertices"};
  if (written_suffix(path, options) == ".npy") {
    expect_numbers(names, path);
    return write_numbers(path, {n, 2 + number_columns.size()}, number_range::of(names, n), [&](auto put) {
      for (std::uint64_t v = 0; v < n; ++v) {
        progress.at(v);
        put(names.integer(v));
        put(names.integer(trees.parent(v)));
        numbers(v, put);
      }
    });
  }
  std::vector<table_column> columns{{"id", column_kind::ids, &names}, {"parent", column_kind::ids, &names}};
  for (const char* const column : number_columns) columns.push_back({column, column_kind::numbers});
  table_writer out{path, options, columns};
  for (std::uint64_t v = 0; v < n; ++v) {
    progress.at(v);
    out.name(names, v);
    out.name(names, trees.parent(v));
    numbers(v, [&](std::uint64_t number) { out.number(number); });
    out.end_row();
  }
  out.commit();
}

}  // namespace

void expect_forest_suffix(const std::filesystem::path& path, const write_options& options) {
  expect_table_suffix(path, options, {".csv", ".tsv", ".el", ".txt", ".npy", ".mtx", ".coo", ".coo64"}, "a forest");
}

void expect_rooted_suffix(const std::filesystem::path& path, const write_options& options) {
  expect_table_suffix(path, options, {".csv", ".txt", ".npy"}, "parents and depths");
}

void write_forest(const graph& forest, const std::filesystem::path& path, const write_options& options, const execution& on) {
  expect_forest_suffix(path, options);
  if (written_suffix(path, options) == ".npy") return write_npy(forest, path, on);
  write_graph(forest, path, options, on);
}

void write_rooted(const rooted_forest& trees, const std::filesystem::path& path, const write_options& options, const execution& on) {
  write_by_vertex(trees, {"depth"}, path, write_request{options, on}, [&](std::uint64_t v, auto put) { put(trees.depth(v)); });
}

void write_tour(const forest_tour& tour, const std::filesystem::path& path, const write_options& options, const execution& on) {
  write_by_vertex(tour, {"depth", "size", "preorder"}, path, write_request{options, on}, [&](std::uint64_t v, auto put) {
    put(tour.depth(v));
    put(tour.size(v));
    put(tour.preorder(v));
  });
}

}  // namespace copse::io
