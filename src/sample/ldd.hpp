// Sampling by a low-diameter decomposition (Miller, Peng, Xu 2013; as ConnectIt uses it): balls grow by one step a round from centres that
// start in random order, exp(beta t) of them by round t; each vertex belongs to the ball that reaches it first. Cuts about a share beta
// of the edges, in O(log n / beta) rounds.
#pragma once
#include <backend/search.hpp>
#include <backend/solving.hpp>
#include <core/permutation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace copse::sample {

struct ldd {
  static constexpr std::string_view name = "ldd";
  static constexpr bool needs_rows = true, skips_giant = true, regroups_edges = false;

  template <class Backend, class Id>
  static void sample(backend::solving<Backend, Id>& with, const backend::arc_set<Id>& graph, backend::settler<Backend, Id> /*settle*/) {
    using appender = typename backend::gathered<Id>::appender;
    using words = typename Backend::template parents<Id>;
    const Id n = graph.vertices;
    if (n == 0) return;
    auto* const memory = with.trees.memory();
    buffer<Id> centre_words{n, memory}, label_words{n, memory};
    const words centres{centre_words.data()}, labels{label_words.data()};
    with.loops.for_blocks(n, [centres](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) centres.store(static_cast<Id>(v), no_vertex<Id>);
    });
    const permutation order{n, random_stream{with.options.seed, 2}};
    const auto join = [centres](Id v, Id centre, appender& append) {
      if (backend::claim(centres, v, no_vertex<Id>, centre)) append(v);
    };
    backend::gathered<Id> now{n, memory}, next{n, memory};
    double target = 1;
    std::uint64_t started = 0, reached = 0;
    while (reached < n) {
      const auto starting = static_cast<std::uint64_t>(std::min(target, static_cast<double>(n)));
      with.loops.for_blocks(starting - started, [&, started](std::size_t begin, std::size_t end) {
        appender append{now};
        for (std::size_t i = begin; i < end; ++i) {
          const Id v = static_cast<Id>(order(started + i));
          join(v, v, append);
        }
      });
      started = starting;
      reached += now.size();  // this round's starts, and what the last round reached
      next.clear();
      with.loops.for_blocks(now.size(), [&](std::size_t begin, std::size_t end) {
        appender append{next};
        for (std::size_t i = begin; i < end; ++i) {
          const Id centre = centres.load(now[i]);
          backend::inspected<Backend>(graph.rows.degree(now[i]));
          for (const Id neighbour : graph.rows.row(now[i])) join(neighbour, centre, append);
        }
      });
      now.swap(next);
      target = target * std::exp(with.options.ldd_beta) + 1;
    }
    backend::label_by_smallest(with.loops, labels, n, [centres](Id v) { return centres.load(v); });
    with.trees.plant(with.loops, [labels](Id v) { return labels.load(v); });
  }
};

}  // namespace copse::sample
