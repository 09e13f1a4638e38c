#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <copse/generate.hpp>

#include <string>
#include <vector>

namespace copse {
namespace {

std::vector<std::uint32_t> list_of(const std::string& spec, unsigned threads = 1) {
  const auto list = gen::generate_list(spec, {.threads = threads});
  const auto& narrow = std::get<buffer<std::uint32_t>>(list);
  return {narrow.begin(), narrow.end()};
}

TEST(lists, are_the_same_everywhere) {
  // Fixed once: a change of these is a change of every list that anyone named by its spec.
  EXPECT_EQ(list_of("ordered_list:n=4"), (std::vector<std::uint32_t>{1, 2, 3, 3}));
  EXPECT_EQ(list_of("list:n=70000", 1), list_of("list:n=70000", 5));
  EXPECT_EQ(list_of("lists:n=70000,count=333", 1), list_of("lists:n=70000,count=333", 5));
  EXPECT_EQ(list_of("ordered_list:n=500,shuffle=1"), list_of("list:n=500"));
  EXPECT_NE(list_of("list:n=500"), list_of("list:n=500,seed=2"));
  std::uint64_t hash = 0;
  for (const std::uint32_t s : list_of("lists:n=1000,count=10,seed=7")) hash = hash * 1000003 + s;
  EXPECT_EQ(hash, 11829050389335012452u);
}

TEST(lists, are_as_many_as_asked_and_cover_all) {
  for (const unsigned n : {1u, 2u, 3u, 10u, 1000u}) {
    for (const unsigned count : {1u, n / 3 + 1, n}) {
      const auto list = list_of("lists:n=" + std::to_string(n) + ",count=" + std::to_string(count));
      std::vector<unsigned> before(n);
      unsigned tails = 0;
      for (unsigned e = 0; e < n; ++e) {
        ASSERT_LT(list[e], n);
        if (list[e] == e) {
          ++tails;
        } else {
          ++before[list[e]];
        }
      }
      EXPECT_EQ(tails, count);
      unsigned seen = 0;
      for (unsigned head = 0; head < n; ++head) {
        ASSERT_LE(before[head], 1u);
        if (before[head] != 0) continue;
        unsigned e = head;
        for (++seen; list[e] != e; ++seen) e = list[e];
      }
      EXPECT_EQ(seen, n);
    }
  }
  EXPECT_TRUE(list_of("list:n=0").empty());
}

TEST(lists, of_bad_specs_are_refused) {
  for (const std::string spec :
       {"lists:n=10", "lists:n=10,count=0", "lists:n=10,count=11", "list:n=10,shuffle=1", "list", "list:m=3", "chain:n=3"})
    EXPECT_THROW(gen::generate_list(spec), usage_error) << spec;
  EXPECT_TRUE(gen::is_list_spec("list:n=3"));
  EXPECT_FALSE(gen::is_list_spec("list.npy"));
  EXPECT_FALSE(gen::is_list_spec("path:n=3"));
}

}  // namespace
}  // namespace copse
