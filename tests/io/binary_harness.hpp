// Binary files made byte by byte, and what is expected of reading them.
#pragma once
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <copse/graph.hpp>
#include <copse/io.hpp>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/failing_memory.hpp"
#include "support/temporary_folder.hpp"

namespace copse::testing {

using test::read_bytes;
using test::temporary_folder;
using test::write_bytes;

/// The bytes of numbers, little-endian as this machine is.
template <class T>
std::string packed(std::initializer_list<T> values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::copy_n(reinterpret_cast<const char*>(values.begin()), bytes.size(), bytes.begin());
  return bytes;
}

using arcs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// All arcs or edges in ascending order.
inline const arcs path_of_three{{0, 1}, {1, 0}, {1, 2}, {2, 1}};

inline arcs arcs_of(const graph& g) {
  arcs all;
  std::visit(
      [&]<class View>(const View& view) {
        if constexpr (requires { view.offsets; }) {
          for (std::uint64_t u = 0; u < view.vertices(); ++u) {
            for (const auto v : view.row(static_cast<typename View::id_type>(u))) all.emplace_back(u, v);
          }
        } else {
          for (const auto& e : view.edges) all.emplace_back(e.u, e.v);
        }
      },
      g.view());
  std::sort(all.begin(), all.end());
  return all;
}
inline symmetry symmetry_of(const graph& g) {
  return std::visit(
      []<class View>(const View& view) {
        if constexpr (requires { view.symmetric; }) {
          return view.symmetric;
        } else {
          return symmetry::unknown;
        }
      },
      g.view());
}

/// What reading `bytes` as a file of that name says when it refuses them, without the folder; empty when it does not.
inline std::string refusal_of(std::string_view name, std::string_view bytes, const io::read_options& options = {},
                              const execution& on = {}) {
  const temporary_folder folder;
  write_bytes(folder / name, bytes);
  try {
    static_cast<void>(io::read_graph(folder / name, options, on));
  } catch (const input_error& e) {
    std::string text = e.what();
    const std::string prefix = folder.path().string() + "/";
    if (const auto at = text.find(prefix); at != std::string::npos) text.erase(at, prefix.size());
    return text;
  }
  return {};
}
inline graph graph_of(std::string_view name, std::string_view bytes, const io::read_options& options = {}, const execution& on = {}) {
  const temporary_folder folder;
  write_bytes(folder / name, bytes);
  return io::read_graph(folder / name, options, on);
}

/// Every shorter file is refused, naming the file.
inline void expect_every_truncation_refused(std::string_view name, std::string_view bytes, const std::vector<std::size_t>& whole_at = {}) {
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    if (std::find(whole_at.begin(), whole_at.end(), size) != whole_at.end()) continue;
    const std::string text = refusal_of(name, bytes.substr(0, size));
    EXPECT_TRUE(text.starts_with(name)) << size << " bytes of " << bytes.size() << ": \"" << text << '"';
    EXPECT_NE(text.find("expected"), std::string::npos) << text;
  }
}

/// Reading works in the end and fails as a resource_error before, with nothing held, however many allocations succeed first.
inline void expect_failing_allocations_survived(std::string_view name, std::string_view bytes, unsigned least_allocations) {
  const temporary_folder folder;
  write_bytes(folder / name, bytes);
  const std::uint64_t failures = test::failures_of(
      [&](std::pmr::memory_resource* memory) { const graph g = io::read_graph(folder / name, {}, {.threads = 2, .memory = memory}); });
  EXPECT_GE(failures, least_allocations);
  std::cout << failures << " allocations failed while " << name << " was read\n";
}

}  // namespace copse::testing
