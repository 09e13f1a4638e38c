#include <core/parallel.hpp>
#include <graph/name_union.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace copse {
namespace {

constexpr std::size_t block = std::size_t{1} << 16;

// Each thread merges a block of the first list with the names of the second list that are in the same range. Positions are first counted
// within each block, and then increased by the number of names in the blocks before.

struct integer_keys {
  const vertex_names& names;
  bool are_signed;  ///< true if the ids in either list are signed
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

/// Computes the position of each name in the union. Precondition: all positions fit in an Id.
template <class Id, class Keys>
union_positions<Id> positions_in_union(Keys a, std::uint64_t a_count, Keys b, std::uint64_t b_count, unsigned threads,
                                       std::pmr::memory_resource* memory) {
  union_positions<Id> all{0, buffer<Id>{a_count, memory}, buffer<Id>{b_count, memory}};
  const std::uint64_t blocks = a_count / block + 1;  // the last block may have no names of a, and gets all remaining ones of b
  // Block k consists of the names of a from k * block on, and the names of b from begins[k] on.
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

/// The union of the names, given the position of each name of both lists in it.
template <class Id>
vertex_names union_of(const vertex_names& a, const vertex_names& b, const union_positions<Id>& at, unsigned threads,
                      std::pmr::memory_resource* memory) {
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

}  // namespace

template <unsigned_index Id>
name_union<Id> unite_names(const vertex_names& a, const vertex_names& b, unsigned threads, std::pmr::memory_resource* memory) {
  const auto positions = [&](auto keys_a, auto keys_b) {
    return positions_in_union<Id>(keys_a, a.size(), keys_b, b.size(), threads, memory);
  };
  const bool strings = a.what() == vertex_names::kind::strings, are_signed = a.is_signed() || b.is_signed();
  union_positions<Id> at =
      strings ? positions(string_keys{a}, string_keys{b}) : positions(integer_keys{a, are_signed}, integer_keys{b, are_signed});
  return {union_of(a, b, at, threads, memory), std::move(at.of_a), std::move(at.of_b)};
}

template name_union<std::uint32_t> unite_names(const vertex_names&, const vertex_names&, unsigned, std::pmr::memory_resource*);
template name_union<std::uint64_t> unite_names(const vertex_names&, const vertex_names&, unsigned, std::pmr::memory_resource*);

}  // namespace copse
