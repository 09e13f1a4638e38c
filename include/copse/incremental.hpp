// Components of edges that arrive over time, with ids of any kind: batches in memory with queries in between, and streams of inserts and
// queries that can be interrupted and resumed.
#pragma once
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/hidden.hpp>
#include <copse/labels.hpp>
#include <copse/operations.hpp>
#include <copse/pairs.hpp>
#include <copse/types.hpp>
#include <copse/variants.hpp>
#include <copse/views.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace copse {

/// The kind of vertex ids.
enum class vertex_ids : std::uint8_t {
  /// Decided by the first batch: strings or integers. Integers are stored as dense or sparse, whichever takes less memory, and converted
  /// when this changes.
  automatic,
  /// Integers below 2^32 - 1, each its own index: fast, 4 bytes per id up to the largest (8 with the rule jtb, which links by rank; 1 more
  /// with hooks and rem_lock, which have a flag per vertex).
  integers,
  sparse,  ///< any integers, numbered in the order of arrival: 20 to 28 bytes per id
  strings  ///< strings, numbered in the order of arrival: 20 to 30 bytes in addition to the string itself
};

struct incremental_options {
  /// A name of variants(problem_kind::incremental), or auto: serial.none.fast for one thread, threads.none.fast for more, cuda.none.fast on
  /// a GPU.
  std::string variant = "auto";
  /// Keep the edges that joined two components, a spanning forest: 8 bytes per vertex (16 for wide ids). Implies integer ids.
  bool record_forest = false;
  vertex_ids ids = vertex_ids::automatic;
  /// The vertices 0 .. vertices - 1 exist from the start, each in its own component; this implies integer ids. If it is 2^32 - 1 or more,
  /// ids are wide: 8 bytes each, below 2^64 - 1, each its own index. For the constructor only.
  std::uint64_t vertices = 0;
  /// For streams of records: whether queries see all inserts of their batch, or run concurrently with them.
  mixing how = mixing::phased;
  /// For streams: number of records in a batch, counted from the start of the stream and stored in checkpoints. 0: each apply() is a
  /// batch, or for a resumed stream, the value of its checkpoint.
  std::uint64_t batch = 0;
};

/// Position in a stream: the number of records that were applied, and how many of them were queries.
struct stream_position {
  std::uint64_t records = 0;
  std::uint64_t answers = 0;
};

/// The components of the edges inserted so far. There are two ways to pass edges and queries. Most callers need only insert(), connected()
/// and apply() of pairs, which read the caller's memory. apply() of an operation_batch takes the records of a stream and counts them: for
/// the same records in the same batches it gives the same answers, also after resuming from a checkpoint. The exception is concurrent
/// queries on many threads.
///
/// A vertex exists once an edge (or a loop) names it or it was declared; queries create none. A vertex that does not exist is connected to
/// itself only. If all edges are there before the only query, use components_sink.
///
/// On a GPU, by a cuda variant (auto: cuda.none.fast), the structure is stored in GPU memory and takes 32-bit ids only. All calls stay the
/// same; those whose names end in _async also take batches that are in GPU memory.
///
/// Calls may not overlap, including const ones, because they compress paths. A call that throws usage_error, or resource_error in a
/// batch of at most 2^16 edges per thread, leaves everything unchanged; after other exceptions a part of the batch may have been
/// inserted, and inserting it again is harmless.
class incremental {
public:
  /// Constructs a structure without edges. Throws usage_error for an unknown or refused variant (incremental_refusal() says why) and for
  /// contradictory options; resource_error. O(declared vertices).
  explicit incremental(const incremental_options& options = {}, const execution& on = {});
  /// Continues from the components in `labels`: the vertices that have a label, with their names. Throws usage_error if labels are not
  /// canonical or are component numbers, if names do not suit options.ids, and if the options declare vertices; resource_error. The edges
  /// are not known, so a recorded forest will hold only edges inserted from here on. O(labels.slots()).
  [[nodiscard]] static incremental from(const labelling& labels, const incremental_options& options = {}, const execution& on = {});
  /// Continues from a solve of `g` by components(). With record_forest its edges are inserted instead, so that the forest includes them.
  /// Throws what components() and insert() throw. A graph with names keeps them, and throws usage_error if a forest is to be recorded.
  [[nodiscard]] static incremental from(graph_view g, const incremental_options& options = {}, const execution& on = {});
  [[nodiscard]] static incremental from(const graph& g, const incremental_options& options = {}, const execution& on = {});
  /// Continues from the structure that save() or checkpoint() wrote with any variant, and starts a new stream. Throws input_error if the
  /// file is of another kind or version, truncated or damaged; usage_error if the options want a forest and the file has none, want other
  /// ids, or declare vertices; resource_error. A forest in the file is kept only if the options want it.
  [[nodiscard]] static incremental open(const std::filesystem::path& file, const incremental_options& options = {},
                                        const execution& on = {});
  /// Resumes the stream of a checkpoint; the caller then applies the records after position(). Throws what open() throws, and usage_error
  /// if options.batch or options.how differs from that of the stream; a batch of 0 agrees with any.
  [[nodiscard]] static incremental resume(const std::filesystem::path& checkpoint, const incremental_options& options = {},
                                          const execution& on = {});

