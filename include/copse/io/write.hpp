// Writing labels and graphs. Every writer fills a temporary file beside the target and renames it: nothing is ever half written.
#pragma once
#include <copse/graph/graph.hpp>
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
class output_file {
public:
  explicit output_file(std::filesystem::path target);  ///< "-" is standard output
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;
  ~output_file();
  void write(const void* bytes, std::size_t count);
  void commit();

private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
  std::vector<char> pending_;
  void flush();
};
void remove_temporaries() noexcept;

/// Labels by suffix: `.txt` (id, tab, component) and `.csv` (header `id,component`) list vertices ascending with names as in the input;
/// `.npy` (uint32 or uint64, 1-d) and `.bin` (raw, the same) are indexed by id, absent ids hold all ones (see design section 4).
void write_labels(const labelling& labels, const std::filesystem::path& path, const write_options& options = {});
/// Reads what write_labels wrote. The label file says nothing about names it does not list: `.npy` and `.bin` give identity names.
labelling read_labels(const std::filesystem::path& path, const read_options& options = {});
/// `component,size` lines (csv with header, or txt with tab), ascending label, names as in the input.
void write_sizes(const labelling& labels, const std::filesystem::path& path);

/// Graphs by suffix: `.sg .egr .mtx .el .txt .coo` (`.sg` and `.egr` need rows: pass a graph that has them).
void write_graph(const graph& g, const std::filesystem::path& path, const write_options& options = {});

}  // namespace copse::io
