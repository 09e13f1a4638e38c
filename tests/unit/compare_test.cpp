// compare() against the definitions: every pair of records and every record looked at by itself, examples by hand, and values of
// scikit-learn.
#include <copse/compare.hpp>
#include <copse/errors.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "support/thrown.hpp"

namespace copse {
namespace {

using test::thrown;

using labels = std::vector<std::uint32_t>;
using texts = std::vector<std::string_view>;

/// What the definitions say, by all pairs and by each record's own two groups.
partition_comparison by_definition(const labels& clusters, const labels& truth) {
  partition_comparison c;
  const std::size_t n = clusters.size();
  c.records = n;
  c.clusters = std::set(clusters.begin(), clusters.end()).size();
  c.truth_clusters = std::set(truth.begin(), truth.end()).size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      c.cluster_pairs += clusters[i] == clusters[j];
      c.truth_pairs += truth[i] == truth[j];
      c.common_pairs += clusters[i] == clusters[j] && truth[i] == truth[j];
    }
  }
  const auto of = [](double part, double whole) { return whole == 0 ? 1 : part / whole; };
  const auto common = static_cast<double>(c.common_pairs), ours = static_cast<double>(c.cluster_pairs),
             theirs = static_cast<double>(c.truth_pairs);
  c.pairwise = {of(common, ours), of(common, theirs), of(2 * common, ours + theirs)};
  double precision = 0, recall = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double both = 0, cluster = 0, real = 0;
    for (std::size_t j = 0; j < n; ++j) {
      both += clusters[i] == clusters[j] && truth[i] == truth[j];
      cluster += clusters[i] == clusters[j];
      real += truth[i] == truth[j];
    }
    precision += both / cluster;
    recall += both / real;
  }
  precision /= static_cast<double>(n);
  recall /= static_cast<double>(n);
  c.b_cubed = {precision, recall, 2 * precision * recall / (precision + recall)};
  // As scikit-learn has it, from the four kinds of pairs.
  const double all = static_cast<double>(n) * (static_cast<double>(n) - 1) / 2, tp = common, fp = ours - common, fn = theirs - common,
               tn = all - tp - fp - fn;
  c.adjusted_rand_index = fn == 0 && fp == 0 ? 1 : 2 * (tp * tn - fn * fp) / ((tp + fn) * (fn + tn) + (tp + fp) * (fp + tn));
  return c;
}

/// The groups of `of` that `by` breaks, all of them, with all of their parts.
broken_groups broken_by_definition(const labels& of, const labels& by) {
  std::map<std::uint32_t, std::map<std::uint32_t, std::uint64_t>> cells;
  for (std::size_t i = 0; i < of.size(); ++i) ++cells[of[i]][by[i]];
  broken_groups result;
  for (const auto& [label, parts] : cells) {
    if (parts.size() == 1) continue;
    broken_group group{std::uint64_t{label}, 0, 0, parts.size(), {}};
    for (const auto& [other, records] : parts) {
      group.pairs += group.records * records;
      group.records += records;
      group.largest.push_back({std::uint64_t{other}, records});
    }
    std::ranges::stable_sort(group.largest, [](const auto& a, const auto& b) { return a.records > b.records; });
    result.worst.push_back(group);
  }
  std::ranges::stable_sort(result.worst, [](const auto& a, const auto& b) { return a.pairs > b.pairs; });
  result.count = result.worst.size();
  return result;
}

void expect_scores(const agreement_scores& found, const agreement_scores& expected) {
  EXPECT_NEAR(found.precision, expected.precision, 1e-12);
  EXPECT_NEAR(found.recall, expected.recall, 1e-12);
  EXPECT_NEAR(found.f1, expected.f1, 1e-12);
}

