// dynamic_edges: pairs of ids in the memory of a caller as edges of a dynamic graph.
#include <api/id_batches.hpp>
#include <copse/dynamic.hpp>
#include <copse/errors.hpp>
#include <copse/pairs.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace copse {
namespace {

/// Converts an id of pair `i` to the type of ids that the graph has.
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

}  // namespace

template <dynamic_id Id>
std::vector<dynamic_edge<Id>> dynamic_edges(const id_pairs& pairs, std::span<const double> weights) {
  std::vector<dynamic_edge<Id>> edges;
  api::with_batch("dynamic_edges", pairs, [&]<class Batch>(const Batch& batch) {
    using given = typename Batch::id;
    if (!weights.empty() && weights.size() != batch.size()) {
      throw usage_error{"dynamic_edges: found " + std::to_string(batch.size()) + " pairs and " + std::to_string(weights.size()) +
                        " weights, expected as many of each"};
    }
    edges.resize(batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const auto [u, v] = batch[i];
      edges[i].u = id_of<Id>(static_cast<given>(u), i);
      edges[i].v = id_of<Id>(static_cast<given>(v), i);
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
