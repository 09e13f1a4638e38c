#include <drivers/streaming/hashed_forest.hpp>

#include <drivers/streaming/compact_forest.hpp>
#include <drivers/streaming/inverted_parents.hpp>
#include <drivers/streaming/unite_batch.hpp>

#include <algorithm>

namespace copse::streaming {

hashed_forest::hashed_forest(unsigned workers, std::pmr::memory_resource* memory)
    : memory_{memory}, workers_(workers), table_{memory}, forest_{std::make_unique<compact_forest>(memory)} {}

void hashed_forest::count(std::uint64_t added, std::uint64_t largest) noexcept {
  vertices_.fetch_add(added, std::memory_order_relaxed);
  std::uint64_t seen = largest_.load(std::memory_order_relaxed);
  while (seen < largest && !largest_.compare_exchange_weak(seen, largest, std::memory_order_relaxed)) {
  }
}

template <bool Shared>
void hashed_forest::unite(unsigned worker, std::span<const edge<std::uint64_t>> batch, link_list* links) {
  auto& [run, piece] = workers_[worker];
  std::array<edge<std::uint32_t>, piece_edges> numbered;
  for (std::size_t begin = 0; begin < batch.size(); begin += piece_edges) {
    const auto edges = batch.subspan(begin, std::min(piece_edges, batch.size() - begin));
    std::uint64_t largest = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      piece->keys[2 * i] = edges[i].u;
      piece->keys[2 * i + 1] = edges[i].v;
      largest = std::max({largest, edges[i].u, edges[i].v});
    }
    const std::uint64_t added =
        table_.look_up(*piece, 2 * edges.size(), worker * 7, Shared, vertex_numbering{*forest_, run, piece->indices.data()});
    if (added != 0) count(added, largest);
    for (std::size_t i = 0; i < edges.size(); ++i) numbered[i] = {piece->indices[2 * i], piece->indices[2 * i + 1]};
    unite_batch<Shared>(
        forest_->words(), std::span<const edge<std::uint32_t>>{numbered.data(), edges.size()}, [](std::uint32_t) { return true; },
        note_in(links, edges));
  }
}

template void hashed_forest::unite<false>(unsigned worker, std::span<const edge<std::uint64_t>> batch, link_list* links);
template void hashed_forest::unite<true>(unsigned worker, std::span<const edge<std::uint64_t>> batch, link_list* links);

// Well below the bytes per vertex at which a ranged forest gives up, so that a stream cannot make the forest move back and forth: between
// two moves in the same direction the number of vertices grows by a constant factor.
bool hashed_forest::became_dense() const noexcept {
  constexpr std::uint64_t bytes_per_vertex = 22;
  static_assert(bytes_per_vertex < ranged_forest::bytes_per_vertex);
  const std::uint64_t largest = largest_.load(std::memory_order_relaxed);
  return largest < ranged_forest::id_limit &&
         (largest + 1) * sizeof(std::uint32_t) <= bytes_per_vertex * vertices_.load(std::memory_order_relaxed);
}

// Ids ascend and get ascending indices, so a parent stays smaller than its child; the ranged word of a vertex that was moved holds its
// index, where its children find it. The range is freed before the table is built.
void hashed_forest::take_from(std::unique_ptr<ranged_forest> from) {
  constexpr std::uint64_t words_per_page = address_range::page_bytes / sizeof(std::uint32_t);
  buffer<std::uint32_t> ids{from->present(), memory_};
  count(from->present(), from->slots() == 0 ? 0 : from->slots() - 1);
  {
    const plain_inverted old{from->words()};
    const plain_inverted fresh{forest_->words()};
    compact_forest::run_of_indices run;
    from->range().for_each_touched([&](std::uint64_t page) {
      for (std::uint64_t word = page * words_per_page; word < (page + 1) * words_per_page; ++word) {
        const auto v = static_cast<std::uint32_t>(word);
        if (old.absent(v)) continue;
        const std::uint32_t index = forest_->add(run);
        ids[index] = v;
        const std::uint32_t parent = old.load(v);
        if (parent != v) fresh.store(index, old.load(parent));
        old.store(v, index);
      }
    });
  }
  from.reset();
  table_.reserve(ids.size());
  for (std::size_t index = 0; index < ids.size(); ++index) table_.add(ids[index], {static_cast<std::uint32_t>(index)});
}

