// Writing labels and graphs. Every writer fills a temporary file beside the target and renames it: nothing is ever half written.
#pragma once
#include <copse/graph/forest_tour.hpp>
#include <copse/graph/graph.hpp>
#include <copse/graph/rooted_forest.hpp>
#include <copse/io/read.hpp>
#include <copse/labelling.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace copse::io {

struct write_options {
  copse::observer* observer = nullptr;
  std::optional<std::filesystem::path> npy_ids;  ///< `.npy` labels: write the column of ids here, and labels one a vertex
};

/// A file that appears whole or not at all. Throws input_error when it cannot be created, resource_error when the disk is full.
/// Its temporary is removed by the destructor unless commit() ran; remove_temporaries() (async-signal-safe) removes all open ones.
/// A device or a pipe is written straight; what a link points to is replaced, not the link.
class output_file {
public:
  explicit output_file(std::filesystem::path target);  ///< "-" is standard output
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;
  ~output_file();
  void write(const void* bytes, std::size_t count);
  void commit();
  /// The same, and the bytes and the name are on the disk when it returns: they survive a loss of power, too.
  void commit_to_disk();

private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
  std::vector<char> pending_;
  std::uint64_t written_bytes_ = 0;

  void replace_target(bool to_disk);
  void flush();
  void write_through(const char* from, std::size_t count);
  [[noreturn]] void refuse_write(int reason, std::size_t left) const;
};
void remove_temporaries() noexcept;

/// Throw input_error unless write_labels, write_sizes or write_graph knows the suffix; they ask themselves, but only after the work.
void expect_labels_suffix(const std::filesystem::path& path);
void expect_sizes_suffix(const std::filesystem::path& path);
void expect_graph_suffix(const std::filesystem::path& path);

/// Labels by suffix: `.txt` (id, tab, component; also for "-") and `.csv` (header `id,component`) list vertices ascending with names as in
/// the input; `.npy` (uint32 or uint64, 1-d) and `.bin` (raw uint32; `.bin64` raw uint64) are indexed by id, absent ids hold all ones (see
/// docs/formats.md). They are refused when ids are sparser than 4x, and for names that are strings, unless npy_ids takes the column of
/// names (as `.npy`, or of strings one a line): then label i belongs to name i.
void write_labels(const labelling& labels, const std::filesystem::path& path, const write_options& options = {});
/// Reads what write_labels wrote, in any order of lines. The label file says nothing about names it does not list: `.npy` and `.bin` give
/// identity names. Every label must be a listed id, unless `numbered` says that labels are numbers of components (`--labels dense`).
labelling read_labels(const std::filesystem::path& path, const read_options& options = {}, bool numbered = false);
/// `component,size` lines (csv with header, or txt with tab), ascending label, names as in the input.
void write_sizes(const labelling& labels, const std::filesystem::path& path);

/// Graphs by suffix: `.sg .egr .mtx .el .txt .coo .coo64` (`.sg` and `.egr` need rows: pass a graph that has them). `.el` and `.txt` ("-"
/// too) keep the names; the others number the vertices 0 .. n - 1 in the same order (`.mtx` from 1). A symmetric CSR gives each edge once,
/// except in `.sg` and `.egr`, which hold both directions. Lists of edges (`.el .txt .coo`) hold no isolated vertex. Refuses, with the
/// numbers, what the widths of the format do not hold.
void write_graph(const graph& g, const std::filesystem::path& path, const write_options& options = {});

/// A forest (a list of edges) by suffix. `.csv` (header `u,v`), `.el .txt` ("-" too) and `.npy` (m x 2 uint32 or uint64) keep the names;
/// `.npy` refuses names that are strings. `.mtx .coo .coo64` as write_graph writes a list of edges.
void write_forest(const graph& forest, const std::filesystem::path& path, const write_options& options = {});
/// A line a vertex in ascending order: its name, its parent's and its depth. `.csv` (header `id,parent,depth`), `.txt` ("-" too; tabs),
/// `.npy` (n x 3 uint32 or uint64; refuses names that are strings).
void write_rooted(const rooted_forest& trees, const std::filesystem::path& path, const write_options& options = {});
/// The same with the size of its subtree and its place in preorder: `id,parent,depth,size,preorder`, or five columns.
void write_tour(const forest_tour& tour, const std::filesystem::path& path, const write_options& options = {});
/// Throw input_error unless write_forest, or write_rooted and write_tour, know the suffix.
void expect_forest_suffix(const std::filesystem::path& path);
void expect_rooted_suffix(const std::filesystem::path& path);

}  // namespace copse::io
