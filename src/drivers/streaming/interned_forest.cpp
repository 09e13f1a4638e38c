#include "interned_forest.hpp"

#include <algorithm>

#include "flatten.hpp"
#include "ranks.hpp"
#include "string_order.hpp"
#include "unite_batch.hpp"

namespace copse::streaming {
namespace {

template <class Visit>
void for_each_index(unsigned threads, std::size_t count, Visit visit) {
  parallel_blocks(threads, count, flatten_block, [&visit](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) visit(i);
  });
}

}  // namespace

interned_forest::interned_forest(unsigned workers, std::pmr::memory_resource* memory)
    : memory_{memory}, workers_(workers), table_{memory}, forest_{std::make_unique<compact_forest>(memory)} {}

template <bool Shared>
void interned_forest::unite(unsigned worker, std::span<const io::named_edge> batch) {
  auto& [run, piece] = workers_[worker];
  std::array<edge<std::uint32_t>, piece_edges> numbered;
  for (std::size_t begin = 0; begin < batch.size(); begin += piece_edges) {
    const auto edges = batch.subspan(begin, std::min(piece_edges, batch.size() - begin));
    for (std::size_t i = 0; i < edges.size(); ++i) {
      piece->keys[2 * i] = edges[i].u;
      piece->keys[2 * i + 1] = edges[i].v;
    }
    table_.look_up(*piece, 2 * edges.size(), worker * 7, Shared, *forest_, run);
    for (std::size_t i = 0; i < edges.size(); ++i) numbered[i] = {piece->indices[2 * i], piece->indices[2 * i + 1]};
    unite_batch<Shared>(forest_->words(), std::span<const edge<std::uint32_t>>{numbered.data(), edges.size()},
                        [](std::uint32_t) { return true; });
  }
}

template void interned_forest::unite<false>(unsigned worker, std::span<const io::named_edge> batch);
template void interned_forest::unite<true>(unsigned worker, std::span<const io::named_edge> batch);

labelling interned_forest::take_labelling(unsigned threads) {
  const std::uint64_t count = table_.size();
  point_at_roots(forest_->words(), forest_->slots(), threads);
  buffer<string_table::reference> order{count, memory_};
  {
    buffer<string_entry> entries{count, memory_};
    table_.take_slots([&entries, next = std::size_t{0}](string_table::reference where) mutable {
      entries[next++].where = where & string_entry::where_mask;
    });
    sort_strings(entries.span(), table_, threads);
    for (std::size_t i = 0; i < count; ++i) order[i] = entries[i].where;
  }

  buffer<std::uint32_t> labels{count, memory_};
  for_each_index(threads, count, [&](std::size_t i) { labels[i] = table_.at(order[i]).index; });
  rank_labels(labels.span(), *forest_, threads, memory_);
  forest_.reset();

  buffer<std::uint64_t> offsets{count + 1, memory_};
  offsets[0] = 0;
  for_each_index(threads, count, [&](std::size_t i) { offsets[i + 1] = table_.at(order[i]).bytes.size(); });
  for (std::size_t i = 0; i < count; ++i) offsets[i + 1] += offsets[i];
  buffer<char> bytes{offsets[count], memory_};
  for_each_index(threads, count, [&](std::size_t i) {
    const auto text = table_.at(order[i]).bytes;
    std::copy(text.begin(), text.end(), bytes.data() + offsets[i]);
  });
  return {std::move(labels), vertex_names::strings(std::move(bytes), std::move(offsets))};
}

}  // namespace copse::streaming
