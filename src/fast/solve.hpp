// The fast path for rows, independent of the table of variants: hook, find the giant, and finish the vertices outside it; or, if a sample
// does not pay, unite chunk by chunk. Labels are canonical: links go from larger to smaller vertices, so roots are the smallest vertices of
// their trees.
#pragma once
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <core/new_pages.hpp>
#include <core/request.hpp>
#include <fast/decide.hpp>
#include <fast/labels.hpp>
#include <fast/passes.hpp>
#include <fast/sampled.hpp>
#include <fast/solve_list.hpp>
#include <fast/unsampled.hpp>
#include <loops/serial.hpp>
#include <loops/threads.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace copse::fast {

/// Writes the canonical labels of g to `labels`, one per vertex. `bits`: scratch memory of words_of_bits(n) words, for one bit per vertex;
/// or empty, in which case memory for them is taken from options.memory. Throws usage_error if the sampled path is asked for and g is not
/// known to hold both directions.
template <class Backend, class Id, class Offset>
void solve_fast(csr_view<Id, Offset> g, std::span<Id> labels, std::span<std::uint64_t> bits, const solve_request& options,
                const fast_options& settings) {
  const Backend backend{options.threads, options.observer};
  report_clock watch{settings.report};
  const route_decision decision = decide_with(g, backend.threads(), options.seed, settings.way);
  if (settings.report != nullptr) settings.report->decision = decision;
  watch.lap(&fast_report::decide_seconds);
  if (labels.empty()) return;
  const bool marked = Backend::concurrent || g.symmetric != symmetry::yes || decision.way == route::sampled;
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

/// Returns the canonical labels of g in new memory. Allocates them together with the scratch memory of the solve, one bit per vertex.
template <class Backend, class Id, class Offset>
buffer<Id> solve_fast(csr_view<Id, Offset> g, const solve_request& options, const fast_options& settings = {}) {
  auto labels = labels_with_bits<Id>(g.vertices(), options.memory);
  solve_fast<Backend>(g, labels.span(), bits_behind(labels), options, settings);
  return labels;
}

// Instantiated once, in solve.cpp.
extern template void solve_fast<backend::serial>(csr_view<std::uint32_t, std::uint32_t>, std::span<std::uint32_t>, std::span<std::uint64_t>,
                                                 const solve_request&, const fast_options&);
extern template void solve_fast<backend::serial>(csr_view<std::uint32_t, std::uint64_t>, std::span<std::uint32_t>, std::span<std::uint64_t>,
                                                 const solve_request&, const fast_options&);
extern template void solve_fast<backend::serial>(csr_view<std::uint64_t, std::uint64_t>, std::span<std::uint64_t>, std::span<std::uint64_t>,
                                                 const solve_request&, const fast_options&);
extern template void solve_fast<backend::threads>(csr_view<std::uint32_t, std::uint32_t>, std::span<std::uint32_t>,
                                                  std::span<std::uint64_t>, const solve_request&, const fast_options&);
extern template void solve_fast<backend::threads>(csr_view<std::uint32_t, std::uint64_t>, std::span<std::uint32_t>,
                                                  std::span<std::uint64_t>, const solve_request&, const fast_options&);
extern template void solve_fast<backend::threads>(csr_view<std::uint64_t, std::uint64_t>, std::span<std::uint64_t>,
                                                  std::span<std::uint64_t>, const solve_request&, const fast_options&);

}  // namespace copse::fast
