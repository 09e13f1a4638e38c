#include <drivers/streaming/interned_forest.hpp>

#include <drivers/streaming/string_labels.hpp>
#include <drivers/streaming/unite_batch.hpp>

#include <algorithm>

namespace copse::streaming {
interned_forest::interned_forest(unsigned workers, std::pmr::memory_resource* memory)
    : memory_{memory}, workers_(workers), table_{memory}, forest_{std::make_unique<compact_forest>(memory)} {}

template <bool Shared>
void interned_forest::unite(unsigned worker, std::span<const io::named_edge> batch, link_list* links) {
  auto& [run, piece] = workers_[worker];
  std::array<edge<std::uint32_t>, piece_edges> numbered;
  for (std::size_t begin = 0; begin < batch.size(); begin += piece_edges) {
    const auto edges = batch.subspan(begin, std::min(piece_edges, batch.size() - begin));
    for (std::size_t i = 0; i < edges.size(); ++i) {
      piece->keys[2 * i] = edges[i].u;
      piece->keys[2 * i + 1] = edges[i].v;
    }
    table_.look_up(*piece, 2 * edges.size(), worker * 7, Shared, vertex_numbering{*forest_, run, piece->indices.data()});
    for (std::size_t i = 0; i < edges.size(); ++i) numbered[i] = {piece->indices[2 * i], piece->indices[2 * i + 1]};
    unite_batch<Shared>(
        forest_->words(), std::span<const edge<std::uint32_t>>{numbered.data(), edges.size()}, [](std::uint32_t) { return true; },
        [links, &numbered](std::size_t i) {
          if (links != nullptr) links->push_back({numbered[i].u, numbered[i].v});
        });
  }
}

template void interned_forest::unite<false>(unsigned worker, std::span<const io::named_edge> batch, link_list* links);
template void interned_forest::unite<true>(unsigned worker, std::span<const io::named_edge> batch, link_list* links);

labelling interned_forest::take_labelling(unsigned threads, buffer<std::uint32_t>* positions) {
  workers_.clear();  // 120 KiB each
  labelling labels = take_string_labels(table_, *forest_, threads, memory_, positions);
  forest_.reset();
  return labels;
}

}  // namespace copse::streaming