void expect_equal(const partition_comparison& found, const partition_comparison& expected) {
  EXPECT_EQ(found.records, expected.records);
  EXPECT_EQ(found.clusters, expected.clusters);
  EXPECT_EQ(found.truth_clusters, expected.truth_clusters);
  EXPECT_EQ(found.cluster_pairs, expected.cluster_pairs);
  EXPECT_EQ(found.truth_pairs, expected.truth_pairs);
  EXPECT_EQ(found.common_pairs, expected.common_pairs);
  expect_scores(found.pairwise, expected.pairwise);
  expect_scores(found.b_cubed, expected.b_cubed);
  EXPECT_NEAR(found.adjusted_rand_index, expected.adjusted_rand_index, 1e-12);
}

void expect_first(const broken_groups& found, const broken_groups& all, std::size_t worst, std::size_t shares) {
  EXPECT_EQ(found.count, all.count);
  ASSERT_EQ(found.worst.size(), std::min<std::size_t>(worst, all.count));
  for (std::size_t k = 0; k < found.worst.size(); ++k) {
    broken_group expected = all.worst[k];
    if (expected.largest.size() > shares) expected.largest.resize(shares);
    EXPECT_EQ(found.worst[k], expected) << k;
  }
}

labels random_labels(std::mt19937_64& random, std::size_t count) {
  const auto different = std::uniform_int_distribution<std::uint32_t>{1, static_cast<std::uint32_t>(count) + 2}(random);
  labels made(count);
  for (auto& label : made) label = std::uniform_int_distribution<std::uint32_t>{0, different - 1}(random)*7 + 3;
  return made;
}

TEST(Compare, small_random_partitions_are_as_the_definitions_say) {
  std::mt19937_64 random{44};
  for (int round = 0; round < 4000; ++round) {
    const auto count = std::uniform_int_distribution<std::size_t>{1, 24}(random);
    const labels clusters = random_labels(random, count), truth = random_labels(random, count);
    const auto expected = by_definition(clusters, truth);
    const auto splits = broken_by_definition(truth, clusters), merges = broken_by_definition(clusters, truth);
    const comparison_options options{.worst = static_cast<std::size_t>(round % 4), .shares = static_cast<std::size_t>(round % 3)};
    for (const unsigned threads : {1u, 2u, 7u}) {
      const auto found = compare(clusters, truth, options, {.threads = threads});
      expect_equal(found, expected);
      expect_first(found.splits, splits, options.worst, options.shares);
      expect_first(found.merges, merges, options.worst, options.shares);
      ASSERT_FALSE(HasFailure()) << "round " << round << ", threads " << threads;
    }
  }
}

TEST(Compare, many_records_are_counted_alike_by_any_number_of_threads_and_in_any_order) {
  std::mt19937_64 random{7};
  constexpr std::size_t count = 400'000;
  labels clusters(count), truth(count);
  for (std::size_t i = 0; i < count; ++i) {
    // One large cluster of many small ones of the truth, one large one of the truth in many clusters, and pairs.
    truth[i] = static_cast<std::uint32_t>(i < count / 3 ? i : i < 2 * count / 3 ? 999'999 : i / 2);
    clusters[i] = static_cast<std::uint32_t>(i < count / 3 ? 1'999'999 : i < 2 * count / 3 ? i / 3 : i / 2 + (random() % 50 == 0 ? 1 : 0));
  }
  const auto splits = broken_by_definition(truth, clusters), merges = broken_by_definition(clusters, truth);
  const auto alone = compare(clusters, truth, {}, {.threads = 1});
  expect_first(alone.splits, splits, 5, 5);
  expect_first(alone.merges, merges, 5, 5);
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), random);
  labels shuffled_clusters(count), shuffled_truth(count);
  for (std::size_t i = 0; i < count; ++i) {
    shuffled_clusters[i] = clusters[order[i]];
    shuffled_truth[i] = truth[order[i]];
  }
  for (const unsigned threads : {2u, 7u}) {
    for (const auto& found :
         {compare(clusters, truth, {}, {.threads = threads}), compare(shuffled_clusters, shuffled_truth, {}, {.threads = threads})}) {
      EXPECT_EQ(found.common_pairs, alone.common_pairs);
      EXPECT_EQ(found.b_cubed.precision, alone.b_cubed.precision);
      EXPECT_EQ(found.b_cubed.recall, alone.b_cubed.recall);
      EXPECT_EQ(found.adjusted_rand_index, alone.adjusted_rand_index);
      EXPECT_EQ(found.splits.worst, alone.splits.worst);
      EXPECT_EQ(found.merges.worst, alone.merges.worst);
    }
  }
}

