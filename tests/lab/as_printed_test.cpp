// The algorithms of Cong and Muzio as they are printed find the components, on one thread and on several, and take the rounds they should.
#include <copse/components.hpp>
#include <copse/generate.hpp>
#include <copse/graph.hpp>
#include <lab/problems/as_printed.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace copse::test {
namespace {

using lab::as_printed;
using id = as_printed::id;
using list = std::vector<edge<id>>;

TEST(as_printed, finds_the_components) {
  for (const std::string spec : {"er:n=3000,m=2500", "er:n=3000,m=9000,shuffle=1", "path:n=3000,shuffle=1", "star:n=3000",
                                 "rmat:scale=10,edges=4,shuffle=1", "osm:side=20,keep=.6", "path:n=1", "path:n=0"}) {
    const graph g = gen::generate_edges(spec);
    const auto& drawn = std::get<coo<id>>(g.shape());
    const auto expected = components(g, {.variant = "serial.none.rem"});
    for (const unsigned threads : {1u, 3u}) {
      for (const int which : {0, 1, 2, 3, 4, 5}) {
        list edges(drawn.edges.begin(), drawn.edges.end());
        as_printed solved{threads, static_cast<id>(drawn.vertex_count), which > 2};
        if (which % 3 == 0) solved.cc(edges);
        if (which % 3 == 1) solved.cc_updt(edges);
        if (which % 3 == 2) solved.stages(edges, .3);
        ASSERT_EQ(solved.labels().size(), expected.labels.slots());
        for (id v = 0; v < drawn.vertex_count; ++v) {
          ASSERT_EQ(solved.labels()[v], expected.labels.label(v)) << spec << ", algorithm " << which % 3 + 1 << ", vertex " << v;
        }
      }
    }
  }
}

TEST(as_printed, the_last_store_stands) {
  // 2 is grafted onto 0 and then onto 1: a round later 1 and 0 are seen to be apart.
  list edges{{2, 0}, {2, 1}};
  as_printed once{1, 3};
  once.cc_updt(edges);
  EXPECT_EQ(once.labels(), (std::vector<id>{0, 0, 0}));
  EXPECT_EQ(once.rounds(), 3u);
}

TEST(as_printed, a_look_keeps_the_smallest) {
  list edges{{2, 0}, {2, 1}};
  as_printed once{1, 3, true};
  once.cc_updt(edges);
  EXPECT_EQ(once.labels(), (std::vector<id>{0, 0, 0}));
  EXPECT_EQ(once.rounds(), 3u) << "0 stays, and then 1 comes to it";
}

TEST(as_printed, updated_edges_carry_labels) {
  list edges{{4, 3}, {3, 0}, {2, 1}};
  as_printed solved{1, 5};
  solved.cc_updt(edges);
  EXPECT_EQ(edges, (list{{0, 0}, {0, 0}, {1, 1}}));
}

}  // namespace
}  // namespace copse::test
