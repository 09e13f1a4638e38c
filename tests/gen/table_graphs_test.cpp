// The graphs of the tables of GPU measurements: what the program that made them writes, arc by arc. The sums are those of its rows.
#include <copse/generate.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <variant>

namespace copse::test {
namespace {

struct sums {
  const char* spec;
  std::uint64_t vertices, arcs, hash;
};

class table_graphs : public ::testing::TestWithParam<sums> {};

TEST_P(table_graphs, are_those_that_were_measured) {
  const graph rows = gen::generate(GetParam().spec);
  std::visit(
      []<class Shape>(const Shape& shape) {
        if constexpr (requires { shape.offsets; }) {
          std::uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a over the vertex count and all arcs in order, 32-bit words
          const auto add = [&hash](std::uint64_t word) { hash = (hash ^ word) * 0x100000001B3u; };
          const auto view = shape.view();
          add(view.vertices());
          for (typename Shape::id_type u = 0; u < view.vertices(); ++u) {
            for (const auto v : view.row(u)) add(u), add(v);
          }
          EXPECT_EQ(view.vertices(), GetParam().vertices);
          EXPECT_EQ(view.targets.size(), GetParam().arcs);
          EXPECT_EQ(hash, GetParam().hash);
        } else {
          ADD_FAILURE() << "a list";
        }
      },
      rows.shape());
}

INSTANTIATE_TEST_SUITE_P(families, table_graphs,
                         testing::Values(sums{"table_rmat:scale=12,edges=8,a=.45,b=.15,c=.15", 4096, 63262, 0x22CE274AC945E7B9u},
                                         sums{"table_rmat:scale=10,edges=16", 1024, 21006, 0x744F0507CE93A9BBu},
                                         sums{"table_er:n=5000,m=20000", 5000, 39968, 0x6FECB7ED1D0FB16Du},
                                         sums{"table_osm:side=70,keep=.6", 16375, 34560, 0x20C7CDA60E5A0CDEu},
                                         sums{"table_web:n=9000,degree=12", 9000, 97980, 0xFAB71F21BE422307u},
                                         sums{"table_ba:n=3000,k=10", 3000, 58796, 0x75250E045A50F8D7u},
                                         sums{"table_bits:n=20000,size=20", 20000, 36298, 0xD062792827B75FA1u}));

}  // namespace
}  // namespace copse::test
