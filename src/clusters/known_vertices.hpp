// Looks up the vertices of ids, for an input that is read again.
#pragma once
#include <clusters/scored_pair.hpp>
#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <ids/id_map.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <string_view>
#include <type_traits>

namespace copse::clusters {

/// Maps ids to vertices: by subtraction if the names count up, otherwise by a hash table that the constructor makes.
class known_vertices {
public:
  static constexpr std::size_t most = ids::piece_keys;

  /// Keeps a reference to `names`. At most `workers` threads may call find() at the same time, each with another worker number.
  known_vertices(const vertex_names& names, unsigned workers, std::pmr::memory_resource* memory) : names_{names} {
    if (names.first_id()) return;
    if (names.what() == vertex_names::kind::strings) {
      strings_ = numbered<std::string_view>(workers, memory, [&](std::uint64_t v) { return names.string(v); });
    } else {
      integers_ = numbered<std::uint64_t>(workers, memory, [&](std::uint64_t v) { return names.integer(v); });
    }
  }

  [[nodiscard]] bool are_strings() const noexcept { return names_.what() == vertex_names::kind::strings; }
  [[nodiscard]] const vertex_names& names() const noexcept { return names_; }

  /// Finds the vertices of `count` ids, of which there may be at most `most`: calls use(i, v) for each, where v is the vertex of id i, or
  /// no_vertex if the graph does not have that id. `id(i)` must return an integer or a string, as the names are.
  template <class Id, class Use>
  void find(unsigned worker, std::size_t count, Id id, Use use) {
    using type = std::remove_cvref_t<decltype(id(std::size_t{0}))>;
    if constexpr (std::is_integral_v<type>) {
      if (const auto first = names_.first_id()) {
        for (std::size_t i = 0; i < count; ++i) {
          const std::uint64_t v = id(i) - *first;
          use(i, v < names_.size() ? v : no_vertex<std::uint64_t>);
        }
        return;
      }
      look_up(*integers_, worker, count, id, use);
    } else {
      look_up(*strings_, worker, count, id, use);
    }
  }

private:
  template <class Key, class Name>
  std::unique_ptr<ids::id_map<Key>> numbered(unsigned workers, std::pmr::memory_resource* memory, Name name) {
    auto map = std::make_unique<ids::id_map<Key>>(workers, memory);
    if constexpr (!ids::id_map<Key>::of_strings) map->reserve(names_.size());
    const auto room = map->room(0);
    for (std::uint64_t v = 0; v < names_.size();) {
      const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(room.size(), names_.size() - v));
      for (std::size_t i = 0; i < count; ++i) room[i] = name(v + i);
      static_cast<void>(map->adopt(count));
      v += count;
    }
    return map;
  }
  template <class Map, class Id, class Use>
  static void look_up(Map& map, unsigned worker, std::size_t count, Id id, Use use) {
    const auto room = map.room(worker);
    for (std::size_t i = 0; i < count; ++i) room[i] = id(i);
    const auto found = map.find(worker, count);
    for (std::size_t i = 0; i < count; ++i)
      use(i, found[i] == no_vertex<std::uint32_t> ? no_vertex<std::uint64_t> : std::uint64_t{found[i]});
  }

  const vertex_names& names_;
  std::unique_ptr<ids::id_map<std::uint64_t>> integers_;
  std::unique_ptr<ids::id_map<std::string_view>> strings_;
};

/// Calls use(pair) for the pairs of a batch, except loops and pairs with an id that is not a vertex. `declared`: true if ids are vertices
/// themselves.
template <unsigned_index Id, class Use>
void each_numbered_pair(known_vertices& known, bool declared, unsigned worker, const io::edge_batch& batch, Use use) {
  const auto pass_on = [&](std::uint64_t u, std::uint64_t v, double score) {
    if (u != v && u != no_vertex<std::uint64_t> && v != no_vertex<std::uint64_t>)
      use(pair_of(static_cast<Id>(u), static_cast<Id>(v), score));
  };
  if (declared) {
    for (std::size_t i = 0; i < batch.ids.size(); ++i) pass_on(batch.ids[i].u, batch.ids[i].v, batch.weights[i]);
    return;
  }
  const auto numbered = [&](const auto& edges) {
    for (std::size_t begin = 0; begin < edges.size(); begin += known_vertices::most / 2) {
      const std::size_t count = std::min(known_vertices::most / 2, edges.size() - begin);
      std::uint64_t first = 0;
      known.find(
          worker, 2 * count, [&](std::size_t i) { return i % 2 == 0 ? edges[begin + i / 2].u : edges[begin + i / 2].v; },
          [&](std::size_t i, std::uint64_t v) {
            if (i % 2 == 0) {
              first = v;
            } else {
              pass_on(first, v, batch.weights[begin + i / 2]);
            }
          });
    }
  };
  known.are_strings() ? numbered(batch.names) : numbered(batch.ids);
}

}  // namespace copse::clusters
