// Binary files made byte by byte, and what is expected of reading them.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>
#include <copse/errors.hpp>
#include <copse/graph.hpp>
#include <copse/io.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace copse::testing {

/// A folder that lives as long as the object.
class temporary_folder {
public:
  temporary_folder() {
    static int counter = 0;
    path_ = std::filesystem::temp_directory_path() / ("copse-binary-" + std::to_string(getpid()) + "-" + std::to_string(counter++));
    std::filesystem::create_directories(path_);
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator{path_}) all.push_back(entry.path().filename());
    std::sort(all.begin(), all.end());
    return all;
  }

private:
  std::filesystem::path path_;
};

inline void write_bytes(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream{path, std::ios::binary}.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}
inline std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// The bytes of numbers, little-endian as this machine is.
template <class T>
std::string packed(std::initializer_list<T> values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::copy_n(reinterpret_cast<const char*>(values.begin()), bytes.size(), bytes.begin());
  return bytes;
}

using arcs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// All arcs or edges in ascending order.
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
inline std::string refusal_of(std::string_view name, std::string_view bytes, const io::read_options& options = {}) {
  const temporary_folder folder;
  write_bytes(folder / name, bytes);
  try {
    static_cast<void>(io::read_graph(folder / name, options));
  } catch (const input_error& e) {
    std::string text = e.what();
    const std::string prefix = folder.path().string() + "/";
    if (const auto at = text.find(prefix); at != std::string::npos) text.erase(at, prefix.size());
    return text;
  }
  return {};
}
inline graph graph_of(std::string_view name, std::string_view bytes, const io::read_options& options = {}) {
  const temporary_folder folder;
  write_bytes(folder / name, bytes);
  return io::read_graph(folder / name, options);
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
  for (std::uint64_t countdown = 0;; ++countdown) {
    ASSERT_LT(countdown, 1000u);
    tracked_memory memory;
    memory.fail_after(countdown);
    io::read_options options;
    options.threads = 2;
    options.memory = &memory;
    bool read = false;
    try {
      const graph g = io::read_graph(folder / name, options);
      read = true;
    } catch (const resource_error&) {
    }
    EXPECT_EQ(memory.current_bytes(), 0u);
    if (!read) continue;
    EXPECT_GE(countdown, least_allocations);
    std::cout << countdown << " allocations failed while " << name << " was read\n";
    return;
  }
}

}  // namespace copse::testing
