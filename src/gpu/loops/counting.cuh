// The backend of one GPU that also counts its accesses to parents (instruments/counting_device.cuh): for rules that unite along arcs, on
// 32-bit ids.
#pragma once
#include <copse/report.hpp>
#include <gpu/loops/by_degree.cuh>
#include <gpu/loops/forest.cuh>
#include <gpu/loops/visit.cuh>
#include <instruments/counting_device.cuh>
#include <loops/solve_context.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::backend {

class counting_cuda : public cuda {
public:
  static constexpr bool counts = true, fuses_passes = false;
  template <class Id>
  using parents = copse::parents::counting_device<Id, ::cuda::thread_scope_block>;
  template <class Id>
  using fresh_parents = copse::parents::counting_device<Id, ::cuda::thread_scope_device>;
  template <class Words>
  using flagged_parents = copse::parents::counting_flagged<Words, copse::parents::device_flags>;
  template <class Words, class Id>
  using ranked_parents = copse::parents::counting_ranked<Words, Id>;

  using cuda::cuda;
};

template <class Id>
class forest<counting_cuda, Id> : public gpu_forest<counting_cuda, Id> {
public:
  using gpu_forest<counting_cuda, Id>::gpu_forest;
};

template <class Id>
class links<counting_cuda, Id> {
public:
  using recorder = no_recorder;
};

/// Wraps a step of visit() so that its loads and stores are counted.
template <class Step>
struct tallied {
  static constexpr bool stays_joined = step_stays_joined<Step>, counts = true;
  Step step;
  template <class Id>
  __device__ Id operator()(Id u, Id target) const {
    copse::parents::step_tally tally;
    const Step counting{step.p.into(&tally)};
    const Id led_to = counting(u, target);
    counting_cuda::parents<Id>::add(tally);
    return led_to;
  }
};

template <class Id, class Label, class Step, class Ahead = never_ahead>
void visit(const counting_cuda& backend, const arc_set<Id>& set, Label label, Step step, Ahead /*ahead*/ = {}) {
  visit(static_cast<const cuda&>(backend), set, label, tallied<Step>{step});
}

/// How far sampling got, as sums in the memory of the GPU: the vertices in the giant, the arcs of the vertices outside it, and the arcs
/// whose ends have different labels. The loads of labels for these sums are not counted as work.
struct coverage {
  unsigned long long giant_vertices, outside_arcs, crossing_arcs;
};
template <class LabelOf>
struct cover_vertex {
  any_rows<std::uint32_t> rows;
  LabelOf label_of;
  std::uint32_t giant;
  coverage* sums;
  __device__ void operator()(std::size_t i) const {
    const auto v = static_cast<std::uint32_t>(i), label = label_of(v);
    unsigned long long crossing = 0;
    for (const std::uint32_t target : rows.row(v)) crossing += label_of(target) != label;
    if (label == giant) atomicAdd(&sums->giant_vertices, 1ull);
    if (label != giant && rows.degree(v) != 0) atomicAdd(&sums->outside_arcs, static_cast<unsigned long long>(rows.degree(v)));
    if (crossing != 0) atomicAdd(&sums->crossing_arcs, crossing);
  }
};
/// Measures after sampling how many vertices are in the giant and how many arcs remain for the finish. Replaces the function of the same
/// name in namespace drivers, which runs on the host: argument-dependent lookup prefers this overload for the backend counting_cuda.
template <class Id>
void measure_coverage(solve_context<counting_cuda, Id>& context, const arc_set<Id>& graph, Id giant, work_counts& work) {
  buffer<coverage> sums{1, context.loops.memory()};
  context.loops.clear(sums.data(), sizeof(coverage));
  context.trees.with_uncounted_parents([&]<class P>(P p) {
    context.loops.for_each(graph.vertices, cover_vertex<label_of_flat<P>>{graph.rows, {p}, giant, sums.data()});
  });
  const coverage seen = context.loops.fetched(sums.data());
  work.giant_vertices = seen.giant_vertices;
  work.outside_arcs = seen.outside_arcs;
  work.crossing_arcs = seen.crossing_arcs;
}

}  // namespace copse::backend