TEST(Compare, the_example_of_manning_raghavan_and_schuetze) {
  // Introduction to Information Retrieval, figure 16.4: TP = 20, FP = 20, FN = 24, TN = 72, by hand in the text; x = 0, o = 1, diamond = 2.
  const labels clusters{1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3}, truth{0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 2, 0, 0, 2, 2, 2};
  const auto found = compare(clusters, truth);
  EXPECT_EQ(found.common_pairs, 20u);
  EXPECT_EQ(found.cluster_pairs, 40u);
  EXPECT_EQ(found.truth_pairs, 44u);
  EXPECT_DOUBLE_EQ(found.pairwise.precision, .5);
  EXPECT_DOUBLE_EQ(found.pairwise.recall, 20. / 44);
  EXPECT_DOUBLE_EQ(found.pairwise.f1, 40. / 84);
  EXPECT_DOUBLE_EQ(found.adjusted_rand_index, (20 - 40. * 44 / 136) / (42 - 40. * 44 / 136));
  EXPECT_DOUBLE_EQ(found.b_cubed.precision, (26. / 6 + 18. / 6 + 13. / 5) / 17);
  EXPECT_DOUBLE_EQ(found.b_cubed.recall, (30. / 8 + 17. / 5 + 10. / 4) / 17);
  EXPECT_EQ(found.splits.count, 3u);
  EXPECT_EQ(found.merges.count, 3u);
}

TEST(Compare, values_of_scikit_learn) {
  // sklearn 1.9.1: adjusted_rand_score([0, 0, 1, 1], ...).
  EXPECT_DOUBLE_EQ(compare(labels{0, 0, 1, 1}, labels{0, 0, 1, 2}).adjusted_rand_index, 0.5714285714285714);
  EXPECT_DOUBLE_EQ(compare(labels{0, 0, 1, 1}, labels{0, 1, 0, 1}).adjusted_rand_index, -0.5);
  EXPECT_DOUBLE_EQ(compare(labels{0, 0, 0, 0}, labels{0, 1, 2, 3}).adjusted_rand_index, 0);
  EXPECT_DOUBLE_EQ(compare(labels{5}, labels{9}).adjusted_rand_index, 1);
}

TEST(Compare, nothing_that_could_be_wrong_is_right) {
  const auto apart = compare(labels{1, 2, 3}, labels{7, 8, 9});
  expect_scores(apart.pairwise, {1, 1, 1});
  expect_scores(apart.b_cubed, {1, 1, 1});
  const auto missed = compare(labels{1, 2, 3}, labels{7, 7, 7});
  expect_scores(missed.pairwise, {1, 0, 0});
  expect_scores(missed.b_cubed, {1, 1. / 3, .5});
}

