// Thresholds are rounded once to the precision of the weights, wherever a forest goes.
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <copse/hierarchy.hpp>
#include <copse/partial.hpp>
#include <copse/weighted_forest.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "support/thrown.hpp"

namespace copse::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The path 0-1-2-... with these weights.
template <class Weight>
weighted_graph path(const std::vector<Weight>& weights, weight_precision precision = weight_precision::full) {
  coo<std::uint32_t> list{static_cast<std::uint32_t>(weights.size() + 1), buffer<edge<std::uint32_t>>{weights.size()}};
  buffer<Weight> column{weights.size()};
  for (std::uint32_t i = 0; i < weights.size(); ++i) {
    list.edges[i] = {i, i + 1};
    column[i] = weights[i];
  }
  return {graph{std::move(list)}, weight_column{std::move(column), precision}};
}

/// Components at a threshold, in every way to ask, of a maximum forest.
std::uint64_t components_at(const graph& forest, weights_view weights, double threshold) {
  const hierarchy joined{forest, weights};
  const std::uint64_t found = joined.curve(std::vector{threshold})[0].components;
  EXPECT_EQ(threshold_curve(forest, weights, std::vector{threshold})[0].components, found) << threshold;
  EXPECT_EQ(threshold_curve(forest, weights, std::vector<double>(5000, threshold))[4999].components, found) << threshold;
  const labelling labels = joined.labels_at(threshold);
  std::uint64_t roots = 0;
  for (std::uint64_t v = 0; v < labels.slots(); ++v) roots += labels.label(v) == v ? 1 : 0;
  EXPECT_EQ(roots, found) << threshold;
  return found;
}
std::uint64_t components_at(const weighted_graph& g, double threshold) {
  const weighted_forest_result found = weighted_forest(g, {.goal = forest_goal::maximum});
  return components_at(found.edges, found.weights.view(), threshold);
}

TEST(rounded_thresholds, of_32_bits_are_those_of_the_machine) {
  std::mt19937_64 random{7};
  for (int i = 0; i < 100000; ++i) {
    const auto number = std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), static_cast<int>(random() % 340) - 230);
    const double float_number =
        std::abs(number) < 0x1.ffffffp127 ? static_cast<double>(static_cast<float>(number)) : std::copysign(infinity, number);
    ASSERT_EQ(rounded_threshold(number, weight_precision::single), float_number) << number;
    ASSERT_EQ(rounded_threshold(number, weight_precision::full), number);
  }
  for (const double odd : {0.0, infinity, -infinity, 0x1p-149, 0x1p-150, 0x1.8p-150, -0x1p-126}) {
    EXPECT_EQ(rounded_threshold(odd, weight_precision::single), static_cast<double>(static_cast<float>(odd))) << odd;
  }
}

TEST(rounded_thresholds, of_16_bits_are_those_of_ieee_754) {
  const auto half = [](double number) { return rounded_threshold(number, weight_precision::half); };
  EXPECT_EQ(half(.9), 0.89990234375);
  EXPECT_EQ(half(1.0 / 3), 0.333251953125);
  EXPECT_EQ(half(65504), 65504);
  EXPECT_EQ(half(65519.999), 65504);
  EXPECT_EQ(half(65520), infinity);
  EXPECT_EQ(half(-1e300), -infinity);
  EXPECT_EQ(half(2049), 2048) << "ties to even";
  EXPECT_EQ(half(2051), 2052) << "ties to even";
  EXPECT_EQ(half(0x1p-24), 0x1p-24);
  EXPECT_EQ(half(0x1p-25), 0) << "ties to even";
  EXPECT_EQ(half(0x1.8p-25), 0x1p-24);
}

TEST(precision, floats_reach_the_threshold_that_rounds_to_them) {
  const auto g = path(std::vector{.9F, .5F});
  EXPECT_EQ(components_at(g, .9), 2u);
  EXPECT_EQ(components_at(g, std::nextafter(.9F, 2.F)), 3u);
  EXPECT_EQ(components_at(g, .5), 1u);
  EXPECT_EQ(components_at(g, 1e300), 3u);
  EXPECT_EQ(components_at(g, -1e300), 1u);
  EXPECT_EQ(components_at(path(std::vector{static_cast<double>(.9F), .5}), .9), 3u) << "a double is compared as it is";
  EXPECT_EQ(components_at(path(std::vector{static_cast<double>(.9F), .5}, weight_precision::single), .9), 2u);
  EXPECT_EQ(components_at(path(std::vector{.89990234375F, .5F}, weight_precision::half), .9), 2u);
}

