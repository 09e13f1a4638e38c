// Components of edges that arrive, with ids of any kind: batches in memory, questions in between, and streams of inserts and queries that
// can be stopped and taken up again.
#pragma once
#include <copse/execution.hpp>
#include <copse/incremental.hpp>
#include <copse/labels.hpp>
#include <copse/operations.hpp>
#include <copse/views.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace copse {

/// What the ids of a stream are.
enum class stream_vertices : std::uint8_t {
  automatic,  ///< by the first batch: strings, or integers: dense or sparse, whichever takes less memory, and the other when that changes
  integers,   ///< below 2^32 - 1, each its own index: fast, 4 bytes per id up to the largest
  sparse,     ///< any, numbered in the order of arrival: 20 to 28 bytes per id
  strings     ///< numbered likewise: 20 to 30 bytes per string in addition to its own
};

struct live_stream_options {
  incremental_options live = {};
  stream_vertices vertices = stream_vertices::automatic;
  mixing how = mixing::phased;
  /// Records in a batch, counted from the start of the stream; kept in checkpoints. 0: each apply() is a batch; when resuming, as in the
  /// checkpoint.
  std::uint64_t batch = 0;
  std::uint32_t declared = 0;  ///< vertices 0 .. declared - 1 exist from the start, each alone; ids are integers then
};

/// Where a stream stands: after that many records, of which so many were queries.
struct stream_position {
  std::uint64_t records = 0;
  std::uint64_t answers = 0;
};

/// Takes edges and questions in two ways. insert() and connected() take the memory of a caller, and are all that most callers need. apply()
/// takes the records of a stream, and counts them: applied to the same records in the same batches it gives the same answers, also when it
/// goes on from a checkpoint, with one exception: concurrent queries on many threads.
///
/// A forest (incremental_options::record_forest) can be recorded where ids index an array only, so it makes `automatic` ids integers.
class live_stream {
public:
  explicit live_stream(const live_stream_options& options = {}, const execution& on = {});
  /// Goes on from a checkpoint: apply the records behind position(). Throws input_error when the file is no whole checkpoint of a stream,
  /// usage_error when the options want other ids, another batch or another mixing than it had.
  static live_stream resume(const std::filesystem::path& checkpoint, const live_stream_options& options, const execution& on = {});
  /// Goes on from what save() or incremental::save wrote, or from a checkpoint, as resume() does. Throws what they throw.
  static live_stream open(const std::filesystem::path& file, const live_stream_options& options = {}, const execution& on = {});
  live_stream(live_stream&&) noexcept;
  live_stream& operator=(live_stream&&) noexcept;
  ~live_stream();

  // Edges and questions by position: columns of integers of any width, signed or not, or of strings, and pairs side by side, whose integers
  // are two's complement where they are signed. insert() makes the vertices that edges name. Bit i of an answer: are both ends of pair i
  // connected? A vertex that does not exist is connected with itself only. All throw usage_error for columns of different length, for
  // strings among integers or the reverse, and while a batch of a stream is incomplete; input_error for a negative id and one above
  // INT64_MAX in one structure, and for an id that is too large where the options say that ids are integers; resource_error; cancelled.
  void insert(const pair_columns& edges);
  void insert(std::span<const std::string_view> sources, std::span<const std::string_view> targets);
  void insert(std::span<const edge<std::uint32_t>> edges, bool are_signed = false);
  void insert(std::span<const edge<std::uint64_t>> edges, bool are_signed = false);
  [[nodiscard]] query_answers connected(const pair_columns& queries);
  [[nodiscard]] query_answers connected(std::span<const std::string_view> sources, std::span<const std::string_view> targets);
  [[nodiscard]] query_answers connected(std::span<const edge<std::uint32_t>> queries, bool are_signed = false);
  [[nodiscard]] query_answers connected(std::span<const edge<std::uint64_t>> queries, bool are_signed = false);

  /// Joins all that is joined in `other`, whose vertices exist here from then on. Of itself: nothing. Throws what insert() throws, and
  /// usage_error when this records a forest and `other` does not know the edges of all its components. O(vertices of `other`).
  void merge(const live_stream& other);
  /// Vertices in the component of one; 0 when it does not exist. `negative`: the id is two's complement. O(slots) after an insert that
  /// joined something, then O(1).
  [[nodiscard]] std::uint64_t size_of(std::uint64_t vertex, bool negative = false);
  [[nodiscard]] std::uint64_t size_of(std::string_view vertex);
  /// The edges that joined two components. Throws usage_error unless the options record them. O(slots).
  [[nodiscard]] coo<std::uint32_t> forest() const;

  /// Bit i is the answer of record i, when it is a query. Vertices of queries do not come to exist. Throws what incremental::apply throws,
  /// input_error for an integer id that is too large, or whose sign does not go
  /// with those of the vertices and of the batch (an id above INT64_MAX where one is negative, or the reverse). After a throw the batch
  /// does not count: to apply it again is harmless, though a part of it may have been inserted. O(batch), and the lengths of its names.
  [[nodiscard]] query_answers apply(const io::operation_batch& batch);

  /// How many records the current batch still takes: no more should be applied at once. Precondition: batch() is not 0.
  [[nodiscard]] std::uint64_t room() const noexcept { return batch() - position().records % batch(); }
  /// Where queries see their whole batch (phased), an answer is final once that is complete. The answers as they are now, oldest first, of
  /// the queries that stood in the current batch before the last apply(): none, unless the batch came in pieces.
  [[nodiscard]] query_answers answers_again();

  /// When a source begins again at the first record: compares the records before position() with those that were applied. Hand them in
  /// from the first on, in batches of any size, until replayed() is position().records. False when the last has come and they differ.
  /// (Checkpoints of copse 0.1 do not know.)
  [[nodiscard]] bool replay(const io::operation_batch& batch);
  [[nodiscard]] std::uint64_t replayed() const noexcept;

  [[nodiscard]] stream_position position() const noexcept;
  [[nodiscard]] std::uint64_t vertices() const noexcept;
  [[nodiscard]] std::uint64_t count() const noexcept;
  [[nodiscard]] std::uint64_t batch() const noexcept;
  [[nodiscard]] mixing how() const noexcept;
  /// As of now: of integers it may change as batches come. Automatic before the first batch only.
  [[nodiscard]] stream_vertices vertex_kind() const noexcept;
  [[nodiscard]] const variant_info& variant() const noexcept;
  /// Canonical labels, vertices called as in the stream. O(slots), for sparse ids and strings O(n log n).
  [[nodiscard]] labelling labels() const;

  /// Writes what open() reads to a file that is replaced as a whole and on the disk when this returns: what incremental::save writes where
  /// ids index an array, and otherwise a checkpoint. O(slots), for sparse ids and strings O(n log n).
  void save(const std::filesystem::path& file) const;
  /// Replaces `file` as a whole, on the disk when it returns. Hand out the answers first: what is behind position() will be answered again.
  void checkpoint(const std::filesystem::path& file) const;

private:
  struct state;
  explicit live_stream(std::unique_ptr<state> state) noexcept;
  std::unique_ptr<state> state_;
};

}  // namespace copse
