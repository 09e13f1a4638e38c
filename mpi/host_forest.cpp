// The shared memory holds the parents of all ids, a bit per id for those in the giant, and what ranks count together.
#include "host_forest.hpp"

#include <algorithm>
#include <atomic>
#include <core/parallel.hpp>
#include <drivers/streaming/flatten.hpp>
#include <drivers/streaming/unite_batch.hpp>
#include <new>
#include <utility>

namespace copse::mpi {
namespace {

constexpr std::uint64_t page_bytes = 4096;

constexpr std::uint64_t whole_chunks(std::uint64_t bytes) {
  return (bytes + shared_memory::chunk_bytes - 1) / shared_memory::chunk_bytes * shared_memory::chunk_bytes;
}

}  // namespace

std::unique_ptr<host_forest> host_forest::of(const communicator& host, std::uint64_t slots, std::pmr::memory_resource* memory,
                                             std::string& reason) {
  const std::uint64_t bits_at = whole_chunks(slots * sizeof(id)), counts_at = bits_at + whole_chunks(slots / 8 + 8);
  auto all = shared_memory::of(host, counts_at + sizeof(counts), memory, reason);
  if (all == nullptr) return nullptr;
  all->take(counts_at, counts_at + sizeof(counts));
  void* const place = all->data() + counts_at;
  if (host.rank == 0) new (place) counts;
  MPI_Barrier(host.handle);
  return std::unique_ptr<host_forest>{new host_forest{std::move(all), slots, bits_at, *static_cast<counts*>(place)}};
}

host_forest::host_forest(std::unique_ptr<shared_memory> memory, std::uint64_t slots, std::uint64_t bits_at, counts& together)
    : memory_{std::move(memory)},
      words_{reinterpret_cast<id*>(memory_->data())},
      slots_{slots},
      together_{together},
      giant_{together.giant, reinterpret_cast<std::uint64_t*>(memory_->data() + bits_at),
             [this, bits_at](std::uint64_t page) { memory_->take(bits_at + page * page_bytes, bits_at + (page + 1) * page_bytes); }} {}

void host_forest::unite(std::span<const edge<std::uint64_t>> batch, std::uint64_t largest) {
  if ((largest + 1) * sizeof(id) > memory_->taken_below()) take(batch);
  const streaming::shared_inverted<streaming::flat_words<id>> parents{words()};
  std::uint64_t used = 0;
  const auto present = [&](id v) {
    if (!parents.absent(v)) [[likely]]
      return true;
    parents.appear(v);
    used = std::max(used, std::uint64_t{v} + 1);
    return true;
  };
  streaming::unite_batch<true>(giant_, words(), batch, together_.used.load(std::memory_order_relaxed), present);
  use_up_to(used);
}

void host_forest::take(std::span<const edge<std::uint64_t>> batch) {
  for (const auto& ends : batch) {
    for (const std::uint64_t v : {ends.u, ends.v}) memory_->take(v * sizeof(id), (v + 1) * sizeof(id));
  }
}

void host_forest::use_up_to(std::uint64_t end) noexcept {
  std::uint64_t seen = together_.used.load(std::memory_order_relaxed);
  while (seen < end && !together_.used.compare_exchange_weak(seen, end, std::memory_order_relaxed)) {
  }
}

void host_forest::add(std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return;
  memory_->take(begin * sizeof(id), end * sizeof(id));
  const streaming::shared_inverted<streaming::flat_words<id>> parents{words()};
  for (std::uint64_t v = begin; v < end; ++v) parents.appear(static_cast<id>(v));
  use_up_to(end);
}

void host_forest::close(const communicator& host, unsigned threads) {
  MPI_Barrier(host.handle);
  used_ = together_.used.load(std::memory_order_relaxed);
  memory_->take(0, used_ * sizeof(id));  // absent ones get a word, too
  const auto ranks = static_cast<std::uint64_t>(host.size), rank = static_cast<std::uint64_t>(host.rank);
  const std::uint64_t begin = used_ / ranks * rank + used_ % ranks * rank / ranks;
  const std::uint64_t end = used_ / ranks * (rank + 1) + used_ % ranks * (rank + 1) / ranks;
  const streaming::shared_inverted<streaming::flat_words<id>> parents{words()};
  parallel_blocks(threads, end - begin, streaming::flatten_block, [&](std::size_t first, std::size_t last) {
    for (std::uint64_t v = begin + first; v < begin + last; ++v) {
      const id x = static_cast<id>(v);
      if (parents.absent(x)) continue;
      const id root = find::naive{}(parents, x);
      if (root != parents.load(x)) parents.store(x, root);
    }
  });
  MPI_Barrier(host.handle);
  std::atomic<std::uint64_t> present{0};
  parallel_blocks(threads, end - begin, streaming::flatten_block, [&](std::size_t first, std::size_t last) {
    std::uint64_t found = 0;
    for (std::uint64_t v = begin + first; v < begin + last; ++v) {
      found += words_[v] != 0;
      words_[v] = ~words_[v];
    }
    present.fetch_add(found, std::memory_order_relaxed);
  });
  present_ = sum_of_all(host, present.load());
}

labelling host_forest::take_labels() {
  if (used_ == 0) return {};
  return {buffer<id>{used_, &shared_memory::release(std::move(memory_))}, vertex_names::identity(used_)};
}

}  // namespace copse::mpi