  /// Inserts edges, joining the components of the two ends of each. Throws usage_error for strings among integers or the reverse, and while
  /// a batch of a stream is incomplete; input_error if the structure gets both a negative id and one above INT64_MAX, and for an id that is
  /// too large if options.ids is integers; resource_error; cancelled. Practically O(batch), and O(bytes) for strings.
  void insert(const id_pairs& edges);
  /// Bit i of the result is set if both ends of pair i are connected. Throws what insert() throws. O(1) to O(log n) expected per pair.
  [[nodiscard]] query_answers connected(const id_pairs& queries);
  /// True if u and v are connected. False for ids of another kind than those of the vertices. Throws resource_error.
  [[nodiscard]] bool connected(const vertex_id& u, const vertex_id& v);
  /// Applies a mixed batch: `kinds[i]` is the operation of pair i. Bit i of the result is the answer if it is a query, and 0 if it is an
  /// insert. Throws what insert() throws, and usage_error if the sizes differ, or if `how` is concurrent and the variant does not support
  /// it (splice_atomic on many threads, and rules in rounds).
  [[nodiscard]] query_answers apply(const id_pairs& batch, std::span<const operation> kinds, mixing how = mixing::phased);
  /// Inserts all vertices and connections of `other`. Merging a structure with itself does nothing. Throws what insert() throws, and
  /// usage_error if this structure records a forest and `other` does not have one of all its edges. O(vertices of `other`).
  void merge(const incremental& other);

  /// The number of elements of labels(): if integers index an array, the largest id plus one; otherwise vertices(). O(1).
  [[nodiscard]] std::uint64_t slots() const noexcept;
  /// The number of vertices that exist. O(1).
  [[nodiscard]] std::uint64_t vertices() const noexcept;
  /// The number of components, including those of one vertex. O(1).
  [[nodiscard]] std::uint64_t count() const noexcept;
  /// True if the vertex exists. False for an id of another kind than those of the vertices. Throws resource_error.
  [[nodiscard]] bool contains(const vertex_id& vertex) const;
  /// The number of vertices in the component of a vertex; 0 if it does not exist. Throws resource_error. The first call after an insert
  /// that joined components or had a larger id takes time linear in slots(), other calls expected O(1).
  [[nodiscard]] std::uint64_t size_of(const vertex_id& vertex) const;
  /// The current kind of ids: later batches may turn integers into sparse ids and back. It is `automatic` only before the first batch.
  [[nodiscard]] vertex_ids id_kind() const noexcept;
  /// Canonical labels; vertices are named by their ids. If integers index an array, ids that do not exist have the label no_vertex. Throws
  /// resource_error. O(largest id); for sparse ids and strings O(n log n).
  [[nodiscard]] labelling labels() const;
  /// Writes the canonical label of each id below slots() to the caller's memory; no_vertex for ids that do not exist. Throws usage_error
  /// unless the memory has slots() elements, and ids are integers, of at most 32 bits for the first form, that index an array.
  void labels(std::span<std::uint32_t> to) const;
  void labels(std::span<std::uint64_t> to) const;
  /// True if constructed with `record_forest`.
  [[nodiscard]] bool records_forest() const noexcept;
  /// The edges that joined two components, in no particular order: a spanning forest of all edges inserted since the start. Throws
  /// usage_error unless records_forest(), resource_error. O(largest id).
  [[nodiscard]] graph forest() const;
  /// The variant in use; never "auto".
  [[nodiscard]] const variant_info& variant() const noexcept;

