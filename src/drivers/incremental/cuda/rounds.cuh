// Inserts a batch on a GPU by a rule that works in rounds; the counterpart of round_batch.hpp.
#pragma once
#include <copse/extend/rules/find/halve.hpp>
#include <drivers/incremental/cuda/device_forest.cuh>
#include <drivers/incremental/rounds_of.hpp>
#include <finish/moving_edges.cuh>
#include <gpu/loops/gather.cuh>
#include <gpu/loops/visit.cuh>

#include <cstddef>
#include <type_traits>

namespace copse::drivers {

/// If operation i is an insert, keeps the edge between the roots of its ends: always if `whole`, otherwise only if the roots differ.
template <class Reader>
struct keep_between_roots {
  Reader batch;
  parents::cached<gpu_id> p;
  gpu_id vertices;
  device_notes notes;
  bool whole;

  template <class Append>
  __device__ void operator()(std::size_t i, Append& append) const {
    if (!batch.wanted(i)) return;
    const gpu_edge e = batch.pair(i);
    if (e.u >= vertices || e.v >= vertices) {
      atomicAdd(&notes.tally->refused, 1ull);
      return;
    }
    if (counted_links own; notes.exists) {
      notes.mark(e, own);
      if (own.vertices != 0) atomicAdd(&notes.tally->vertices, static_cast<unsigned long long>(own.vertices));
    }
    const gpu_edge roots{find::halve{}(p, e.u), find::halve{}(p, e.v)};
    if (whole || roots.u != roots.v) append(roots);
  }
};
struct keep_edge {
  const gpu_edge* edges;
  template <class Append>
  __device__ void operator()(std::size_t i, Append& append) const {
    append(edges[i]);
  }
};
template <class Noter>
struct keep_moved_edge {
  const gpu_edge* edges;
  parents::cached<gpu_id> p;
  Noter any;
  template <class Append>
  __device__ void operator()(std::size_t i, Append& append) const {
    const gpu_edge e = edges[i], moved{p.load(e.u), p.load(e.v)};
    if (moved.u != e.u || moved.v != e.v) any.note();
    if (moved.u != moved.v) append(moved);
  }
};
template <class F>
struct along_edge {
  const gpu_edge* edges;
  F f;
  __device__ void operator()(std::size_t i) const { f(edges[i].u, edges[i].v); }
};
template <class F>
struct at_both_ends {
  const gpu_edge* edges;
  F f;
  __device__ void operator()(std::size_t i) const {
    f(edges[i].u);
    f(edges[i].v);
  }
};

/// Counts, as links, the ends of `edges` that were roots and are no longer.
template <class P>
__global__ void __launch_bounds__(backend::threads_a_block)
    count_dead_roots(const gpu_edge* edges, std::size_t count, P p, device_marks died, gpu_tally* tally) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  counted_links own;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += threads) {
    for (const gpu_id r : {edges[i].u, edges[i].v}) own.links += p.load(r) != r ? died.raise(r) : 0;
  }
  own.add_to_tally(tally);
}

/// The edges of a batch between different roots, which the rounds of a rule visit: root_edges<Backend, Id> (round_batch.hpp) for a GPU.
class device_root_edges {
public:
  class change_flag : public backend::gpu_change_flag {
  public:
    explicit change_flag(const backend::cuda& loops) : gpu_change_flag{loops, loops.memory()} {}
  };

  device_root_edges(device_forest& trees, gpu_batch batch, bool moving, round_edges visited = round_edges::between_roots)
      : loops_{trees.loops()},
        p_{trees.plain()},
        ends_{batch.count, loops_.memory()},
        now_{moving ? batch.count : 0, loops_.memory()},
        next_{moving ? batch.count : 0, loops_.memory()},
        moved_{loops_} {
    with_reader(batch, operation::insert, [&]<class Reader>(Reader reader) {
      gather(loops_, batch.count, ends_,
             keep_between_roots<Reader>{reader, p_, trees.slots(), trees.notes(), visited == round_edges::whole_batch});
    });
    if (moving) gather(loops_, ends_.size(), now_, keep_edge{ends_.data()});
  }

  [[nodiscard]] bool is_empty() const noexcept { return ends_.size() == 0; }
  /// size() and moving_size() are the numbers of edges that for_each() and for_each_moving() visit.
  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] std::size_t moving_size() const { return now_.size(); }
  [[nodiscard]] change_flag watch() const { return change_flag{loops_}; }

  template <class F>
  void for_each(F f) const {
    loops_.for_each(ends_.size(), along_edge<F>{ends_.data(), f});
  }
  template <class F>
  void for_roots(F f) const {
    loops_.for_each(ends_.size(), at_both_ends<F>{ends_.data(), f});
  }
  template <class F>
  void for_each_moving(F f) const {
    loops_.for_each(now_.size(), along_edge<F>{now_.data(), f});
  }
  bool move_on() {
    using noter = typename change_flag::noter;
    gather(loops_, now_.size(), next_, keep_moved_edge<noter>{now_.data(), p_, moved_.notes()});
    now_.swap(next_);
    return moved_.happened();
  }
  void count_links(device_forest& trees) const {
    if (ends_.size() == 0) return;
    loops_.before_launch();
    count_dead_roots<<<loops_.blocks_for(ends_.size()), backend::threads_a_block, 0, loops_.stream()>>>(ends_.data(), ends_.size(), p_,
                                                                                                        trees.died(), trees.tally());
    loops_.launched();
  }

private:
  const backend::cuda& loops_;
  parents::cached<gpu_id> p_;
  backend::gathered_on_gpu<gpu_edge> ends_, now_, next_;
  change_flag moved_;
};

template <class Rule>
void insert_in_rounds(device_forest& trees, gpu_batch batch) {
  if (batch.count == 0) return;
  device_root_edges edges{trees, batch, rounds_of<Rule>::moving};
  if (edges.is_empty()) return;
  rounds_of<Rule>::run(edges, trees);
  edges.count_links(trees);
}

}  // namespace copse::drivers
