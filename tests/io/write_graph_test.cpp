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
    for (const std::string name : {"a.sg", "a.egr", "a.adj", "a.gr", "a.vgr", "a.gr.gz", "a.gr.zst"}) {
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

TEST(graphs, rows_for_other_programs_are_as_these_expect) {
  const auto edges = list(4, {{0, 1}, {1, 2}});
  const graph g = build_csr(copse::graph_view{edges.view()});
  EXPECT_EQ(bytes_of(g, "a.adj"), "AdjacencyGraph\n4\n4\n0\n1\n3\n4\n1\n0\n2\n1\n");
  EXPECT_EQ(bytes_of(g, "a.gr"), packed<std::uint64_t>({1, 0, 4, 4, 1, 3, 4, 4}) + packed<std::uint32_t>({1, 0, 2, 1}));
  copse::build_options one_way;
  one_way.symmetrise = false;
  const auto odd = list(2, {{0, 1}});
  EXPECT_EQ(bytes_of(build_csr(copse::graph_view{odd.view()}, one_way), "a.vgr"),
            packed<std::uint64_t>({1, 0, 2, 1, 1, 1}) + packed<std::uint32_t>({1, 0}));
}

TEST(graphs, of_galois_are_read_with_data_and_without) {
  const temporary_folder folder;
  const std::string rows = packed<std::uint64_t>({1, 3}) + packed<std::uint32_t>({1, 0, 1, 0});  // of 0 -> 1, 1 -> 0, 1 -> 1
  const auto read = [&](const std::string& bytes, const std::string& name = "a.gr") {
    write_bytes(folder / name, bytes);
    return read_graph(folder / name);
  };
  const arcs expected{{0, 1}, {1, 0}, {1, 1}};
  const auto head = [](std::uint64_t version, std::uint64_t data) { return packed<std::uint64_t>({version, data, 2, 3}); };
  EXPECT_EQ(arcs_of(read(head(1, 0) + rows)), expected);
  EXPECT_EQ(arcs_of(read(head(1, 0) + rows.substr(0, rows.size() - 4))), expected);  // some writers fill nothing up
  EXPECT_EQ(arcs_of(read(head(1, 4) + rows + packed<std::uint32_t>({7, 8, 9}))), expected);
  EXPECT_EQ(arcs_of(read("p sp 2 1\na 1 2 5\n")), (arcs{{0, 1}}));  // the other kind of .gr
  struct keeper final : copse::observer {
    void progress(std::string_view, std::uint64_t, std::uint64_t, std::string_view) override {}
    void note(std::string_view text) override { notes.emplace_back(text); }
    std::vector<std::string> notes;
  } heard;
  for (const std::uint64_t data : {0, 4}) {
    const std::string name = (folder / "d.gr").string();
    write_bytes(name, head(1, data) + rows + std::string(3 * data, '\0'));
    static_cast<void>(read_graph(name, {}, {.observer = &heard}));
    copse::io::read_options heavy;
    heavy.min_weight = 1;
    try {
      static_cast<void>(read_graph(name, heavy));
      ADD_FAILURE() << data;
    } catch (const copse::input_error& fault) {
      EXPECT_EQ(fault.what(), name + ": found " + (data == 0 ? "no weights" : "4 bytes of data per arc, of a type that it does not name") +
                                  ", expected a weight for every edge, because a least weight was asked for");
    }
  }
  EXPECT_EQ(heard.notes, std::vector<std::string>{(folder / "d.gr").string() +
                                                  " has 4 bytes of data per arc, of a type that it does not name: they are left out"});

  const auto refusal = [&](const std::string& bytes) -> std::string {
    try {
      read(bytes, "a.vgr");
    } catch (const copse::input_error& fault) {
      return fault.what();
    }
    return "";
  };
  const auto says = [&](const std::string& bytes, const std::string& text) {
    const std::string found = refusal(bytes);
    EXPECT_NE(found.find(text), std::string::npos) << found;
  };
  says(head(2, 0) + rows, "found version 2 at byte 0, expected version 1 of Galois graphs");
  says(head(1, 0) + rows + "x", "more bytes at byte 64, expected the end of the file after the targets");
  says(head(1, 4) + rows, "3 data of arcs of 4 bytes from byte 64");
  says(head(1, 0) + packed<std::uint64_t>({2, 1}) + packed<std::uint32_t>({1, 0, 1, 0}), "at byte 40");
  says(head(1, 0) + packed<std::uint64_t>({1, 3}) + packed<std::uint32_t>({1, 2, 1, 0}), "at byte 52");
  says(packed<std::uint64_t>({1, 0, std::uint64_t{1} << 61, 3}), "ends of rows of 8 bytes from byte 32");
}

TEST(graphs, no_vertices) {
  const graph g = build_csr(copse::graph_view{copse::coo_view<std::uint32_t>{}});
  for (const std::string name : {"a.sg", "a.egr", "a.adj", "a.gr", "a.mtx", "a.el", "a.coo"}) {
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
  EXPECT_EQ(refusal(pair, "a.sg"), "a.sg: this format needs rows, which build_csr() makes of a list of edges");
  EXPECT_EQ(
      refusal(pair, "a.xyz"),
      "a.xyz: found the suffix .xyz, expected .sg .egr .adj .gr .vgr .mtx .csv .tsv .el .txt .coo .coo64 .parquet or .arrow for a graph");
  const graph wide{copse::coo<std::uint64_t>{5'000'000'000, {}}};
  EXPECT_EQ(refusal(wide, "a.coo"), "a.coo: found 5000000000 vertices, expected at most 4294967296, or the suffix .coo64");
}

}  // namespace
