// The proof that a forest is the merged forest of others: their stars are the edges of a graph, whose labels it must be.
#include <copse/mergeable_forest.hpp>
#include <verify/proving_sink.hpp>

#include <array>
#include <span>
#include <utility>
#include <variant>

namespace copse {
namespace {

constexpr std::size_t batch_edges = 1024;

/// put(u, v) for every vertex and its label, by positions.
template <class Put>
void for_stars(const labelling& part, Put put) {
  std::visit(
      [&put]<class Id>(const buffer<Id>& labels) {
        for (std::size_t v = 0; v < labels.size(); ++v) {
          if (labels[v] != no_vertex<Id>) put(v, std::size_t{labels[v]});
        }
      },
      part.labels());
}

void pass_stars(const labelling& part, io::edge_sink& sink) {
  std::size_t held = 0;
  if (part.names().what() == vertex_names::kind::strings) {
    std::array<io::named_edge, batch_edges> batch;
    for_stars(part, [&](std::size_t u, std::size_t v) {
      batch[held++] = {part.names().string(u), part.names().string(v)};
      if (held == batch.size()) sink.edges(0, {.names = std::span{batch}.first(std::exchange(held, 0))});
    });
    return sink.edges(0, {.names = std::span{batch}.first(held)});
  }
  std::array<edge<std::uint64_t>, batch_edges> batch;
  for_stars(part, [&](std::size_t u, std::size_t v) {
    batch[held++] = {part.names().integer(u), part.names().integer(v)};
    if (held == batch.size()) sink.edges(0, {.ids = std::span{batch}.first(std::exchange(held, 0))});
  });
  sink.edges(0, {.ids = std::span{batch}.first(held)});
}

}  // namespace

verdict verify_merge(const mergeable_forest& merged, const std::function<std::optional<mergeable_forest>()>& next_part,
                     std::pmr::memory_resource* memory) {
  const labelling& answer = merged.labels();
  return std::visit(
      [&](const auto& labels) {
        return proving::prove(labels, answer.names(), memory, [&](io::edge_sink& sink) {
          while (const auto part = next_part()) {
            if (part->labels().slots() == 0) continue;
            io::source_facts facts;
            facts.named = part->labels().names().what() == vertex_names::kind::strings;
            sink.begin(facts);
            if (part->labels().names().is_signed()) sink.ids_are_signed();
            pass_stars(part->labels(), sink);
          }
        });
      },
      answer.labels());
}

}  // namespace copse
