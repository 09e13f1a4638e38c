// Rules one by one, on forests small enough to see: what a find returns and leaves behind, what a unite links and reports.
#include <gtest/gtest.h>
#include <copse/extend/parents/plain.hpp>
#include <instruments/chaos.hpp>
#include <instruments/counting.hpp>
#include <parents/aux_arrays.hpp>
#include <variants/axes.hpp>

#include <cstdint>
#include <numeric>
#include <vector>

namespace copse::test {
namespace {

using id = std::uint32_t;
using forest = std::vector<id>;

forest chain(id n) {
  forest p(n);
  for (id v = 0; v < n; ++v) p[v] = v == 0 ? 0 : v - 1;
  return p;
}

TEST(find, walks_to_the_root_and_leaves_what_its_name_says) {
  const auto after = [](auto find) {
    forest p = chain(8);
    EXPECT_EQ(find(parents::plain<id>{p.data()}, 7), 0u);
    return p;
  };
  EXPECT_EQ(after(find::naive{}), chain(8));
  EXPECT_EQ(after(find::compress{}), (forest{0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(after(find::split{}), (forest{0, 0, 0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(after(find::halve{}), (forest{0, 0, 1, 1, 3, 3, 5, 5}));
  EXPECT_EQ(after(find::representative{}), (forest{0, 0, 0, 1, 2, 3, 4, 5}));
}

template <class Find>
class every_find : public ::testing::Test {};
using finds = testing::Types<find::naive, find::compress, find::split, find::halve, find::representative, find::two_try_split>;
TYPED_TEST_SUITE(every_find, finds);

TYPED_TEST(every_find, returns_the_root_of_every_vertex_and_keeps_ancestors) {
  for (id n = 1; n <= 9; ++n) {
    for (id v = 0; v < n; ++v) {
      forest p = chain(n);
      EXPECT_EQ(TypeParam{}(parents::plain<id>{p.data()}, v), 0u);
      for (id x = 1; x < n; ++x) EXPECT_LT(p[x], x);  // on a path every smaller vertex is an ancestor
      EXPECT_EQ(p[0], 0u);
    }
  }
}

template <class Unite>
class every_unite : public ::testing::Test {};
template <class List>
struct as_test_types;
template <class... Unites>
struct as_test_types<variant::type_list<Unites...>> {
  using type = testing::Types<Unites...>;
};
using unites = as_test_types<variant::concat<variant::unites_with_find, variant::unites_with_splice, variant::unites_alone>>::type;
TYPED_TEST_SUITE(every_unite, unites);

/// Trees of n roots in the array that Unite asks for.
template <class Unite, template <class> class Words>
class small_trees {
public:
  explicit small_trees(id n) : words_(n), ranks_(n), flags_(n) {
    for (id v = 0; v < n; ++v) parents().store(v, parents().root(v));
  }
  auto parents() {
    if constexpr (Unite::traits.aux == aux_array::ranks) {
      return parents::ranked<Words<std::uint64_t>, id>{Words<std::uint64_t>{ranks_.data()}};
    } else if constexpr (Unite::traits.aux == aux_array::flags) {
      return parents::flagged<Words<id>, false>{Words<id>{words_.data()}, flags_.data()};
    } else {
      return Words<id>{words_.data()};
    }
  }

private:
  forest words_;
  std::vector<std::uint64_t> ranks_;
  std::vector<std::uint8_t> flags_;
};

/// Unites pseudo-random pairs and checks after each: trees are the classes of a naive partition, on_link told of exactly one root for each
/// pair that joined two trees, and where roots are minimal, parents never exceed their child.
template <class Unite, template <class> class Words>
void unite_random_pairs() {
  constexpr id n = 40;
  small_trees<Unite, Words> trees{n};
  const auto parents = trees.parents();
  forest naive(n);
  std::iota(naive.begin(), naive.end(), 0u);
  std::uint32_t state = 12345;
  for (int step = 0; step < 200; ++step) {
    state = state * 1664525u + 1013904223u;
    const id u = (state >> 8) % n, v = (state >> 20) % n;
    const bool joins = naive[u] != naive[v];
    int links = 0;
    const id joined = Unite{}(parents, u, v, [&](id root, id parent) {
      EXPECT_NE(parent, root);
      if (Unite::traits.minimal_roots) {
        EXPECT_LT(parent, root);
      }
      ++links;
    });
    EXPECT_EQ(links, joins ? 1 : 0);
    const id from = std::max(naive[u], naive[v]), to = std::min(naive[u], naive[v]);
    for (auto& label : naive) label = label == from ? to : label;
    for (id x = 0; x < n; ++x) {
      const id root = find::naive{}(parents, x);
      EXPECT_EQ(naive[root], naive[x]);
      EXPECT_EQ(root, find::naive{}(parents, naive[x])) << "one tree a class";
      if (Unite::traits.minimal_roots) {
        EXPECT_LE(parents.parent(parents.load(x)), x);
      }
    }
    EXPECT_EQ(naive[joined], naive[u]) << "the next edge of u may start from what is returned";
  }
}

TYPED_TEST(every_unite, joins_two_trees_and_says_so_once) { unite_random_pairs<TypeParam, parents::plain>(); }

TYPED_TEST(every_unite, survives_swaps_that_fail_for_no_reason) { unite_random_pairs<TypeParam, parents::chaos>(); }

TEST(chaos, fails_swaps_without_changing_the_word) {
  forest p{0, 1, 2};
  const parents::chaos<id> parents{p.data()};
  int failed = 0;
  for (int i = 0; i < 30; ++i) {
    const auto result = parents.cas(2, 2, 2);
    failed += result.ok ? 0 : 1;
    EXPECT_EQ(result.seen, 2u);
  }
  EXPECT_EQ(failed, 10);
}

TEST(counting, counts_what_the_rule_did) {
  forest p = chain(5);
  using counting = parents::counting<id>;
  counting::reset();
  find::naive{}(counting{p.data()}, 4);
  EXPECT_EQ(counting::totals().loads, 5u);
  EXPECT_EQ(counting::totals().stores, 0u);
  EXPECT_FALSE((counting{p.data()}.cas(4, 0, 1).ok));
  EXPECT_TRUE((counting{p.data()}.cas(4, 3, 1).ok));
  EXPECT_EQ(counting::totals().swaps, 2u);
  EXPECT_EQ(counting::totals().failed_swaps, 1u);
  EXPECT_EQ(counting{p.data()}.fetch_min(4, 0), 1u);
  EXPECT_EQ(p[4], 0u);
  counting::reset();
  EXPECT_EQ(counting::totals().loads, 0u);
}

}  // namespace
}  // namespace copse::test
