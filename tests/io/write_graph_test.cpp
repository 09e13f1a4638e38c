// Graphs that are written are read back, each format holding what it can.
#include "io/binary_harness.hpp"
#include "io/some_names.hpp"

#include <copse/build.hpp>
#include <copse/io.hpp>

#include <random>

namespace {

using namespace copse::testing;
using copse::buffer;
using copse::edge;
using copse::graph;
using copse::symmetry;
using copse::io::read_graph;
using copse::io::write_graph;

copse::coo<std::uint32_t> list(std::uint32_t n, std::initializer_list<edge<std::uint32_t>> values) {
  buffer<edge<std::uint32_t>> held{values.size()};
  std::copy(values.begin(), values.end(), held.begin());
  return {n, std::move(held)};
}
graph random_rows(bool symmetric) {
  std::mt19937 random{4};
  buffer<edge<std::uint32_t>> held{20'000};
  for (auto& e : held) e = {static_cast<std::uint32_t>(random() % 3000), static_cast<std::uint32_t>(random() % 3000)};
  held[0] = {2999, 0};
  copse::build_options options;
  options.symmetrise = symmetric;
  options.drop_loops = false;
  const copse::coo<std::uint32_t> edges{3000, std::move(held)};
  return build_csr(copse::graph_view{edges.view()}, options);
}
arcs symmetric_closure(arcs all) {
  const std::size_t size = all.size();
  for (std::size_t i = 0; i < size; ++i) all.emplace_back(all[i].second, all[i].first);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

TEST(graphs, go_round_every_format) {
  const temporary_folder folder;
  for (const bool symmetric : {true, false}) {
    const graph g = random_rows(symmetric);
    for (const std::string name : {"a.sg", "a.egr"}) {
      write_graph(g, folder / name);
      const graph back = read_graph(folder / name);
      EXPECT_EQ(back.vertices(), g.vertices());
      EXPECT_EQ(arcs_of(back), arcs_of(g)) << name;
      EXPECT_EQ(symmetry_of(back), symmetric ? symmetry::yes : symmetry::no);
    }
    for (const std::string name : {"a.mtx", "a.el", "a.txt", "a.coo", "a.coo64"}) {
      write_graph(g, folder / name);
      const graph back = read_graph(folder / name);
      EXPECT_EQ(back.vertices(), g.vertices());
      if (symmetric) {
        EXPECT_EQ(symmetric_closure(arcs_of(back)), arcs_of(g)) << name;
      } else {
        EXPECT_EQ(arcs_of(back), arcs_of(g)) << name;
      }
    }
  }
}

std::string bytes_of(const graph& g, std::string_view name) {
  const temporary_folder folder;
  write_graph(g, folder / name);
  return read_bytes(folder / name);
}

TEST(graphs, lists_of_symmetric_rows_hold_each_edge_once) {
  copse::build_options options;
  options.drop_loops = false;
  const auto edges = list(4, {{2, 0}, {0, 2}, {1, 1}});
  const graph g = build_csr(copse::graph_view{edges.view()}, options);
  EXPECT_EQ(bytes_of(g, "a.el"), "0 2\n1 1\n");
  EXPECT_EQ(bytes_of(g, "a.coo"), packed<std::uint32_t>({0, 2, 1, 1}));
  EXPECT_EQ(bytes_of(g, "a.mtx"), "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 2\n3 1\n2 2\n");
}

TEST(graphs, names_are_kept_where_the_format_has_them) {
  const graph g{list(3, {{2, 0}, {1, 2}}), integer_names({10, 20, 5'000'000'000})};
  EXPECT_EQ(bytes_of(g, "a.el"), "5000000000 10\n20 5000000000\n");
  EXPECT_EQ(bytes_of(g, "a.coo"), packed<std::uint32_t>({2, 0, 1, 2}));
  EXPECT_EQ(bytes_of(g, "a.mtx"), "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n3 1\n2 3\n");
  const graph strings{list(2, {{1, 0}}), string_names({"a", "b"})};
  EXPECT_EQ(bytes_of(strings, "a.txt"), "b a\n");
  const temporary_folder folder;
  for (const std::string_view name : {"a b", "a,b", "a;b", "a|b", "#a", ""}) {
    EXPECT_THROW(write_graph(graph{list(1, {{0, 0}}), string_names({name})}, folder / "a.el"), copse::input_error) << name;
  }
  EXPECT_TRUE(folder.names().empty());
}

TEST(graphs, the_inverse_of_directed_rows_is_written_as_the_suite_expects) {
  copse::build_options options;
  options.symmetrise = false;
  const auto edges = list(3, {{0, 1}, {2, 1}});
  const std::string bytes = bytes_of(build_csr(copse::graph_view{edges.view()}, options), "a.sg");
  EXPECT_EQ(bytes, "\1" + packed<std::int64_t>({2, 3, 0, 1, 1, 2}) + packed<std::int32_t>({1, 1}) + packed<std::int64_t>({0, 0, 2, 2}) +
                       packed<std::int32_t>({0, 2}));
}

TEST(graphs, no_vertices) {
  const graph g = build_csr(copse::graph_view{copse::coo_view<std::uint32_t>{}});
  for (const std::string name : {"a.sg", "a.egr", "a.mtx", "a.el", "a.coo"}) {
    const temporary_folder folder;
    write_graph(g, folder / name);
    EXPECT_EQ(read_graph(folder / name).vertices(), 0u) << name;
    write_graph(graph{copse::csr<std::uint32_t, std::uint32_t>{}}, folder / name);
    EXPECT_EQ(read_graph(folder / name).vertices(), 0u) << name;
  }
}

TEST(graphs, what_does_not_fit_is_refused_with_the_numbers) {
  const temporary_folder folder;
  const auto refusal = [&](const graph& g, std::string_view name) -> std::string {
    try {
      write_graph(g, folder / name);
    } catch (const copse::error& e) {
      EXPECT_TRUE(folder.names().empty());
      return std::string{e.what()}.substr(folder.path().string().size() + 1);
    }
    return {};
  };
  const graph pair{list(2, {{0, 1}})};
  EXPECT_EQ(refusal(pair, "a.sg"), "a.sg: found a list of edges, expected rows (build_csr makes them)");
  EXPECT_EQ(refusal(pair, "a.xyz"), "a.xyz: found the suffix .xyz, expected .sg .egr .mtx .csv .tsv .el .txt .coo or .coo64 for a graph");
  const graph wide{copse::coo<std::uint64_t>{5'000'000'000, {}}};
  EXPECT_EQ(refusal(wide, "a.coo"), "a.coo: found 5000000000 vertices, expected at most 4294967296, or the suffix .coo64");
}

}  // namespace
