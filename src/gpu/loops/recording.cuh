// The backend of one GPU that also records the edges of a spanning forest, each when it links two trees (links.cuh). It is separate from
// cuda so that no translation unit compiles kernels in a form that it never launches.
#pragma once
#include <gpu/loops/by_degree.cuh>
#include <gpu/loops/forest.cuh>
#include <gpu/loops/frontier.cuh>
#include <gpu/loops/gather.cuh>
#include <gpu/loops/links.cuh>
#include <gpu/loops/visit.cuh>
#include <loops/links.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace copse::backend {

class recording_cuda : public cuda {
public:
  using cuda::cuda;

  /// Searches do not mark vertices by plain stores here, because exactly one thread must record the arc by which a vertex was reached: a
  /// compare-and-swap succeeds for one thread only, but after plain stores no thread knows whether it was the first.
  [[nodiscard]] static constexpr bool searches_by_stores() noexcept { return false; }
};

template <class Id>
class forest<recording_cuda, Id> : public gpu_forest<recording_cuda, Id> {
public:
  using gpu_forest<recording_cuda, Id>::gpu_forest;
};

template <>
class links<recording_cuda, std::uint32_t> {
public:
  using recorder = slot_recorder;

  links(const cuda& /*loops*/, std::uint32_t vertices, std::pmr::memory_resource* memory) : slots_{vertices, memory} {}

  [[nodiscard]] recorder notes() noexcept { return recorder{slots_.data()}; }
  /// Returns all recorded edges, compacted. Nothing may be recorded afterwards. Waits for all earlier loops.
  template <class Trees>
  [[nodiscard]] buffer<gpu_edge> collect(const cuda& loops, Trees& trees) {
    buffer<gpu_edge> edges;
    trees.with_parents([&](auto p) { edges = collect_slots(loops, p, trees.vertices(), std::move(slots_)); });
    return edges;
  }

private:
  buffer<gpu_edge> slots_;
};

template <class T>
struct gathered_by<recording_cuda, T> : gathered_by<cuda, T> {};

template <class Id, bool Measured>
class frontier<recording_cuda, Id, Measured> : public frontier<cuda, Id, Measured> {
public:
  using frontier<cuda, Id, Measured>::frontier;
};

inline std::uint32_t busiest_of(const recording_cuda& loops, const any_rows<std::uint32_t>& rows, unsigned samples, random_stream random) {
  return busiest_of(static_cast<const cuda&>(loops), rows, samples, random);
}

template <class Id, class Label, class Step, class Ahead = never_ahead>
void visit(const recording_cuda& backend, const arc_set<Id>& set, Label label, Step step, Ahead ahead = {}) {
  visit(static_cast<const cuda&>(backend), set, label, step, ahead);
}

}  // namespace copse::backend
