// Merging forests: the answer of one process, whatever the parts, their order and the kind of ids; equal forests are equal bytes.
#include <gtest/gtest.h>
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/incremental.hpp>
#include <copse/partial.hpp>

#include <numeric>

#include "partial/pieces.hpp"
#include "support/labels.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

std::vector<std::size_t> in_order(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

TEST(merged_forests, of_any_parts_in_any_order_are_the_forest_of_the_whole) {
  std::mt19937 random{5};
  for (const std::uint64_t vertices : {40u, 3000u}) {
    const id_pairs edges = random_edges(vertices, vertices * 2 / 3, 7);
    for (const naming kind : all_namings) {
      const partial<labelling> whole = forest_of(edges, kind);
      for (const unsigned parts : {1u, 2u, 3u, 7u, 16u}) {
        const auto forests = forests_of_parts(edges, parts, kind);
        auto order = in_order(parts);
        for (int turn = 0; turn < 3; ++turn) {
          std::shuffle(order.begin(), order.end(), random);
          const partial<labelling> all = merged(forests, order, turn == 2 ? 3 : 1);
          ASSERT_EQ(checksum(all.answer()), checksum(whole.answer())) << parts << " parts, naming " << static_cast<int>(kind);
          ASSERT_EQ(bytes_of(all), bytes_of(whole)) << parts << " parts, naming " << static_cast<int>(kind);
        }
      }
    }
  }
}

TEST(merged_forests, do_not_depend_on_brackets_or_on_repeats) {
  const id_pairs edges = random_edges(500, 400, 3);
  for (const naming kind : all_namings) {
    const auto parts = forests_of_parts(edges, 3, kind);
    std::vector<partial<labelling>> left, right;
    left.push_back(merged(parts, {0, 1}));
    right.push_back(merged(parts, {1, 2}));
    merger<labelling> a, b;
    a.add(left[0]);
    a.add(parts[2]);
    a.add(parts[2]);
    a.add(left[0]);
    b.add(parts[0]);
    b.add(right[0]);
    const auto once = bytes_of(a.finish());
    EXPECT_EQ(once, bytes_of(b.finish()));
    EXPECT_EQ(once, bytes_of(merged(parts, {2, 1, 0})));
    EXPECT_EQ(bytes_of(merged(parts, {1, 1, 1})), bytes_of(parts[1]));
  }
}

TEST(merged_forests, of_many_blocks_by_several_threads) {
  const id_pairs edges = random_edges(200000, 180000, 11);
  for (const naming kind : {naming::dense, naming::sparse, naming::strings}) {
    const auto parts = forests_of_parts(edges, 3, kind);
    const auto expected = bytes_of(forest_of(edges, kind));
    for (const unsigned threads : {1u, 2u, 5u}) EXPECT_EQ(bytes_of(merged(parts, {2, 0, 1}, threads)), expected) << threads;
  }
}

TEST(merged_forests, of_nothing_and_of_one_vertex) {
  const partial<labelling> nothing;
  EXPECT_EQ(nothing.vertices(), 0u);
  merger<labelling> merger;
  EXPECT_EQ(merger.finish().vertices(), 0u);
  for (const naming kind : all_namings) {
    const partial<labelling> one = forest_of(id_pairs{{3, 3}}, kind), pair = forest_of(id_pairs{{3, 4}}, kind);
    EXPECT_EQ(one.vertices(), 1u);
    merger.add(nothing);
    merger.add(one);
    merger.add(partial<labelling>{});
    EXPECT_EQ(bytes_of(merger.finish()), bytes_of(one));
    merger.add(one);
    merger.add(pair);
    merger.add(one);
    EXPECT_EQ(bytes_of(merger.finish()), bytes_of(pair));
    EXPECT_EQ(merger.finish().vertices(), 0u) << "finish() leaves an empty merger";
  }
}

TEST(merged_forests, of_dense_and_sparse_parts) {
  id_pairs close, far;
  for (std::uint64_t v = 0; v < 1000; ++v) close.push_back({v, v / 2});
  for (std::uint64_t v = 0; v < 50; ++v) far.push_back({v * 7, 1000000 * (v + 1)});
  id_pairs all = close;
  all.insert(all.end(), far.begin(), far.end());
  const partial<labelling> a = forest_of(close, naming::dense), b = forest_of(far, naming::dense);
  merger<labelling> merger{{.threads = 2}};
  merger.add(b);
  merger.add(a);
  EXPECT_EQ(bytes_of(merger.finish()), bytes_of(forest_of(all, naming::dense)));
}

TEST(merged_forests, refuse_strings_among_integers) {
  for (const naming kind : {naming::dense, naming::sparse}) {
    merger<labelling> merger;
    merger.add(forest_of(id_pairs{{3, 4}}, kind));
    EXPECT_EQ(thrown<usage_error>([&] {
                merger.add(forest_of(id_pairs{{3, 4}}, naming::strings));
              }),
              "merge: found strings, expected integers as in the forests before");
    merger.add(forest_of(id_pairs{{4, 5}}, kind));
    EXPECT_EQ(merger.finish().vertices(), 3u) << "the merger is as it was";
  }
}

TEST(normal_form, of_equal_labels_found_in_different_ways) {
  // Slots with absent ones, names that count up from 1, names of their own, 64-bit labels: one forest.
  const std::uint32_t none = no_vertex<std::uint32_t>;
  const auto expected = bytes_of(partial<labelling>{to_labelling<std::uint32_t>({none, 1, 1, 3})});
  EXPECT_EQ(bytes_of(partial<labelling>{labelling{to_buffer<std::uint32_t>({0, 0, 2}), vertex_names::consecutive(1, 3)}}), expected);
  EXPECT_EQ(bytes_of(partial<labelling>{
                labelling{to_buffer<std::uint64_t>({0, 0, 2}), vertex_names::integers(to_buffer<std::uint64_t>({1, 2, 3}))}}),
            expected);
  EXPECT_EQ(bytes_of(partial<labelling>{to_labelling<std::uint64_t>({no_vertex<std::uint64_t>, 1, 1, 3})}), expected);
  EXPECT_EQ(bytes_of(partial<labelling>{to_labelling<std::uint32_t>({none, 1, 1, 3, none, none})}), expected);
}

TEST(normal_form, is_bounded_by_the_vertices_seen) {
  constexpr std::size_t head = 56;        // of the file, with its checksum
  constexpr std::size_t names_head = 32;  // of the names
  id_pairs edges;
  for (std::uint64_t v = 0; v < 1000; ++v) edges.push_back({v, v / 2});
  EXPECT_EQ(forest_of(edges, naming::dense).bytes().size(), head + 4 * 1000);
  EXPECT_LE(forest_of(edges, naming::gaps).bytes().size(), head + 8 * 1000);
  EXPECT_EQ(forest_of(edges, naming::sparse).bytes().size(), head + names_head + 8 * 1000);
  EXPECT_EQ(forest_of(edges, naming::wide).bytes().size(), head + names_head + 12 * 1000);
  EXPECT_EQ(forest_of(id_pairs{{0, 4000000000}}, naming::dense).bytes().size(), head + names_head + 8 * 2)
      << "not an array up to the largest";
}

TEST(normal_form, refuses_labels_that_are_none) {
  EXPECT_THROW(partial<labelling>{to_labelling<std::uint32_t>({1, 1})}, usage_error);
  EXPECT_THROW(partial<labelling>{to_labelling<std::uint32_t>({0, 0, 1})}, usage_error);
  EXPECT_THROW(partial<labelling>{dense(to_labelling<std::uint32_t>({0, 0, 2}))}, usage_error);
}

TEST(verify_merge, finds_labels_that_join_too_much_or_too_little) {
  for (const naming kind : all_namings) {
    const auto parts = forests_of_parts(random_edges(300, 200, 9), 3, kind);
    const auto verdict_of = [&parts](const partial<labelling>& answer, std::size_t parts_given) {
      std::size_t next = 0;
      return verify_merge(answer, [&]() -> std::optional<partial<labelling>> {
        if (next == parts_given) return std::nullopt;
        return partial<labelling>::from_bytes(bytes_of(parts[next++]));
      });
    };
    EXPECT_TRUE(verdict_of(merged(parts, {0, 1, 2}), 3)) << verdict_of(merged(parts, {0, 1, 2}), 3).reason;
    EXPECT_FALSE(verdict_of(merged(parts, {0, 1}), 3));
    EXPECT_FALSE(verdict_of(merged(parts, {0, 1, 2}), 2));
  }
}

TEST(incremental_files, are_forests_and_forests_of_slots_are_theirs) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / ("forest_" + std::to_string(getpid()));
  incremental live{0, {.record_forest = true}};
  live.insert(std::vector<edge<std::uint32_t>>{{1, 2}, {2, 3}, {5, 6}});
  live.save(file);
  const partial<labelling> opened = partial<labelling>::open(file);
  EXPECT_EQ(checksum(opened.answer()), checksum(live.labels()));
  opened.save(file);
  incremental again = incremental::open(file);
  EXPECT_EQ(again.count(), 2u);
  EXPECT_EQ(checksum(again.labels()), checksum(live.labels()));
  forest_of(id_pairs{{3, 4}}, naming::strings).save(file);
  EXPECT_THROW(incremental::open(file), input_error) << "positions are no ids";
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace copse::test