TEST(Compare, a_cluster_of_more_pairs_than_32_bits_hold) {
  constexpr std::uint64_t count = 100'001;
  const labels together(count, 5);
  labels halves(count, 1);
  std::fill(halves.begin() + 50'000, halves.end(), 2);
  const auto found = compare(together, halves);
  EXPECT_EQ(found.cluster_pairs, 5'000'050'000u);
  EXPECT_EQ(found.truth_pairs, 50'000ull * 49'999 / 2 + 50'001ull * 50'000 / 2);
  EXPECT_EQ(found.common_pairs, found.truth_pairs);
  EXPECT_DOUBLE_EQ(found.adjusted_rand_index, 0) << "the products of pairs need more than 64 bits";
  EXPECT_EQ(found.merges.worst.front().pairs, 50'000ull * 50'001);
  expect_scores(compare(together, together).b_cubed, {1, 1, 1});
  EXPECT_EQ(compare(together, together).b_cubed.precision, 1);
}

TEST(Compare, sums_of_fractions_that_no_double_holds_are_right_to_the_last_bits) {
  // Clusters of every size up to 600, each with one record of another cluster of the truth: ((s-1)^2 + 1) / s.
  labels clusters, truth;
  long double sum = 0;
  for (std::uint32_t size = 1; size <= 600; ++size) {
    clusters.insert(clusters.end(), size, size);
    truth.insert(truth.end(), size - 1, size);
    truth.push_back(1'000'000 + size);
    const long double s = size;
    sum += size == 1 ? 1.L : ((s - 1) * (s - 1) + 1) / s;
  }
  const double expected = static_cast<double>(sum / static_cast<long double>(clusters.size()));
  EXPECT_NEAR(compare(clusters, truth).b_cubed.precision, expected, 4 * 0x1p-53);
}

TEST(Compare, ids_and_labels_of_every_kind_give_one_answer) {
  const std::vector<std::int64_t> ids{-5, 0, 9'000'000'000, 3};
  const std::vector<std::int32_t> reversed{3, 0, -5};
  const texts names{"a", "", "b\n", "c"}, reversed_names{"c", "", "a"};
  const std::vector<std::uint64_t> large{UINT64_MAX, 1, UINT64_MAX, 1};
  const texts entities{"x", "y", "y"};
  const auto check = [&](const auto& sinked) {
    EXPECT_EQ(sinked.records, 3u);
    EXPECT_EQ(sinked.only_in_clusters, 1u);
    EXPECT_EQ(sinked.only_in_truth, 0u);
    EXPECT_EQ(sinked.cluster_pairs, 1u);
    EXPECT_EQ(sinked.truth_pairs, 1u);
    EXPECT_EQ(sinked.common_pairs, 0u);
    ASSERT_EQ(sinked.merges.worst.size(), 1u);
    EXPECT_EQ(sinked.merges.worst.front(), (broken_group{std::uint64_t{1}, 2, 1, 2, {{"x", 1}, {"y", 1}}}));
    ASSERT_EQ(sinked.splits.worst.size(), 1u);
    EXPECT_EQ(sinked.splits.worst.front(), (broken_group{"y", 2, 1, 2, {{std::uint64_t{1}, 1}, {UINT64_MAX, 1}}}));
  };
  for (const unsigned threads : {1u, 3u}) {
    comparison_sink integers{{.common = true}, {.threads = threads}}, strings{{.common = true}, {.threads = threads}};
    integers.add(labelled_by::clusters, ids, large);
    integers.add(labelled_by::truth, std::vector<std::int32_t>{3}, texts{"x"});
    integers.add(labelled_by::truth, std::vector<std::int32_t>{0, -5}, texts{"y", "y"});
    check(integers.finish());
    strings.add(labelled_by::truth, reversed_names, entities);
    strings.add(labelled_by::clusters, names, large);
    check(strings.finish());
  }
}

TEST(Compare, integers_are_compared_with_strings_by_their_digits) {
  for (const unsigned threads : {1u, 3u}) {
    comparison_sink sink{{.ids_as_text = true}, {.threads = threads}};
    sink.add(labelled_by::clusters, std::vector<std::int64_t>{INT64_MIN, -1, 0, 70}, labels{1, 1, 2, 2});
    sink.add(labelled_by::truth, texts{"70", "0", "-1", "-9223372036854775808"}, labels{5, 5, 6, 6});
    EXPECT_EQ(sink.finish().adjusted_rand_index, 1);
    comparison_sink large{{.ids_as_text = true}, {.threads = threads}};
    large.add(labelled_by::clusters, std::vector<std::uint64_t>{UINT64_MAX}, labels{1});
    large.add(labelled_by::truth, texts{"18446744073709551615"}, labels{5});
    EXPECT_EQ(large.finish().records, 1u);
  }
}

TEST(Compare, negative_labels_are_ordered_and_told_as_such) {
  const std::vector<std::int64_t> signed_labels{-1, -1, 4, 4};
  const auto found = compare(signed_labels, labels{1, 2, 3, 5});
  ASSERT_EQ(found.merges.worst.size(), 2u);
  EXPECT_EQ(found.merges.worst[0].label, label_value{std::int64_t{-1}});
  EXPECT_EQ(found.merges.worst[1].label, label_value{std::int64_t{4}});
}

TEST(Compare, records_of_one_table_are_refused_or_counted) {
  const auto sink_of = [](bool common) {
    comparison_sink sink{{.common = common}};
    sink.add(labelled_by::clusters, labels{1, 2, 3, 40}, labels{1, 1, 1, 1});
    sink.add(labelled_by::truth, labels{2, 3, 9, 8, 7}, labels{1, 1, 1, 1, 1});
    return sink;
  };
  const std::string text = thrown<input_error>([&] { static_cast<void>(sink_of(false).finish()); });
  EXPECT_NE(text.find("2 records only in the clusters, such as 1, and 3 records only in the truth, such as 7"), std::string::npos) << text;
  const auto found = sink_of(true).finish();
  EXPECT_EQ(std::tuple(found.records, found.only_in_clusters, found.only_in_truth, found.cluster_pairs), std::tuple(2u, 2u, 3u, 1u));
}

TEST(Compare, what_cannot_be_compared_is_refused) {
  const labels three{1, 2, 3}, two{1, 2};
  EXPECT_NE(thrown<usage_error>([&] { static_cast<void>(compare(three, two)); }).find("not 3 and 2 labels"), std::string::npos);
  EXPECT_NE(thrown<input_error>([&] { static_cast<void>(compare(labels{}, labels{})); }).find("no record"), std::string::npos);
  comparison_sink sink;
  EXPECT_NE(
      thrown<usage_error>([&] { sink.add(labelled_by::truth, three, two); }).find("ids and labels must have the same length, not 3 and 2"),
      std::string::npos);
  sink.add(labelled_by::truth, three, three);
  EXPECT_NE(thrown<mixed_ids_error>([&] {
              sink.add(labelled_by::clusters, texts{"a", "b"}, two);
            }).find("expected integers"),
            std::string::npos);
}

TEST(Compare, a_record_that_comes_twice_is_refused) {
  for (const unsigned threads : {1u, 4u}) {
    comparison_sink sink{{}, {.threads = threads}};
    sink.add(labelled_by::clusters, texts{"b", "a", "b", "a"}, labels{1, 2, 1, 2});
    sink.add(labelled_by::truth, texts{"a", "b"}, labels{1, 2});
    const std::string text = thrown<input_error>([&] { static_cast<void>(sink.finish()); });
    EXPECT_NE(text.find("the record \"a\" more than once"), std::string::npos) << text;
  }
}

TEST(Compare, a_sink_takes_no_more_after_a_refusal_and_after_its_answer) {
  comparison_sink sink;
  sink.add(labelled_by::clusters, labels{1}, labels{1});
  EXPECT_FALSE(thrown<mixed_ids_error>([&] { sink.add(labelled_by::truth, texts{"1"}, labels{1}); }).empty());
  EXPECT_FALSE(thrown<usage_error>([&] { sink.add(labelled_by::truth, labels{1}, labels{1}); }).empty());
  comparison_sink other;
  other.add(labelled_by::clusters, labels{1}, labels{1});
  other.add(labelled_by::truth, labels{1}, labels{1});
  EXPECT_EQ(other.finish().records, 1u);
  EXPECT_FALSE(thrown<usage_error>([&] { static_cast<void>(other.finish()); }).empty());
}

TEST(Compare, ids_with_one_meaning_too_many_are_refused) {
  comparison_sink sink;
  sink.add(labelled_by::clusters, std::vector<std::uint64_t>{UINT64_MAX}, labels{1});
  EXPECT_FALSE(thrown<input_error>([&] { sink.add(labelled_by::truth, std::vector<std::int64_t>{-1}, labels{1}); }).empty());
}

}  // namespace
}  // namespace copse
