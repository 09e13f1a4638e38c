// .npz as scipy.sparse.save_npz writes it: stored or deflated, zip64 or not.
#include "io/npz_bytes.hpp"

#include <copse/weighted_graph.hpp>

#include <limits>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace {

using namespace copse::testing;
using copse::symmetry;

std::string format_member(const std::string& format) { return npy("|S3", false, "()", format); }

/// The path 0-1-2 with weights 1, 1, 0.25, 0.25, and vertex 3 alone.
members csr(const std::string& format = "csr") {
  return {{"indices.npy", npy("<i4", false, "(4,)", packed<std::int32_t>({1, 0, 2, 1}))},
          {"indptr.npy", npy("<i4", false, "(5,)", packed<std::int32_t>({0, 1, 3, 4, 4}))},
          {"format.npy", format_member(format)},
          {"shape.npy", npy("<i8", false, "(2,)", packed<std::int64_t>({4, 4}))},
          {"data.npy", npy("<f8", false, "(4,)", packed<double>({1, 1, 0.25, 0.25}))}};
}
members coo() {
  return {{"row.npy", npy("<i4", false, "(3,)", packed<std::int32_t>({2, 0, 0}))},
          {"col.npy", npy("<i4", false, "(3,)", packed<std::int32_t>({1, 0, 2}))},
          {"format.npy", format_member("coo")},
          {"shape.npy", npy("<i8", false, "(2,)", packed<std::int64_t>({4, 4}))},
          {"data.npy", npy("|b1", false, "(3,)", std::string{"\1\0\1", 3})}};
}
members with(members all, const std::string& name, const std::string& content) {
  for (auto& [known, held] : all) {
    if (known == name) held = content;
  }
  return all;
}

TEST(npz, rows_stored_deflated_and_zip64) {
  for (const zip_form form : {zip_form{false, false}, {true, false}, {false, true}, {true, true}}) {
    for (const std::string format : {"csr", "csc"}) {
      const copse::graph g = graph_of("a.npz", zip(csr(format), form));
      EXPECT_EQ(g.vertices(), 4u);
      EXPECT_EQ(arcs_of(g), path_of_three);
      EXPECT_EQ(symmetry_of(g), symmetry::yes);
    }
  }
}

TEST(npz, wide_indices_become_narrow) {
  members all = with(csr(), "indices.npy", npy("<i8", false, "(4,)", packed<std::int64_t>({1, 0, 2, 1})));
  all = with(all, "indptr.npy", npy("<i8", false, "(5,)", packed<std::int64_t>({0, 1, 3, 4, 4})));
  EXPECT_EQ(arcs_of(graph_of("a.npz", zip(all))), path_of_three);
}

TEST(npz, coordinates_become_rows) {
  const copse::graph g = graph_of("a.npz", zip(coo()));
  EXPECT_TRUE(g.has_rows());
  EXPECT_EQ(g.vertices(), 4u);
  EXPECT_EQ(arcs_of(g), (arcs{{0, 0}, {0, 2}, {2, 1}}));
}

TEST(npz, a_least_weight_is_compared_with_the_data) {
  copse::io::read_options options;
  options.min_weight = 0.5;
  EXPECT_EQ(arcs_of(graph_of("a.npz", zip(csr()), options)), (arcs{{0, 1}, {1, 0}}));
  EXPECT_EQ(arcs_of(graph_of("a.npz", zip(coo()), options)), (arcs{{0, 2}, {2, 1}}));
  options.min_weight = 0.25;
  EXPECT_EQ(arcs_of(graph_of("a.npz", zip(csr()), options)), path_of_three);
  const auto whole_numbers = with(csr(), "data.npy", npy("<i4", false, "(4,)", packed<std::int32_t>({-1, -1, 3, 3})));
  EXPECT_EQ(arcs_of(graph_of("a.npz", zip(whole_numbers), options)), (arcs{{1, 2}, {2, 1}}));
  const auto floats = with(csr(), "data.npy", npy("<f4", false, "(4,)", packed<float>({0.f, 0.f, 0.25f, 0.25f})));
  EXPECT_EQ(arcs_of(graph_of("a.npz", zip(floats), options)), (arcs{{1, 2}, {2, 1}}));
  const auto short_data = with(csr(), "data.npy", npy("<f4", false, "(1,)", packed<float>({0.f})));
  EXPECT_EQ(refusal_of("a.npz", zip(short_data), options), "a.npz (data.npy): found 1 items, expected 4");
}

