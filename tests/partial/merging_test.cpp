// Merging partial answers: the answer of one process, whatever the parts, their order and the kind of ids; equal answers are equal bytes.
#include <copse/errors.hpp>
#include <copse/partial.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <numeric>

#include "partial/pieces.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

template <class Answer>
class merged_answers : public ::testing::Test {};
TYPED_TEST_SUITE(merged_answers, answers);

TYPED_TEST(merged_answers, of_any_parts_in_any_order_are_the_answer_of_the_whole) {
  std::mt19937 random{5};
  for (const std::uint64_t vertices : {40u, 3000u}) {
    // Of 10 edges per vertex parts have forests of all vertices, so that those of five parts give way to one.
    for (const std::uint64_t edges : {vertices * 2 / 3, vertices * 2, vertices * 10}) {
      const scored_pairs pairs = random_pairs(vertices, edges, 7);
      for (const naming kind : all_namings) {
        for (const forest_goal goal : {forest_goal::minimum, forest_goal::maximum}) {
          if (std::same_as<TypeParam, labelling> && goal == forest_goal::maximum) continue;  // components have no goal
          const auto one = part_of<TypeParam>(pairs, kind, goal);
          const auto whole = bytes_of(one);
          for (const unsigned parts : {1u, 2u, 3u, 7u, 16u}) {
            const auto answers = answers_of_parts<TypeParam>(pairs, parts, kind, goal);
            std::vector<std::size_t> order(parts);
            std::iota(order.begin(), order.end(), std::size_t{0});
            for (int turn = 0; turn < 2; ++turn) {
              std::shuffle(order.begin(), order.end(), random);
              const auto all = merged(answers, order, turn == 1 ? 3 : 1);
              ASSERT_EQ(bytes_of(all), whole) << parts << " parts, naming " << static_cast<int>(kind);
              if constexpr (std::same_as<TypeParam, labelling>) {
                ASSERT_EQ(checksum(all.answer()), checksum(one.answer()));
              }
            }
          }
        }
      }
    }
  }
}

TYPED_TEST(merged_answers, do_not_depend_on_brackets_or_on_repeats) {
  const scored_pairs pairs = random_pairs(500, 400, 3);
  for (const naming kind : all_namings) {
    const auto parts = answers_of_parts<TypeParam>(pairs, 3, kind);
    const auto left = merged(parts, {0, 1}), right = merged(parts, {1, 2});
    merger<TypeParam> a, b;
    for (const auto* part : {&left, &parts[2], &parts[2], &left}) a.add(*part);
    b.add(parts[0]);
    b.add(right);
    const auto once = bytes_of(a.finish());
    EXPECT_EQ(once, bytes_of(b.finish()));
    EXPECT_EQ(once, bytes_of(merge(parts)));
    EXPECT_EQ(bytes_of(merged(parts, {1, 1, 1, 1, 1, 1, 1, 1})), bytes_of(parts[1]));
  }
}

TYPED_TEST(merged_answers, of_many_blocks_by_several_threads) {
  const scored_pairs pairs = random_pairs(200000, 180000, 11);
  for (const naming kind : {naming::dense, naming::sparse, naming::negative, naming::strings}) {
    const auto parts = answers_of_parts<TypeParam>(pairs, 3, kind);
    const auto expected = bytes_of(part_of<TypeParam>(pairs, kind));
    for (const unsigned threads : {1u, 2u, 5u}) EXPECT_EQ(bytes_of(merged(parts, {2, 0, 1}, threads)), expected) << threads;
  }
}

TYPED_TEST(merged_answers, of_nothing_and_of_one_vertex) {
  const partial<TypeParam> nothing;
  EXPECT_EQ(nothing.vertices(), 0u);
  EXPECT_EQ(bytes_of(partial<TypeParam>::from_bytes(bytes_of(nothing))), bytes_of(nothing));
  merger<TypeParam> merger;
  EXPECT_EQ(merger.finish().vertices(), 0u);
  for (const naming kind : all_namings) {
    const auto one = part_of<TypeParam>({{3, 3, 1}}, kind), pair = part_of<TypeParam>({{3, 4, 0.5}}, kind);
    EXPECT_EQ(one.vertices(), 1u);
    merger.add(nothing);
    merger.add(one);
    merger.add(partial<TypeParam>{});
    EXPECT_EQ(bytes_of(merger.finish()), bytes_of(one));
    merger.add(one);
    merger.add(pair);
    merger.add(one);
    EXPECT_EQ(bytes_of(merger.finish()), bytes_of(pair));
    EXPECT_EQ(merger.finish().vertices(), 0u) << "finish() leaves an empty merger";
  }
}

