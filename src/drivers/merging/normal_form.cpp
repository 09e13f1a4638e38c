#include <drivers/merging/normal_form.hpp>

#include <copse/errors.hpp>
#include <core/parallel.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace copse::drivers {
namespace {

constexpr std::uint64_t slots_per_vertex = 2;  // of an array

struct extent {
  std::uint64_t present = 0;
  std::uint64_t slots = 0;  ///< one more than the position of the last present vertex
};

template <class Id>
extent extent_of(const buffer<Id>& labels) {
  extent found;
  for (std::size_t v = 0; v < labels.size(); ++v) {
    const Id label = labels[v];
    if (label == no_vertex<Id>) continue;
    if (label > v || labels[label] != label) {
      throw usage_error{"forest: found label " + std::to_string(label) + " of vertex " + std::to_string(v) + ", expected canonical labels"};
    }
    ++found.present;
    found.slots = v + 1;
  }
  return found;
}

/// make(Id{}) for the narrowest ids of so many slots.
template <class Make>
labelling of_width_for(std::uint64_t slots, Make make) {
  return slots <= no_vertex<std::uint32_t> ? make(std::uint32_t{}) : make(std::uint64_t{});
}

template <class Id>
labelling as_slots(const buffer<Id>& labels, const vertex_names& names, std::uint64_t slots, std::pmr::memory_resource* memory) {
  return of_width_for(slots, [&]<class To>(To) -> labelling {
    buffer<To> to{slots, memory};
    std::fill(to.begin(), to.end(), no_vertex<To>);
    for (std::uint64_t v = 0; v < labels.size(); ++v) {
      if (labels[v] != no_vertex<Id>) to[names.integer(v)] = static_cast<To>(names.integer(labels[v]));
    }
    return {std::move(to), vertex_names::identity(slots)};
  });
}

constexpr std::size_t slots_per_block = std::size_t{1} << 16;

/// The position of the first present vertex of each block, and how many are present in all.
template <class Id>
std::vector<std::uint64_t> positions_of_blocks(const buffer<Id>& labels, unsigned threads) {
  std::vector<std::uint64_t> before((labels.size() + slots_per_block - 1) / slots_per_block + 1);
  parallel_blocks(threads, labels.size(), slots_per_block, [&](std::size_t begin, std::size_t end) {
    const auto absent = std::count(labels.data() + begin, labels.data() + end, no_vertex<Id>);
    before[begin / slots_per_block + 1] = end - begin - static_cast<std::uint64_t>(absent);
  });
  std::partial_sum(before.begin(), before.end(), before.begin());
  return before;
}

template <class Id>
labelling as_positions(const buffer<Id>& labels, const vertex_names& names, const std::vector<std::uint64_t>& before, unsigned threads,
                       std::pmr::memory_resource* memory) {
  const std::uint64_t present = before.back();
  return of_width_for(present, [&]<class To>(To) -> labelling {
    buffer<To> to{present, memory}, position{labels.size(), memory};
    buffer<std::uint64_t> ids{present, memory};
    parallel_blocks(threads, labels.size(), slots_per_block, [&](std::size_t begin, std::size_t end) {
      auto next = static_cast<To>(before[begin / slots_per_block]);
      for (std::size_t v = begin; v < end; ++v) {
        if (labels[v] == no_vertex<Id>) continue;
        ids[next] = names.integer(v);
        position[v] = next++;
      }
    });
    parallel_blocks(threads, labels.size(), slots_per_block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) {
        if (labels[v] != no_vertex<Id>) to[position[v]] = position[labels[v]];
      }
    });
    return {std::move(to), vertex_names::integers(std::move(ids), names.is_signed())};
  });
}

}  // namespace

labelling without_gaps(const labelling& labels, std::pmr::memory_resource* memory) {
  return std::visit(
      [&](const auto& held) {
        static_cast<void>(extent_of(held));  // throws unless they are canonical
        return as_positions(held, labels.names(), positions_of_blocks(held, 1), 1, memory);
      },
      labels.labels());
}

labelling present_only(labelling labels, unsigned threads, std::pmr::memory_resource* memory) {
  return std::visit(
      [&](const auto& held) -> labelling {
        const auto before = positions_of_blocks(held, threads);
        if (before.back() == held.size()) return std::move(labels);
        return as_positions(held, labels.names(), before, threads, memory);
      },
      labels.labels());
}

labelling normal_form(labelling labels, std::pmr::memory_resource* memory) {
  if (labels.is_numbered()) throw usage_error{"forest: found numbers of components, expected canonical labels"};
  return std::visit(
      [&]<class Id>(const buffer<Id>& held) -> labelling {
        const vertex_names& names = labels.names();
        const extent found = extent_of(held);
        if (found.present == 0) return {};
        const bool narrow = sizeof(Id) == 4 || held.size() > no_vertex<std::uint32_t>;  // as narrow as it may be
        if (names.what() == vertex_names::kind::strings) {
          if (narrow) return std::move(labels);
          buffer<std::uint32_t> to{held.size(), memory};
          std::transform(held.begin(), held.end(), to.begin(), [](Id label) { return static_cast<std::uint32_t>(label); });
          return {std::move(to), names};
        }
        const std::uint64_t largest = names.integer(found.slots - 1);
        if (!names.is_signed() && largest < slots_per_vertex * found.present) {
          const std::uint64_t slots = largest + 1;
          const bool as_it_is = names.what() == vertex_names::kind::identity && held.size() == slots && narrow;
          return as_it_is ? std::move(labels) : as_slots(held, names, slots, memory);
        }
        const bool as_it_is = names.what() == vertex_names::kind::integers && held.size() == found.present && narrow;
        return as_it_is ? std::move(labels) : as_positions(held, names, positions_of_blocks(held, 1), 1, memory);
      },
      labels.labels());
}

}  // namespace copse::drivers
