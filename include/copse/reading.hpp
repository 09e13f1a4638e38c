// Reading files of edges: the interface that receives edges while a file is parsed, formats and their options, and graphs in memory.
#pragma once
#include <copse/errors.hpp>
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/memory.hpp>
#include <copse/views.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace copse::io {

// The receivers of edges while a file is parsed. Readers do not depend on what a receiver does: unite, collect, verify or count edges.

/// What a reader knows before the first edge.
struct source_facts {
  std::optional<std::uint64_t> vertices;  ///< if set, the file declares the vertices 0 .. vertices - 1, isolated ones included
  std::uint64_t first_id = 0;             ///< the id in the file of the first declared vertex
  std::optional<std::uint64_t> edges;     ///< declared number of edge lines or stored arcs; a hint for reserving memory
  unsigned workers = 1;                   ///< all `worker` arguments will be less than this
  bool named = false;                     ///< true if ids are strings: batches then have `names`, not `ids`
  std::size_t id_columns = 1;             ///< number of columns that form one id of a text edge list
};

/// An edge between string ids. The views are valid during the call only.
struct named_edge {
  std::string_view u;
  std::string_view v;
};

/// Edges that a reader passes on in one call, in the order of the file. Depending on source_facts::named, either the integers or the
/// strings are set.
struct edge_batch {
  /// Integer ids as written in the file, negative ones as two's complement after ids_are_signed() was called; for declared vertices, ids
  /// minus first_id. Loops and repeated edges are included.
  std::span<const edge<std::uint64_t>> ids = {};
  std::span<const edge<std::uint32_t>> narrow_ids = {};  ///< used instead of `ids`, for sinks that request it in sink_wishes
  std::span<const named_edge> names = {};
  std::span<const double> weights = {};  ///< one per edge, never not-a-number; only for sinks that request them in sink_wishes

  [[nodiscard]] std::size_t size() const noexcept { return ids.size() + narrow_ids.size() + names.size(); }
};

/// Vertices that a reader passes on in one call: integers or strings.
struct vertex_batch {
  std::span<const std::uint64_t> ids = {};
  std::span<const std::string_view> names = {};

  [[nodiscard]] std::size_t size() const noexcept { return ids.size() + names.size(); }
};

/// What a sink requests from readers.
struct sink_wishes {
  bool weights = false;     ///< pass the weights of edges
  bool narrow_ids = false;  ///< pass 32-bit ids without widening, if the file has such pairs
  bool pauses = false;      ///< ask wants_pause() while a file is read
};

/// Receives the edges of one input: begin() once, then batches, and finally finish() once. Batches of different workers arrive
/// concurrently, those of one `worker` one after the other. Any call may throw; then the reader stops all workers, rethrows the exception,
/// and does not call finish().
class edge_sink {
public:
  virtual ~edge_sink() = default;
  /// What the sink requests from readers. Called before begin().
  [[nodiscard]] virtual sink_wishes wishes() const noexcept { return {}; }
  virtual void begin(const source_facts& facts) = 0;
  /// Announces that the following batches of `worker` belong to this block of the input. Blocks are numbered in file order; each block
  /// belongs to one worker, and a worker takes its blocks in ascending order. Override it only in sinks that keep the order of the file.
  virtual void begin_block(unsigned /*worker*/, std::uint64_t /*block*/) {}
  virtual void edges(unsigned worker, const edge_batch& batch) = 0;
  /// Receives vertices that need not have an edge, between batches of edges or after the last. The default implementation passes them on as
  /// loops.
  virtual void vertices(unsigned worker, const vertex_batch& batch);
  /// Announces that integer ids are two's complement from now on, because some are negative, and that none is above INT64_MAX. Called once,
  /// before the first batch with a negative id, while other workers may be in edges(). The default implementation refuses negative ids.
  virtual void ids_are_signed();
  /// Announces that a record of the current block was dropped, because of a missing value or its weight. In the file it comes after all
  /// edges of the block that were passed on so far, and after the `pending` edges that will be passed on next. Override it only in sinks
  /// that number records.
  virtual void left_out(unsigned /*worker*/, std::size_t /*pending*/) {}
  /// Asked between blocks of text: true makes reading stop for a call of pause(). At that time all blocks before this point have been
  /// passed on and none after it, and no worker is active.
  [[nodiscard]] virtual bool wants_pause() const noexcept { return false; }
  virtual void pause() {}
  virtual void finish() {}
};

