// Pairs of ids in the memory of a caller as edges of a dynamic graph.
#include <copse/dynamic.hpp>
#include <copse/errors.hpp>
#include <copse/pairs.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace copse {
namespace {

/// The id of pair `i` as the graph has it.
template <class Id, class Given>
Id id_of(Given id, std::size_t i) {
  constexpr bool wants_strings = std::same_as<Id, std::string_view>;
  if constexpr (wants_strings != std::same_as<Given, std::string_view>) {
    throw usage_error{std::string{"dynamic_edges: found "} + (wants_strings ? "integers" : "strings") + ", expected " +
                      (wants_strings ? "strings" : "integers") + ", as the ids of the graph are"};
  } else if constexpr (wants_strings) {
    return id;
  } else {
    if (!std::in_range<Id>(id)) {
      throw input_error{"dynamic_edges: found the id " + std::to_string(id) + " in pair " + std::to_string(i) + ", expected ids of " +
                        std::to_string(8 * sizeof(Id)) + " bits" + (std::signed_integral<Id> ? ", signed" : ", unsigned")};
    }
    return static_cast<Id>(id);
  }
}

/// f(count, ends) for the pairs by their type: ends(i) is a pair of ids.
template <class F>
void with_ends(const id_pairs& pairs, F f) {
  std::visit(
      [&]<class Held>(const Held& held) {
        if constexpr (requires { held.sources; }) {
          if (held.sources.size() != held.targets.size()) {
            throw usage_error{"dynamic_edges: found " + std::to_string(held.sources.size()) + " sources and " +
                              std::to_string(held.targets.size()) + " targets, expected as many of each"};
          }
          std::visit(
              [&]<class Given>(const typed_ids<Given>& sources) {
                const auto& targets = std::get<typed_ids<Given>>(held.targets.held());
                f(sources.size(), [&](std::size_t i) { return std::pair{sources[i], targets[i]}; });
              },
              held.sources.held());
        } else {
          const auto as_given = [&held](std::size_t i) { return std::pair{held.pairs[i].u, held.pairs[i].v}; };
          using word = typename decltype(as_given(0))::first_type;
          if constexpr (std::integral<word>) {
            using number = std::make_signed_t<word>;
            if (held.are_signed) {
              return f(held.pairs.size(), [&held](std::size_t i) {
                return std::pair{static_cast<number>(held.pairs[i].u), static_cast<number>(held.pairs[i].v)};
              });
            }
          }
          f(held.pairs.size(), as_given);
        }
      },
      pairs.held());
}

}  // namespace

template <dynamic_id Id>
std::vector<dynamic_edge<Id>> dynamic_edges(const id_pairs& pairs, std::span<const double> weights) {
  std::vector<dynamic_edge<Id>> edges;
  with_ends(pairs, [&](std::size_t count, auto ends) {
    if (!weights.empty() && weights.size() != count) {
      throw usage_error{"dynamic_edges: found " + std::to_string(count) + " pairs and " + std::to_string(weights.size()) +
                        " weights, expected as many of each"};
    }
    edges.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto [u, v] = ends(i);
      edges[i].u = id_of<Id>(u, i);
      edges[i].v = id_of<Id>(v, i);
      if (!weights.empty()) edges[i].weight = weights[i];
    }
  });
  return edges;
}

template std::vector<dynamic_edge<std::uint32_t>> dynamic_edges(const id_pairs&, std::span<const double>);
template std::vector<dynamic_edge<std::uint64_t>> dynamic_edges(const id_pairs&, std::span<const double>);
template std::vector<dynamic_edge<std::int64_t>> dynamic_edges(const id_pairs&, std::span<const double>);
template std::vector<dynamic_edge<std::string_view>> dynamic_edges(const id_pairs&, std::span<const double>);

}  // namespace copse
