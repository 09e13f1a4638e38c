// What threads of a GPU run to make edges and rows has one text for host and device: run here, item by item in any order, with the sort and
// the sums of the standard library in the place of CUB's, it gives the arrays of gen::generate.
#include <gen/edge_writers.hpp>
#include <gen/recipe.hpp>
#include <loops/arc_keys.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "edges.hpp"

namespace copse::test {
namespace {

using edge32 = edge<std::uint32_t>;

/// f(i) for every i < count, the last first.
template <class F>
void for_each_backwards(std::uint64_t count, const F& f) {
  for (std::uint64_t i = count; i > 0; --i) f(i - 1);
}

std::vector<std::uint64_t> sums(std::vector<std::uint64_t> counts) {
  std::exclusive_scan(counts.begin(), counts.end(), counts.begin(), std::uint64_t{0});
  return counts;
}

struct made_edges {
  std::uint32_t vertices;
  std::vector<edge32> edges;
};

/// gpu_edges, on the host.
made_edges written(const gen::recipe& of) {
  return std::visit(
      [&]<class Family>(Family family) {
        made_edges list{static_cast<std::uint32_t>(of.vertices), {}};
        const std::uint64_t items = of.items;
        if constexpr (gen::direct_family<Family>) {
          list.edges.resize(items);
          const gen::id_order ids{{of.vertices, of.order}, of.shuffle};
          for_each_backwards(items, gen::direct_writer<Family>{family, ids, list.edges.data()});
        } else {
          std::vector<std::uint64_t> added(items + 1), counts(items + 1);
          if constexpr (gen::adds_vertices<Family>) {
            for_each_backwards(items, gen::vertex_counter<Family>{family, added.data()});
            added = sums(added);
            family.added_before = added.data();
            list.vertices += static_cast<std::uint32_t>(added.back());
          }
          for_each_backwards(items, gen::edge_counter<Family>{family, counts.data()});
          counts = sums(counts);
          list.edges.resize(counts.back());
          const gen::id_order ids{{list.vertices, of.order}, of.shuffle};
          for_each_backwards(items, gen::block_writer<Family>{family, ids, counts.data(), list.edges.data()});
        }
        return list;
      },
      of.family);
}

template <class Offset>
struct made_rows {
  std::vector<Offset> offsets;
  std::vector<std::uint32_t> targets;
};

/// edge_rows, on the host.
template <class Offset>
made_rows<Offset> sorted(const made_edges& list) {
  const backend::arc_key as{backend::key_bits(list.vertices)};
  std::vector<std::uint64_t> keys(2 * list.edges.size()), arcs;
  for_each_backwards(list.edges.size(), backend::mirrored_keys{list.edges.data(), list.edges.size(), as, keys.data()});
  for (const std::uint64_t key : keys) EXPECT_TRUE(as.bits == 32 || key >> (2 * as.bits) == 0);  // the sort looks at no other bits
  std::sort(keys.begin(), keys.end());
  const backend::is_arc is_kept{keys.data(), as};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (is_kept(i)) arcs.push_back(keys[i]);
  }
  made_rows<Offset> rows;
  rows.offsets.resize(std::size_t{list.vertices} + 1);
  rows.targets.resize(arcs.size());
  for_each_backwards(rows.offsets.size(), backend::offset_writer<Offset>{arcs.data(), arcs.size(), as, rows.offsets.data()});
  for_each_backwards(arcs.size(), backend::target_writer{arcs.data(), as, rows.targets.data()});
  return rows;
}

TEST(device_text, writes_the_edges_of_the_host) {
  for (const std::string& spec : specs_of_every_size()) {
    const made_edges found = written(gen::recipe_of(spec));
    const auto expected = edges_of(spec);
    EXPECT_EQ(found.vertices, expected.vertex_count) << spec;
    EXPECT_TRUE(std::ranges::equal(found.edges, expected.edges.span())) << spec;
  }
}

TEST(device_text, makes_the_rows_of_the_host) {
  for (const std::string& spec : specs_of_every_size()) {
    const made_edges list = written(gen::recipe_of(spec));
    const graph held = gen::generate(spec, {.threads = 1});
    const auto& expected = std::get<0>(held.shape());
    const auto narrow = sorted<std::uint32_t>(list);
    EXPECT_TRUE(std::ranges::equal(narrow.offsets, expected.offsets.span())) << spec;
    EXPECT_TRUE(std::ranges::equal(narrow.targets, expected.targets.span())) << spec;
    const auto wide = sorted<std::uint64_t>(list);
    EXPECT_TRUE(std::ranges::equal(wide.offsets, expected.offsets.span())) << spec;
  }
}

TEST(device_text, keys_hold_the_largest_ids) {
  EXPECT_EQ(backend::key_bits(0), 0u);
  EXPECT_EQ(backend::key_bits(1), 0u);
  EXPECT_EQ(backend::key_bits(2), 1u);
  EXPECT_EQ(backend::key_bits(256), 8u);
  EXPECT_EQ(backend::key_bits(257), 9u);
  EXPECT_EQ(backend::key_bits(UINT32_MAX), 32u);
  const backend::arc_key widest{32};
  const std::uint64_t key = widest.of(UINT32_MAX - 1, UINT32_MAX - 2);
  EXPECT_EQ(widest.source(key), UINT32_MAX - 1);
  EXPECT_EQ(widest.target(key), UINT32_MAX - 2);
}

/// The list of specs is worth nothing when a family is missing from it.
TEST(device_text, every_family_is_looked_at) {
  std::set<std::string> seen;
  for (const std::string& spec : specs_of_every_size()) seen.insert(spec.substr(0, spec.find(':')));
  for (const gen::family& family : gen::families()) EXPECT_TRUE(seen.contains(std::string{family.name})) << family.name;
}

}  // namespace
}  // namespace copse::test
