// The driver of connected components: initialise, sample, find the giant, finish, label. It knows no rule; sampler and finish are types.
// Both are compiled once a (backend, rule, kind of graph), whatever they are combined with.
#pragma once
#include <backend/flatten.hpp>
#include <copse/components.hpp>
#include <copse/core/memory.hpp>
#include <copse/graph/build.hpp>
#include <copse/graph/coo.hpp>
#include <copse/graph/csr.hpp>
#include <sample/giant.hpp>
#include <sample/none.hpp>

#include <concepts>
#include <cstddef>
#include <optional>

namespace copse::drivers {

template <class View>
inline constexpr bool is_rows = requires(View g) {
  g.offsets;
};

/// Canonical labels of g. Precondition: g.symmetric == yes when the sampler skips the giant or the finish needs it.
template <class Backend, class Sampler, class Finish, class View>
buffer<typename View::id_type> solve_prepared(View g, const solve_options& options) {
  using id = typename View::id_type;
  const Backend backend{options.threads, options.observer};
  const id n = g.vertices();
  buffer<id> words{n, options.memory};
  const typename Backend::template parents<id> p{words.data()};
  backend.for_blocks(n, [p](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) p.store(static_cast<id>(v), p.link(static_cast<id>(v)));
  });
  std::optional<id> giant;
  if constexpr (!std::same_as<Sampler, sample::none>) {
    Sampler::template run<typename Finish::rule>(backend, g, p, options);
    if (n > 0) giant = sample::most_frequent_label(p, n, options.giant_samples, options.seed);
  }
  Finish::run(backend, g, p, giant, options);
  backend::flatten(backend, p, n);
  return words;
}

/// Canonical labels of g; combinations that need both directions of every edge get them first.
template <class Backend, class Sampler, class Finish, class View>
buffer<typename View::id_type> solve(View g, const solve_options& options) {
  if constexpr (is_rows<View> && (!std::same_as<Sampler, sample::none> || Finish::traits.needs_symmetric)) {
    if (g.symmetric != symmetry::yes) {
      const auto both = symmetrise(g, build_options{.drop_duplicates = false,
                                                    .drop_loops = false,
                                                    .threads = options.threads,
                                                    .observer = options.observer,
                                                    .memory = options.memory});
      return solve_prepared<Backend, Sampler, Finish>(both.view(), options);
    }
  }
  return solve_prepared<Backend, Sampler, Finish>(g, options);
}

}  // namespace copse::drivers
