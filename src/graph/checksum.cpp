// checksum = mix(sum over arcs of arc_item(u, v), mix(n)), modulo 2^64. An item passes both ends through a mixer, one after the
// other, so that (1, 2) and (2, 1) differ; the sum is of numbers, so the order of addition does not matter, and a repeated arc counts as
// often as it occurs.
#include "graph/arc_sum.hpp"
#include "graph/labels/checksum_item.hpp"

#include <copse/build.hpp>

#include <variant>

namespace copse {
namespace {

using labels_checksum::mix;

constexpr std::uint64_t source_hash(std::uint64_t u) noexcept { return mix(u + 0x9E3779B97F4A7C15u); }
constexpr std::uint64_t arc_item(std::uint64_t hash_of_u, std::uint64_t v) noexcept {
  return mix(hash_of_u + 0xD1B54A32D192ED03u * (v + 1));
}

template <class Id, class Offset>
std::uint64_t sum_of(csr_view<Id, Offset> g, std::size_t begin, std::size_t end) {
  std::uint64_t sum = 0;
  for (std::size_t u = begin; u < end; ++u) {
    const std::uint64_t hash = source_hash(u);
    for (const Id v : g.row(static_cast<Id>(u))) sum += arc_item(hash, v);
  }
  return sum;
}

template <class Id>
std::uint64_t sum_of(coo_view<Id> g, std::size_t begin, std::size_t end) {
  std::uint64_t sum = 0;
  for (const auto& [u, v] : g.edges.subspan(begin, end - begin)) sum += arc_item(source_hash(u), v);
  return sum;
}

}  // namespace

std::uint64_t graph_checksum(graph_view any, unsigned threads) {
  return std::visit(
      [threads](const auto& g) {
        const std::uint64_t sum =
            arc_sum(g, threads, [](const auto& of, std::size_t begin, std::size_t end) { return sum_of(of, begin, end); });
        return mix(sum ^ mix(std::uint64_t{g.vertices()} + 0x6A09E667F3BCC909u));
      },
      any);
}

}  // namespace copse
