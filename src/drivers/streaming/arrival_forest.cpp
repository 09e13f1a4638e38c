#include <drivers/streaming/arrival_forest.hpp>

#include <drivers/streaming/inverted_parents.hpp>

#include <algorithm>
#include <array>

namespace copse::streaming {

template <class Id>
template <bool Shared>
void arrival_forest<Id>::unite(unsigned worker, std::span<const id_edge> batch, link_list* links) {
  std::array<edge<std::uint32_t>, ids::piece_edges> numbered;
  for (std::size_t begin = 0; begin < batch.size(); begin += ids::piece_edges) {
    const auto edges = batch.subspan(begin, std::min(ids::piece_edges, batch.size() - begin));
    const auto ends = ids_.number_ends(worker, edges, Shared, [this](std::uint32_t number) { forest_->add(number); });
    for (std::size_t i = 0; i < edges.size(); ++i) numbered[i] = {ends[2 * i], ends[2 * i + 1]};
    const std::span<const edge<std::uint32_t>> all{numbered.data(), edges.size()};
    const auto note = [&](std::size_t i) {
      if (links == nullptr) return;
      if constexpr (of_integers) {
        links->push_back(edges[i]);
      } else {
        links->push_back({all[i].u, all[i].v});
      }
    };
    unite_batch<Shared>(
        forest_->words(), all, [](std::uint32_t) { return true; }, note);
  }
}

template <class Id>
labelling arrival_forest<Id>::take_labelling(unsigned threads, bool are_signed, buffer<std::uint32_t>* positions) {
  const std::uint64_t bound = ids_.bound();
  ids::ordered_ids ordered = ids_.take_ordered(threads, are_signed);
  if (positions != nullptr) *positions = ids::positions_of(ordered, bound, threads, memory_);
  labelling labels = forest_->labels(std::move(ordered), bound, threads);
  forest_.reset();
  return labels;
}

// Ids are dense if an array of parents over them takes at most bytes_per_vertex bytes per present id. This threshold is well below that at
// which such an array is given up for a hash table (ranged_forest::bytes_per_vertex), so that a stream cannot make the forest move back and
// forth: between two moves in the same direction the number of vertices grows by a constant factor.
template <>
bool arrival_forest<std::uint64_t>::became_dense() const noexcept {
  constexpr std::uint64_t bytes_per_vertex = 22;
  static_assert(bytes_per_vertex < ranged_forest::bytes_per_vertex);
  const std::uint64_t largest = ids_.largest();
  return largest < ranged_forest::id_limit && (largest + 1) * sizeof(std::uint32_t) <= bytes_per_vertex * ids_.size();
}

// Ids are moved in ascending order and get ascending numbers, so a parent stays smaller than its child. Once a vertex has been moved, its
// new number replaces its parent in the old array, where its children find the number. The old forest is freed before the table of ids is
// filled, to save memory.
template <>
void arrival_forest<std::uint64_t>::take_from(std::unique_ptr<ranged_forest> from) {
  constexpr std::uint64_t words_per_page = address_range::page_bytes / sizeof(std::uint32_t);
  buffer<std::uint32_t> all{from->present(), memory_};
  {
    const plain_inverted old{from->words()};
    const plain_inverted fresh{forest_->words()};
    std::uint32_t number = 0;
    from->range().for_each_touched([&](std::uint64_t page) {
      for (std::uint64_t word = page * words_per_page; word < (page + 1) * words_per_page; ++word) {
        const auto v = static_cast<std::uint32_t>(word);
        if (old.absent(v)) continue;
        forest_->add(number);
        all[number] = v;
        const std::uint32_t parent = old.load(v);
        if (parent != v) fresh.store(number, old.load(parent));
        old.store(v, number++);
      }
    });
  }
  from.reset();
  ids_.reserve(all.size());
  for (std::size_t begin = 0; begin < all.size(); begin += ids::piece_keys) {
    const std::size_t count = std::min(ids::piece_keys, all.size() - begin);
    std::copy_n(all.begin() + begin, count, ids_.room(0).begin());
    static_cast<void>(ids_.adopt(count));
  }
}

template <>
void arrival_forest<std::uint64_t>::move_to(ranged_forest& to) {
  const std::uint64_t bound = ids_.bound(), vertices = ids_.size(), slots = ids_.largest() + 1;
  buffer<std::uint32_t> all{bound, memory_};
  ids_.take_each([&](std::uint64_t id, std::uint32_t number) { all[number] = static_cast<std::uint32_t>(id); });
  point_at_roots(forest_->words(), bound, 1);
  const plain_inverted old{forest_->words()};
  const plain_inverted fresh{to.words()};
  buffer<std::uint32_t> smallest{bound, memory_};
  std::fill(smallest.begin(), smallest.end(), no_vertex<std::uint32_t>);
  const auto for_each_present = [&](auto visit) {
    for (std::uint64_t i = 0; i < bound; ++i) {
      const auto number = static_cast<std::uint32_t>(i);
      if (!old.absent(number)) visit(number, smallest[old.load(number)]);
    }
  };
  for_each_present([&](std::uint32_t number, std::uint32_t& least) { least = std::min(least, all[number]); });
  to.prepare(slots, vertices);
  for_each_present([&](std::uint32_t number, std::uint32_t& least) { fresh.store(all[number], least); });
}

template class arrival_forest<std::uint64_t>;
template class arrival_forest<std::string_view>;
template void arrival_forest<std::uint64_t>::unite<false>(unsigned, std::span<const edge<std::uint64_t>>, link_list*);
template void arrival_forest<std::uint64_t>::unite<true>(unsigned, std::span<const edge<std::uint64_t>>, link_list*);
template void arrival_forest<std::string_view>::unite<false>(unsigned, std::span<const io::named_edge>, link_list*);
template void arrival_forest<std::string_view>::unite<true>(unsigned, std::span<const io::named_edge>, link_list*);

}  // namespace copse::streaming