/// Edges with weights in the order of the file.
using weighted_edges = std::vector<std::tuple<std::uint64_t, std::uint64_t, double>>;
weighted_edges weighted_edges_of(const members& all, const copse::io::read_options& options = {}) {
  const temporary_folder folder;
  write_bytes(folder / "a.npz", zip(all));
  const copse::weighted_graph read = copse::io::read_weighted_graph(folder / "a.npz", options);
  weighted_edges edges;
  std::visit(
      [&]<class View>(const View& view) {
        if constexpr (!requires { view.offsets; }) {
          for (std::size_t i = 0; i < view.edges.size(); ++i) {
            edges.emplace_back(view.edges[i].u, view.edges[i].v, read.weights[i]);
          }
        }
      },
      read.edges.view());
  return edges;
}
std::string weighted_refusal_of(const members& all) {
  try {
    weighted_edges_of(all);
  } catch (const copse::input_error& e) {
    const std::string text = e.what();
    return text.substr(text.find("a.npz"));
  }
  return {};
}

TEST(npz, data_are_weights_in_every_form_and_type) {
  for (const std::string format : {"csr", "csc"}) {
    EXPECT_EQ(weighted_edges_of(csr(format)), (weighted_edges{{0, 1, 1.}, {1, 0, 1.}, {1, 2, .25}, {2, 1, .25}}));
  }
  const auto coo_of = [](const std::string& type, const std::string& bytes) {
    return weighted_edges_of(with(coo(), "data.npy", npy(type, false, "(3,)", bytes)));
  };
  const weighted_edges expected{{2, 1, 3.}, {0, 0, -2.}, {0, 2, 7.}};
  EXPECT_EQ(coo_of("<i8", packed<std::int64_t>({3, -2, 7})), expected);
  EXPECT_EQ(coo_of("<i4", packed<std::int32_t>({3, -2, 7})), expected);
  EXPECT_EQ(coo_of("|i1", packed<std::int8_t>({3, -2, 7})), expected);
  EXPECT_EQ(coo_of("<f4", packed<float>({3, -2, 7})), expected);
  EXPECT_EQ(coo_of("<f8", packed<double>({3, -2, 7})), expected);
  EXPECT_EQ(coo_of("<u8", packed<std::uint64_t>({3, 0, UINT64_MAX})),
            (weighted_edges{{2, 1, 3.}, {0, 0, 0.}, {0, 2, 0x1.fffffffffffffp63}}))
      << "the largest double that the integer reaches";
  EXPECT_EQ(weighted_edges_of(coo()), (weighted_edges{{2, 1, 1.}, {0, 0, 0.}, {0, 2, 1.}}));
  copse::io::read_options options;
  options.min_weight = 0.5;
  EXPECT_EQ(weighted_edges_of(coo(), options), (weighted_edges{{2, 1, 1.}, {0, 2, 1.}}));
}

TEST(npz, weights_that_are_none_or_too_few_are_refused) {
  for (const members& all : {csr(), csr("csc"), coo()}) {
    const std::string entries = all.size() == 5 && all[0].first == "row.npy" ? "3" : "4";
    EXPECT_EQ(weighted_refusal_of(with(all, "data.npy", npy("<f8", false, "(1,)", packed<double>({1})))),
              "a.npz (data.npy): found 1 items, expected " + entries);
    EXPECT_EQ(weighted_refusal_of(with(all, "data.npy", npy("|S1", false, "(" + entries + ",)", std::string(std::stoul(entries), 'x')))),
              "a.npz (data.npy): found the type |S1 at byte 0, expected numbers, which are weights");
    EXPECT_EQ(weighted_refusal_of(with(all, "data.npy", npy("<c8", false, "(1,)", packed<float>({1, 0})))),
              "a.npz (data.npy): found the type <c8 at byte 10, expected integers, floating point or bool, little-endian (such as <i8)");
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const members with_nan = with(coo(), "data.npy", npy("<f8", false, "(3,)", packed<double>({1, nan, 1})));
  EXPECT_EQ(weighted_refusal_of(with_nan), "a.npz (data.npy): found nan at byte 136, expected a number as weight");
  copse::io::read_options options;
  options.min_weight = 0.5;
  EXPECT_EQ(refusal_of("a.npz", zip(with_nan), options), "a.npz (data.npy): found nan at byte 136, expected a number as weight");
  EXPECT_EQ(weighted_refusal_of(with(coo(), "row.npy", npy("<i4", false, "(3,)", packed<std::int32_t>({2, 0, 4})))),
            "a.npz (row.npy): found the index 4 at byte 136, expected one below 4");
}

TEST(npz, a_side_that_the_entries_do_not_explain_is_refused) {
  const auto side = [](std::int64_t n) { return with(coo(), "shape.npy", npy("<i8", false, "(2,)", packed<std::int64_t>({n, n}))); };
  EXPECT_EQ(refusal_of("a.npz", zip(side(2000000000))),
            "a.npz: found 2000000000 vertices declared in a file of " + std::to_string(zip(side(2000000000)).size()) +
                " bytes, expected at most 67108864 in so short a file (the option memory LIMIT says that there is room for more)");
}

TEST(npz, cut_off_anywhere_is_refused) {
  expect_every_truncation_refused("a.npz", zip(csr(), {true, false}));
  expect_every_truncation_refused("a.npz", zip(csr(), {false, true}));
}

TEST(npz, one_changed_byte_never_goes_through_as_another_graph) {
  for (const zip_form form : {zip_form{true, false}, {true, true}}) {
    const std::string bytes = zip(csr(), form);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ 0x41);
      const temporary_folder folder;
      write_bytes(folder / "a.npz", damaged);
      try {
        EXPECT_EQ(arcs_of(copse::io::read_graph(folder / "a.npz")), path_of_three) << "byte " << i;  // a field that nobody needs
      } catch (const copse::input_error&) {
      }
    }
  }
}

