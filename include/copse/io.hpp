// Files: reading and writing graphs, labels, forests and lists.
#pragma once
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <copse/reading.hpp>
#include <copse/rooted_forest.hpp>
#include <copse/views.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace copse::io {

// Writing labels and graphs. Every writer fills a temporary file next to the target and renames it: nothing is ever half written.

/// `.gz` or `.zst` behind a suffix packs what is written. "-" is standard output, as text unless `suffix` says otherwise.
struct write_options {
  std::string suffix{};                                         ///< `.csv`, `.npy`: write as if the name ended so; empty: the name decides
  std::optional<std::filesystem::path> npy_ids = std::nullopt;  ///< `.npy` labels: write the column of ids here, and one label per vertex
};

class packer;

/// A file that appears whole or not at all. Throws input_error when it cannot be created, resource_error when the disk is full.
/// Until commit() it has another name, `TARGET.copse-*.tmp`, and the destructor removes it unless that ran.
/// A device or a pipe is written straight; what a link points to is replaced, not the link. What is replaced hands on its mode.
class output_file {
public:
  /// "-" is standard output. `packs`: as gzip or zstd by the suffix .gz or .zst.
  explicit output_file(std::filesystem::path target, bool packs = true);
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;
  ~output_file();
  void write(const void* bytes, std::size_t count);
  void commit();
  /// Commits, and returns when the bytes and the name are on the disk, so that they survive a loss of power.
  void commit_to_disk();

private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
  std::unique_ptr<packer> packer_;
  std::vector<char> pending_;
  std::uint64_t written_bytes_ = 0;

  void replace_target(bool to_disk);
  void flush();
  void create_temporary(std::optional<unsigned> mode);
  void write_through(const char* from, std::size_t count);
  void write_bytes(const char* from, std::size_t count);
  [[noreturn]] void refuse_write(int reason, std::size_t left) const;
};

// What is written to `.csv` is written to `.parquet` and `.arrow`, too, with the same columns (docs/reference/formats.md), where the
// plug-in for these formats is installed.

/// Labels by suffix: `.parquet` and `.arrow` (columns `id` and `component`: int64, uint64 where an id is larger, or large strings); `.txt`
/// (id, tab, component; also for "-") and `.csv` (header `id,component`) list vertices ascending with names as in the input; `.npy` (uint32
/// or uint64, 1-d) and `.bin` (raw uint32; `.bin64` raw uint64) hold names indexed by id, all ones where there is none; of formats that
/// count from 1, entry 0 is of vertex 1 (see docs/reference/formats.md). They are refused when ids are sparser than 4x, and for names that
/// are strings, unless npy_ids takes the column of names (as `.npy`, or of strings, one per line): then label i belongs to name i. `.npz`
/// holds both, as arrays `id` and `component`; names that are strings have numpy's type S, and no zero byte at the end.
void write_labels(const labelling& labels, const std::filesystem::path& path, const write_options& options = {}, const execution& on = {});
/// Reads what write_labels wrote, in any order of lines. `.npy` and `.bin` do not say what their entries are called: from `first_id` on.
/// Every label must be a listed id, unless `numbered` says that labels are numbers of components (`--labels dense`).
[[nodiscard]] labelling read_labels(const std::filesystem::path& path, const read_options& options = {}, bool numbered = false,
                                    std::uint64_t first_id = 0, const execution& on = {});
/// Writes `component,size` lines (csv with header, or txt with tab), in ascending order of labels, with names as in the input.
void write_sizes(const labelling& labels, const std::filesystem::path& path, const write_options& options = {}, const execution& on = {});

/// Copies the records of an edge list in text as they stand, byte for byte, each with a field behind: the component of its first id (none
/// where `labels` do not have it). A header gets the name `component`; comments stay. `reading` is what the labels were found with. Reads
/// `input` again. O(records log vertices), serial.
void append_components(const std::filesystem::path& input, const read_options& reading, const labelling& labels,
                       const std::filesystem::path& output, const write_options& writing = {}, const execution& on = {});

