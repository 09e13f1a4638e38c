// What one GPU thread does for an edge list: it writes one edge of a direct family, or one block of a blocked family, whose edges begin
// where those of the previous block end. The list does not depend on the order in which threads run.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/views.hpp>
#include <core/random.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::gen {

/// Permutes the ids of an edge if the recipe says so.
struct id_order {
  permutation order;
  bool shuffle;

  COPSE_HOST_DEVICE edge<std::uint32_t> operator()(edge<std::uint32_t> e) const noexcept {
    if (!shuffle) return e;
    return {static_cast<std::uint32_t>(order(e.u)), static_cast<std::uint32_t>(order(e.v))};
  }
};

template <class Family>
struct direct_writer {
  Family family;
  id_order ids;
  edge<std::uint32_t>* to;

  COPSE_HOST_DEVICE void operator()(std::size_t i) const noexcept { to[i] = ids(family.template at<std::uint32_t>(i)); }
};

template <class Family>
struct block_writer {
  Family family;
  id_order ids;
  const std::uint64_t* starts;
  edge<std::uint32_t>* to;

  COPSE_HOST_DEVICE void operator()(std::size_t block) const noexcept {
    edge<std::uint32_t>* first = to + starts[block];
    edge<std::uint32_t>* const end = family.fill(block, first);
    if (ids.shuffle) {
      for (; first != end; ++first) *first = ids(*first);
    }
  }
};

template <class Family>
struct edge_counter {
  Family family;
  std::uint64_t* counts;

  COPSE_HOST_DEVICE void operator()(std::size_t block) const noexcept { counts[block] = family.count(block); }
};

template <class Family>
struct vertex_counter {
  Family family;
  std::uint64_t* counts;

  COPSE_HOST_DEVICE void operator()(std::size_t block) const noexcept { counts[block] = family.added_vertices(block); }
};

}  // namespace copse::gen