TEST(npz, survives_failing_allocations) {
  expect_failing_allocations_survived("a.npz", zip(csr(), {true, false}), 6);
  expect_failing_allocations_survived("a.npz", zip(coo(), {true, false}), 6);
}

TEST(npz, faults_are_named) {
  const auto refusal = [](const members& all) { return refusal_of("a.npz", zip(all)); };
  EXPECT_EQ(refusal_of("a.npz", "PK"), "a.npz: found no end record of a zip archive in 2 bytes, expected a whole .npz archive");
  EXPECT_EQ(refusal(with(csr(), "format.npy", format_member("dia"))), "a.npz (format.npy): found the format dia, expected csr, csc or coo");
  EXPECT_EQ(refusal(with(csr(), "shape.npy", npy("<i8", false, "(2,)", packed<std::int64_t>({4, 5})))),
            "a.npz (shape.npy): found 4 rows and 5 columns, expected a square matrix: its rows and columns are the vertices");
  EXPECT_EQ(refusal(with(csr(), "shape.npy", npy("<i8", false, "(2,)", packed<std::int64_t>({-4, -4})))),
            "a.npz (shape.npy): found the number of rows -4 at byte 128, expected 0 or more");
  EXPECT_EQ(refusal(with(csr(), "shape.npy", npy("<u8", false, "(2,)", packed<std::uint64_t>({UINT64_MAX, UINT64_MAX})))),
            "a.npz (indptr.npy): found 5 items, expected 18446744073709551615 and one more");
  EXPECT_EQ(refusal(with(csr(), "indptr.npy", npy("<i4", false, "(4,)", packed<std::int32_t>({0, 1, 3, 4})))),
            "a.npz (indptr.npy): found 4 items, expected 5");
  EXPECT_EQ(refusal(with(csr(), "indptr.npy", npy("<i4", false, "(5,)", packed<std::int32_t>({0, 1, 3, 4, 5})))),
            "a.npz (indptr.npy): found the offset 5 at byte 144, expected 4, the number of arcs, after 4");
  EXPECT_EQ(refusal(with(csr(), "indices.npy", npy("<i4", false, "(4,)", packed<std::int32_t>({1, 0, 2, -1})))),
            "a.npz (indices.npy): found the target -1 at byte 140, expected a vertex below 4");
  EXPECT_EQ(refusal(with(csr(), "indices.npy", npy("<f4", false, "(4,)", packed<float>({1, 0, 2, 1})))),
            "a.npz (indices.npy): found the type <f4 of the targets at byte 0, expected integers (such as <i8)");
  EXPECT_EQ(refusal(with(coo(), "row.npy", npy("<i4", false, "(3,)", packed<std::int32_t>({2, 0, 4})))),
            "a.npz (row.npy): found the index 4 at byte 136, expected one below 4");
  EXPECT_EQ(refusal(with(coo(), "col.npy", npy("<i4", false, "(2,)", packed<std::int32_t>({2, 0})))),
            "a.npz (col.npy): found 2 items, expected 3");
  EXPECT_EQ(refusal({{"format.npy", format_member("csr")}}),
            "a.npz: found no member shape.npy, expected what scipy.sparse.save_npz writes");
}

}  // namespace