/// A map of ids: `.csv` (header `position,id`) and `.txt` (a tab between) number the vertices from `first_position` (1 for `.mtx`);
/// `.npy` is the column of ids, and refuses strings.
void write_names(const vertex_names& names, std::uint64_t first_position, const std::filesystem::path& path,
                 const write_options& options = {}, const execution& on = {});

/// Graphs by suffix: `.sg .egr .adj .gr .vgr .mtx .csv .tsv .el .txt .coo .coo64` (the first five hold rows: pass a graph that has them;
/// `.gr` and `.vgr` are Galois graphs). `.csv` and `.tsv` (header `u,v`), `.el` and `.txt` ("-" too) keep the names, and refuse those that
/// they cannot hold; the others number the vertices 0 .. n - 1 in the same order (`.mtx` from 1). A symmetric CSR gives each edge once,
/// except in files of rows, which hold both directions. Lists of edges (`.csv .tsv .el .txt .coo`) hold no isolated vertex. Refuses, with
/// the numbers, what the widths of the format do not hold.
void write_graph(const graph& g, const std::filesystem::path& path, const write_options& options = {}, const execution& on = {});

/// A forest (a list of edges) by suffix. `.csv .tsv` (header `u,v`), `.el .txt` ("-" too) and `.npy` (m x 2 uint32 or uint64) keep the
/// names;
/// `.npy` refuses names that are strings. `.mtx .coo .coo64` as write_graph writes a list of edges.
void write_forest(const graph& forest, const std::filesystem::path& path, const write_options& options = {}, const execution& on = {});
/// Writes a line per vertex in ascending order: its name, its parent's and its depth. `.csv` (header `id,parent,depth`), `.txt` ("-" too;
/// tabs),
/// `.npy` (n x 3 uint32 or uint64; refuses names that are strings).
void write_rooted(const rooted_forest& trees, const std::filesystem::path& path, const write_options& options = {},
                  const execution& on = {});
/// Writes a rooted forest with subtree sizes and places in preorder: `id,parent,depth,size,preorder`, or five columns.
void write_tour(const forest_tour& tour, const std::filesystem::path& path, const write_options& options = {}, const execution& on = {});

// Lists to rank, weights and ranks in files.

/// Successors by suffix, .gz and .zst taken off first: `.npy` (integers of any width, one dimension), `.bin` and `.bin64` (raw uint32,
/// uint64), `.txt` and "-" (one number a line, element 0 first; lines of # are skipped). -1 and all ones are the end of a list. Throws
/// input_error for what is no list of numbers, or a successor that does not exist where the narrower id could not hold it.
[[nodiscard]] successor_list read_list(const std::filesystem::path& path, const execution& on = {});

/// Reads signed numbers from the same formats as read_list (`.bin` int32, `.bin64` int64).
[[nodiscard]] buffer<std::int64_t> read_weights(const std::filesystem::path& path, const execution& on = {});

/// Writes a list as `.npy`, `.bin`, `.bin64`, `.txt` and "-", which read_list reads.
void write_list(const successor_list& successors, const std::filesystem::path& path, const write_options& options = {},
                const execution& on = {});

/// Writes ranks. Indexed by element: `.npy` (uint32, uint64 or int64, as they are), `.bin64`, `.bin` (refused if 32 bits do not hold them,
/// or they are weighted); as lines: `.txt` and "-" (element, tab, rank), `.csv` (header `element,rank`).
void write_ranks(std::span<const std::uint32_t> ranks, const std::filesystem::path& path, const write_options& options = {},
                 const execution& on = {});
void write_ranks(std::span<const std::uint64_t> ranks, const std::filesystem::path& path, const write_options& options = {},
                 const execution& on = {});
void write_ranks(std::span<const std::int64_t> ranks, const std::filesystem::path& path, const write_options& options = {},
                 const execution& on = {});

}  // namespace copse::io
