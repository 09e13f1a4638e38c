// Components of edges that arrive, with ids of any kind: batches in memory, questions in between, and streams of inserts and queries that
// can be stopped and taken up again.
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

/// The kind of the ids of vertices.
enum class vertex_ids : std::uint8_t {
  automatic,  ///< by the first batch: strings, or integers: dense or sparse, whichever takes less memory, and the other when that changes
  integers,   ///< below 2^32 - 1, each its own index: fast, 4 bytes per id up to the largest (8 for variants by rank, 1 more with flags)
  sparse,     ///< any, numbered in the order of arrival: 20 to 28 bytes per id
  strings     ///< numbered likewise: 20 to 30 bytes per string in addition to its own
};

struct incremental_options {
  std::string variant =
      "auto";                  ///< a name of variants(problem_kind::incremental); auto: the fast path of one thread, of many, or of the GPU
  bool record_forest = false;  ///< keep the edges that joined two components: 8 bytes per vertex (16 of wide ids). Ids are integers then
  vertex_ids ids = vertex_ids::automatic;
  /// Vertices 0 .. vertices - 1 exist from the start, each alone; ids are integers then. From 2^32 - 1 on ids are wide: below 2^64 - 1,
  /// each its own index, of 8 bytes. For the constructor only.
  std::uint64_t vertices = 0;
  // What streams need:
  mixing how = mixing::phased;
  /// Records in a batch, counted from the start of the stream; kept in checkpoints. 0: each apply() is a batch; of a stream that goes on,
  /// as in its checkpoint.
  std::uint64_t batch = 0;
};

/// Where a stream stands: the number of records that were applied, and of queries among them.
struct stream_position {
  std::uint64_t records = 0;
  std::uint64_t answers = 0;
};

/// The components of the edges inserted so far. Takes edges and questions in two ways. insert(), connected() and apply() of pairs take the
/// memory of a caller, and are all that most callers need. apply() of an operation_batch takes the records of a stream, and counts them:
/// applied to the same records in the same batches it gives the same answers, also when it goes on from a checkpoint, with one exception:
/// concurrent queries on many threads.
///
/// A vertex exists from the moment when an edge (or a loop) names it, or it was declared; queries make none. A vertex that does not exist
/// is connected with itself only. components_sink is for edges that are all there before the one question.
///
/// On a GPU the structure is kept in that memory, by a variant of cuda (auto: cuda.none.fast), of 32-bit ids only. All calls stay as they
/// are; those whose names end in _async also take batches that are there already.
///
/// Calls may not overlap, const ones included: those shorten paths. A call that throws usage_error, or resource_error in a batch of at most
/// 2^16 edges per thread, leaves everything as it was; otherwise a part of the batch may have been inserted, and to insert it again is
/// harmless.
class incremental {
public:
  /// Throws usage_error for a variant that is unknown or refused (incremental_refusal says why), and for options that contradict each
  /// other; resource_error. O(declared vertices).
  explicit incremental(const incremental_options& options = {}, const execution& on = {});
  /// Goes on from an answer: its present slots exist, by their names. Throws usage_error when labels are not canonical or numbered, when
  /// names are not what the options want, and when these declare vertices; resource_error. No edge is known, so a recorded forest will hold
  /// only edges inserted from here on. O(slots).
  [[nodiscard]] static incremental from(const labelling& labels, const incremental_options& options = {}, const execution& on = {});
  /// Goes on from a static solve of `g`, by components(); with record_forest its edges are inserted instead, which makes the forest theirs
  /// too. Throws what components() and insert() throw. The vertices of a graph with names are called by them; it throws usage_error where
  /// a forest is to be recorded.
  [[nodiscard]] static incremental from(graph_view g, const incremental_options& options = {}, const execution& on = {});
  [[nodiscard]] static incremental from(const graph& g, const incremental_options& options = {}, const execution& on = {});
  /// Goes on from the structure that save() or checkpoint() wrote, whichever the variant was, at the beginning of a new stream. Throws
  /// input_error when the file is of another kind or version, cut off or damaged; usage_error when the options want a forest and the file
  /// has none, other ids, or declared vertices; resource_error. A forest in the file is kept only if the options want it.
  [[nodiscard]] static incremental open(const std::filesystem::path& file, const incremental_options& options = {},
                                        const execution& on = {});
  /// Goes on with the stream of a checkpoint: apply the records behind position(). Throws what open() throws, and usage_error when the
  /// options want another batch or another mixing.
  [[nodiscard]] static incremental resume(const std::filesystem::path& checkpoint, const incremental_options& options = {},
                                          const execution& on = {});

