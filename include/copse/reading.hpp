// How files of edges are read: where edges go while a file is parsed, formats and their options, and graphs in memory.
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

// Where edges go while a file is parsed. No reader knows what becomes of them: united, collected, verified or counted.

/// The facts that a reader knows before the first edge.
struct source_facts {
  std::optional<std::uint64_t> vertices;  ///< declared: they are 0 .. vertices - 1, isolated ones included
  std::uint64_t first_id = 0;             ///< what the file calls the first of the declared vertices
  std::optional<std::uint64_t> edges;     ///< declared number of edge lines or stored arcs; a hint for reserving
  unsigned workers = 1;                   ///< `worker` arguments are below this
  bool named = false;                     ///< named_edges() will be called, not edges()
  std::size_t id_columns = 1;             ///< how many columns make an id of an edge list in text
};

/// An edge between string ids. The views are valid during the call only.
struct named_edge {
  std::string_view u;
  std::string_view v;
};

/// Edges that a reader passes on together, in the order of the file. Either integers or strings are there, as source_facts::named says.
struct edge_batch {
  /// Integers as written in the file, negative ones as two's complement (ids_are_signed() says so); of declared vertices, how far they are
  /// from the first id. Loops and repeats are passed on.
  std::span<const edge<std::uint64_t>> ids = {};
  std::span<const edge<std::uint32_t>> narrow_ids = {};  ///< in place of `ids`; only sinks that ask for them get any
  std::span<const named_edge> names = {};
  std::span<const double> weights = {};  ///< one for each edge, none not-a-number; only sinks that ask for them get any

  [[nodiscard]] std::size_t size() const noexcept { return ids.size() + narrow_ids.size() + names.size(); }
};

/// Vertices that a reader passes on together: integers or strings.
struct vertex_batch {
  std::span<const std::uint64_t> ids = {};
  std::span<const std::string_view> names = {};

  [[nodiscard]] std::size_t size() const noexcept { return ids.size() + names.size(); }
};

/// What a sink wants from readers.
struct sink_wishes {
  bool weights = false;     ///< the weights of edges
  bool narrow_ids = false;  ///< 32-bit ids without widening, where a file has such pairs
  bool pauses = false;      ///< the sink wants pauses while a file is read: wants_pause() may be true
};

/// Receives the edges of one input: begin once, then batches, concurrently but never two at once with the same `worker`, then finish once.
/// Any call may throw; the reader stops all workers and rethrows. After a throw finish is not called.
class edge_sink {
public:
  virtual ~edge_sink() = default;
  /// What the sink wants from readers. Called before begin().
  [[nodiscard]] virtual sink_wishes wishes() const noexcept { return {}; }
  virtual void begin(const source_facts& facts) = 0;
  /// What `worker` passes on from here on belongs to this block of the input. Blocks are numbered in file order; each is one worker's,
  /// which takes its own in ascending order. Only a sink that keeps the order of the file needs to know.
  virtual void begin_block(unsigned /*worker*/, std::uint64_t /*block*/) {}
  virtual void edges(unsigned worker, const edge_batch& batch) = 0;
  /// Vertices that need not have an edge, between batches of edges or after the last one. Unless overridden, they are passed on as loops.
  virtual void vertices(unsigned worker, const vertex_batch& batch);
  /// Some integer ids are negative: all of them are two's complement from here on, and none is above INT64_MAX. Called before the first
  /// batch that has such an id, once, while other workers may be in edges(). Unless overridden, negative ids are refused.
  virtual void ids_are_signed();
  /// The file has a record of an edge here that was left out, for a missing value or its weight: in this block, behind the edges that were
  /// passed on and `pending` more, which come next. Only a sink that numbers records needs to know.
  virtual void left_out(unsigned /*worker*/, std::size_t /*pending*/) {}
  /// Asked between blocks of text: should reading stop for pause()? Then all blocks up to here have been passed on, none behind them, and
  /// no worker is at work.
  [[nodiscard]] virtual bool wants_pause() const noexcept { return false; }
  virtual void pause() {}
  virtual void finish() {}
};

// Reading graphs: formats, options, and the two ways in: parse (edges into a sink, nothing held) and read_graph (a graph in memory).

/// docs/reference/formats.md describes each. `edges`: two ids per line; `csv`: records with quoting as in RFC 4180 and without comments;
/// `parquet` and `arrow` (both kinds of IPC): columns with types.
enum class format : std::uint8_t { edges, csv, mtx, metis, dimacs, sg, egr, adj, galois, npy, npz, coo, coo64, parquet, arrow };
inline constexpr format last_format = format::arrow;

/// How ids of an edge list are read. `automatic`: strings when those of the first record are not numeric (the observer gets a note), or
/// have leading zeros; integers otherwise, and then an id with leading zeros is refused. `integers`: 007 is 7. `strings` must be UTF-8;
/// `bytes` is any bytes.
enum class id_kind : std::uint8_t { automatic, integers, strings, bytes };

