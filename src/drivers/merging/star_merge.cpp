#include "drivers/merging/star_merge.hpp"

#include <copse/extend/parents/atomic.hpp>
#include <copse/extend/rules/find/naive.hpp>
#include <copse/extend/rules/splice/halve_one.hpp>
#include <copse/extend/rules/unite/rem_cas.hpp>

#include <algorithm>
#include <utility>

#include "core/parallel.hpp"
#include "drivers/merging/union_of_names.hpp"

namespace copse::drivers {
namespace {

constexpr std::size_t block = std::size_t{1} << 16;

/// Parents of any width as Ids.
template <class Id, class From>
buffer<Id> copied(const buffer<From>& from, const merge_context& context) {
  buffer<Id> to{from.size(), context.memory};
  parallel_blocks(context.threads, from.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) to[v] = from[v] == no_vertex<From> ? no_vertex<Id> : static_cast<Id>(from[v]);
  });
  return to;
}

/// Unites v and parent(v), for every vertex v that has one.
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

/// The array of the forest that has at least as many slots takes the other in.
template <class Id>
parent_forest merge_slots(buffer<Id> to, const parent_forest& other, const merge_context& context) {
  std::visit(
      [&]<class From>(const buffer<From>& parents) {
        parallel_blocks(context.threads, parents.size(), block, [&](std::size_t begin, std::size_t end) {
          for (std::size_t v = begin; v < end; ++v) {
            if (parents[v] != no_vertex<From> && to[v] == no_vertex<Id>) to[v] = static_cast<Id>(v);
          }
        });
        unite_all(to, parents.size(), context.threads, [&parents](std::size_t v) {
          const auto own = static_cast<Id>(v);
          return std::pair{own, parents[v] == no_vertex<From> ? own : static_cast<Id>(parents[v])};
        });
      },
      other.parents);
  const std::uint64_t slots = to.size();
  return {std::move(to), vertex_names::identity(slots)};
}

template <class Id>
parent_forest merge_named(const parent_forest& a, const parent_forest& b, const merge_context& context) {
  const auto positions = [&](auto keys_a, auto keys_b) {
    return positions_in_union<Id>(keys_a, a.slots(), keys_b, b.slots(), context.threads, context.memory);
  };
  const auto at =
      a.strings() ? positions(string_keys{a.names}, string_keys{b.names}) : positions(integer_keys{a.names}, integer_keys{b.names});
  vertex_names names = union_of(a.names, b.names, at, context.threads, context.memory);
  buffer<Id> merged{at.count, context.memory};
  const auto for_vertices = [&context](std::size_t count, auto work) {
    parallel_blocks(context.threads, count, block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) work(v);
    });
  };
  // The vertices of b are alone first, the trees of a stand in their new places, and then those of b are united with them.
  for_vertices(at.of_b.size(), [&](std::size_t v) { merged[at.of_b[v]] = at.of_b[v]; });
  std::visit([&](const auto& parents) { for_vertices(parents.size(), [&](std::size_t v) { merged[at.of_a[v]] = at.of_a[parents[v]]; }); },
             a.parents);
  std::visit(
      [&](const auto& parents) {
        unite_all(merged, parents.size(), context.threads, [&](std::size_t v) { return std::pair{at.of_b[v], at.of_b[parents[v]]}; });
      },
      b.parents);
  return {std::move(merged), std::move(names)};
}

}  // namespace

parent_forest parents_of(const labelling& labels, const merge_context& context) {
  return std::visit(
      [&]<class Id>(const buffer<Id>& from) {
        return parent_forest{copied<Id>(from, context), labels.names()};
      },
      labels.labels());
}

parent_forest merge_parents(parent_forest a, parent_forest b, const merge_context& context) {
  if (a.slots() < b.slots()) std::swap(a, b);
  const std::uint64_t most = a.dense() ? a.slots() : a.slots() + b.slots();
  const auto as = [&]<class Id>(Id) {
    if (!a.dense()) return merge_named<Id>(a, b, context);
    if (auto* own = std::get_if<buffer<Id>>(&a.parents)) return merge_slots(std::move(*own), b, context);
    return std::visit([&](const auto& from) { return merge_slots(copied<Id>(from, context), b, context); }, a.parents);
  };
  return most <= no_vertex<std::uint32_t> ? as(std::uint32_t{}) : as(std::uint64_t{});
}

labelling flattened(parent_forest forest, const merge_context& context) {
  return std::visit(
      [&]<class Id>(buffer<Id>& words) -> labelling {
        const parents::atomic<Id> parents{words.data()};
        parallel_blocks(context.threads, words.size(), block, [&](std::size_t begin, std::size_t end) {
          for (std::size_t v = begin; v < end; ++v) {
            const Id own = static_cast<Id>(v);
            if (parents.load(own) != no_vertex<Id>) parents.store(own, find::naive{}(parents, own));
          }
        });
        return {std::move(words), std::move(forest.names)};
      },
      forest.parents);
}

}  // namespace copse::drivers
