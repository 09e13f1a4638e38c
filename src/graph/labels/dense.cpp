#include <copse/execution.hpp>
#include <copse/labels.hpp>
#include <core/new_pages.hpp>
#include <core/parallel.hpp>
#include <graph/labels/counts.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace copse {
namespace {

vertex_names copy_of(const vertex_names& names, std::pmr::memory_resource* memory) {
  const std::uint64_t count = names.size();
  if (const auto first_id = names.first_id()) return vertex_names::consecutive(*first_id, count);
  if (names.what() == vertex_names::kind::integers) {
    buffer<std::uint64_t> ids(count, memory);
    for (std::uint64_t i = 0; i < count; ++i) ids[i] = names.integer(i);
    return vertex_names::integers(std::move(ids), names.is_signed());
  }
  buffer<std::uint64_t> offsets(count + 1, memory);
  offsets[0] = 0;
  for (std::uint64_t i = 0; i < count; ++i) offsets[i + 1] = offsets[i] + names.string(i).size();
  buffer<char> bytes(offsets[count], memory);
  for (std::uint64_t i = 0; i < count; ++i) std::ranges::copy(names.string(i), bytes.begin() + offsets[i]);
  return vertex_names::strings(std::move(bytes), std::move(offsets));
}

// Numbers the components in the order of their labels. A label is never larger than its vertices, so the number of a component is known
// before it is needed for other vertices.
template <class Id>
void number(const buffer<Id>& labels, buffer<Id>& numbers) {
  Id next = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == no_vertex<Id>) {
      numbers[i] = no_vertex<Id>;
    } else {
      numbers[i] = labels[i] == i ? next++ : numbers[labels[i]];
    }
  }
}

// Numbers the components with several threads: counts the components that begin in each block (at a vertex that is its own label), then
// numbers these, and then copies the numbers to all other vertices.
template <class Id>
void number(const buffer<Id>& labels, buffer<Id>& numbers, unsigned threads) {
  if (threads <= 1 || labels.size() <= labels_per_block) return number(labels, numbers);
  touch_pages(threads, std::span{numbers.data(), numbers.size()});
  std::vector<Id> before(labels.size() / labels_per_block + 2);
  const auto for_blocks = [&](auto work) { parallel_blocks(threads, labels.size(), labels_per_block, work); };
  for_blocks([&](std::size_t begin, std::size_t end) {
    Id components = 0;
    for (std::size_t i = begin; i < end; ++i) components += static_cast<Id>(labels[i] == i);
    before[begin / labels_per_block + 1] = components;
  });
  std::partial_sum(before.begin(), before.end(), before.begin());
  for_blocks([&](std::size_t begin, std::size_t end) {
    Id next = before[begin / labels_per_block];
    for (std::size_t i = begin; i < end; ++i) {
      if (labels[i] == i) numbers[i] = next++;
    }
  });
  for_blocks([&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (labels[i] != i) numbers[i] = labels[i] == no_vertex<Id> ? no_vertex<Id> : numbers[labels[i]];
    }
  });
}

}  // namespace

labelling dense(const labelling& labels, const execution& on) {
  return std::visit(
      [&]<class Id>(const buffer<Id>& values) {
        buffer<Id> numbers(values.size(), on.memory);
        number(values, numbers, usable_threads(on.threads));
        return labelling::numbered(std::move(numbers), copy_of(labels.names(), on.memory));
      },
      labels.labels());
}

}  // namespace copse
