#include <gpu/loops/cuda.cuh>
#include <gpu/loops/edge_rows.hpp>
#include <loops/arc_keys.hpp>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>

#include <algorithm>
#include <utility>

namespace copse::backend {
namespace {

using key = std::uint64_t;

/// Sorts the keys. If `room` is null, it only sets `bytes` to the size of the scratch memory needed.
void sort(void* room, std::size_t& bytes, cub::DoubleBuffer<key>& keys, std::size_t count, unsigned bits, cudaStream_t stream) {
  checked(cub::DeviceRadixSort::SortKeys(room, bytes, keys, count, 0, static_cast<int>(2 * bits), stream), "sorting arcs");
}
void select(void* room, std::size_t& bytes, const key* sorted, std::size_t count, unsigned bits, key* to, std::uint64_t* kept,
            cudaStream_t stream) {
  const auto flags = thrust::make_transform_iterator(thrust::make_counting_iterator(std::uint64_t{0}), is_arc{sorted, {bits}});
  checked(cub::DeviceSelect::Flagged(room, bytes, sorted, flags, to, kept, static_cast<std::int64_t>(count), stream), "choosing arcs");
}

}  // namespace

std::uint64_t edge_rows::bytes_needed(std::uint32_t vertices, std::uint64_t edges) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  if (edges > most / 64) return most;
  const std::uint64_t arcs = 2 * edges, key_bytes = arcs * sizeof(key);
  std::size_t sorting = 0, selecting = 0;
  if (arcs != 0 && key_bits(vertices) != 0) {
    cub::DoubleBuffer<key> none;
    sort(nullptr, sorting, none, arcs, key_bits(vertices), nullptr);
    select(nullptr, selecting, nullptr, arcs, key_bits(vertices), nullptr, nullptr, nullptr);
  }
  const std::uint64_t offset_bytes = arcs <= std::numeric_limits<std::uint32_t>::max() ? 4 : 8;
  const std::uint64_t row_bytes = (std::uint64_t{vertices} + 1) * offset_bytes + arcs * sizeof(std::uint32_t);
  return key_bytes + std::max<std::uint64_t>(key_bytes + std::max(sorting, selecting + sizeof(std::uint64_t)), row_bytes);
}

edge_rows::edge_rows(const gpu& on, std::pmr::memory_resource* memory, std::uint32_t vertices, std::uint64_t edges,
                     std::uint64_t most_narrow)
    : on_{on},
      memory_{memory},
      vertices_{vertices},
      edges_{static_cast<std::size_t>(edges)},
      most_narrow_{most_narrow},
      keys_{2 * edges_, memory},
      spare_{2 * edges_, memory} {}

std::size_t edge_rows::sort_arcs() {
  const unsigned bits = key_bits(vertices_);
  if (edges_ == 0 || bits == 0) return 0;
  const cuda loops{on_, memory_, nullptr, 0};
  const std::size_t arcs = 2 * edges_;
  loops.for_each(edges_, mirrored_keys{edges(), edges_, {bits}, keys_.data()});
  std::size_t bytes = 0;
  {
    cub::DoubleBuffer<key> both{keys_.data(), spare_.data()};
    sort(nullptr, bytes, both, arcs, bits, on_.stream());
    buffer<std::byte> room{bytes, memory_};
    sort(room.data(), bytes, both, arcs, bits, on_.stream());
    if (both.Current() == spare_.data()) std::swap(keys_, spare_);
  }
  buffer<std::uint64_t> kept{1, memory_};
  select(nullptr, bytes, keys_.data(), arcs, bits, spare_.data(), kept.data(), on_.stream());
  buffer<std::byte> room{bytes, memory_};
  select(room.data(), bytes, keys_.data(), arcs, bits, spare_.data(), kept.data(), on_.stream());
  return static_cast<std::size_t>(loops.fetched(kept.data()));
}

edge_rows::rows edge_rows::build() && {
  const cuda loops{on_, memory_, nullptr, 0};
  const arc_key as{key_bits(vertices_)};
  const std::size_t arcs = sort_arcs();
  keys_ = {};
  rows result{{}, arcs <= most_narrow_ ? 4u : 8u, {}};
  result.offsets = buffer<std::byte>{(std::size_t{vertices_} + 1) * result.offset_bytes, memory_};
  result.targets = buffer<std::uint32_t>{arcs, memory_};
  const std::size_t ends = std::size_t{vertices_} + 1;
  if (result.offset_bytes == 4) {
    loops.for_each(ends, offset_writer<std::uint32_t>{spare_.data(), arcs, as, reinterpret_cast<std::uint32_t*>(result.offsets.data())});
  } else {
    loops.for_each(ends, offset_writer<std::uint64_t>{spare_.data(), arcs, as, reinterpret_cast<std::uint64_t*>(result.offsets.data())});
  }
  loops.for_each(arcs, target_writer{spare_.data(), as, result.targets.data()});
  loops.wait();
  spare_ = {};
  return result;
}

}  // namespace copse::backend
