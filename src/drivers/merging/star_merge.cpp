#include <drivers/merging/star_merge.hpp>

#include <copse/extend/parents/atomic.hpp>
#include <copse/extend/rules/find/naive.hpp>
#include <copse/extend/rules/splice/halve_one.hpp>
#include <copse/extend/rules/unite/rem_cas.hpp>
#include <copse/graph.hpp>
#include <copse/memory.hpp>
#include <core/parallel.hpp>

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <string_view>
#include <utility>
#include <vector>

namespace copse::drivers {
namespace {

// The union of two ascending lists of names: the position in it of every name of both. Threads take blocks of the first list, and of the
// second what lies between; each block counts from 0, and sums over the blocks make positions of that.

struct integer_keys {
  const vertex_names& names;
  bool are_signed;  ///< in either list
  std::uint64_t operator[](std::uint64_t i) const noexcept { return id_rank(names.integer(i), are_signed); }
};
struct string_keys {
  const vertex_names& names;
  std::string_view operator[](std::uint64_t i) const noexcept { return names.string(i); }
};

template <class Id>
struct union_positions {
  std::uint64_t count = 0;
  buffer<Id> of_a, of_b;
};

/// Positions must fit an Id.
template <class Id, class Keys>
union_positions<Id> positions_in_union(Keys a, std::uint64_t a_count, Keys b, std::uint64_t b_count, unsigned threads,
                                       std::pmr::memory_resource* memory) {
  constexpr std::uint64_t block = std::uint64_t{1} << 16;
  union_positions<Id> all{0, buffer<Id>{a_count, memory}, buffer<Id>{b_count, memory}};
  const std::uint64_t blocks = a_count / block + 1;  // the last may be empty, and takes what is left of b
  // Block k holds a[k * block ..) and the names of b from begins[k] on.
  std::vector<std::uint64_t> begins(blocks + 1, b_count), firsts(blocks + 1, 0);
  begins[0] = 0;
  for (std::uint64_t k = 1; k < blocks; ++k) {
    if (k * block == a_count) continue;
    const auto wanted = a[k * block];
    std::uint64_t low = begins[k - 1], high = b_count;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (b[middle] < wanted) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    begins[k] = low;
  }
  parallel_blocks(threads, blocks, 1, [&](std::size_t k, std::size_t) {
    std::uint64_t i = k * block, j = begins[k];
    const std::uint64_t i_end = std::min(a_count, (k + 1) * block), j_end = begins[k + 1];
    Id next = 0;
    for (; i < i_end && j < j_end; ++next) {
      const auto x = a[i], y = b[j];
      if (!(y < x)) all.of_a[i++] = next;
      if (!(x < y)) all.of_b[j++] = next;
    }
    for (; i < i_end; ++next) all.of_a[i++] = next;
    for (; j < j_end; ++next) all.of_b[j++] = next;
    firsts[k + 1] = next;
  });
  for (std::uint64_t k = 0; k < blocks; ++k) firsts[k + 1] += firsts[k];
  parallel_blocks(threads, blocks, 1, [&](std::size_t k, std::size_t) {
    const Id first = static_cast<Id>(firsts[k]);
    for (std::uint64_t i = k * block; i < std::min(a_count, (k + 1) * block); ++i) all.of_a[i] += first;
    for (std::uint64_t j = begins[k]; j < begins[k + 1]; ++j) all.of_b[j] += first;
  });
  all.count = firsts[blocks];
  return all;
}

/// The names at these positions, which come from both lists.
template <class Id>
vertex_names union_of(const vertex_names& a, const vertex_names& b, const union_positions<Id>& at, unsigned threads,
                      std::pmr::memory_resource* memory) {
  constexpr std::size_t block = std::size_t{1} << 16;
  const auto for_both = [&](auto put) {
    for (const auto& [names, positions] : {std::pair{&a, &at.of_a}, std::pair{&b, &at.of_b}}) {
      parallel_blocks(threads, positions->size(), block, [&, n = names, p = positions](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) put(*n, i, (*p)[i]);
      });
    }
  };
  if (a.what() != vertex_names::kind::strings) {
    buffer<std::uint64_t> ids{at.count, memory};
    for_both([&ids](const vertex_names& names, std::size_t i, Id to) { ids[to] = names.integer(i); });
    return vertex_names::integers(std::move(ids), a.is_signed() || b.is_signed());
  }
  buffer<std::uint64_t> offsets{at.count + 1, memory};
  offsets[0] = 0;
  for_both([&offsets](const vertex_names& names, std::size_t i, Id to) { offsets[to + std::size_t{1}] = names.string(i).size(); });
  for (std::uint64_t i = 0; i < at.count; ++i) offsets[i + 1] += offsets[i];
  buffer<char> bytes{offsets[at.count], memory};
  for_both([&](const vertex_names& names, std::size_t i, Id to) {
    const std::string_view name = names.string(i);
    std::copy(name.begin(), name.end(), bytes.data() + offsets[to]);
  });
  return vertex_names::strings(std::move(bytes), std::move(offsets));
}

void expect_one_sign(const vertex_names& a, const vertex_names& b) {
  if (a.is_signed() == b.is_signed()) return;
  const vertex_names& others = a.is_signed() ? b : a;
  if (others.size() == 0 || !has_sign_bit(others.integer(others.size() - 1))) return;
  throw usage_error{"merge: found the id " + id_text((a.is_signed() ? a : b).integer(0), true) + " in one forest and " +
                    id_text(others.integer(others.size() - 1), false) + " in another, expected ids below 2^63 beside negative ones"};
}

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
  if (!a.strings()) expect_one_sign(a.names, b.names);
  const bool are_signed = a.names.is_signed() || b.names.is_signed();
  const auto at = a.strings() ? positions(string_keys{a.names}, string_keys{b.names})
                              : positions(integer_keys{a.names, are_signed}, integer_keys{b.names, are_signed});
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