// Reading graphs: formats, options, and two functions: parse() passes edges to a sink without storing them, read_graph() returns a graph.

/// File formats, described in docs/reference/formats.md. `edges`: two ids per line; `csv`: records with quoting as in RFC 4180 and without
/// comments; `parquet` and `arrow` (both IPC formats, stream and file): typed columns.
enum class format : std::uint8_t { edges, csv, mtx, metis, dimacs, sg, egr, adj, galois, npy, npz, coo, coo64, parquet, arrow };
inline constexpr format last_format = format::arrow;

/// How ids of an edge list are read. `automatic`: as strings if the ids of the first record are not numeric (with a note to the observer),
/// or have leading zeros; otherwise as integers, and then an id with leading zeros is refused. `integers`: 007 is 7. `strings` must be
/// UTF-8; `bytes` may be any bytes.
enum class id_kind : std::uint8_t { automatic, integers, strings, bytes };

/// A column of an edge list: its number, counted from 1, or its name in the header.
class column {
public:
  column(unsigned number) : number_{number} {}
  column(std::string name) : name_{std::move(name)} {}
  column(const char* name) : name_{name} {}

  /// The number of the column, or 0 if it is given by name.
  [[nodiscard]] unsigned number() const noexcept { return number_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] bool named() const noexcept { return !name_.empty(); }
  /// The column as written on the command line.
  [[nodiscard]] std::string text() const;
  friend bool operator==(const column&, const column&) = default;

private:
  unsigned number_ = 0;
  std::string name_;
};

/// The columns that form an id: usually one. With several, the id is their texts joined by read_options::id_delimiter, as in `crm:17`.
class id_columns {
public:
  /// Column `number`, unless a header names the id columns (docs/reference/formats.md, "How a table is read").
  [[nodiscard]] static id_columns presumed(unsigned number);

  id_columns(column only);
  id_columns(unsigned number);
  id_columns(std::string name);
  id_columns(const char* name);
  id_columns(std::vector<column> columns) noexcept : columns_{std::move(columns)} {}

  [[nodiscard]] const std::vector<column>& columns() const noexcept { return columns_; }
  [[nodiscard]] std::size_t size() const noexcept { return columns_.size(); }
  [[nodiscard]] bool joined() const noexcept { return columns_.size() > 1; }
  [[nodiscard]] bool named() const noexcept;
  /// True for presumed() columns; false if the caller chose the columns, which no header then overrides.
  [[nodiscard]] bool is_presumed() const noexcept { return presumed_; }
  /// The columns as written on the command line: `id`, or `source,id`.
  [[nodiscard]] std::string text() const;
  friend bool operator==(const id_columns&, const id_columns&) = default;

private:
  std::vector<column> columns_;
  bool presumed_ = false;
};

/// A text table with a column of ids, each of which is a vertex of the graph.
struct vertex_table {
  std::filesystem::path path;
  id_columns id = id_columns::presumed(1);
};

/// Counts of records and fields that readers left out or changed.
struct read_counts {
  std::atomic<std::uint64_t> comment_lines{0};       ///< comment lines of edge lists
  std::atomic<std::uint64_t> late_comment_lines{0};  ///< comment lines that follow the first record
  std::atomic<std::uint64_t> missing_ends{0};        ///< records that were dropped because an id is one of `missing`
  std::atomic<std::uint64_t> missing_weights{0};     ///< edges that were dropped because their weight is one of `missing`
  std::atomic<std::uint64_t> below_min_weight{0};    ///< edges that were left out because their weight is less than min_weight
  std::atomic<std::uint64_t> trimmed_fields{0};      ///< string ids and keys from which surrounding blanks were removed
};