/// A column of an edge list: its number, counted from 1, or its name in the header.
class column {
public:
  column(unsigned number) : number_{number} {}
  column(std::string name) : name_{std::move(name)} {}
  column(const char* name) : name_{name} {}

  /// 0 where it has a name instead.
  [[nodiscard]] unsigned number() const noexcept { return number_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] bool named() const noexcept { return !name_.empty(); }
  /// As a user would write it.
  [[nodiscard]] std::string text() const;
  friend bool operator==(const column&, const column&) = default;

private:
  unsigned number_ = 0;
  std::string name_;
};

/// The columns of an id: most often one. Of several, an id is the texts of all, as in `crm:17` (read_options::id_delimiter).
class id_columns {
public:
  /// Column `number`, unless a header says that ids are elsewhere (docs/reference/formats.md, "How a table is read").
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
  /// False if the caller chose them, so that no header overrules them.
  [[nodiscard]] bool is_presumed() const noexcept { return presumed_; }
  /// As a user would write them: `id`, or `source,id`.
  [[nodiscard]] std::string text() const;
  friend bool operator==(const id_columns&, const id_columns&) = default;

private:
  std::vector<column> columns_;
  bool presumed_ = false;
};

/// A table in text with a column of ids; every id names a vertex of the graph.
struct vertex_table {
  std::filesystem::path path;
  id_columns id = id_columns::presumed(1);
};

/// What a reader left out, counted while it reads.
struct read_counts {
  std::atomic<std::uint64_t> comment_lines{0};       ///< comment lines of edge lists
  std::atomic<std::uint64_t> late_comment_lines{0};  ///< those of them that follow the first record
  std::atomic<std::uint64_t> missing_ends{0};        ///< records that were dropped because an id is one of `missing`
  std::atomic<std::uint64_t> missing_weights{0};     ///< edges that were dropped because their weight is one of `missing`
  std::atomic<std::uint64_t> trimmed_fields{0};      ///< string ids and keys that had blanks around them, which were taken off
};

/// The numbers of the edges of a graph among all edges of its file, of which some were left out.
class edge_numbers {
public:
  edge_numbers() = default;
  /// `before`: for each edge that was left out how many edges before it were kept, ascending.
  explicit edge_numbers(buffer<std::uint64_t> before) : before_{std::move(before)} {}

  /// The number of edge `i` of the graph; both count from 0. O(log d) time for d edges that were left out.
  [[nodiscard]] std::uint64_t operator[](std::uint64_t i) const noexcept;
  /// False where no edge was left out, so that edge i has number i.
  [[nodiscard]] bool differ() const noexcept { return before_.size() != 0; }

private:
  buffer<std::uint64_t> before_;
};

/// What a caller can do about an input that can be read in two ways: an option of the call, a value for it, and when that is the right one.
/// The command line shows it as `--columns from,to`. `effect` may be empty.
struct remedy {
  std::string option, value, effect;
};

/// An input that can be read in two ways, which differ in their answer.
class ambiguous_input : public input_error {
public:
  ambiguous_input(const input_error& fault, std::vector<remedy> remedies);
  [[nodiscard]] std::span<const remedy> remedies() const noexcept;

private:
  std::shared_ptr<const std::vector<remedy>> remedies_;  // shared, so that a copy does not throw
};

struct read_options {
  std::optional<io::format> format;  ///< not set: by suffix, `.gz` and `.zst` taken off first
  id_kind ids = id_kind::automatic;  ///< edge lists only, as is all down to `prefixes`
  /// The columns of the two ids. Unless the caller says which, a header may name them elsewhere.
  std::array<id_columns, 2> columns{id_columns::presumed(1), id_columns::presumed(2)};
  std::string id_delimiter = ":";       ///< between the parts of an id of several columns; only the last part may hold it
  std::optional<column> weight_column;  ///< needs min_weight
  std::optional<double> min_weight;     ///< keep edges whose weight is >= this; of an edge list, needs weight_column
  std::optional<bool> header;           ///< the first record is a header; not set: decided by looking at the first two
  std::optional<char> delimiter;        ///< not set: by the suffix and the first records; ' ' in `edges`: runs of blanks
  /// What comment lines begin with, one of these. Not set: # or % in `edges`, none in `csv`, and a comment line behind the first record
  /// that splits like a record is refused.
  std::optional<std::string> comments;
  bool trim = true;  ///< blanks around a field without quotes are not part of it
  /// Ids and weights that stand for a missing value: such records are dropped, and counted. One spelling of NaN stands for all.
  std::vector<std::string> missing;
  /// Tables whose ids are vertices in addition to the ends of edges; for edge lists, `.npy`, `.coo` and `.coo64`.
  std::vector<vertex_table> vertex_tables;
  /// Put before the ids of the first and of the second column, which become strings, so that an id of one table is not the same id of
  /// another. Table i of vertices has prefix i.
  std::array<std::string, 2> prefixes;
  std::optional<std::uint64_t> vertices;           ///< edge lists: the number of declared vertices; any other id is an error
  std::uint64_t first_vertex = 0;                  ///< the first of those that `vertices` declares
  bool signed_ids = false;                         ///< `.coo` and `.coo64`: their ids are signed; other formats say it themselves
  bool trust_head = false;                         ///< believe a head that declares far more vertices than its file can name
  std::size_t block_bytes = std::size_t{1} << 20;  ///< text and pairs are cut into blocks of about this size
  /// Files are read through a mapping where they can be, which is fastest, but those of Parquet never are. A program that cuts a mapped
  /// file off while it is read ends this process by SIGBUS (mapped_file_at), so turn it off where files may change: then what is there is
  /// read, and a file that was cut is a short one.
  bool mapped = true;
  read_counts* counts = nullptr;  ///< added to
  /// Set by readers of whole graphs (read_graph, read_weighted_graph) of edge lists, .mtx and DIMACS.
  edge_numbers* numbers = nullptr;
};