TYPED_TEST(merged_answers, of_dense_and_sparse_parts) {
  scored_pairs close, far;
  for (std::uint64_t v = 0; v < 1000; ++v) close.push_back({v, v / 2, 1});
  for (std::uint64_t v = 0; v < 50; ++v) far.push_back({v * 7, 1000000 * (v + 1), 0.5});
  scored_pairs all = close;
  all.insert(all.end(), far.begin(), far.end());
  merger<TypeParam> merger{{.threads = 2}};
  merger.add(part_of<TypeParam>(far, naming::dense));
  merger.add(part_of<TypeParam>(close, naming::dense));
  EXPECT_EQ(bytes_of(merger.finish()), bytes_of(part_of<TypeParam>(all, naming::dense)));
}

TYPED_TEST(merged_answers, refuse_strings_among_integers) {
  const scored_pairs pairs{{3, 4, 1}};
  for (const naming kind : {naming::dense, naming::sparse}) {
    merger<TypeParam> merger;
    merger.add(part_of<TypeParam>(pairs, kind));
    EXPECT_EQ(thrown<usage_error>([&] { merger.add(part_of<TypeParam>(pairs, naming::strings)); }),
              "merge: found strings, expected integers as in the forests before");
    merger.add(part_of<TypeParam>({{4, 5, 1}}, kind));
    EXPECT_EQ(merger.finish().vertices(), 3u) << "the merger is as it was";
  }
}

TYPED_TEST(merged_answers, refuse_negative_ids_among_large_ones) {
  const auto small = part_of<TypeParam>({{3, 4, 1}}, naming::dense), large = part_of<TypeParam>({{UINT64_MAX, 3, 1}}, naming::dense),
             negative = part_of<TypeParam>({{9, 3, 1}}, naming::negative);  // -1 and -7
  for (const bool negative_first : {false, true}) {
    const auto &first = negative_first ? negative : large, &other = negative_first ? large : negative;
    merger<TypeParam> merger;
    for (const auto* part : {&small, &first, &small}) merger.add(*part);
    EXPECT_EQ(thrown<usage_error>([&] { merger.add(other); }),
              negative_first ? "merge: found the id 18446744073709551615, expected ids below 2^63, as a forest before has -7"
                             : "merge: found the id -7, expected ids of 0 or more, as a forest before has 18446744073709551615");
    merger.add(small);
    EXPECT_EQ(merger.finish().vertices(), negative_first ? 4u : 3u) << "the merger is as it was";
    merger.add(other);
    EXPECT_EQ(merger.finish().vertices(), 2u) << "finish() leaves an empty merger";
  }
}

TYPED_TEST(merged_answers, are_proved_against_their_parts) {
  for (const naming kind : all_namings) {
    const auto parts = answers_of_parts<TypeParam>(random_pairs(300, 200, 9), 3, kind);
    EXPECT_TRUE(proof_of(merge(parts), parts, 3)) << proof_of(merge(parts), parts, 3).reason;
    EXPECT_FALSE(proof_of(merged(parts, {0, 1}), parts, 3));
    EXPECT_FALSE(proof_of(merge(parts), parts, 2));
  }
  EXPECT_TRUE(proof_of<TypeParam>({}, {}, 0));
}

TYPED_TEST(merged_answers, are_proved_against_parts_of_one_kind_of_ids) {
  const scored_pairs pairs{{3, 4, 1}};
  std::vector<partial<TypeParam>> parts;
  parts.push_back(part_of<TypeParam>(pairs, naming::dense));
  parts.push_back(part_of<TypeParam>(pairs, naming::strings));
  EXPECT_EQ(thrown<usage_error>([&] { proof_of(parts.front(), parts, 2); }), "verify: ids must be of one kind, not strings after integers");
}

TYPED_TEST(merged_answers, are_proved_against_parts_of_one_sign) {
  std::vector<partial<TypeParam>> parts;
  parts.push_back(part_of<TypeParam>({{9, 10, 1}}, naming::negative));  // -1 and 0
  parts.push_back(part_of<TypeParam>({{UINT64_MAX, 0, 1}}, naming::dense));
  EXPECT_TRUE(proof_of(parts.front(), parts, 1));
  EXPECT_FALSE(proof_of(parts.back(), parts, 1)) << "the other sign";
  EXPECT_EQ(thrown<usage_error>([&] { proof_of(parts.front(), parts, 2); }),
            "verify: some ids are negative and others above 2^63 - 1, which no type of integers holds");
}

}  // namespace
}  // namespace copse::test
