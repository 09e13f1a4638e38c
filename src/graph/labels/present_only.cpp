#include <core/parallel.hpp>
#include <graph/labels/present_only.hpp>
#include <graph/narrowest_ids.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace copse {
namespace {

constexpr std::size_t slots_per_block = std::size_t{1} << 16;

/// For each block, the number of present vertices before it; the last element is their total number.
template <class Id>
std::vector<std::uint64_t> positions_of_blocks(const buffer<Id>& labels, unsigned threads) {
  std::vector<std::uint64_t> before((labels.size() + slots_per_block - 1) / slots_per_block + 1);
  parallel_blocks(threads, labels.size(), slots_per_block, [&](std::size_t begin, std::size_t end) {
    const auto absent = std::count(labels.data() + begin, labels.data() + end, no_vertex<Id>);
    before[begin / slots_per_block + 1] = end - begin - static_cast<std::uint64_t>(absent);
  });
  std::partial_sum(before.begin(), before.end(), before.begin());
  return before;
}

template <class Id>
labelling as_positions(const buffer<Id>& labels, const vertex_names& names, const std::vector<std::uint64_t>& before, unsigned threads,
                       std::pmr::memory_resource* memory) {
  const std::uint64_t present = before.back();
  return with_narrowest_ids(present, [&]<class To>(To) -> labelling {
    buffer<To> to{present, memory}, position{labels.size(), memory};
    buffer<std::uint64_t> ids{present, memory};
    parallel_blocks(threads, labels.size(), slots_per_block, [&](std::size_t begin, std::size_t end) {
      auto next = static_cast<To>(before[begin / slots_per_block]);
      for (std::size_t v = begin; v < end; ++v) {
        if (labels[v] == no_vertex<Id>) continue;
        ids[next] = names.integer(v);
        position[v] = next++;
      }
    });
    parallel_blocks(threads, labels.size(), slots_per_block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) {
        if (labels[v] != no_vertex<Id>) to[position[v]] = position[labels[v]];
      }
    });
    return {std::move(to), vertex_names::integers(std::move(ids), names.is_signed())};
  });
}

}  // namespace

labelling copy_of_present(const labelling& labels, unsigned threads, std::pmr::memory_resource* memory) {
  return std::visit(
      [&](const auto& held) { return as_positions(held, labels.names(), positions_of_blocks(held, threads), threads, memory); },
      labels.labels());
}

labelling present_only(labelling labels, unsigned threads, std::pmr::memory_resource* memory) {
  return std::visit(
      [&](const auto& held) -> labelling {
        const auto before = positions_of_blocks(held, threads);
        if (before.back() == held.size()) return std::move(labels);
        return as_positions(held, labels.names(), before, threads, memory);
      },
      labels.labels());
}

}  // namespace copse
