// Sampling by a low-diameter decomposition (Miller, Peng, Xu 2013; as ConnectIt uses it). Balls grow by one step per round from centres
// that start in random order, exp(beta t) of them by round t; each vertex belongs to the ball that reaches it first. About a share beta of
// the edges ends in two balls. Takes O(log n / beta) rounds.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/memory.hpp>
#include <core/random.hpp>
#include <loops/flatten.hpp>
#include <loops/frontier.hpp>
#include <loops/solve_context.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace copse::sample {

template <class Centres>
struct no_centre_yet {
  Centres centres;
  COPSE_HOST_DEVICE void operator()(std::size_t v) const {
    centres.store(static_cast<typename Centres::id>(v), no_vertex<typename Centres::id>);
  }
};
/// Starts the balls whose turn it is in this round, unless another ball has reached their centres.
template <class Centres>
struct start_balls {
  using id = typename Centres::id;
  Centres centres;
  permutation order;
  std::uint64_t started;
  template <class Append>
  COPSE_HOST_DEVICE void operator()(std::size_t i, Append& append) const {
    const auto v = static_cast<id>(order(started + i));
    if (backend::claim(centres, v, no_vertex<id>, v)) append(v);
  }
};
/// Lets every ball grow to the neighbours of the vertices that it reached last.
template <class Centres, class Note>
struct grow_balls : backend::frontier_step {
  using id = typename Centres::id;
  struct rim_vertex {
    id v, centre;
  };
  Centres centres;
  Note note;

  COPSE_HOST_DEVICE grow_balls(Centres of, Note noting) noexcept : centres{of}, note{noting} {}
  COPSE_HOST_DEVICE rim_vertex begin(id v) const { return {v, centres.load(v)}; }
  template <class Append>
  COPSE_HOST_DEVICE bool along(rim_vertex from, id neighbour, Append& append) const {
    if (backend::claim(centres, neighbour, no_vertex<id>, from.centre)) {
      note(from.v, neighbour);
      append(neighbour);
    }
    return true;
  }
};
/// Moves the edge that is recorded for a ball's smallest vertex to the ball's centre, because the smallest vertex becomes the root, which
/// must have none. For backends that record edges by root.
template <class Centres, class Labels, class Recorder>
struct hand_over_ball {
  using id = typename Centres::id;
  Centres centres;
  Labels labels;
  Recorder recorder;
  COPSE_HOST_DEVICE void operator()(std::size_t i) const {
    if (const auto v = static_cast<id>(i); centres.load(v) == v) recorder.hand_over(labels.load(v), v);
  }
};
template <class Words>
struct word_of {
  Words words;
  COPSE_HOST_DEVICE typename Words::id operator()(typename Words::id v) const { return words.load(v); }
};

struct ldd {
  static constexpr std::string_view name = "ldd";
  static constexpr bool needs_rows = true, skips_giant = true, regroups_edges = false;

  template <class Backend, class Id>
  static void sample(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& graph,
                     backend::finish_function<Backend, Id> /*finish*/) {
    using words = typename Backend::template parents<Id>;
    const Id n = graph.vertices;
    if (n == 0) return;
    auto* const memory = context.trees.memory();
    buffer<Id> centre_words{n, memory}, label_words{n, memory};
    const words centres{centre_words.data()}, labels{label_words.data()};
    context.loops.for_each(n, no_centre_yet<words>{centres});
    const permutation order{n, random_stream{context.options.seed, 2}};
    backend::frontier<Backend, Id, false> rim{context.loops, graph.rows, memory};
    double target = 1;
    std::uint64_t started = 0, reached = 0;
    while (reached < n) {
      const auto starting = static_cast<std::uint64_t>(std::min(target, static_cast<double>(n)));
      rim.add(starting - started, start_balls<words>{centres, order, started});
      started = starting;
      reached += rim.size();  // `rim`: the centres of the balls that start in this round, and the vertices reached in the last one
      backend::with_recorder(context.recorder, [&]<class Recorder>(Recorder recorder) {
        rim.push(grow_balls<words, backend::note_reached<Recorder>>{centres, {recorder}});
      });
      target = target * std::exp(context.options.ldd_beta) + 1;
    }
    backend::label_by_smallest(context.loops, labels, n, word_of<words>{centres});
    if constexpr (decltype(context.recorder)::by_root) {
      context.loops.for_each(n, hand_over_ball<words, words, decltype(context.recorder)>{centres, labels, context.recorder});
    }
    context.trees.plant(context.loops, word_of<words>{labels});
  }
};

}  // namespace copse::sample
