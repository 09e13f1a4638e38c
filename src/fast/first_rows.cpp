#include <fast/first_rows.hpp>
#include <fast/solve.hpp>

#include <algorithm>
#include <cstddef>

namespace copse::fast {
namespace {

using id = std::uint32_t;

/// Estimates how many arcs per vertex below the cut lead to vertices below the cut, from random arcs. Each of these is a cache miss, but
/// all are in flight at once.
template <class Offset>
double arcs_inside(csr_view<id, Offset> g, id cut, std::uint64_t seed) {
  constexpr std::uint64_t draws = 64;
  const std::uint64_t arcs = g.offsets[cut];
  std::uint64_t inside = 0;
  for (std::uint64_t k = 0; k < draws && arcs != 0; ++k) inside += g.targets[random_stream{seed, 8}.below(k, arcs)] < cut ? 1 : 0;
  return static_cast<double>(arcs) / cut * static_cast<double>(inside) / draws;
}

/// Decides by which path of the fast path (route_decision) the first `cut` vertices are solved. Probes of the whole graph take as long as
/// solving a small part, so they are left out for a small part.
template <class Offset>
route_decision decide_part(csr_view<id, Offset> g, id vertices, id cut, unsigned threads, std::uint64_t seed) {
  constexpr id in_cache = id{1} << 18, worth_a_probe = id{1} << 20;
  if (cut == vertices) return decide_with(g, threads, seed, route::automatic);
  route_decision v{.scattered = cut <= in_cache ? 0. : 1.};
  if (g.vertices() != vertices) return v;  // `g` has the first rows only, and the probes read rows of arcs' targets, too
  if (arcs_inside(g, cut, seed) >= sampling_limits{}.least_arcs) return decide_with(g, threads, seed, route::automatic);
  if (cut >= worth_a_probe) v.scattered = share_of_scattered_arcs(g, seed);
  return v;
}

}  // namespace

template <class Backend, class Offset>
void label_first_rows(csr_view<id, Offset> g, id vertices, id cut, std::span<id> words, const solve_request& options) {
  if (cut == 0) return;
  const Backend backend{options.threads, options.observer};
  const fast_options settings;
  const route_decision seen = decide_part(g, vertices, cut, backend.threads(), options.seed);
  const bool sampled = seen.way == route::sampled;
  buffer<id> room{sampled && words.size() < vertices ? vertices : 0, options.memory};
  const std::span<id> used = room.empty() ? words.first(sampled ? vertices : cut) : room.span();
  if constexpr (Backend::concurrent) touch_pages(backend.threads(), used);
  const csr_view<id, Offset> part{g.offsets.first(std::size_t{cut} + 1), g.targets.first(g.offsets[cut]), symmetry::yes, g.sorted};
  buffer<std::uint64_t> marks{Backend::concurrent || sampled ? words_of_bits(cut) : 0, options.memory};
  if (sampled) {
    const typename Backend::template parents<id> p{used.data()};
    backend.for_blocks(vertices - cut, [=](std::size_t begin, std::size_t end) {
      for (std::size_t v = cut + begin; v < cut + end; ++v) p.store(static_cast<id>(v), p.root(static_cast<id>(v)));
    });
    solve_sampled(backend, part, used.data(), marks.data(), options, settings);
  } else {
    solve_unsampled(backend, part, used.data(), marks.data(), seen.scattered >= settings.least_scattered, settings);
  }
  if (room.empty()) return;
  backend.for_blocks(cut, [from = room.data(), to = words.data()](std::size_t begin, std::size_t end) {
    std::copy(from + begin, from + end, to + begin);
  });
}

template void label_first_rows<backend::serial>(csr_view<id, std::uint32_t>, id, id, std::span<id>, const solve_request&);
template void label_first_rows<backend::serial>(csr_view<id, std::uint64_t>, id, id, std::span<id>, const solve_request&);
template void label_first_rows<backend::threads>(csr_view<id, std::uint32_t>, id, id, std::span<id>, const solve_request&);
template void label_first_rows<backend::threads>(csr_view<id, std::uint64_t>, id, id, std::span<id>, const solve_request&);

}  // namespace copse::fast
