// A forest rooted in several ways: by levels, by an Euler tour, and, as a serial program would, by a depth-first search with a stack.
#include <algorithm>
#include <api/forest_rows.hpp>
#include <copse/copse.hpp>
#include <core/phase_times.hpp>
#include <drivers/rooting/levels.hpp>
#include <drivers/rooting/tour.hpp>
#include <loops/threads.hpp>

#include "kit.hpp"

namespace copse::lab {
namespace {

/// Finds all that a tour does: places on the way down, sizes on the way up.
template <class Id, class Offset>
forest_tour::arrays<Id> search_depth_first(csr_view<Id, Offset> rows, std::span<const Id> labels) {
  const std::size_t n = labels.size();
  forest_tour::arrays<Id> tree{buffer<Id>{n}, buffer<Id>{n}, buffer<Id>{n}, buffer<Id>{n}, buffer<Id>{n}};
  std::vector<Id> waiting;
  Id place = 0;
  for (std::size_t root = 0; root < n; ++root) {
    if (labels[root] != root) continue;
    tree.parents[root] = static_cast<Id>(root);
    tree.depths[root] = 0;
    waiting.push_back(static_cast<Id>(root));
    while (!waiting.empty()) {
      const Id v = waiting.back(), parent = tree.parents[v];
      waiting.pop_back();
      tree.preorder[v] = place;
      tree.order[place++] = v;
      const auto row = rows.row(v);
      const auto push = [&](auto first, auto last) {
        while (last != first) {
          const Id child = *--last;
          tree.parents[child] = v;
          tree.depths[child] = static_cast<Id>(tree.depths[v] + 1);
          waiting.push_back(child);
        }
      };
      if (parent == v) {
        push(row.begin(), row.end());
      } else {  // as in a tour, the children after the parent come first
        const auto up = std::lower_bound(row.begin(), row.end(), parent);
        push(row.begin(), up);
        push(up + 1, row.end());
      }
    }
  }
  std::fill(tree.sizes.begin(), tree.sizes.end(), Id{1});
  for (std::size_t i = n; i-- > 0;) {
    const Id v = tree.order[i];
    if (tree.parents[v] != v) tree.sizes[tree.parents[v]] += tree.sizes[v];
  }
  return tree;
}

void run(const arguments& asked, recorder& out) {
  const unsigned threads = asked.threads();
  for (const std::string& spec : asked.operands()) {
    const graph edges = spanning_forest(gen::generate_edges(spec), {.variant = "serial.none.rem"}).edges;
    phase_times unused;
    solve_report report;
    const samples found =
        api::of_forest_rows<samples>(edges, {.threads = threads}, unused, [&]<class Id>(auto rows, std::span<const Id> labels) {
          const backend::threads loops{threads};
          const forest_tour searched{search_depth_first(rows, labels), edges.names()};
          if (const auto proved = verify_tour(edges, searched); !proved) throw error{spec + ": " + proved.reason};
          std::vector<contestant> ways;
          const auto add = [&](std::string name, auto work) {
            ways.push_back({std::move(name), {}, [threads, work]() -> std::vector<reading> {
                              return {milliseconds("tour", seconds_of(threads, work))};
                            }});
          };
          add("levels", [&] { drivers::root_by_levels(loops, rows, labels, SIZE_MAX, host_memory()); });
          add("tour", [&] { drivers::tour(rows, labels, "auto", {.device = asked["device"], .threads = threads}, report, unused); });
          add("depth_first", [&] { search_depth_first(rows, labels); });
          add("root_forest_from_edges", [&] { static_cast<void>(root_forest(edges, {.threads = threads})); });
          add("euler_tour_from_edges", [&] { static_cast<void>(euler_tour(edges, "auto", {.threads = threads})); });
          return in_turns(ways, asked.trials());
        });
    out.write(spec, threads, found);
  }
}

}  // namespace

extern const problem tours{"tours",
                           "Rooted forests and Euler tours: from rows and roots, and from edges. --device cuda: ranked on the GPU.",
                           "SPEC...",
                           {{"device", "cpu"}},
                           run};

}  // namespace copse::lab
