// The fast path for rows, free of the table: hook, find the giant, finish what is outside it; or, where a sample does not pay, unite chunk
// by chunk. Labels are canonical: links go from larger to smaller, so roots are smallest vertices.
#pragma once
#include <copse/memory.hpp>
#include <copse/options.hpp>
#include <copse/views.hpp>
#include <core/new_pages.hpp>
#include <fast/chunks.hpp>
#include <fast/decide.hpp>
#include <fast/finish_outside.hpp>
#include <fast/first_hook.hpp>
#include <fast/giant.hpp>
#include <fast/labels.hpp>
#include <fast/options.hpp>
#include <fast/report.hpp>
#include <fast/second_hook.hpp>
#include <fast/solve_arcs.hpp>
#include <fast/unsampled.hpp>
#include <fast/vertex_bits.hpp>
#include <loops/serial.hpp>
#include <loops/threads.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace copse::fast {

/// Vertices of a chunk at most where many threads unite scattered rows. A vertex waits for memory there, some for several parents in turn:
/// eight larger chunks per thread end at times that differ by much.
inline constexpr std::size_t scattered_chunk = 8192;

/// Precondition: g holds both directions of every edge. `marks`: a bit per vertex where many threads work.
template <class Backend, class Id, class Offset>
void solve_unsampled(const Backend& backend, csr_view<Id, Offset> g, Id* words, std::uint64_t* marks, bool scattered,
                     const fast_options& settings) {
  const typename Backend::template parents<Id> p{words};
  std::size_t chunk = chunk_of(backend, g.vertices(), settings.chunk_vertices);
  if (Backend::concurrent && scattered && settings.chunk_vertices == 0) chunk = std::min(chunk, scattered_chunk);
  stopwatch watch{settings.report};
  shared_flag long_ones;
  as_constants(scattered, [&](auto ahead) {
    as_constants(g.sorted, [&](auto sorted) {
      if constexpr (Backend::concurrent) {
        hook_and_mark<!ahead(), sorted()>(backend, g, p, chunk, marks, long_ones);
        watch.lap(&fast_report::hook_seconds);
        unite_left<ahead(), sorted()>(backend, g, p, words, chunk, marks, long_ones);
      } else {
        unite_rows<ahead(), sorted()>(backend, g, p, words, chunk);
      }
      watch.lap(&fast_report::finish_seconds);
    });
  });
  flatten(backend, p, g.vertices(), chunk);
  watch.lap(&fast_report::label_seconds);
}

/// Vertices of a chunk where many threads flatten sampled trees: the smaller, the less lies unflattened below a chunk.
template <class Backend>
inline constexpr std::size_t flat_front = Backend::concurrent ? 8192 : std::size_t{1} << 16;

/// From this share of the vertices up, a loop foresees where a vertex belongs.
inline constexpr double nearly_all = 0.98;

/// Precondition: g holds both directions of every edge, and has vertices. `marks`: a bit per vertex where many threads work.
template <class Backend, class Id, class Offset>
void solve_sampled(const Backend& backend, csr_view<Id, Offset> g, Id* words, std::uint64_t* marks, const solve_options& options,
                   const fast_options& settings) {
  using parents = typename Backend::template parents<Id>;
  const parents p{words};
  const std::size_t chunk = chunk_of(backend, g.vertices(), settings.chunk_vertices), near = std::min(chunk, flat_front<Backend>);
  stopwatch watch{settings.report};
  first_hook(backend, g, p, chunk, marks);
  watch.lap(&fast_report::hook_seconds);
  second_hook(backend, g, p, words, chunk, marks);
  watch.lap(&fast_report::second_hook_seconds);
  giant_vote<Id> giant = vote(backend, g, p, words, options.giant_samples, options.seed);
  watch.lap(&fast_report::vote_seconds);
  if (giant.coverage < settings.least_coverage) {
    top_up(backend, g, p, words, chunk);
    watch.lap(&fast_report::second_hook_seconds);
    giant = vote(backend, g, p, words, options.giant_samples, options.seed);
    watch.lap(&fast_report::vote_seconds);
  }
  const bool skips = giant.coverage >= settings.least_coverage;
  if (settings.report != nullptr) {
    settings.report->coverage = giant.coverage;
    settings.report->skipped_giant = skips;
  }
  if (!skips) {
    unite_all(backend, g, p);
    watch.lap(&fast_report::finish_seconds);
    flatten(backend, p, g.vertices(), near);
  } else if constexpr (Backend::concurrent) {
    flatten_and_mark(backend, p, g.vertices(), near, giant.root, marks);
    watch.lap(&fast_report::flatten_seconds);
    const bool any = finish_marked(backend, g, p, words, chunk, giant.root, marks);
    watch.lap(&fast_report::finish_seconds);
    if (parent_of(p, giant.root) != giant.root) {
      flatten(backend, p, g.vertices(), near);
    } else if (any) {
      flatten_marked(backend, p, g.vertices(), chunk, marks);
    }
  } else {
    finish_outside(backend, g, p, words, chunk, giant, giant.direct > nearly_all);
    watch.lap(&fast_report::finish_seconds);
    flatten(backend, p, g.vertices(), near);
  }
  watch.lap(&fast_report::label_seconds);
}