void hashed_forest::move_to(ranged_forest& to) {
  const std::uint64_t slots = forest_->slots();
  buffer<std::uint32_t> ids{slots, memory_};
  for (unsigned shard = 0; shard < shard_count; ++shard) {
    for (const numbered_id& entry : table_.take(shard)) ids[entry.index] = static_cast<std::uint32_t>(entry.key());
  }
  point_at_roots(forest_->words(), slots, 1);
  const plain_inverted old{forest_->words()};
  const plain_inverted fresh{to.words()};
  buffer<std::uint32_t> smallest{slots, memory_};
  std::fill(smallest.begin(), smallest.end(), no_vertex<std::uint32_t>);
  const auto for_each_present = [&](auto visit) {
    for (std::uint64_t i = 0; i < slots; ++i) {
      const auto index = static_cast<std::uint32_t>(i);
      if (!old.absent(index)) visit(index, smallest[old.load(index)]);
    }
  };
  for_each_present([&](std::uint32_t index, std::uint32_t& least) { least = std::min(least, ids[index]); });
  to.prepare(largest_.load(std::memory_order_relaxed) + 1, vertices_.load(std::memory_order_relaxed));
  for_each_present([&](std::uint32_t index, std::uint32_t& least) { fresh.store(ids[index], least); });
}

// Two steps: scatter by leading bits into buckets that fit a cache, then sort each. (One shard's entries are freed before the next is
// scattered, and the buckets are sorted in place, so the peak is two times the entries.)
buffer<numbered_id> hashed_forest::take_ordered(unsigned threads) {
  constexpr std::size_t bucket_bits = 11;
  std::array<buffer<numbered_id>, shard_count> parts;
  parallel_blocks(threads, shard_count, 1,
                  [&](std::size_t shard, std::size_t) { parts[shard] = table_.take(static_cast<unsigned>(shard)); });

  std::uint64_t smallest = UINT64_MAX;
  for (const auto& part : parts) {
    for (const numbered_id& entry : part) smallest = std::min(smallest, entry.key());
  }
  unsigned shift = 0;
  while (shift + bucket_bits < 64 && (largest_.load(std::memory_order_relaxed) - smallest) >> (shift + bucket_bits) != 0) ++shift;
  const auto bucket_of = [smallest, shift](const numbered_id& entry) { return (entry.key() - smallest) >> shift; };
  std::array<std::atomic<std::uint64_t>, (std::size_t{1} << bucket_bits) + 1> ends{};
  parallel_blocks(threads, shard_count, 1, [&](std::size_t shard, std::size_t) {
    for (const numbered_id& entry : parts[shard]) ends[bucket_of(entry) + 1].fetch_add(1, std::memory_order_relaxed);
  });
  for (std::size_t bucket = 1; bucket < ends.size(); ++bucket) ends[bucket] += ends[bucket - 1];
  // ends[b] is where bucket b begins; after the scatter it is where b ends, that is where b + 1 began.
  buffer<numbered_id> entries{vertices_.load(std::memory_order_relaxed), memory_};
  parallel_blocks(threads, shard_count, 1, [&](std::size_t shard, std::size_t) {
    for (const numbered_id& entry : parts[shard]) entries[ends[bucket_of(entry)].fetch_add(1, std::memory_order_relaxed)] = entry;
    parts[shard] = {};
  });
  parallel_blocks(threads, ends.size() - 1, 1, [&](std::size_t bucket, std::size_t) {
    numbered_id* begin = entries.data() + (bucket == 0 ? 0 : ends[bucket - 1].load(std::memory_order_relaxed));
    numbered_id* end = entries.data() + ends[bucket].load(std::memory_order_relaxed);
    std::sort(begin, end, [](const numbered_id& a, const numbered_id& b) { return a.key() < b.key(); });
  });
  return entries;
}

labelling hashed_forest::take_labelling(unsigned threads) {
  point_at_roots(forest_->words(), forest_->slots(), threads);
  buffer<std::uint32_t> labels;
  buffer<std::uint64_t> names;
  {
    const buffer<numbered_id> entries = take_ordered(threads);
    labels = buffer<std::uint32_t>{entries.size(), memory_};
    names = buffer<std::uint64_t>{entries.size(), memory_};
    parallel_blocks(threads, entries.size(), flatten_block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        names[i] = entries[i].key();
        labels[i] = entries[i].index;
      }
    });
  }
  rank_labels(labels.span(), *forest_, threads, memory_);
  forest_.reset();
  return {std::move(labels), vertex_names::integers(std::move(names))};
}

}  // namespace copse::streaming
