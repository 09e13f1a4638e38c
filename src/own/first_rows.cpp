#include <own/first_rows.hpp>
#include <own/solve_own.hpp>

#include <cstddef>

namespace copse::own {

using id = std::uint32_t;

template <class Backend, class Offset>
void label_first_rows(csr_view<id, Offset> g, id cut, std::span<id> words, const solve_options& options) {
  if (cut == 0) return;
  const Backend backend{options.threads, options.observer};
  const own_options ideas;
  // A probe of rows that end at the cut would look beyond them.
  const verdict seen = g.vertices() == words.size() ? decide(g, backend.threads(), options.seed) : verdict{.scattered = 1};
  const bool sampled = seen.way == route::sampled, scattered = seen.scattered >= ideas.least_scattered;
  const bool looks_beyond = sampled || scattered;  // prefetches do too
  if (Backend::concurrent && ideas.touch) touch_pages(backend, looks_beyond ? words : words.first(cut));
  const typename Backend::template parents<id> p{words.data()};
  backend.for_blocks(looks_beyond ? words.size() - cut : 0, [=](std::size_t begin, std::size_t end) {
    for (std::size_t v = cut + begin; v < cut + end; ++v) p.store(static_cast<id>(v), p.root(static_cast<id>(v)));
  });
  const csr_view<id, Offset> part{g.offsets.first(std::size_t{cut} + 1), g.targets.first(g.offsets[cut]), symmetry::yes, g.sorted};
  buffer<std::uint64_t> marks{Backend::concurrent ? words_of_bits(cut) : 0, options.memory};
  if (sampled) {
    solve_sampled(backend, part, words.data(), marks.data(), options, ideas);
  } else {
    solve_unsampled(backend, part, words.data(), marks.data(), scattered, ideas);
  }
}

template void label_first_rows<backend::serial>(csr_view<id, std::uint32_t>, id, std::span<id>, const solve_options&);
template void label_first_rows<backend::serial>(csr_view<id, std::uint64_t>, id, std::span<id>, const solve_options&);
template void label_first_rows<backend::omp>(csr_view<id, std::uint32_t>, id, std::span<id>, const solve_options&);
template void label_first_rows<backend::omp>(csr_view<id, std::uint64_t>, id, std::span<id>, const solve_options&);

}  // namespace copse::own
