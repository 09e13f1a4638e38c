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

// Writing labels and graphs. Every writer fills a temporary file next to the target and then renames it, so that no partly written target
// exists.

/// How files are written. If the name ends in `.gz` or `.zst` after the suffix, the file is compressed. "-" is standard output, as text
/// unless `suffix` says otherwise.
struct write_options {
  /// For example `.csv` or `.npy`: write as if the file name ended in it. If empty, the name decides.
  std::string suffix{};
  /// For `.npy` labels: a file for the ids; the labels file then has one label per vertex.
  std::optional<std::filesystem::path> npy_ids = std::nullopt;
};

class packer;

/// A file that is written completely or not at all. Throws input_error if it cannot be created, resource_error if the disk is full. Until
/// commit() the file is called `TARGET.copse-*.tmp`; without a commit the destructor removes it. Devices and pipes are written directly. If
/// the target is a symbolic link, the file it points to is replaced, not the link. The new file gets the mode of the one that it replaces.
class output_file {
public:
  /// Opens `target`; "-" is standard output. If `packs` is true, compresses as gzip or zstd if the name ends in .gz or .zst.
  explicit output_file(std::filesystem::path target, bool packs = true);
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;
  ~output_file();
  void write(const void* bytes, std::size_t count);
  void commit();
  /// Commits, and returns when the contents and the name are on disk, so that they survive a power failure.
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

// Every function below that writes `.csv` also writes `.parquet` and `.arrow` with the same columns (docs/reference/formats.md), if the
// plug-in for these formats is installed.

/// Writes labels in the format of the suffix:
///
/// - `.parquet` and `.arrow`: columns `id` and `component`, which are int64, uint64 if an id is larger, or large strings;
/// - `.txt` (id, tab, component; also for "-") and `.csv` (header `id,component`): vertices in ascending order, named as in the input;
/// - `.npy` (uint32 or uint64, 1-d), `.bin` (raw uint32) and `.bin64` (raw uint64): the label of each id, at the index of the id, and all
///   ones at indices that are no id; for formats that count from 1, entry 0 is vertex 1 (docs/reference/formats.md);
/// - `.npz`: ids and labels as arrays `id` and `component`; string names have numpy's type S and must not end in a zero byte.
///
/// Formats indexed by id are refused if fewer than a quarter of the indices are ids, and for string names, unless npy_ids names a file for
/// the ids (`.npy`, or for strings one per line): then label i belongs to id i.
void write_labels(const labelling& labels, const std::filesystem::path& path, const write_options& options = {}, const execution& on = {});
/// Reads what write_labels() wrote, with lines in any order. `.npy` and `.bin` hold no ids: their entries are numbered from `first_id`.
/// Every label must be an id of the file, unless `numbered` says that labels are component numbers (`--labels dense`).
[[nodiscard]] labelling read_labels(const std::filesystem::path& path, const read_options& options = {}, bool numbered = false,
                                    std::uint64_t first_id = 0, const execution& on = {});
/// Writes `component,size` lines (csv with header, or txt with tab), in ascending order of labels, with names as in the input.
void write_sizes(const labelling& labels, const std::filesystem::path& path, const write_options& options = {}, const execution& on = {});

/// Copies the records of a text edge list byte for byte and appends a field to each: the component of its first id (empty if `labels` do
/// not have it). A header gets the name `component`; comments are copied. `reading` must hold the options with which the labels were
/// computed. Reads `input` again. O(records log vertices), serial.
void append_components(const std::filesystem::path& input, const read_options& reading, const labelling& labels,
                       const std::filesystem::path& output, const write_options& writing = {}, const execution& on = {});

/// Writes the id of each vertex, for example next to a graph file whose format has numbers in place of ids. `.csv` (header `position,id`)
/// and `.txt` (separated by a tab) also have the number of each vertex, from `first_position` on: 1 if the graph file is `.mtx`, else 0.
/// `.npy` is the column of ids alone, and refuses strings.
void write_names(const vertex_names& names, std::uint64_t first_position, const std::filesystem::path& path,
                 const write_options& options = {}, const execution& on = {});

/// Writes a graph in the format of the suffix: `.sg .egr .adj .gr .vgr .mtx .csv .tsv .el .txt .coo .coo64`. The first five store rows and
/// need a graph that has rows (`.gr` and `.vgr` are Galois graphs).
///
/// `.csv` and `.tsv` (header `u,v`), `.el` and `.txt` (also "-") keep the vertex names, and refuse names that they cannot represent; the
/// others number the vertices 0 .. n - 1 in the same order (`.mtx` from 1). Of symmetric rows each edge is written once, except to formats
/// that store rows, which have both directions. `.csv .tsv .el .txt .coo` have no isolated vertices. A graph whose numbers exceed the
/// widths of the format is refused.
void write_graph(const graph& g, const std::filesystem::path& path, const write_options& options = {}, const execution& on = {});

/// Writes a forest (a list of edges) in the format of the suffix. `.csv .tsv` (header `u,v`), `.el .txt` (also "-") and `.npy` (m x 2
/// uint32 or uint64) keep the vertex names, but `.npy` refuses strings. `.mtx .coo .coo64` are written as write_graph() writes a list of
/// edges.
void write_forest(const graph& forest, const std::filesystem::path& path, const write_options& options = {}, const execution& on = {});
/// Writes each vertex in ascending order: its name, its parent's name and its depth. `.csv` (header `id,parent,depth`), `.txt` (also "-";
/// separated by tabs), `.npy` (n x 3 uint32 or uint64; refuses string names).
void write_rooted(const rooted_forest& trees, const std::filesystem::path& path, const write_options& options = {},
                  const execution& on = {});
/// Writes a rooted forest with subtree sizes and preorder positions: `id,parent,depth,size,preorder`, or an array of five columns.
void write_tour(const forest_tour& tour, const std::filesystem::path& path, const write_options& options = {}, const execution& on = {});

// Files for list ranking: successors, weights and ranks.

/// Reads successors in the format of the suffix, before .gz or .zst: `.npy` (integers of any width, one dimension), `.bin` and `.bin64`
/// (raw uint32, uint64), `.txt` and "-" (one number per line, element 0 first; lines that start with # are skipped). -1 and all ones mark
/// the end of a list. Throws input_error if the file is not a list of numbers. A successor that is out of range is refused, too, if the
/// file is text, if the successor is negative, or if it has 64 bits and the list has fewer than 2^32 - 1 elements, so that successors have
/// 32 bits in memory; others are left to rank_list(), which refuses them.
[[nodiscard]] successor_list read_list(const std::filesystem::path& path, const execution& on = {});

/// Reads signed numbers from the same formats as read_list (`.bin` int32, `.bin64` int64).
[[nodiscard]] buffer<std::int64_t> read_weights(const std::filesystem::path& path, const execution& on = {});

/// Writes a list as `.npy`, `.bin`, `.bin64`, `.txt` or "-", in the form that read_list() reads.
void write_list(const successor_list& successors, const std::filesystem::path& path, const write_options& options = {},
                const execution& on = {});

/// Writes ranks. `.npy` (uint32, uint64 or int64, as in memory), `.bin64` and `.bin` (refused if ranks exceed 32 bits or are weighted) are
/// indexed by element; `.txt` and "-" have lines (element, tab, rank), and so has `.csv` (header `element,rank`).
void write_ranks(std::span<const std::uint32_t> ranks, const std::filesystem::path& path, const write_options& options = {},
                 const execution& on = {});
void write_ranks(std::span<const std::uint64_t> ranks, const std::filesystem::path& path, const write_options& options = {},
                 const execution& on = {});
void write_ranks(std::span<const std::int64_t> ranks, const std::filesystem::path& path, const write_options& options = {},
                 const execution& on = {});

}  // namespace copse::io
