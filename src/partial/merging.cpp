#include <partial/merging.hpp>

#include <copse/errors.hpp>
#include <copse/extend/parents/atomic.hpp>
#include <copse/extend/rules/find/naive.hpp>
#include <copse/extend/rules/splice/halve_one.hpp>
#include <copse/extend/rules/unite/rem_cas.hpp>
#include <copse/graph.hpp>
#include <core/parallel.hpp>
#include <graph/labels/present_only.hpp>
#include <graph/name_union.hpp>
#include <graph/narrowest_ids.hpp>
#include <weighted/side_by_side.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace copse::merging {
namespace {

constexpr std::size_t block = std::size_t{1} << 16;

/// Copies parents, converting them to Ids.
template <class Id, class From>
buffer<Id> copied(const buffer<From>& from, const context& how) {
  buffer<Id> to{from.size(), how.on.memory};
  parallel_blocks(how.threads, from.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) to[v] = from[v] == no_vertex<From> ? no_vertex<Id> : static_cast<Id>(from[v]);
  });
  return to;
}

/// Links trees of the forest `into`: for every v below `count`, parent(v) returns two vertices, whose trees are united.
template <class Id, class Parent>
void unite_all(buffer<Id>& into, std::size_t count, unsigned threads, Parent parent) {
  parallel_blocks(threads, count, block, [&](std::size_t begin, std::size_t end) {
    const parents::atomic<Id> parents{into.data()};
    for (std::size_t v = begin; v < end; ++v) {
      const auto [child, above] = parent(v);
      if (child != above) unite::rem_cas<find::naive, splice::halve_one>{}(parents, child, above);
    }
  });
}

/// Merges `other` into `to`, an array of parents with at least as many elements. Equal numbers are the same vertex in both.
template <class Id>
parent_forest merge_slots(buffer<Id> to, const parent_forest& other, const context& how) {
  std::visit(
      [&]<class From>(const buffer<From>& parents) {
        parallel_blocks(how.threads, parents.size(), block, [&](std::size_t begin, std::size_t end) {
          for (std::size_t v = begin; v < end; ++v) {
            if (parents[v] != no_vertex<From> && to[v] == no_vertex<Id>) to[v] = static_cast<Id>(v);
          }
        });
        unite_all(to, parents.size(), how.threads, [&parents](std::size_t v) {
          const auto own = static_cast<Id>(v);
          return std::pair{own, parents[v] == no_vertex<From> ? own : static_cast<Id>(parents[v])};
        });
      },
      other.parents);
  const std::uint64_t slots = to.size();
  return {std::move(to), vertex_names::identity(slots)};
}

template <class Id>
parent_forest merge_named(const parent_forest& a, const parent_forest& b, const context& how) {
  name_union<Id> at = unite_names<Id>(a.names(), b.names(), how.threads, how.on.memory);
  buffer<Id> merged{at.names.size(), how.on.memory};
  const auto for_vertices = [&how](std::size_t count, auto work) {
    parallel_blocks(how.threads, count, block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) work(v);
    });
  };
  // First, every vertex of b becomes a root, and the trees of a are copied to their new positions; then the trees of b are united with
  // them.
  for_vertices(at.of_b.size(), [&](std::size_t v) { merged[at.of_b[v]] = at.of_b[v]; });
  std::visit([&](const auto& parents) { for_vertices(parents.size(), [&](std::size_t v) { merged[at.of_a[v]] = at.of_a[parents[v]]; }); },
             a.parents);
  std::visit(
      [&](const auto& parents) {
        unite_all(merged, parents.size(), how.threads, [&](std::size_t v) { return std::pair{at.of_b[v], at.of_b[parents[v]]}; });
      },
      b.parents);
  return {std::move(merged), std::move(at.names)};
}

std::string bits_of(weight_precision precision) {
  return precision == weight_precision::full ? "64" : precision == weight_precision::single ? "32" : "16";
}

}  // namespace

parent_forest working_copy(const labelling& labels, const context& how) {
  return std::visit(
      [&]<class Id>(const buffer<Id>& from) {
        return parent_forest{copied<Id>(from, how), labels.names()};
      },
      labels.labels());
}

weighted_list working_copy(const weighted_forest_result& forest, const context& how) {
  return {weighted::copy_of(forest.edges, forest.weights, how.threads, how.on.memory), forest.goal};
}

void expect_alike(const parent_forest& /*first*/, const parent_forest& /*next*/) {}

void expect_alike(const weighted_list& first, const weighted_list& next) {
  if (first.goal != next.goal) {
    throw usage_error{std::string{"merge: the forest must be a "} + (next.goal == forest_goal::maximum
                                                                         ? "minimum one, as those before it, not a maximum one"
                                                                         : "maximum one, as those before it, not a minimum one")};
  }
  if (first.list.weights.precision() != next.list.weights.precision()) {
    throw usage_error{"merge: weights must have " + bits_of(first.list.weights.precision()) + " bits, as those before, not " +
                      bits_of(next.list.weights.precision())};
  }
}

parent_forest merged(parent_forest a, parent_forest b, const context& how) {
  if (a.names().size() < b.names().size()) std::swap(a, b);
  const bool in_place = a.merges_in_place();
  return with_narrowest_ids(in_place ? a.names().size() : a.names().size() + b.names().size(), [&]<class Id>(Id) {
    if (!in_place) return merge_named<Id>(a, b, how);
    if (auto* own = std::get_if<buffer<Id>>(&a.parents)) return merge_slots(std::move(*own), b, how);
    return std::visit([&](const auto& from) { return merge_slots(copied<Id>(from, how), b, how); }, a.parents);
  });
}

weighted_list merged(weighted_list a, weighted_list b, const context& how) {
  constexpr std::uint64_t edges_per_vertex = 4;  // a list with more edges than this per vertex is replaced by its forest
  weighted_list both{weighted::side_by_side(a.list.edges, a.list.weights, b.list.edges, b.list.weights, how.threads, how.on.memory),
                     a.goal};
  if (both.list.weights.size() <= edges_per_vertex * both.names().size()) return both;
  a = {};
  b = {};
  weighted_forest_result reduced = answer_of(std::move(both), how);
  return {{std::move(reduced.edges), std::move(reduced.weights)}, reduced.goal};
}

parent_forest with_names(parent_forest forest, const context& how) {
  if (!forest.merges_in_place()) return forest;
  return working_copy(copy_of_present(answer_of(std::move(forest), how), how.threads, how.on.memory), how);
}

labelling answer_of(parent_forest forest, const context& how) {
  return std::visit(
      [&]<class Id>(buffer<Id>& words) -> labelling {
        const parents::atomic<Id> parents{words.data()};
        parallel_blocks(how.threads, words.size(), block, [&](std::size_t begin, std::size_t end) {
          for (std::size_t v = begin; v < end; ++v) {
            const Id own = static_cast<Id>(v);
            if (parents.load(own) != no_vertex<Id>) parents.store(own, find::naive{}(parents, own));
          }
        });
        return {std::move(words), std::move(forest.held_names)};
      },
      forest.parents);
}

weighted_forest_result answer_of(weighted_list list, const context& how) { return weighted_forest(list.list, {.goal = list.goal}, how.on); }

}  // namespace copse::merging