  /// Joins the ends of every edge. Throws usage_error for strings among integers or the reverse, and while a batch of a stream is
  /// incomplete; input_error for a negative id and one above INT64_MAX in one structure, and for an id that is too large where the options
  /// say that ids are integers; resource_error; cancelled. Near O(batch), and the bytes of strings.
  void insert(const id_pairs& edges);
  /// Bit i is set if both ends of pair i are connected. Throws what insert() throws. O(1) to O(log n) expected per pair.
  [[nodiscard]] query_answers connected(const id_pairs& queries);
  /// True if u and v are connected. False for ids of another kind than those of the vertices. Throws resource_error.
  [[nodiscard]] bool connected(const vertex_id& u, const vertex_id& v);
  /// A mixed batch: `kinds[i]` says what pair i is. Bit i is the answer when it is a query, and 0 when it is an insert. Throws what
  /// insert() throws, and usage_error when the sizes differ, or when `how` is concurrent and the variant cannot (splice_atomic on many
  /// threads and rules in rounds).
  [[nodiscard]] query_answers apply(const id_pairs& batch, std::span<const operation> kinds, mixing how = mixing::phased);
  /// Joins all that is joined in `other`, whose vertices exist here from then on. Of itself: nothing. Throws what insert() throws, and
  /// usage_error when this records a forest and `other` does not know the edges of all its components. O(vertices of `other`).
  void merge(const incremental& other);

  /// The number of slots of labels(): if integers index an array, the largest plus one; otherwise vertices(). O(1).
  [[nodiscard]] std::uint64_t slots() const noexcept;
  /// The number of vertices that exist. O(1).
  [[nodiscard]] std::uint64_t vertices() const noexcept;
  /// The number of components, including those of one vertex. O(1).
  [[nodiscard]] std::uint64_t count() const noexcept;
  /// True if the vertex exists. False for an id of another kind than those of the vertices. Throws resource_error.
  [[nodiscard]] bool contains(const vertex_id& vertex) const;
  /// The number of vertices in the component of a vertex; 0 if it does not exist. Throws resource_error. O(slots) after an insert that
  /// joined something, then O(1) expected.
  [[nodiscard]] std::uint64_t size_of(const vertex_id& vertex) const;
  /// The kind of ids at present: integers may become sparse, or dense again, as batches come. Automatic before the first batch only.
  [[nodiscard]] vertex_ids id_kind() const noexcept;
  /// Canonical labels, vertices called as in the edges; of integers that index an array, slots of ids that do not exist are absent. Throws
  /// resource_error. O(slots), for sparse ids and strings O(n log n).
  [[nodiscard]] labelling labels() const;
  /// Writes canonical labels into the caller's memory, of slots() elements; no_vertex for absent slots. Throws usage_error if it has
  /// another size, or ids do not index an array of that width.
  void labels(std::span<std::uint32_t> to) const;
  void labels(std::span<std::uint64_t> to) const;
  /// True if constructed with `record_forest`.
  [[nodiscard]] bool records_forest() const noexcept;
  /// The edges that joined two components, in no order: a spanning forest of all edges inserted since the start. Throws usage_error unless
  /// records_forest(), resource_error. O(slots).
  [[nodiscard]] graph forest() const;
  /// The variant that runs; never "auto".
  [[nodiscard]] const variant_info& variant() const noexcept;

