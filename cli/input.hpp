// A GRAPH of the command line: a file, standard input, or a generator spec, with the memory and the observer it is read with.
#pragma once
#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <copse/memory.hpp>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "console.hpp"
#include "options.hpp"

namespace copse::cli {

/// What a command runs with. Everything large is allocated through `memory`.
struct resources {
  explicit resources(const run_options& options);

  [[nodiscard]] io::write_options writing();
  /// Writes a graph, and notes when its format cannot keep the ids of the input.
  void write(const graph& g, const std::filesystem::path& path);

  console observer;
  tracked_memory memory;
  unsigned threads;  ///< 0: all
};

class input {
public:
  input(const input_options& options, resources& context);

  /// As the user wrote it; of several the first.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] bool generated() const noexcept { return generated_; }
  [[nodiscard]] bool from_stdin() const noexcept { return text_ == "-"; }
  /// Several edge lists are one graph, which is never held.
  [[nodiscard]] bool several() const noexcept { return paths_.size() > 1; }
  /// The format of a file; not for generated graphs.
  [[nodiscard]] io::format format() const;
  /// Does it come as edges, which can be used while they pass by, rather than as rows?
  [[nodiscard]] bool lists_edges() const { return !generated_ && !io::has_rows(format()); }
  [[nodiscard]] std::span<const std::filesystem::path> paths() const noexcept { return paths_; }
  [[nodiscard]] const io::read_options& read_options() const noexcept { return read_; }

  /// The graph, held: as its file has it (rows or edges), or the raw edges of its generator. Precondition: not several().
  [[nodiscard]] graph read() const;

private:
  std::string text_;
  std::vector<std::filesystem::path> paths_;
  io::read_options read_;
  resources& context_;
  bool generated_;
};

}  // namespace copse::cli
