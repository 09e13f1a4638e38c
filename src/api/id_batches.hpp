// Batches of ids in the memory of a caller, by position: edges, or vertices as loops. Integer ids become words of 64 bits, signed ones in
// two's complement. place() says where an id stands, for error texts.
#pragma once
#include <api/check_view.hpp>
#include <copse/errors.hpp>
#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <copse/pairs.hpp>
#include <copse/views.hpp>
#include <loops/threads.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace copse::api {

using id_edge = edge<std::uint64_t>;

template <class Id>
using edge_of = std::conditional_t<std::same_as<Id, std::string_view>, io::named_edge, id_edge>;

template <class Id>
edge_of<Id> make_edge(Id u, Id v) {
  if constexpr (std::same_as<Id, std::string_view>) {
    return {u, v};
  } else {
    return {static_cast<std::uint64_t>(u), static_cast<std::uint64_t>(v)};
  }
}

template <class Id>
struct column_batch {
  using id = Id;
  static constexpr bool is_signed = std::signed_integral<Id>;
  static constexpr bool has_edges = true;

  typed_ids<Id> sources, targets;

  [[nodiscard]] std::size_t size() const noexcept { return sources.size(); }
  [[nodiscard]] column_batch part(std::size_t begin, std::size_t count) const noexcept {
    return {sources.part(begin, count), targets.part(begin, count)};
  }
  [[nodiscard]] edge_of<Id> operator[](std::size_t i) const { return make_edge(sources[i], targets[i]); }
  [[nodiscard]] static std::string place(std::size_t i, bool second) {
    return (second ? "targets[" : "sources[") + std::to_string(i) + "]";
  }
};

template <class Id, class Edge>
struct interleaved_batch {
  using id = Id;
  static constexpr bool is_signed = std::signed_integral<Id>;
  static constexpr bool has_edges = true;

  std::span<const Edge> edges;

  [[nodiscard]] std::size_t size() const noexcept { return edges.size(); }
  [[nodiscard]] interleaved_batch part(std::size_t begin, std::size_t count) const noexcept { return {edges.subspan(begin, count)}; }
  [[nodiscard]] edge_of<Id> operator[](std::size_t i) const {
    return make_edge<Id>(static_cast<Id>(edges[i].u), static_cast<Id>(edges[i].v));
  }
  /// Returns the caller's array of edges itself. Only if its elements have the type that dense_incremental takes.
  [[nodiscard]] std::span<const edge_of<Id>> as_taken() const noexcept requires std::same_as<Edge, edge_of<Id>> { return edges; }
  [[nodiscard]] static std::string place(std::size_t i, bool second) { return "edges[" + std::to_string(i) + (second ? "].v" : "].u"); }
};

template <class Id>
struct vertex_column {
  using id = Id;
  static constexpr bool has_edges = false;

  typed_ids<Id> ids;

  [[nodiscard]] std::size_t size() const noexcept { return ids.size(); }
  [[nodiscard]] edge_of<Id> operator[](std::size_t i) const { return make_edge(ids[i], ids[i]); }
  [[nodiscard]] static std::string place(std::size_t i, bool) { return "ids[" + std::to_string(i) + "]"; }
};

/// Calls f(batch) with the pairs as a batch of their type. Throws usage_error for columns of different length. `call`: the start of the
/// error text.
template <class F>
auto with_batch(const std::string& call, const id_pairs& pairs, F f) {
  return std::visit(
      [&]<class Held>(const Held& held) {
        if constexpr (std::same_as<Held, id_pairs::columns>) {
          if (held.sources.size() == held.targets.size()) {
            return std::visit(
                [&]<class Id>(const typed_ids<Id>& sources) {
                  return f(column_batch<Id>{sources, std::get<typed_ids<Id>>(held.targets.held())});
                },
                held.sources.held());
          }
          throw usage_error{call + ": there must be as many targets as sources, not " + std::to_string(held.targets.size()) + " and " +
                            std::to_string(held.sources.size())};
        } else if constexpr (std::same_as<Held, id_pairs::side_by_side<io::named_edge>>) {
          return f(interleaved_batch<std::string_view, io::named_edge>{held.pairs});
        } else {
          using pair = std::ranges::range_value_t<decltype(held.pairs)>;
          using word = decltype(pair::u);
          if (held.are_signed) return f(interleaved_batch<std::make_signed_t<word>, pair>{held.pairs});
          return f(interleaved_batch<word, pair>{held.pairs});
        }
      },
      pairs.held());
}

/// Returns the position of the first edge that has an id with the sign bit, or size() if there is none. Uses `threads` threads.
template <class Batch>
std::size_t first_with_sign_bit(const Batch& batch, unsigned threads) {
  if constexpr (std::same_as<typename Batch::id, std::uint32_t>) return batch.size();
  return first_wrong(backend::threads{threads, nullptr}, batch.size(),
                     [&batch](std::size_t at) { return has_sign_bit(batch[at].u | batch[at].v); });
}

}  // namespace copse::api