/// Maps the edges of a graph to their positions among all edges of the file, some of which were left out.
class edge_numbers {
public:
  edge_numbers() = default;
  /// `before[j]` is the number of kept edges before the j-th edge that was left out; ascending.
  explicit edge_numbers(buffer<std::uint64_t> before) : before_{std::move(before)} {}

  /// The number of edge `i` of the graph among all edges of the file; both count from 0. O(log d) time for d edges that were left out.
  [[nodiscard]] std::uint64_t operator[](std::uint64_t i) const noexcept;
  /// False if no edge was left out, so that edge i has number i.
  [[nodiscard]] bool differ() const noexcept { return before_.size() != 0; }

private:
  buffer<std::uint64_t> before_;
};

/// What a caller can do about an ambiguous input: an option of the call, its value, and its effect, which may be empty. The command line
/// shows it as `--columns from,to`.
struct remedy {
  std::string option, value, effect;
};

/// Thrown for an input that can be read in two ways with different results.
class ambiguous_input : public input_error {
public:
  ambiguous_input(const input_error& fault, std::vector<remedy> remedies);
  [[nodiscard]] std::span<const remedy> remedies() const noexcept;

private:
  std::shared_ptr<const std::vector<remedy>> remedies_;  // shared, so that copying the exception does not throw
};

struct read_options {
  std::optional<io::format> format;  ///< not set: the suffix decides, before `.gz` or `.zst`
  id_kind ids = id_kind::automatic;  ///< how ids are read; this and the options up to `prefixes` are for edge lists only
  /// The columns of the two ids. The default applies unless a header names other columns.
  std::array<id_columns, 2> columns{id_columns::presumed(1), id_columns::presumed(2)};
  std::string id_delimiter = ":";       ///< joins the parts of an id of several columns; only the last part may contain it
  std::optional<column> weight_column;  ///< the column of weights; requires min_weight
  std::optional<double> min_weight;     ///< keep edges with at least this weight; edge lists also need weight_column
  std::optional<bool> header;           ///< true if the first record is a header; not set: decided from the first two records
  std::optional<char> delimiter;        ///< not set: decided by the suffix and the first records; ' ' in `edges` means runs of blanks
  /// Characters that begin a comment line. Not set: # or % in `edges`, none in `csv`; then a comment line after the first record that could
  /// be a record is refused.
  std::optional<std::string> comments;
  bool trim = true;  ///< remove blanks around fields that are not quoted
  /// Ids and weights that mean a missing value: records with them are dropped and counted. One spelling of NaN stands for all spellings.
  std::vector<std::string> missing;
  /// Tables whose ids are vertices in addition to the ends of edges; for edge lists, `.npy`, `.coo` and `.coo64`.
  std::vector<vertex_table> vertex_tables;
  /// Prefixes for the ids of the first and of the second column, which then become strings, so that equal ids of two tables are different
  /// vertices. Table i of vertex_tables has prefix i.
  std::array<std::string, 2> prefixes;
  std::optional<std::uint64_t> vertices;           ///< edge lists: the number of vertices; ids of other vertices are an error
  std::uint64_t first_vertex = 0;                  ///< the first vertex, if `vertices` is set
  bool signed_ids = false;                         ///< `.coo` and `.coo64`: ids are signed; other formats define it themselves
  bool trust_head = false;                         ///< accept a file header that declares far more vertices than the file could name
  std::size_t block_bytes = std::size_t{1} << 20;  ///< approximate size of the blocks into which text and pairs are cut
  /// Reads files through a memory mapping if possible, which is fastest; Parquet files are never mapped. If another program truncates a
  /// mapped file while it is read, the process receives SIGBUS (see mapped_file_at()). If files may change, set this to false: then a
  /// truncated file reads as a shorter one.
  bool mapped = true;
  read_counts* counts = nullptr;  ///< if set, counts are added to it
  /// If set, receives the position in the file of each edge of the graph, from read_graph() and read_weighted_graph() of edge lists, .mtx
  /// and DIMACS.
  edge_numbers* numbers = nullptr;
};

