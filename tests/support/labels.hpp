// Labellings from plain vectors.
#pragma once
#include <copse/labels.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace copse::test {

/// A slot without a vertex.
inline constexpr std::uint32_t absent = no_vertex<std::uint32_t>;

template <class T>
buffer<T> to_buffer(const std::vector<T>& values) {
  buffer<T> copy(values.size());
  std::ranges::copy(values, copy.begin());
  return copy;
}

/// Vertices 0 .. n - 1; no_vertex marks an absent slot.
template <class Id>
labelling to_labelling(const std::vector<Id>& labels) {
  return {to_buffer(labels), vertex_names::identity(labels.size())};
}

inline vertex_names integer_names(const std::vector<std::uint64_t>& ids) { return vertex_names::integers(to_buffer(ids)); }

inline vertex_names string_names(const std::vector<std::string>& names) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<char> bytes;
  for (const std::string& name : names) {
    bytes.insert(bytes.end(), name.begin(), name.end());
    offsets.push_back(bytes.size());
  }
  return vertex_names::strings(to_buffer(bytes), to_buffer(offsets));
}

}  // namespace copse::test
