// The graphs that every cuda variant is tried on, copied to the GPU once for all: the zoo in the states that a variant may be given, and
// graphs with rows long enough for warps, and for pieces that blocks share.
#pragma once
#include <copse/build.hpp>
#include <copse/generate.hpp>

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "gpu/gpu.hpp"
#include "support/rows.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {

/// A graph in one of the states that a variant may be given.
struct resident_graph {
  const solved_graph* answer;
  graph_view host;  ///< its edges, in any state
  std::string_view state;
  device::solver::device_graph resident;
};

/// `most_blocks` 0: a full grid. 3: every thread has many turns, in an order of its own.
struct resident_zoo {
  explicit resident_zoo(unsigned most_blocks) : solver{{.most_blocks = most_blocks}} {
    for (const auto& g : solved_zoo()) {
      const auto simple = make_test_rows<std::uint32_t, std::uint32_t>(g.edges.view(), row_state::simple);
      const auto raw = make_test_rows<std::uint32_t, std::uint32_t>(g.edges.view(), row_state::raw);
      rows.push_back({&g, g.edges.view(), "simple", solver.copy_in(arc_view{simple.view()})});
      rows.push_back({&g, g.edges.view(), "raw", solver.copy_in(arc_view{raw.view()})});
      lists.push_back({&g, g.edges.view(), "coo", solver.copy_in(arc_view{g.edges.view()})});
      if (g.seed != 1) continue;
      const auto one_sided = make_test_rows<std::uint32_t, std::uint32_t>(g.edges.view(), row_state::one_sided);
      const auto wide = make_test_rows<std::uint32_t, std::uint64_t>(g.edges.view(), row_state::simple);
      unsampled.push_back({&g, g.edges.view(), "one_sided", solver.copy_in(arc_view{one_sided.view()})});
      rows.push_back({&g, g.edges.view(), "wide offsets", solver.copy_in(arc_view{wide.view()})});
    }
  }

  device::solver solver;
  std::vector<resident_graph> rows, lists;
  std::vector<resident_graph> unsampled;  ///< rows that store one direction
};

inline const std::array<unsigned, 2> grids{0, 3};

inline resident_zoo& zoo_for(unsigned most_blocks) {
  static std::array<std::unique_ptr<resident_zoo>, grids.size()> zoos;
  auto& zoo = zoos[most_blocks == 0 ? 0 : 1];
  if (!zoo) zoo = std::make_unique<resident_zoo>(most_blocks);
  return *zoo;
}

/// A generated graph, its labels by sequential Rem, and its copy on the GPU.
struct large_graph {
  large_graph(device::solver& solver, const char* spec) : host{build_csr(gen::generate(spec))} {
    const auto rows = std::get<csr<std::uint32_t, std::uint32_t>>(host.shape()).view();
    const auto solved = components(graph_view{rows}, {.variant = "serial.none.rem"});
    const auto& labels = std::get<buffer<std::uint32_t>>(solved.labels.labels());
    answer.seed = 1;
    answer.name = spec;
    answer.labels.assign(labels.begin(), labels.end());
    resident = {&answer, host.view(), "rows", solver.copy_in(arc_view{rows})};
  }
  graph host;
  solved_graph answer;
  resident_graph resident;
};

struct long_rows {
  device::solver solver{{}};
  std::array<large_graph, 4> graphs{large_graph{solver, "star:n=70000"}, large_graph{solver, "complete:n=1300"},
                                    large_graph{solver, "rmat:scale=14,edges=24"}, large_graph{solver, "rmat:scale=13,edges=3,shuffle=1"}};
};
inline long_rows& graphs_with_long_rows() {
  static long_rows all;
  return all;
}

}  // namespace copse::test
