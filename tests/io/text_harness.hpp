// Runs a text reader over the same bytes with every block size and number of threads, and expects the same from each.
#pragma once
#include "io/readers.hpp"

#include <gtest/gtest.h>
#include <copse/errors.hpp>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace copse::testing {

using edges = std::vector<edge<std::uint64_t>>;
using names = std::vector<std::pair<std::string, std::string>>;

/// Everything a sink was told; edges sorted, because workers race.
struct collected {
  std::optional<std::uint64_t> vertices;
  edges numbers;
  names strings;
  bool named = false;
  bool finished = false;
  friend bool operator==(const collected&, const collected&) = default;
};

class collecting_sink final : public io::edge_sink {
public:
  void begin(const io::source_facts& facts) override {
    all.vertices = facts.vertices;
    all.named = facts.named;
    workers_ = facts.workers;
  }
  void edges(unsigned worker, const io::edge_batch& batch) override {
    const std::lock_guard lock{guard_};
    EXPECT_LT(worker, workers_);
    all.numbers.insert(all.numbers.end(), batch.ids.begin(), batch.ids.end());
    for (const auto& e : batch.names) all.strings.emplace_back(e.u, e.v);
  }
  void finish() override {
    std::sort(all.numbers.begin(), all.numbers.end());
    std::sort(all.strings.begin(), all.strings.end());
    all.finished = true;
  }
  collected all;

private:
  std::mutex guard_;
  unsigned workers_ = 0;
};

/// Stored arcs of a graph that was read whole.
inline collected arcs_of(const graph& g) {
  collected all;
  all.vertices = g.vertices();
  std::visit(
      [&](const auto& view) {
        if constexpr (requires { view.targets; }) {
          for (std::uint64_t u = 0; u < view.vertices(); ++u) {
            for (const auto v : view.row(static_cast<decltype(view.vertices())>(u))) all.numbers.push_back({u, v});
          }
        }
      },
      g.view());
  std::sort(all.numbers.begin(), all.numbers.end());
  all.finished = true;
  return all;
}

/// By the reader of a format that lists edges.
inline void parse_list(const std::filesystem::path& path, io::format f, const io::read_request& options, io::edge_sink& sink) {
  if (f == io::format::mtx) {
    static_cast<void>(io::parse_matrix_market(path, options, sink));
  } else if (f == io::format::dimacs) {
    static_cast<void>(io::parse_dimacs(path, options, sink));
  } else {
    io::read_request reading = options;
    reading.format = f;
    io::parse(path, reading, io::part_of_file{}, sink);
  }
}

inline collected read_text(const std::filesystem::path& path, const io::read_request& options) {
  const io::format f = options.format ? *options.format : io::format_of(path);
  if (f == io::format::metis) return arcs_of(io::read_metis(path, options));
  if (f == io::format::adj) return arcs_of(io::read_adj(path, options));
  collecting_sink sink;
  parse_list(path, f, options, sink);
  return std::move(sink.all);
}

/// Calls `run` for block sizes 1, 7 and 1 MiB with 1, 2 and 7 threads.
inline void everywhere(io::read_options options, const std::function<void(const io::read_request&)>& run) {
  for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{7}, std::size_t{1} << 20}) {
    for (const unsigned threads : {1u, 2u, 7u}) {
      SCOPED_TRACE("blocks of " + std::to_string(block_bytes) + " bytes, " + std::to_string(threads) + " threads");
      options.block_bytes = block_bytes;
      run(io::read_request{options, {.threads = threads}});
    }
  }
}

/// What the file holds, the same everywhere.
inline collected read_everywhere(const std::filesystem::path& path, const io::read_options& options = {}) {
  std::optional<collected> first;
  everywhere(options, [&](const io::read_request& now) {
    try {
      collected found = read_text(path, now);
      EXPECT_TRUE(found.finished);
      if (!first) first = found;
      EXPECT_EQ(found, *first);
    } catch (const error& e) {
      ADD_FAILURE() << e.what();
    }
  });
  return first.value_or(collected{});
}

/// The message of the error, the same everywhere, with the folder taken off.
template <class Error = input_error>
std::string refusal_everywhere(const std::filesystem::path& path, const io::read_options& options = {}) {
  std::string first;
  everywhere(options, [&](const io::read_request& now) {
    std::string what = "nothing was refused";
    try {
      read_text(path, now);
    } catch (const Error& e) {
      what = e.what();
    }
    const std::string folder = path.parent_path().string() + "/";
    if (const auto at = what.find(folder); at != std::string::npos) what.erase(at, folder.size());
    if (first.empty()) first = what;
    EXPECT_EQ(what, first);
  });
  return first;
}

/// A file that is gone when the test is over.
class temporary_file {
public:
  temporary_file(const std::string& name, std::string_view bytes)
      : path_{std::filesystem::temp_directory_path() / ("copse-" + std::to_string(::getpid())) / name} {
    std::filesystem::create_directories(path_.parent_path());
    std::ofstream{path_, std::ios::binary}.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  ~temporary_file() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
    std::filesystem::remove(path_.parent_path(), ignored);
  }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
  std::filesystem::path path_;
};

/// What a file of that name with this text holds, or why it is refused.
inline collected parsed_csv(std::string_view text, const io::read_options& options = {}, const std::string& name = "t.csv") {
  const temporary_file file{name, text};
  return read_everywhere(file.path(), options);
}
template <class Error = input_error>
std::string refused_csv(std::string_view text, const io::read_options& options = {}, const std::string& name = "t.csv") {
  const temporary_file file{name, text};
  return refusal_everywhere<Error>(file.path(), options);
}

}  // namespace copse::testing
