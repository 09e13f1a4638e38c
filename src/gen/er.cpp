#include <gen/families.hpp>

namespace copse::gen {
namespace {

constexpr parameter parameters[] = {{"n", "vertices, 0 to 6074001000", ""},
                                    {"m", "edges, all different; give m or p", "none"},
                                    {"p", "probability of each pair, 0 to 1 with at most 18 decimals; give m or p", "none"}};

// The smallest b with 2^b q >= 4, but no more than the pairs need.
unsigned block_bits_for(fraction q) {
  unsigned b = 3;
  while (b < 62 && q.digits(b, 0) < 4) ++b;
  return b;
}

recipe make(const spec& s) {
  const std::uint64_t n = s.integer("n", 0, most_vertices_with_pairs);
  const std::uint64_t pairs = pair_count(n);
  if (s.has("m") == s.has("p"))
    s.refuse(s.has("m") ? "both m and p" : "neither m nor p", "one of m (edges) and p (probability of each pair)");
  if (s.has("m")) {
    const std::uint64_t m = s.integer("m", 0, pairs);
    return {s, er_m_edges{permutation{pairs, stream_of(s, purpose::edges)}, n}, n, m};
  }
  const fraction p = s.share("p");
  if (p.is_zero()) return {s, er_m_edges{permutation{pairs, stream_of(s, purpose::edges)}, n}, n, 0};
  const fraction q = p.above_half() ? p.complement() : p;
  const unsigned b = p.above_half() ? 4 : block_bits_for(q);
  const er_p_edges family{stream_of(s, purpose::edges), binomial_table{b, q}, n, pairs, b, p.above_half()};
  const std::uint64_t blocks = (pairs >> b) + ((pairs & ((std::uint64_t{1} << b) - 1)) != 0 ? 1 : 0);
  return {s, family, n, blocks};
}

}  // namespace

constinit const maker er_family{
    {"er", "uniform random: m different pairs, or each pair with probability p",
     "Erdos, Renyi: On random graphs I, Publ. Math. Debrecen 1959; Gilbert: Random graphs, Ann. Math. Stat. 1959", parameters},
    make};

}  // namespace copse::gen
