// Names of vertices, as written in a test.
#pragma once
#include <copse/graph.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace copse::testing {

inline vertex_names integer_names(std::initializer_list<std::uint64_t> values) {
  buffer<std::uint64_t> held{values.size()};
  std::copy(values.begin(), values.end(), held.begin());
  return vertex_names::integers(std::move(held));
}
inline vertex_names string_names(std::initializer_list<std::string_view> values) {
  std::string text;
  for (const auto v : values) text += v;
  buffer<char> bytes{text.size()};
  std::copy(text.begin(), text.end(), bytes.begin());
  buffer<std::uint64_t> offsets{values.size() + 1};
  std::uint64_t at = 0;
  std::size_t i = 0;
  for (const auto v : values) {
    offsets[i++] = at;
    at += v.size();
  }
  offsets[i] = at;
  return vertex_names::strings(std::move(bytes), std::move(offsets));
}

}  // namespace copse::testing
