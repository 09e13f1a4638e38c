// The driver of connected components: initialise, sample, find the giant, finish, label. It knows no rule; a row of the table brings its
// sample and finish as two function pointers, so that every finish is compiled once and not once a sampler.
#pragma once
#include <copse/components.hpp>
#include <copse/core/memory.hpp>
#include <copse/core/rule_traits.hpp>
#include <copse/graph/build.hpp>
#include <copse/graph/coo.hpp>
#include <copse/graph/csr.hpp>
#include <finish/flatten.hpp>
#include <sample/giant.hpp>

#include <cstddef>
#include <optional>

namespace copse::drivers {

template <class View>
inline constexpr bool is_rows = requires(View g) {
  g.offsets;
};

/// The two phases of a row for one backend and one kind of graph. `sample` is null for the sampler none.
template <class Backend, class View>
struct phases {
  using id = typename View::id_type;
  using parents = typename Backend::template parents<id>;

  void (*sample)(const Backend&, View, parents, const solve_options&) = nullptr;
  void (*finish)(const Backend&, View, parents, std::optional<id> giant, std::pmr::memory_resource*) = nullptr;
};

/// Canonical labels of g. Precondition: g.symmetric == yes when the row samples or needs it.
template <class Backend, class View>
buffer<typename View::id_type> solve_symmetric(View g, phases<Backend, View> row, const solve_options& options) {
  using id = typename View::id_type;
  const Backend backend{options.threads, options.observer};
  const id n = g.vertices();
  buffer<id> words{n, options.memory};
  const typename Backend::template parents<id> p{words.data()};
  backend.for_blocks(n, [p](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) p.store(static_cast<id>(v), p.link(static_cast<id>(v)));
  });
  std::optional<id> giant;
  if (row.sample != nullptr && n > 0) {
    row.sample(backend, g, p, options);
    giant = sample::most_frequent_label(p, n, options.giant_samples, options.seed);
  }
  row.finish(backend, g, p, giant, options.memory);
  finish::flatten(backend, p, n);
  return words;
}

/// Canonical labels of g; rows that need both directions of every edge get them first.
template <class Backend, class View>
buffer<typename View::id_type> solve(View g, phases<Backend, View> row, const rule_traits& traits, const solve_options& options) {
  if constexpr (is_rows<View>) {
    if ((row.sample != nullptr || traits.needs_symmetric) && g.symmetric != symmetry::yes) {
      const auto both = symmetrise(g, build_options{.drop_duplicates = false,
                                                    .drop_loops = false,
                                                    .threads = options.threads,
                                                    .observer = options.observer,
                                                    .memory = options.memory});
      return solve_symmetric(both.view(), row, options);
    }
  }
  return solve_symmetric(g, row, options);
}

}  // namespace copse::drivers