  /// Writes what open() reads to a file that is replaced as a whole and is on the disk when this returns: where ids are integers that index
  /// an array, the structure alone, and otherwise a checkpoint. Throws input_error, resource_error. O(slots), for sparse ids and strings
  /// O(n log n).
  void save(const std::filesystem::path& file) const;

  // Batches in the memory of the GPU that the structure is kept on, or on the way there. The calls enqueue and return: wait() comes before
  // any other call. With execution::stream, of that GPU, work that was enqueued on it before comes before, and work that is enqueued on it
  // later after; without one, arrays are complete already and must stay until wait(). Variants in rounds wait for the GPU. Ids are integers
  // that index an array from here on, below slots(): edges with others are not inserted, and wait() throws. All throw usage_error for a
  // structure on the CPU and for ids that are strings or sparse; resource_error.

  void insert_async(device_span<const edge<std::uint32_t>> edges);
  /// From host memory, which may be overwritten when this returns, while kernels run on: page-locked memory (pinned_memory()) is copied
  /// straight, other memory by way of such. Batches of up to 2^17 edges go in one launch by cuda.none.fast.
  void insert_async(std::span<const edge<std::uint32_t>> edges);
  /// Enqueues queries. Bit i of the words is the answer of pair i; bits behind the last are 0. Throws usage_error if `answers` has no room.
  void connected_async(device_span<const edge<std::uint32_t>> queries, device_span<std::uint64_t> answers);
  /// Enqueues a mixed batch, like apply() of pairs. Concurrent: in one pass, with one thread per operation.
  void apply_async(device_span<const edge<std::uint32_t>> batch, device_span<const operation> kinds, device_span<std::uint64_t> answers,
                   mixing how = mixing::phased);
  /// Enqueues canonical labels, no_vertex for absent slots. Throws usage_error unless there is room for slots() of them.
  void labels_async(device_span<std::uint32_t> labels);
  /// Waits until all enqueued work is done. Throws input_error if ids were too large, with the number of edges.
  void wait();

  // Streams of records.

  /// Applies a batch of records. Bit i is the answer of record i, if it is a query. Throws what insert() throws. After a throw the batch
  /// does not count: to apply it again is harmless, though a part of it may have been inserted. O(batch), and the lengths of its names.
  [[nodiscard]] query_answers apply(const io::operation_batch& batch);
  /// How many records the current batch still takes: no more should be applied at once. Precondition: batch() is not 0.
  [[nodiscard]] std::uint64_t room() const noexcept { return batch() - position().records % batch(); }
  /// Where queries see their whole batch (phased), an answer is final once that is complete. The answers as they are now, oldest first, of
  /// the queries that stood in the current batch before the last apply(): none, unless the batch came in pieces. Throws resource_error.
  [[nodiscard]] query_answers answers_again();
  /// When a source begins again at the first record: compares the records before position() with those that were applied. Hand them in
  /// from the first on, in batches of any size, until replayed() is position().records. False when the last has come and they differ.
  /// Throws resource_error.
  [[nodiscard]] bool replay(const io::operation_batch& batch);
  [[nodiscard]] std::uint64_t replayed() const noexcept;
  [[nodiscard]] stream_position position() const noexcept;
  [[nodiscard]] std::uint64_t batch() const noexcept;
  [[nodiscard]] mixing how() const noexcept;
  /// Writes the structure and the position, as save() does. Hand out the answers first: what is behind position() will be answered again.
  void checkpoint(const std::filesystem::path& file) const;

private:
  struct state;
  explicit incremental(std::unique_ptr<state> state) noexcept;
  hidden<state> state_;
};

/// The reason why `name` is not a variant, or with `how` concurrent cannot run so; empty if it can.
[[nodiscard]] std::optional<std::string> incremental_refusal(std::string_view name, mixing how = mixing::phased);

}  // namespace copse
