#include <core/random.hpp>
#include <gen/edge_writers.hpp>
#include <gen/gpu_edges.hpp>
#include <gen/unsorted_rows.hpp>
#include <gpu/loops/cuda.cuh>
#include <gpu/loops/sort_and_sum.hpp>

#include <limits>
#include <utility>

namespace copse::gen {
namespace {

/// Returns the family for use on the device: its prefix sums of the vertices that blocks add are read from `added`, in memory of the GPU.
template <class Family>
Family on_device(Family family, const buffer<std::uint64_t>& added) {
  if constexpr (adds_vertices<Family>) family.added_before = added.data();
  return family;
}

struct shuffle_edge {
  const edge<std::uint32_t>* from;
  edge<std::uint32_t>* to;
  permutation order;
  random_stream turns;
  __device__ void operator()(std::size_t i) const {
    const auto e = from[i];
    to[order(i)] = (turns.word(i) & 1) != 0 ? edge<std::uint32_t>{e.v, e.u} : e;
  }
};

}  // namespace

gpu_edges::gpu_edges(const recipe& plan, const backend::gpu& on, std::pmr::memory_resource* memory)
    : plan_{plan}, on_{on}, memory_{memory}, vertices_{plan.vertices} {
  const backend::cuda loops{on_, memory_, nullptr, 0};
  std::visit(
      [&]<class Family>(const Family& family) {
        if constexpr (direct_family<Family>) {
          edges_ = plan_.items;
        } else {
          const auto blocks = static_cast<std::size_t>(plan_.items);
          if constexpr (adds_vertices<Family>) {
            added_ = buffer<std::uint64_t>{blocks + 1, memory_};
            loops.for_each(blocks, vertex_counter<Family>{family, added_.data()});
            vertices_ += backend::prefix_sums(on_, memory_, added_.data(), blocks);
          }
          starts_ = buffer<std::uint64_t>{blocks + 1, memory_};
          loops.for_each(blocks, edge_counter<Family>{on_device(family, added_), starts_.data()});
          edges_ = backend::prefix_sums(on_, memory_, starts_.data(), blocks);
        }
      },
      plan_.family);
}

void gpu_edges::write(edge<std::uint32_t>* to) const {
  const backend::cuda loops{on_, memory_, nullptr, 0};
  const id_order ids{{vertices_, plan_.order}, plan_.shuffle};
  const auto items = static_cast<std::size_t>(plan_.items);
  std::visit(
      [&]<class Family>(const Family& family) {
        if constexpr (direct_family<Family>) {
          loops.for_each(items, direct_writer<Family>{family, ids, to});
        } else {
          loops.for_each(items, block_writer<Family>{on_device(family, added_), ids, starts_.data(), to});
        }
      },
      plan_.family);
}

void gpu_edges::write_shuffled(edge<std::uint32_t>* to, edge<std::uint32_t>* scratch, std::uint64_t seed) const {
  write(scratch);
  const backend::cuda loops{on_, memory_, nullptr, 0};
  loops.for_each(static_cast<std::size_t>(edges_), shuffle_edge{scratch, to, permutation{edges_, random_stream{seed, 2}}, {seed, 1}});
}

void unsort_rows(const backend::gpu& on, std::pmr::memory_resource* memory, const buffer<std::byte>& offsets, unsigned offset_bytes,
                 buffer<std::uint32_t>& targets, std::uint64_t seed) {
  const backend::cuda loops{on, memory, nullptr, 0};
  buffer<std::uint32_t> moved{targets.size(), memory};
  const std::size_t vertices = offsets.size() / offset_bytes - 1;
  const auto move = [&]<class Offset>(const Offset* of_rows) {
    loops.for_each(targets.size(), arc_mover<Offset>{of_rows, vertices, targets.data(), moved.data(), seed});
  };
  if (offset_bytes == 4) {
    move(reinterpret_cast<const std::uint32_t*>(offsets.data()));
  } else {
    move(reinterpret_cast<const std::uint64_t*>(offsets.data()));
  }
  loops.wait();
  targets = std::move(moved);
}

std::uint64_t gpu_edges::bytes_to_count(const recipe& plan) noexcept {
  return std::visit(
      [&]<class Family>(const Family&) -> std::uint64_t {
        if constexpr (direct_family<Family>) {
          return 0;
        } else {
          constexpr std::uint64_t block_bytes = (adds_vertices<Family> ? 2 : 1) * sizeof(std::uint64_t);
          constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
          // The bytes of the sums of edges and of added vertices before each block. The scratch memory of computing them, a small share, is
          // not included.
          return plan.items > most / block_bytes - 2 ? most : (plan.items + 1) * block_bytes;
        }
      },
      plan.family);
}

}  // namespace copse::gen
