// .coo and .npy: pairs of ids of every width, order and shape.
#include "io/npy_bytes.hpp"
#include "support/noting.hpp"

#include <copse/execution.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace copse::testing;
using copse::vertex_names;

TEST(coo, pairs_of_32_bits) {
  const copse::graph g = graph_of("a.coo", packed<std::uint32_t>({0, 2, 2, 1, 0, 2}));
  EXPECT_EQ(g.vertices(), 3u);
  EXPECT_EQ(arcs_of(g), (arcs{{0, 2}, {0, 2}, {2, 1}}));
  EXPECT_EQ(g.names().what(), vertex_names::kind::identity);
}

TEST(coo, the_ids_that_occur_are_the_vertices) {
  const copse::graph g = graph_of("a.coo", packed<std::uint32_t>({7, 4'294'967'295, 7, 9}));
  EXPECT_EQ(g.vertices(), 3u);
  EXPECT_EQ(arcs_of(g), (arcs{{0, 1}, {0, 2}}));
  ASSERT_EQ(g.names().what(), vertex_names::kind::integers);
  EXPECT_EQ(g.names().integer(2), 4'294'967'295u);
}

// Numbers are counted in a bitmap, or looked up in an array where edges are four times as many as the largest id and more: 2,396 here.
TEST(coo, ids_with_gaps_are_numbered_in_ascending_order_however_many_edges) {
  for (const std::uint32_t edges : {10u, 2395u, 2396u, 2399u, 2400u, 9000u}) {
    std::vector<std::uint32_t> ids{598, 1};
    for (std::uint32_t i = 2; i < 2 * edges; ++i) ids.push_back(i * 2654435761u % 200 * 3 + 1);
    std::string bytes(4 * ids.size(), '\0');
    std::copy_n(reinterpret_cast<const char*>(ids.data()), bytes.size(), bytes.begin());
    const copse::graph g = graph_of("a.coo", bytes);
    const std::set<std::uint32_t> named(ids.begin(), ids.end());
    std::map<std::uint32_t, std::uint64_t> number;
    for (const std::uint32_t id : named) number.emplace(id, number.size());
    ASSERT_EQ(g.vertices(), named.size()) << edges;
    for (const auto& [id, at] : number) EXPECT_EQ(g.names().integer(at), id) << edges;
    arcs expected;
    for (std::uint32_t i = 0; i < 2 * edges; i += 2) expected.push_back({number[ids[i]], number[ids[i + 1]]});
    std::ranges::sort(expected);
    EXPECT_EQ(arcs_of(g), expected) << edges;
  }
}

TEST(coo, pairs_of_64_bits_have_a_suffix_of_their_own) {
  const copse::graph g = graph_of("a.coo64", packed<std::uint64_t>({5, UINT64_MAX - 1, 1, 5}));
  EXPECT_EQ(arcs_of(g), (arcs{{0, 1}, {1, 2}}));
  EXPECT_EQ(g.names().integer(2), UINT64_MAX - 1);
  copse::io::read_options options;
  options.format = copse::io::format::coo64;
  EXPECT_EQ(graph_of("a.bin", packed<std::uint64_t>({5, 7}), options).vertices(), 2u);
}

TEST(coo, all_ones_of_64_bits_are_an_id) {
  EXPECT_EQ(graph_of("a.coo64", packed<std::uint64_t>({5, 6, UINT64_MAX, 5})).names().integer(2), UINT64_MAX);
}

TEST(coo, pairs_of_64_bits_under_the_name_of_32_are_refused) {
  EXPECT_EQ(refusal_of("a.coo", packed<std::uint64_t>({5, 6, 6, 70000})),
            "a.coo: found pairs whose second id is 0 in all of them, as pairs of 64-bit ids look, expected pairs of 32-bit ids (the option "
            "format "
            "coo64 reads the others)");
  EXPECT_EQ(graph_of("a.coo", packed<std::uint32_t>({5, 0, 6, 0, 7, 0, 0, 8})).vertices(), 5u);
}

TEST(coo, pairs_that_may_be_of_64_bits_are_noted) {
  const auto notes_of = [](const std::vector<std::uint64_t>& ids, const char* name) {
    std::string bytes(8 * ids.size(), '\0');
    std::copy_n(reinterpret_cast<const char*>(ids.data()), bytes.size(), bytes.begin());
    copse::test::noting listener;
    graph_of(name, bytes, {}, {.observer = &listener});
    for (std::string& note : listener.notes) note.erase(0, note.find("a.coo"));
    return listener.notes;
  };
  std::vector<std::uint64_t> ids(64, 7);
  ids[20] = std::uint64_t{1} << 40;
  EXPECT_EQ(notes_of(ids, "a.coo"),
            (std::vector<std::string>{"a.coo: most second ids are 0, as in pairs of 64-bit ids (the option format coo64 reads those)"}));
  EXPECT_TRUE(notes_of(ids, "a.coo64").empty());
  EXPECT_TRUE(notes_of(std::vector<std::uint64_t>(64, 7 + (std::uint64_t{9} << 32)), "a.coo").empty());
}

TEST(coo, vertices_may_be_declared_from_one_on) {
  copse::io::read_options options;
  options.vertices = 9;
  options.first_vertex = 1;
  const copse::graph g = graph_of("a.coo", packed<std::uint32_t>({7, 9}), options);
  EXPECT_EQ(g.names().integer(8), 9u);
  EXPECT_EQ(arcs_of(g), (arcs{{6, 8}}));
  EXPECT_EQ(refusal_of("a.coo", packed<std::uint32_t>({7, 9, 0, 4}), options),
            "a.coo: found the id 0 at byte 8, expected a vertex from 1 to 9");
}

TEST(coo, vertices_may_be_declared) {
  copse::io::read_options options;
  options.vertices = 10;
  const copse::graph g = graph_of("a.coo", packed<std::uint32_t>({7, 9}), options);
  EXPECT_EQ(g.vertices(), 10u);
  EXPECT_EQ(arcs_of(g), (arcs{{7, 9}}));
  EXPECT_EQ(refusal_of("a.coo", packed<std::uint32_t>({7, 9, 3, 10}), options),
            "a.coo: found the id 10 at byte 12, expected a vertex below 10");
}

TEST(coo, an_empty_file_is_a_graph_without_vertices) { EXPECT_EQ(graph_of("a.coo", "").vertices(), 0u); }

TEST(coo, half_a_pair_is_refused) {
  for (std::size_t size : {1u, 4u, 7u, 9u, 15u}) {
    EXPECT_EQ(refusal_of("a.coo", std::string(size, 'x')),
              "a.coo: found " + std::to_string(size) + " bytes, expected pairs of 4-byte ids, a multiple of 8 bytes");
  }
  EXPECT_EQ(refusal_of("a.coo64", std::string(24, 'x')), "a.coo64: found 24 bytes, expected pairs of 8-byte ids, a multiple of 16 bytes");
}

TEST(coo, survives_failing_allocations) { expect_failing_allocations_survived("a.coo", packed<std::uint32_t>({0, 9, 2, 1, 0, 2}), 3); }

template <class T>
void expect_read(const std::string& dtype) {
  const arcs expected{{0, 3}, {1, 2}, {4, 1}};
  const std::string by_rows = packed<T>({0, 3, 1, 2, 4, 1});
  const std::string by_columns = packed<T>({0, 1, 4, 3, 2, 1});
  for (const char version : {'\1', '\2', '\3'}) {
    EXPECT_EQ(arcs_of(graph_of("a.npy", npy(dtype, false, "(3, 2)", by_rows, version))), expected) << dtype;
    EXPECT_EQ(arcs_of(graph_of("a.npy", npy(dtype, true, "(3, 2)", by_columns, version))), expected) << dtype;
    EXPECT_EQ(arcs_of(graph_of("a.npy", npy(dtype, false, "(2, 3)", by_columns, version))), expected) << dtype;
    EXPECT_EQ(arcs_of(graph_of("a.npy", npy(dtype, true, "(2, 3)", by_rows, version))), expected) << dtype;
  }
}

TEST(npy, every_width_order_shape_and_version) {
  expect_read<std::int8_t>("|i1");
  expect_read<std::uint8_t>("|u1");
  expect_read<std::int16_t>("<i2");
  expect_read<std::uint16_t>("<u2");
  expect_read<std::int32_t>("<i4");
  expect_read<std::uint32_t>("<u4");
  expect_read<std::int64_t>("<i8");
  expect_read<std::uint64_t>("<u8");
}

TEST(npy, two_by_two_is_two_edges_a_row_each) {
  EXPECT_EQ(arcs_of(graph_of("a.npy", npy("<i8", false, "(2, 2)", packed<std::int64_t>({0, 1, 0, 2})))), (arcs{{0, 1}, {0, 2}}));
}

TEST(npy, no_edges) { EXPECT_EQ(graph_of("a.npy", npy("<i8", false, "(0, 2)", "")).vertices(), 0u); }

TEST(npy, cut_off_anywhere_is_refused) {
  expect_every_truncation_refused("a.npy", npy("<i4", false, "(2, 2)", packed<std::int32_t>({0, 1, 2, 3})));
  expect_every_truncation_refused("a.npy", npy("<i4", false, "(2, 2)", packed<std::int32_t>({0, 1, 2, 3}), 2));
}

TEST(npy, survives_failing_allocations) {
  expect_failing_allocations_survived("a.npy", npy("<i8", false, "(2, 2)", packed<std::int64_t>({0, 1, 1'000'000'000'000, 2})), 3);
}

TEST(npy, faults_are_named) {
  const std::string data = packed<std::int64_t>({0, 1, 2, -3});
  copse::io::read_options declared;
  declared.vertices = 5;
  EXPECT_EQ(refusal_of("a.npy", npy("<i8", false, "(2, 2)", data), declared),
            "a.npy: found the id -3 at byte 152, expected a vertex below 5");
  EXPECT_EQ(refusal_of("a.npy", npy(">i8", false, "(2, 2)", data)),
            "a.npy: found the type >i8 at byte 10, expected integers, floating point or bool, little-endian (such as <i8)");
  EXPECT_EQ(refusal_of("a.npy", npy("<f8", false, "(2, 2)", data)),
            "a.npy: found the type <f8 of the ids at byte 0, expected integers (such as <i8)");
  EXPECT_EQ(refusal_of("a.npy", npy("<i8", false, "(4,)", data)),
            "a.npy: found the shape (4,) at byte 10, expected two columns (m, 2) or two rows (2, m)");
  EXPECT_EQ(refusal_of("a.npy", npy("<i8", false, "(4, 1)", data)),
            "a.npy: found the shape (4, 1) at byte 10, expected two columns (m, 2) or two rows (2, m)");
  EXPECT_EQ(refusal_of("a.npy", npy("<i8", false, "(4611686018427387904, 2)", data)),
            "a.npy: found the shape (4611686018427387904, 2) at byte 10, expected fewer than 2^64 bytes");
  EXPECT_EQ(refusal_of("a.npy", npy("<i8", false, "(3, 2)", data)),
            "a.npy: found the end at byte 160, expected 176 bytes of header and data of shape (3, 2)");
  EXPECT_EQ(refusal_of("a.npy", npy("<i8", false, "(1, 2)", data)),
            "a.npy: found 16 more bytes at byte 144, expected the end of the array");
  EXPECT_EQ(refusal_of("a.npy", npy("<i8", false, "(2, 2)", data, 4)), "a.npy: found version 4 at byte 6, expected version 1, 2 or 3");
  EXPECT_EQ(refusal_of("a.npy", "id,component\n"), "a.npy: found other bytes at byte 0, expected \\x93NUMPY, the mark of an .npy array");
}

class id_sum final : public copse::io::edge_sink {
public:
  void begin(const copse::io::source_facts& facts) override { sums_.resize(facts.workers); }
  void edges(unsigned worker, const copse::io::edge_batch& batch) override {
    EXPECT_EQ(batch.size(), batch.ids.size());
    for (const auto& e : batch.ids) sums_[worker] += 3 * e.u + e.v;
  }
  [[nodiscard]] std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t s : sums_) sum += s;
    return sum;
  }

private:
  std::vector<std::uint64_t> sums_;
};

TEST(pairs, every_block_size_and_thread_count_passes_all_on) {
  const temporary_folder folder;
  std::string bytes;
  std::uint64_t expected = 0;
  for (std::uint32_t i = 0; i < 5000; ++i) {
    bytes += packed<std::uint32_t>({i, i * i});
    expected += 3 * i + std::uint64_t{i * i};
  }
  write_bytes(folder / "a.coo", bytes);
  for (const std::size_t block : {std::size_t{1}, std::size_t{100}, std::size_t{1} << 20}) {
    for (const unsigned threads : {1u, 2u, 7u}) {
      copse::io::read_options options;
      options.block_bytes = block;
      id_sum sink;
      copse::io::parse(folder / "a.coo", options, sink, {.threads = threads});
      EXPECT_EQ(sink.total(), expected);
    }
  }
}

TEST(pairs, the_first_fault_in_the_file_is_named_whatever_the_threads) {
  std::string data;
  for (std::int64_t i = 0; i < 20'000; ++i) data += packed<std::int64_t>({i, i == 7000 || i == 7001 || i == 19'000 ? -i : i});
  for (const unsigned threads : {1u, 2u, 7u}) {
    copse::io::read_options options;
    options.block_bytes = 64;
    options.vertices = 20'000;
    EXPECT_EQ(refusal_of("a.npy", npy("<i8", false, "(20000, 2)", data), options, {.threads = threads}),
              "a.npy: found the id -7000 at byte " + std::to_string(128 + 16 * 7000 + 8) + ", expected a vertex below 20000");
  }
}

}  // namespace
