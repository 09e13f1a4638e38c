// .sg and .egr: what they hold is read, what they claim is checked.
#include "io/binary_harness.hpp"

#include <zlib.h>

namespace {

using namespace copse::testing;
using copse::symmetry;

const std::string offsets = packed<std::int64_t>({0, 1, 3, 4, 4});
const std::string targets = packed<std::int32_t>({1, 0, 2, 1});

std::string sg(char directed, std::int64_t m, std::int64_t n, const std::string& arrays) {
  return std::string(1, directed) + packed<std::int64_t>({m, n}) + arrays;
}
std::string egr(std::int32_t n, std::int32_t m, const std::string& arrays) { return packed<std::int32_t>({n, m}) + arrays; }
const std::string good_sg = sg(0, 4, 4, offsets + targets);
const std::string egr_offsets = packed<std::int32_t>({0, 1, 3, 4, 4});
const std::string good_egr = egr(4, 4, egr_offsets + targets);

TEST(sg, is_read) {
  const copse::graph g = graph_of("a.sg", good_sg);
  EXPECT_EQ(g.vertices(), 4u);
  EXPECT_EQ(arcs_of(g), path_of_three);
  EXPECT_EQ(symmetry_of(g), symmetry::yes);
  EXPECT_TRUE(std::get<0>(g.shape()).sorted);
}

TEST(sg, holds_the_inverse_when_directed) {
  const std::string rows = packed<std::int64_t>({0, 1, 2, 2}) + packed<std::int32_t>({1, 2});
  const std::string inverse = packed<std::int64_t>({0, 0, 1, 2}) + packed<std::int32_t>({0, 1});
  for (const std::string& bytes : {sg(1, 2, 3, rows + inverse), sg(1, 2, 3, rows)}) {
    const copse::graph g = graph_of("a.sg", bytes);
    EXPECT_EQ(arcs_of(g), (arcs{{0, 1}, {1, 2}}));
    EXPECT_EQ(symmetry_of(g), symmetry::no);
  }
  EXPECT_EQ(refusal_of("a.sg", sg(1, 2, 3, rows + inverse.substr(1))),
            "a.sg: found the end of the file at byte 96, expected 2 targets of the arcs turned round of 4 bytes from byte 89");
}

TEST(sg, a_false_claim_of_symmetry_is_not_believed) {
  const copse::graph g = graph_of("a.sg", sg(0, 2, 3, packed<std::int64_t>({0, 1, 2, 2}) + packed<std::int32_t>({1, 2})));
  EXPECT_EQ(symmetry_of(g), symmetry::no);
}

TEST(sg, without_vertices_is_a_graph) {
  const copse::graph g = graph_of("a.sg", sg(0, 0, 0, packed<std::int64_t>({0})));
  EXPECT_EQ(g.vertices(), 0u);
}

TEST(sg, is_read_compressed) {
  const temporary_folder folder;
  gzFile file = gzopen((folder / "a.sg.gz").c_str(), "wb");
  gzwrite(file, good_sg.data(), static_cast<unsigned>(good_sg.size()));
  gzclose(file);
  EXPECT_EQ(arcs_of(copse::io::read_graph(folder / "a.sg.gz")), path_of_three);
}

TEST(sg, cut_off_anywhere_is_refused) { expect_every_truncation_refused("a.sg", good_sg); }
TEST(sg, survives_failing_allocations) { expect_failing_allocations_survived("a.sg", good_sg, 2); }

TEST(sg, faults_are_named) {
  EXPECT_EQ(refusal_of("a.sg", sg(7, 4, 4, offsets + targets)),
            "a.sg: found the value 7 at byte 0, expected 0 (undirected) or 1 (directed)");
  EXPECT_EQ(refusal_of("a.sg", sg(0, -4, 4, offsets + targets)), "a.sg: found -4 at byte 1, expected number of arcs, 0 or more");
  EXPECT_EQ(refusal_of("a.sg", sg(0, 4, -1, offsets + targets)), "a.sg: found -1 at byte 9, expected number of vertices, 0 or more");
  EXPECT_EQ(refusal_of("a.sg", sg(0, 4, 3'000'000'000, offsets + targets)),
            "a.sg: found 3000000000 vertices at byte 9, expected at most 2147483647, because ids are of 32 bits");
  EXPECT_EQ(refusal_of("a.sg", sg(0, INT64_MAX, 4, offsets + targets)),
            "a.sg: found the end of the file at byte 73, expected 9223372036854775807 targets of 4 bytes from byte 57");
  EXPECT_EQ(refusal_of("a.sg", good_sg + "x"), "a.sg: found 1 more bytes at byte 73, expected the end of the file after the targets");
  EXPECT_EQ(refusal_of("a.sg", sg(0, 4, 4, packed<std::int64_t>({0, 3, 1, 4, 4}) + targets)),
            "a.sg: found the offset 1 at byte 33, expected one from 3 (the offset before it) to 4 (the number of arcs)");
  EXPECT_EQ(refusal_of("a.sg", sg(0, 4, 4, packed<std::int64_t>({1, 1, 3, 4, 4}) + targets)),
            "a.sg: found the offset 1 at byte 17, expected 0, the first offset");
  EXPECT_EQ(refusal_of("a.sg", sg(0, 4, 4, packed<std::int64_t>({0, 1, 3, 3, 3}) + targets)),
            "a.sg: found the offset 3 at byte 49, expected 4, the number of arcs, after 3");
  EXPECT_EQ(refusal_of("a.sg", sg(0, 4, 4, packed<std::int64_t>({0, -1, 3, 4, 4}) + targets)),
            "a.sg: found the offset -1 at byte 25, expected one from 0 (the offset before it) to 4 (the number of arcs)");
  EXPECT_EQ(refusal_of("a.sg", sg(0, 4, 4, offsets + packed<std::int32_t>({1, 4, 9, 1}))),
            "a.sg: found the target 4 at byte 61, expected a vertex below 4");
  EXPECT_EQ(refusal_of("a.sg", sg(0, 4, 4, offsets + packed<std::int32_t>({1, 0, 2, -2}))),
            "a.sg: found the target -2 at byte 69, expected a vertex below 4");
  copse::io::read_options options;
  options.min_weight = 0.5;
  EXPECT_EQ(refusal_of("a.sg", good_sg, options),
            "a.sg: found no weights, expected a weight for every edge, because a least weight was asked for");
}

TEST(egr, is_read_with_and_without_weights) {
  for (const std::string& bytes : {good_egr, good_egr + packed<std::int32_t>({5, 5, -6, -6})}) {
    const copse::graph g = graph_of("a.egr", bytes);
    EXPECT_EQ(arcs_of(g), path_of_three);
    EXPECT_EQ(symmetry_of(g), symmetry::yes);
  }
}

TEST(egr, a_least_weight_drops_arcs) {
  copse::io::read_options options;
  options.min_weight = -5.5;
  const copse::graph g = graph_of("a.egr", good_egr + packed<std::int32_t>({5, 5, -6, -6}), options);
  EXPECT_EQ(arcs_of(g), (arcs{{0, 1}, {1, 0}}));
  EXPECT_EQ(g.vertices(), 4u);
  EXPECT_EQ(refusal_of("a.egr", good_egr, options),
            "a.egr: found no weights, expected a weight for every edge, because a least weight was asked for");
}

TEST(egr, cut_off_anywhere_is_refused) {
  expect_every_truncation_refused("a.egr", good_egr + packed<std::int32_t>({5, 5, 6, 6}), {good_egr.size()});
}
TEST(egr, survives_failing_allocations) { expect_failing_allocations_survived("a.egr", good_egr, 2); }

TEST(egr, faults_are_named) {
  EXPECT_EQ(refusal_of("a.egr", egr(-4, 4, egr_offsets + targets)), "a.egr: found -4 at byte 0, expected number of vertices, 0 or more");
  EXPECT_EQ(refusal_of("a.egr", egr(4, -4, egr_offsets + targets)), "a.egr: found -4 at byte 4, expected number of arcs, 0 or more");
  EXPECT_EQ(refusal_of("a.egr", egr(INT32_MAX, 4, egr_offsets)),
            "a.egr: found the end of the file at byte 28, expected 2147483648 offsets of 4 bytes from byte 8");
  EXPECT_EQ(refusal_of("a.egr", good_egr + "abc"),
            "a.egr: found the end of the file at byte 47, expected 4 weights of 4 bytes from byte 44");
  EXPECT_EQ(refusal_of("a.egr", egr(4, 4, egr_offsets + packed<std::int32_t>({1, 0, 2, 4}))),
            "a.egr: found the target 4 at byte 40, expected a vertex below 4");
}

// Many blocks and threads: of two faults the first in the file is named.
TEST(rows, the_first_fault_in_the_file_is_named_whatever_the_threads) {
  constexpr std::int32_t n = 400'000;
  std::string bytes = egr(n, n, {});
  for (std::int32_t i = 0; i <= n; ++i) bytes += packed<std::int32_t>({i});
  const std::size_t targets_at = bytes.size();
  for (std::int32_t i = 0; i < n; ++i) bytes += packed<std::int32_t>({i == 200'001 || i == 390'000 ? n : n - 1 - i});
  for (const unsigned threads : {1u, 2u, 7u}) {
    EXPECT_EQ(refusal_of("a.egr", bytes, {}, {.threads = threads}),
              "a.egr: found the target 400000 at byte " + std::to_string(targets_at + 4 * 200'001) + ", expected a vertex below 400000");
  }
}

TEST(rows, parse_passes_their_arcs_on) {
  struct counting final : copse::io::edge_sink {
    void begin(const copse::io::source_facts& facts) override { vertices = facts.vertices; }
    void edges(unsigned, const copse::io::edge_batch& batch) override {
      EXPECT_EQ(batch.size(), batch.ids.size());
      for (const auto& e : batch.ids) all.emplace_back(e.u, e.v);
    }
    std::optional<std::uint64_t> vertices;
    arcs all;
  } sink;
  const temporary_folder folder;
  write_bytes(folder / "a.sg", good_sg);
  copse::io::parse(folder / "a.sg", {}, sink, {.threads = 1});
  EXPECT_EQ(sink.vertices, 4u);
  EXPECT_EQ(sink.all, path_of_three);
}

}  // namespace
