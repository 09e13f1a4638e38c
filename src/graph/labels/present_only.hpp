// Labels whose slots are all vertices.
#pragma once
#include <copse/labels.hpp>
#include <copse/memory.hpp>

#include <cstdint>
#include <memory_resource>

namespace copse {

/// make(Id{}) for the narrowest ids of so many slots.
template <class Make>
auto with_narrowest_ids(std::uint64_t slots, Make make) {
  return slots <= no_vertex<std::uint32_t> ? make(std::uint32_t{}) : make(std::uint64_t{});
}

/// Copies the labels of present vertices, which keep their ids as names. Precondition: the labels are canonical and the names integers.
labelling copy_of_present(const labelling& labels, unsigned threads, std::pmr::memory_resource* memory);

/// Drops the slots of absent vertices as copy_of_present() does; unchanged if every vertex is present. Precondition: the labels are
/// canonical.
labelling present_only(labelling labels, unsigned threads, std::pmr::memory_resource* memory);

}  // namespace copse
