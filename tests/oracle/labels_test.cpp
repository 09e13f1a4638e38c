// Sizes, dense numbers and the checksum of labellings whose answers are known or counted another way.
#include <copse/labels.hpp>
#include <support/labels.hpp>
#include <support/reference.hpp>
#include <support/zoo.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <set>
#include <span>

namespace copse::test {
namespace {

using labels32 = std::vector<std::uint32_t>;

TEST(summary, of_nothing) {
  const component_summary s = summarise(to_labelling(labels32{}), 3);
  EXPECT_EQ(s.vertices, 0u);
  EXPECT_EQ(s.components, 0u);
  EXPECT_EQ(s.isolated, 0u);
  EXPECT_EQ(s.largest, (component{0, 0}));
  EXPECT_TRUE(s.top.empty());
  EXPECT_TRUE(s.histogram.empty());
}

TEST(summary, counts_ranks_and_leaves_absent_slots_out) {
  // sizes: 0 -> 3, 1 -> 1, 4 -> 4, 7 -> 3, 9 absent, 12 -> 1
  const labels32 labels{0, 1, 0, 0, 4, 4, 4, 7, 4, absent, 7, 7, 12};
  const component_summary s = summarise(to_labelling(labels), 3);
  EXPECT_EQ(s.vertices, 12u);
  EXPECT_EQ(s.components, 5u);
  EXPECT_EQ(s.isolated, 2u);
  EXPECT_EQ(s.largest, (component{4, 4}));
  EXPECT_EQ(s.top, (std::vector<component>{{4, 4}, {0, 3}, {7, 3}}));
  EXPECT_EQ(s.histogram, (std::vector<std::uint64_t>{2, 2, 1}));
  EXPECT_EQ(component_sizes(to_labelling(labels)), (std::vector<component>{{0, 3}, {1, 1}, {4, 4}, {7, 3}, {12, 1}}));
}

TEST(summary, agrees_with_a_map_on_the_zoo) {
  for (const zoo_graph& animal : zoo(4)) {
    const labels32 labels = reference_labels(animal.edges.view());
    std::map<std::uint64_t, std::uint64_t> sizes;
    for (const std::uint32_t label : labels) ++sizes[label];
    std::vector<component> expected;
    for (const auto& [label, size] : sizes) expected.push_back({label, size});
    EXPECT_EQ(component_sizes(to_labelling(labels)), expected) << animal.name;

    std::ranges::stable_sort(expected, [](const component& a, const component& b) { return a.size > b.size; });
    const component_summary s = summarise(to_labelling(labels), 5);
    EXPECT_EQ(s.components, expected.size()) << animal.name;
    EXPECT_EQ(s.vertices, labels.size()) << animal.name;
    expected.resize(std::min<std::size_t>(expected.size(), 5));
    EXPECT_EQ(s.top, expected) << animal.name;
    EXPECT_EQ(s.largest, expected.empty() ? component{} : expected.front()) << animal.name;
  }
}

// Runs of a label and of absent slots of all lengths, which are counted many at once.
TEST(summary, agrees_with_a_map_on_runs) {
  labels32 labels;
  for (std::uint32_t length = 1; length < 100; ++length) {
    const auto first = static_cast<std::uint32_t>(labels.size());
    labels.insert(labels.end(), length, first);
    labels.insert(labels.end(), 100 - length, absent);
    for (std::uint32_t i = 0; i < length % 7; ++i) labels.push_back(i % 2 == 0 ? 0 : first);
  }
  std::map<std::uint64_t, std::uint64_t> sizes;
  for (const std::uint32_t label : labels) {
    if (label != absent) ++sizes[label];
  }
  std::vector<component> expected;
  for (const auto& [label, size] : sizes) expected.push_back({label, size});
  EXPECT_EQ(component_sizes(to_labelling(labels)), expected);
  std::vector<std::uint64_t> wide(labels.begin(), labels.end());
  std::ranges::replace(wide, std::uint64_t{absent}, no_vertex<std::uint64_t>);
  EXPECT_EQ(component_sizes(to_labelling(wide)), expected);
}

/// More slots than one thread takes at once; every fifth is absent, and components are of four shapes: two giants whose vertices alternate,
/// runs, pairs far apart, and single vertices.
template <class Id>
std::vector<Id> many_labels(Id slots) {
  std::vector<Id> labels(slots);
  for (Id v = 0; v < slots; ++v) {
    if (v % 5 == 3) {
      labels[v] = no_vertex<Id>;
    } else if (v < slots / 4) {
      labels[v] = v % 5 % 2;
    } else if (v < slots / 2) {
      labels[v] = v - v % 20;
    } else {
      labels[v] = v % 5 == 1 ? v : v - slots / 4 / 5 * 5;
    }
  }
  for (Id v = slots / 2; v < slots; ++v) {
    if (labels[v] != no_vertex<Id>) labels[v] = labels[v] == v ? v : labels[labels[v]];
  }
  return labels;
}

template <class Id>
void expect_same_summary_by_any_threads(Id slots) {
  const std::vector<Id> labels = many_labels(slots);
  std::map<std::uint64_t, std::uint64_t> sizes;
  for (const Id label : labels) {
    if (label != no_vertex<Id>) ++sizes[label];
  }
  std::vector<component> expected;
  component_summary of_all;
  for (const auto& [label, size] : sizes) {
    expected.push_back({label, size});
    of_all.vertices += size;
    of_all.isolated += size == 1 ? 1 : 0;
    const auto bucket = static_cast<std::size_t>(std::bit_width(size) - 1);
    if (of_all.histogram.size() <= bucket) of_all.histogram.resize(bucket + 1);
    ++of_all.histogram[bucket];
  }
  std::ranges::stable_sort(expected, [](const component& a, const component& b) { return a.size > b.size; });
  const labelling all = to_labelling(labels);
  for (const unsigned threads : {0u, 1u, 2u, 3u, 16u}) {
    const component_summary s = summarise(all, 1000, {.threads = threads});
    EXPECT_EQ(s.components, expected.size()) << threads;
    EXPECT_EQ(s.vertices, of_all.vertices) << threads;
    EXPECT_EQ(s.isolated, of_all.isolated) << threads;
    EXPECT_EQ(s.histogram, of_all.histogram) << threads;
    EXPECT_EQ(s.largest, expected.front()) << threads;
    EXPECT_TRUE(std::ranges::equal(s.top, std::span{expected}.first(1000))) << threads;
  }
}

TEST(summary, is_the_same_by_any_number_of_threads) {
  expect_same_summary_by_any_threads<std::uint32_t>(1'500'001);
  expect_same_summary_by_any_threads<std::uint64_t>(1'048'576);
}

TEST(summary, counts_its_memory) {
  tracked_memory memory;
  const labelling labels = to_labelling(labels32(1000, 0));
  summarise(labels, 1, {.threads = 1, .memory = &memory});
  EXPECT_EQ(memory.peak_bytes(), 4000u);
  EXPECT_EQ(memory.current_bytes(), 0u);
}

TEST(dense, numbers_in_order_of_the_smallest_vertex) {
  const labelling numbers = dense(to_labelling(labels32{0, 1, 0, absent, 4, 1, 6, 4}));
  const auto& values = std::get<buffer<std::uint32_t>>(numbers.labels());
  EXPECT_TRUE(std::ranges::equal(values, labels32{0, 1, 0, absent, 2, 1, 3, 2}));
  EXPECT_TRUE(numbers.is_numbered());
  EXPECT_FALSE(to_labelling(labels32{0}).is_numbered());
}

TEST(dense, is_the_same_by_any_number_of_threads) {
  const std::uint32_t slots = 1'500'001;
  labels32 labels(slots);
  for (std::uint32_t v = 0; v < slots; ++v) labels[v] = v % 7 == 6 ? absent : v % 7 < 2 ? v : v / 7 % 3 == 0 ? v % 7 % 2 : v - v % 7;
  std::map<std::uint32_t, std::uint32_t> number;
  for (const std::uint32_t label : labels) number.emplace(label, 0);
  std::uint32_t next = 0;
  for (auto& [label, own] : number) own = label == absent ? absent : next++;
  labels32 expected;
  for (const std::uint32_t label : labels) expected.push_back(number[label]);
  for (const unsigned threads : {0u, 1u, 2u, 16u}) {
    const labelling numbers = dense(to_labelling(labels), {.threads = threads});
    EXPECT_TRUE(std::ranges::equal(std::get<buffer<std::uint32_t>>(numbers.labels()), expected)) << threads;
    EXPECT_TRUE(numbers.is_numbered());
  }
}

TEST(dense, keeps_the_names) {
  const labelling integers = dense(labelling{to_buffer(labels32{0, 1, 1}), integer_names({5, 700, 1u << 20})});
  EXPECT_EQ(integers.names().integer(2), 1u << 20);
  const labelling strings = dense(labelling{to_buffer(labels32{0, 1, 1}), string_names({"a", "", "long name"})});
  EXPECT_EQ(strings.names().string(0), "a");
  EXPECT_EQ(strings.names().string(1), "");
  EXPECT_EQ(strings.names().string(2), "long name");
  EXPECT_EQ(strings.names().find("long name"), 2u);
}

TEST(checksum, is_the_same_for_the_same_answer_however_it_is_held) {
  const std::uint64_t narrow = checksum(to_labelling(labels32{absent, 1, absent, 1, 4}));
  EXPECT_EQ(checksum(to_labelling(std::vector<std::uint64_t>{~0ull, 1, ~0ull, 1, 4})), narrow);
  EXPECT_EQ(checksum(to_labelling(labels32{absent, 1, absent, 1, 4, absent, absent})), narrow);
  EXPECT_EQ(checksum(labelling{to_buffer(labels32{0, 0, 2}), integer_names({1, 3, 4})}), narrow);
  EXPECT_EQ(checksum(labelling{to_buffer(std::vector<std::uint64_t>{0, 0, 2}), integer_names({1, 3, 4})}), narrow);
}

TEST(checksum, does_not_depend_on_threads) {
  labels32 labels(3'000'000);
  for (std::uint32_t v = 0; v < labels.size(); ++v) labels[v] = v - v % 7;
  const labelling all = to_labelling(labels);
  EXPECT_EQ(checksum(all, {.threads = 1}), checksum(all, {.threads = 2}));
  EXPECT_EQ(checksum(all, {.threads = 1}), checksum(all, {.threads = 7}));
}

/// The labels without the absent slots, which is what the checksum of positions is of.
template <class Id>
std::vector<Id> without_gaps(const std::vector<Id>& labels) {
  std::vector<Id> places(labels.size()), packed;
  Id next = 0;
  for (std::size_t v = 0; v < labels.size(); ++v) places[v] = labels[v] == no_vertex<Id> ? next : next++;
  for (const Id label : labels) {
    if (label != no_vertex<Id>) packed.push_back(places[label]);
  }
  return packed;
}

TEST(positions_checksum, is_that_of_the_labels_without_gaps_whatever_the_threads) {
  const auto expect = [](const auto& labels) {
    const std::uint64_t expected = checksum(to_labelling(without_gaps(labels)), {.threads = 1});
    for (const unsigned threads : {0u, 1u, 2u, 7u})
      EXPECT_EQ(positions_checksum(to_labelling(labels), {.threads = threads}), expected) << labels.size();
  };
  for (const std::uint32_t slots : {1'500'001u, 1'048'576u}) expect(many_labels<std::uint32_t>(slots));
  expect(many_labels<std::uint64_t>(800'000));
  for (std::uint32_t slots = 0; slots < 200; ++slots) {
    labels32 labels(slots, absent);
    for (std::uint32_t v = slots / 3; v < slots; v += 1 + slots % 3) labels[v] = v % 2 == 0 ? v : slots / 3;
    if (slots > 2 && slots % 3 != 0) expect(labels);
    expect(labels32(slots, absent));
    expect(labels32(slots, 0));
  }
}

TEST(positions_checksum, of_numbers_is_of_numbers) {
  const labels32 labels{absent, absent, 0, 1, 0, absent, 1};
  buffer<std::uint32_t> held = to_buffer(labels);
  const labelling gaps = labelling::numbered(std::move(held), vertex_names::identity(labels.size()));
  const labelling packed = labelling::numbered(to_buffer(labels32{0, 1, 0, 1}), vertex_names::identity(4));
  EXPECT_EQ(positions_checksum(gaps), checksum(packed));
}

TEST(positions_checksum, stays_what_it_was) {
  EXPECT_EQ(positions_checksum(to_labelling(labels32{absent, 1, absent, 1, 4})), checksum(to_labelling(labels32{0, 0, 2})));
}

TEST(checksum, changes_with_every_change) {
  std::set<std::uint64_t> seen;
  for (std::uint32_t a = 0; a < 6; ++a) {
    for (std::uint32_t b = 0; b < 6; ++b) {
      for (std::uint32_t c = 0; c < 6; ++c) {
        for (std::uint32_t d = 0; d < 6; ++d) seen.insert(checksum(to_labelling(labels32{a, b, c, d})));
      }
    }
  }
  EXPECT_EQ(seen.size(), 6u * 6 * 6 * 6);
  EXPECT_NE(checksum(to_labelling(labels32{0})), checksum(to_labelling(labels32{})));
  EXPECT_NE(checksum(to_labelling(labels32{0, 1})), checksum(to_labelling(labels32{0, absent})));
}

TEST(checksum, of_strings_is_of_their_bytes) {
  const auto sum = [](const std::vector<std::string>& names, const labels32& labels) {
    return checksum(labelling{to_buffer(labels), string_names(names)});
  };
  EXPECT_EQ(sum({"a", "b"}, {0, 0}), sum({"a", "b"}, {0, 0}));
  const std::set<std::uint64_t> different{sum({"a", "b"}, {0, 0}),         sum({"a", "b"}, {0, 1}),
                                          sum({"a", "c"}, {0, 0}),         sum({"a", std::string("b\0", 2)}, {0, 0}),
                                          sum({"a", "bbbbbbbbb"}, {0, 0}), sum({"a", "bbbbbbbbc"}, {0, 0})};
  EXPECT_EQ(different.size(), 6u);
}

// Computed from the formula in checksum.cpp by a few lines of Python: a change would make old numbers incomparable.
TEST(checksum, stays_what_it_was) {
  EXPECT_EQ(checksum(to_labelling(labels32{0, 0, 2})), 12254329886864119016u);
  EXPECT_EQ(checksum(labelling{to_buffer(labels32{0, 0, 2}), string_names({"ada", "bob", "cyd"})}), 18006855705726997669u);
}

}  // namespace
}  // namespace copse::test