/// The format of a file by its suffix (`web.mtx.gz` is mtx), and of a `.gr`, packed or not, by its first byte, too: DIMACS is text, Galois
/// is not; throws input_error naming the suffixes that are known.
[[nodiscard]] format format_of(const std::filesystem::path& path);
/// The inverse of to_string: `edges`, `csv`, ...; throws usage_error.
[[nodiscard]] format format_named(std::string_view name);
[[nodiscard]] std::string_view to_string(format f) noexcept;

/// True if the file holds an edge list in text (`edges`, `csv`), whose vertices are the ids that occur.
[[nodiscard]] constexpr bool is_edge_list(format f) noexcept { return f == format::edges || f == format::csv; }
/// True if the file holds a table whose columns have types. A plug-in reads it, if Arrow C++ is installed.
[[nodiscard]] constexpr bool is_columnar(format f) noexcept { return f == format::parquet || f == format::arrow; }
/// True if the caller says which columns of the file are ids and weights.
[[nodiscard]] constexpr bool has_columns(format f) noexcept { return is_edge_list(f) || is_columnar(f); }
/// What the format calls its first vertex: Matrix Market, METIS and DIMACS count from 1.
[[nodiscard]] constexpr std::uint64_t first_id_of(format f) noexcept {
  return f == format::mtx || f == format::metis || f == format::dimacs ? 1 : 0;
}
/// True if the file holds rows (CSR) already.
[[nodiscard]] constexpr bool has_rows(format f) noexcept {
  return f == format::sg || f == format::egr || f == format::adj || f == format::galois || f == format::npz || f == format::metis;
}
/// True if the file says how many vertices it has. Otherwise its vertices are the ids that occur.
[[nodiscard]] constexpr bool declares_vertices(format f) noexcept { return has_rows(f) || f == format::mtx || f == format::dimacs; }

/// Parses `path` ("-": standard input) into `sink`. Parallel over memory-mapped input, or over blocks of what
/// comes from a pipe or is decompressed.
/// Works for every format. Throws input_error with file and line of the first bad line in file order, whatever the threads.
void parse(const std::filesystem::path& path, const read_options& options, edge_sink& sink, const execution& on = {});

/// Parses several edge lists as if they were one. Ids are of one kind in all of them, and none declares its vertices.
void parse(std::span<const std::filesystem::path> paths, const read_options& options, edge_sink& sink, const execution& on = {});

/// The name of the file that is mapped to memory at this address; null for none. For handlers of SIGBUS, which is what a process gets that
/// reads a file which another one has cut off at the same time (unless read_options::mapped is off); async-signal-safe.
[[nodiscard]] const char* mapped_file_at(const void* address) noexcept;

/// Reads a whole graph: rows where the format has rows, otherwise an edge list, with the edges in file order, whatever the threads. Ids of
/// edge lists become 0 .. n - 1 in ascending order of their names. Directed inputs are kept as they are (symmetry unknown or no).
[[nodiscard]] graph read_graph(const std::filesystem::path& path, const read_options& options = {}, const execution& on = {});

/// Keeps the edges that it gets: the graph in memory of what a reader or a program passes on, its ids numbered as read_graph() numbers
/// those of a file. Edges stay in the order of their blocks, and of one block in the order in which its worker passed them on. At most 2^32
/// - 1 vertices where ids are sparse integers or strings.
class graph_sink final : public edge_sink {
public:
  /// `asks`: {.weights = true} for weights, too, of which every batch has to have one for each edge then.
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

  // After finish(), each once. Weights are in the order of the edges.
  [[nodiscard]] graph take_graph();
  [[nodiscard]] buffer<double> take_weights();

private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace copse::io