/// The format of a file by its suffix (`web.mtx.gz` is mtx). A `.gr` file, compressed or not, is DIMACS if it is text by its first byte,
/// and Galois otherwise. Throws input_error that lists the known suffixes.
[[nodiscard]] format format_of(const std::filesystem::path& path);
/// The inverse of to_string(format): `edges`, `csv`, ...; throws usage_error for another name.
[[nodiscard]] format format_named(std::string_view name);
[[nodiscard]] std::string_view to_string(format f) noexcept;

/// True if the file holds an edge list in text (`edges`, `csv`), whose vertices are the ids that occur.
[[nodiscard]] constexpr bool is_edge_list(format f) noexcept { return f == format::edges || f == format::csv; }
/// True if the file is a table with typed columns. These are read by a plug-in, if Arrow C++ is installed.
[[nodiscard]] constexpr bool is_columnar(format f) noexcept { return f == format::parquet || f == format::arrow; }
/// True if the caller may specify which columns of the file are ids and weights.
[[nodiscard]] constexpr bool has_columns(format f) noexcept { return is_edge_list(f) || is_columnar(f); }
/// The id of the first vertex in this format: Matrix Market, METIS and DIMACS count from 1.
[[nodiscard]] constexpr std::uint64_t first_id_of(format f) noexcept {
  return f == format::mtx || f == format::metis || f == format::dimacs ? 1 : 0;
}
/// True if the format stores rows (CSR).
[[nodiscard]] constexpr bool has_rows(format f) noexcept {
  return f == format::sg || f == format::egr || f == format::adj || f == format::galois || f == format::npz || f == format::metis;
}
/// True if the format declares the number of vertices. Otherwise the vertices are the ids that occur.
[[nodiscard]] constexpr bool declares_vertices(format f) noexcept { return has_rows(f) || f == format::mtx || f == format::dimacs; }

/// Parses `path` ("-": standard input) in any format and passes its edges to `sink`. Parallel over memory-mapped input, or over blocks of
/// piped or decompressed input. Throws input_error with the file and line of the first bad line in file order, for any number of threads.
void parse(const std::filesystem::path& path, const read_options& options, edge_sink& sink, const execution& on = {});

/// Parses several edge lists as one. The ids of all must be of one kind, and none may declare its vertices.
void parse(std::span<const std::filesystem::path> paths, const read_options& options, edge_sink& sink, const execution& on = {});

/// The name of the file that is mapped to memory at this address, or null. For handlers of SIGBUS, which a process receives when it reads a
/// mapped file that another process has truncated (unless read_options::mapped is false). Async-signal-safe.
[[nodiscard]] const char* mapped_file_at(const void* address) noexcept;

/// Reads a whole graph: rows if the format stores rows, otherwise an edge list in file order, for any number of threads. Ids of edge lists
/// become vertices 0 .. n - 1 in ascending order of the ids. Directed inputs are not symmetrised (symmetry is unknown or no).
[[nodiscard]] graph read_graph(const std::filesystem::path& path, const read_options& options = {}, const execution& on = {});

/// A sink that stores the edges it receives from a reader or a program as a graph, with vertices numbered as read_graph() numbers those of
/// a file. Edges are in the order of their blocks, and within a block in the order in which its worker passed them on. At most 2^32 - 1
/// vertices if ids are sparse integers or strings.
class graph_sink final : public edge_sink {
public:
  /// `asks` is what wishes() returns. With {.weights = true}, every batch must have a weight for each edge.
  explicit graph_sink(const sink_wishes& asks = {}, const execution& on = {});
  graph_sink(graph_sink&&) noexcept;
  ~graph_sink() override;

  [[nodiscard]] sink_wishes wishes() const noexcept override;
  void begin(const source_facts& facts) override;
  void begin_block(unsigned worker, std::uint64_t block) override;
  void edges(unsigned worker, const edge_batch& batch) override;
  void vertices(unsigned worker, const vertex_batch& batch) override;
  void ids_are_signed() override;
  void finish() override;

  // The graph and the weights after finish(); each may be taken once. Weights are in the order of the edges.
  [[nodiscard]] graph take_graph();
  [[nodiscard]] buffer<double> take_weights();

private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace copse::io
