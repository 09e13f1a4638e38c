// A stream of inserts and queries applied batch by batch to an incremental structure, that can be stopped and taken up again.
#pragma once
#include <copse/execution.hpp>
#include <copse/incremental.hpp>
#include <copse/labels.hpp>
#include <copse/operations.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

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
};

/// Where a stream stands: after that many records, of which so many were queries.
struct stream_position {
  std::uint64_t records = 0;
  std::uint64_t answers = 0;
};

/// Applied to the same records in the same batches it gives the same answers, also when it goes on from a checkpoint, with one exception:
/// concurrent queries on many threads.
class live_stream {
public:
  explicit live_stream(const live_stream_options& options, const execution& on = {});
  /// Goes on from a checkpoint: apply the records behind position(). Throws input_error when the file is no whole checkpoint of a stream,
  /// usage_error when the options want other ids, another batch or another mixing than it had.
  static live_stream resume(const std::filesystem::path& checkpoint, const live_stream_options& options, const execution& on = {});
  live_stream(live_stream&&) noexcept;
  live_stream& operator=(live_stream&&) noexcept;
  ~live_stream();

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

  /// Replaces `file` as a whole, on the disk when it returns. Hand out the answers first: what is behind position() will be answered again.
  void checkpoint(const std::filesystem::path& file) const;

private:
  struct state;
  explicit live_stream(std::unique_ptr<state> state) noexcept;
  std::unique_ptr<state> state_;
};

}  // namespace copse
