// Parents that are initialised at the first access are parents: the same components as with words written beforehand.
#include <copse/components.hpp>
#include <copse/extend/parent_array.hpp>
#include <copse/extend/parents/atomic.hpp>
#include <copse/extend/rules/find/halve.hpp>
#include <copse/extend/rules/unite/async.hpp>
#include <copse/generate.hpp>
#include <core/parallel.hpp>
#include <lab/printed/first_touch.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace copse::test {
namespace {

using id = std::uint32_t;
using parents = lab::first_touch_parents<copse::parents::atomic<id>>;
static_assert(parent_array<parents>);

TEST(first_touch, a_word_of_zero_is_a_root_that_nobody_saw) {
  std::vector<id> words(3, 0);
  const parents p{copse::parents::atomic<id>{words.data()}};
  EXPECT_EQ(p.load(2), 2u);
  EXPECT_EQ(words, (std::vector<id>{0, 0, 3}));
  EXPECT_TRUE(p.cas(2, 2, 0).ok);
  EXPECT_EQ(p.load(2), 0u);
  const auto late = p.cas(2, 2, 1);
  EXPECT_FALSE(late.ok);
  EXPECT_EQ(late.seen, 0u);
}

TEST(first_touch, the_smaller_word_stays) {
  std::vector<id> words(4, 0);
  const parents p{copse::parents::atomic<id>{words.data()}};
  EXPECT_EQ(p.fetch_min(3, 1), 3u);
  EXPECT_EQ(p.fetch_min(3, 2), 1u);
  EXPECT_EQ(p.load(3), 1u);
}

TEST(first_touch, unions_of_several_threads_find_the_components) {
  for (const std::string spec : {"er:n=3000,m=2500", "path:n=3000,shuffle=1", "star:n=3000", "osm:side=20,keep=.6"}) {
    const graph g = gen::generate_edges(spec);
    const auto& list = std::get<coo<id>>(g.shape());
    std::vector<id> words(static_cast<std::size_t>(g.vertices()), 0);
    const parents p{copse::parents::atomic<id>{words.data()}};
    parallel_blocks(4, list.edges.size(), 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) unite::async<find::halve>{}(p, list.edges[i].u, list.edges[i].v);
    });
    std::uint64_t roots = 0;
    for (id v = 0; v < words.size(); ++v) roots += p.load(v) == v;
    EXPECT_EQ(roots, components(g).count()) << spec;
  }
}

}  // namespace
}  // namespace copse::test