  /// Writes the components, and the forest if it is recorded, to a file for open(). The file is replaced atomically and is on disk when
  /// this returns. For sparse ids and strings it is a checkpoint, which also holds the ids and the position in the stream. Throws
  /// input_error, resource_error. O(largest id); for sparse ids and strings O(n log n).
  void save(const std::filesystem::path& file) const;

  // Asynchronous batches, for a structure on a GPU. The calls enqueue work and return; call wait() before any call that is not
  // asynchronous. With execution::stream, a stream of this GPU, the work is ordered with other work on the stream. Without it, arrays in
  // GPU memory must be complete before the call and stay unchanged until wait(). Variants in rounds wait for the GPU. From the first of
  // these calls, ids must be integers below slots(): edges with other ids are not inserted, and wait() throws. All throw usage_error for a
  // structure on the CPU, and for string or sparse ids; resource_error.

  void insert_async(device_span<const edge<std::uint32_t>> edges);
  /// Enqueues edges in host memory, which may be overwritten when this returns, although kernels still run. Page-locked memory
  /// (pinned_memory()) is copied directly, other memory by way of page-locked memory. cuda.none.fast inserts batches of up to 2^17 edges
  /// with one launch.
  void insert_async(std::span<const edge<std::uint32_t>> edges);
  /// Enqueues queries. Bit i of `answers` is the answer for pair i; unused bits of the last word are 0. Throws usage_error if `answers` is
  /// too small.
  void connected_async(device_span<const edge<std::uint32_t>> queries, device_span<std::uint64_t> answers);
  /// Enqueues a mixed batch of inserts and queries, like apply() of pairs. If `how` is concurrent, it runs in one pass with one thread per
  /// operation.
  void apply_async(device_span<const edge<std::uint32_t>> batch, device_span<const operation> kinds, device_span<std::uint64_t> answers,
                   mixing how = mixing::phased);
  /// Enqueues writing the canonical label of each id below slots(); no_vertex for ids that do not exist. Throws usage_error unless `labels`
  /// has room for slots() of them.
  void labels_async(device_span<std::uint32_t> labels);
  /// Waits until all enqueued work is done. Throws input_error if enqueued edges had ids of slots() or more, with the number of these
  /// edges, which were not inserted.
  void wait();

  // Streams of records.

  /// Applies a batch of records. Bit i of the result is the answer for record i if it is a query. Throws what insert() throws. After an
  /// exception the batch is not counted; a part of it may have been inserted, but applying it again is harmless. O(batch), and the
  /// lengths of its names.
  [[nodiscard]] query_answers apply(const io::operation_batch& batch);
  /// The number of records that complete the current batch; do not apply more at once. Precondition: batch() is not 0.
  [[nodiscard]] std::uint64_t room() const noexcept { return batch() - position().records % batch(); }
  /// With mixing::phased, queries see all inserts of their batch, so an answer is final only when the batch is complete. If a batch is
  /// passed in several calls of apply(), this returns new answers to those of its queries that came before the last call, oldest first;
  /// otherwise none. Throws resource_error.
  [[nodiscard]] query_answers answers_again();
  /// For a source that starts again at its first record: compares its records with those that were applied before position(). Pass all
  /// records from the first on, in batches of any size, until replayed() equals position().records. Returns false if after the last of them
  /// they differ. Throws resource_error.
  [[nodiscard]] bool replay(const io::operation_batch& batch);
  [[nodiscard]] std::uint64_t replayed() const noexcept;
  [[nodiscard]] stream_position position() const noexcept;
  [[nodiscard]] std::uint64_t batch() const noexcept;
  [[nodiscard]] mixing how() const noexcept;
  /// Writes what save() writes, with the ids and the position in the stream, to a file for resume() and open(), which is replaced
  /// atomically. Output the answers first: after resume(), only queries after position() are answered again.
  void checkpoint(const std::filesystem::path& file) const;

private:
  struct state;
  explicit incremental(std::unique_ptr<state> state) noexcept;
  hidden<state> state_;
};

/// The reason why `name` is not a variant for incremental use, or why this variant does not support that queries are mixed with inserts in
/// the way `how`; empty if it does.
[[nodiscard]] std::optional<std::string> incremental_refusal(std::string_view name, mixing how = mixing::phased);

}  // namespace copse
