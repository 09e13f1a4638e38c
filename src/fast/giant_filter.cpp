#include <fast/giant_filter.hpp>

#if defined(__x86_64__)
#include <immintrin.h>

#include <bit>
#endif

namespace copse::fast {

using id = std::uint32_t;

#if defined(__x86_64__)
#if defined(__GNUC__) && !defined(__clang__)
// GCC warns about operands of its own intrinsics that are undefined on purpose (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
namespace {

/// Loads the ends of eight edges from the i-th on: u and v of each edge side by side.
[[gnu::target("avx512f"), gnu::always_inline]] inline __m512i eight_of(std::span<const edge<id>> edges, std::size_t i) {
  return _mm512_loadu_si512(edges.data() + i);
}
[[gnu::target("avx512f"), gnu::always_inline]] inline __m512i eight_of(const column_edges<id>& edges, std::size_t i) {
  const auto at = [](const id* ids) { return reinterpret_cast<const __m256i*>(ids); };
  const __m512i u = _mm512_cvtepu32_epi64(_mm256_loadu_si256(at(edges.sources() + i)));
  const __m512i v = _mm512_cvtepu32_epi64(_mm256_loadu_si256(at(edges.targets() + i)));
  return _mm512_or_si512(u, _mm512_slli_epi64(v, 32));
}

template <class Edges>
[[gnu::target("avx512f,popcnt")]] filtered filter_by_eight(const giant_filter<id>& filter, const Edges& edges, std::size_t first,
                                                           std::size_t last, edge<id>* kept) {
  const __m512i one = _mm512_set1_epi32(1), giant = _mm512_set1_epi32(static_cast<int>(filter.inside.giant));
  const __m512i most = _mm512_set1_epi32(static_cast<int>(filter.limit - 1));  // no limit is a limit of 0, which gives the largest id
  const auto named = static_cast<__mmask16>(filter.name_giant ? 0xffff : 0);
  unsigned wrong = 0;
  std::size_t count = 0, i = first;
  for (; i + 8 <= last; i += 8) {
    const __m512i asked = eight_of(edges, i), ends = _mm512_min_epu32(asked, most);
    wrong |= _mm512_cmpneq_epi32_mask(asked, ends);
    const __m512i words = _mm512_i32gather_epi32(_mm512_srli_epi32(ends, 5), filter.inside.words, 4);
    const __m512i bits = _mm512_and_si512(_mm512_rorv_epi32(words, ends), one);
    const __mmask8 left = _mm512_cmpneq_epi64_mask(bits, _mm512_set1_epi64(0x100000001));
    const __m512i edge_or_giant = _mm512_mask_blend_epi32(_mm512_mask_test_epi32_mask(named, bits, bits), ends, giant);
    _mm512_storeu_si512(kept + count, _mm512_maskz_compress_epi64(left, edge_or_giant));
    count += static_cast<unsigned>(std::popcount(static_cast<unsigned>(left)));
  }
  const filtered rest = filter.one_by_one(edges, i, last, kept + count);
  return {count + rest.kept, wrong == 0 && rest.known};
}

}  // namespace

bool filters_wide() noexcept {
  static const bool wide = __builtin_cpu_supports("avx512f") != 0;
  return wide;
}
filtered filter_wide(const giant_filter<id>& filter, std::span<const edge<id>> edges, edge<id>* kept) {
  return filter_by_eight(filter, edges, 0, edges.size(), kept);
}
filtered filter_wide(const giant_filter<id>& filter, const column_edges<id>& edges, std::size_t first, std::size_t last, edge<id>* kept) {
  return filter_by_eight(filter, edges, first, last, kept);
}
#else
bool filters_wide() noexcept { return false; }
filtered filter_wide(const giant_filter<id>& filter, std::span<const edge<id>> edges, edge<id>* kept) {
  return filter.one_by_one(edges, 0, edges.size(), kept);
}
filtered filter_wide(const giant_filter<id>& filter, const column_edges<id>& edges, std::size_t first, std::size_t last, edge<id>* kept) {
  return filter.one_by_one(edges, first, last, kept);
}
#endif

}  // namespace copse::fast