/// Canonical labels of g, one per vertex. `bits`: words_of_bits(n) of them, or none, and they are taken from options.memory. Throws
/// usage_error when the sampled path is asked for and g is not known to hold both directions.
template <class Backend, class Id, class Offset>
void solve_fast(csr_view<Id, Offset> g, std::span<Id> labels, std::span<std::uint64_t> bits, const solve_options& options,
                const fast_options& settings) {
  const Backend backend{options.threads, options.observer};
  stopwatch watch{settings.report};
  const verdict decision = decide_with(g, backend.threads(), options.seed, settings.way);
  if (settings.report != nullptr) settings.report->decision = decision;
  watch.lap(&fast_report::decide_seconds);
  if (labels.empty()) return;
  const bool marked = Backend::concurrent || g.symmetric != symmetry::yes;
  buffer<std::uint64_t> room{marked && bits.empty() ? words_of_bits(labels.size()) : 0, options.memory};
  std::uint64_t* const marks = !marked ? nullptr : bits.empty() ? room.data() : bits.data();
  if constexpr (Backend::concurrent) touch_pages(backend.threads(), labels);
  watch.lap(&fast_report::touch_seconds);
  if (g.symmetric != symmetry::yes) {
    solve_arcs(backend, g, labels, marks, options.seed);
    watch.lap(&fast_report::finish_seconds);
    return;
  }
  if (decision.way == route::sampled) {
    solve_sampled(backend, g, labels.data(), marks, options, settings);
  } else {
    solve_unsampled(backend, g, labels.data(), marks, decision.scattered >= settings.least_scattered, settings);
  }
}

/// The same in memory of its own: labels, and behind them the bits.
template <class Backend, class Id, class Offset>
buffer<Id> solve_fast(csr_view<Id, Offset> g, const solve_options& options, const fast_options& settings = {}) {
  auto labels = labels_with_bits<Id>(g.vertices(), options.memory);
  solve_fast<Backend>(g, labels.span(), bits_behind(labels), options, settings);
  return labels;
}

// Compiled once, in solve.cpp.
extern template void solve_fast<backend::serial>(csr_view<std::uint32_t, std::uint32_t>, std::span<std::uint32_t>, std::span<std::uint64_t>,
                                                 const solve_options&, const fast_options&);
extern template void solve_fast<backend::serial>(csr_view<std::uint32_t, std::uint64_t>, std::span<std::uint32_t>, std::span<std::uint64_t>,
                                                 const solve_options&, const fast_options&);
extern template void solve_fast<backend::serial>(csr_view<std::uint64_t, std::uint64_t>, std::span<std::uint64_t>, std::span<std::uint64_t>,
                                                 const solve_options&, const fast_options&);
extern template void solve_fast<backend::threads>(csr_view<std::uint32_t, std::uint32_t>, std::span<std::uint32_t>,
                                                  std::span<std::uint64_t>, const solve_options&, const fast_options&);
extern template void solve_fast<backend::threads>(csr_view<std::uint32_t, std::uint64_t>, std::span<std::uint32_t>,
                                                  std::span<std::uint64_t>, const solve_options&, const fast_options&);
extern template void solve_fast<backend::threads>(csr_view<std::uint64_t, std::uint64_t>, std::span<std::uint64_t>,
                                                  std::span<std::uint64_t>, const solve_options&, const fast_options&);

}  // namespace copse::fast