TEST(precision, integers_of_any_size_are_compared_exactly) {
  const std::int64_t big = std::int64_t{1} << 53;
  const auto g = path(std::vector<std::int64_t>{big + 3, -big - 1, std::numeric_limits<std::int64_t>::max()});
  EXPECT_EQ(components_at(g, 0x1p53 + 2), 2u);
  EXPECT_EQ(components_at(g, 0x1p53 + 4), 3u) << "to which 2^53 + 3 is rounded";
  EXPECT_EQ(components_at(g, 0x1p63), 4u);
  EXPECT_EQ(components_at(g, -0x1p53), 2u) << "to which -2^53 - 1 is rounded";
  EXPECT_EQ(components_at(g, -0x1p53 - 2), 1u);
  const auto wide = path(std::vector<std::uint64_t>{std::numeric_limits<std::uint64_t>::max(), 5});
  EXPECT_EQ(components_at(wide, 0x1p64), 3u);
  EXPECT_EQ(components_at(wide, 0x1.fffffffffffffp63), 2u);
}

TEST(precision, goes_with_a_forest_that_is_saved_and_merged) {
  const auto part = [](std::vector<double> weights, weight_precision precision) {
    const weighted_graph g = path(weights, precision);
    return partial<weighted_forest_result>{weighted_forest(g, {.goal = forest_goal::maximum})};
  };
  for (const auto precision : {weight_precision::single, weight_precision::half}) {
    const double weight = rounded_threshold(.9, precision);
    const auto first = part({weight, 0}, precision), second = part({0, weight}, precision);
    const auto bytes = first.bytes();
    const auto again = partial<weighted_forest_result>::from_bytes(std::span{bytes.data(), bytes.size()});
    EXPECT_EQ(again.answer().weights.precision(), precision);
    merger<weighted_forest_result> merger;
    merger.add(again);
    merger.add(second);
    const auto merged = merger.finish();
    EXPECT_EQ(merged.answer().weights.precision(), precision);
    EXPECT_EQ(components_at(merged.answer().edges, merged.answer().weights.view(), .9), 1u);
    merger.add(first);
    EXPECT_NE(thrown<usage_error>([&] { merger.add(part({.9}, weight_precision::full)); }).find("bits, as those before, not 64"),
              std::string::npos);
  }
}

TEST(precision, is_said_once_of_edges_that_come_in_batches) {
  const std::vector<std::uint32_t> sources{0, 1}, targets{1, 2};
  const std::vector<std::string_view> names{"a", "b"}, others{"b", "c"};
  const std::vector<double> weights{static_cast<double>(.9F), .5};
  for (const bool strings : {false, true}) {
    weighted_edge_sink sink{{.goal = forest_goal::maximum}};
    sink.set_precision(weight_precision::single);
    strings ? sink.add({names, others}, weights) : sink.add({sources, targets}, weights);
    sink.set_precision(weight_precision::single);
    EXPECT_THROW(sink.set_precision(weight_precision::full), usage_error);
    EXPECT_EQ(components_at(sink.forest().edges, sink.forest().weights.view(), .9), 2u);
  }
}

TEST(thresholds, that_no_weight_reaches_have_a_note) {
  const auto said = [](const weighted_graph& g, double t) { return unreached_threshold(g.weights.view(), t); };
  EXPECT_EQ(said(path(std::vector{.5, .25}), .9), "no weight reaches the threshold 0.9: the largest is 0.5");
  EXPECT_EQ(said(path(std::vector{.5, .25}), .5), "");
  EXPECT_EQ(said(path(std::vector{.9F}), .9), "");
  EXPECT_EQ(said(path(std::vector<double>{}), .9), "") << "there are none";
  EXPECT_EQ(said(path(std::vector{7}), 8), "no weight reaches the threshold 8: the largest is 7");
}

}  // namespace
}  // namespace copse::test
