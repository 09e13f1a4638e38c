// components() of edges that arrive in batches, from arrays, data frames or queues: edges are united on arrival and not stored.
#pragma once
#include <copse/components.hpp>
#include <copse/execution.hpp>
#include <copse/hidden.hpp>
#include <copse/io.hpp>
#include <copse/pairs.hpp>
#include <copse/spanning_forest.hpp>
#include <copse/views.hpp>

#include <cstdint>
#include <functional>
#include <optional>

namespace copse {

struct components_sink_options {
  /// If set, the vertices are 0 .. vertices - 1, isolated ones included, and every id must be an integer below `vertices`.
  std::optional<std::uint64_t> vertices = std::nullopt;
  bool keep_forest = false;  ///< keep the edges that join two components, a spanning forest: 16 bytes per vertex
};

/// Takes edges in any number of batches and answers once. It is faster than `incremental`, because workers unite edges concurrently and no
/// query must see all edges before it. Vertices are the ids that occur: either integers, dense or sparse, or strings of any bytes; at most
/// 2^32 - 1 of them if they are sparse or strings. Integers of all widths may be mixed, and may be negative if none is above INT64_MAX. A
/// batch may be freed as soon as `add` returns.
///
/// Memory is O(vertices), for any number of edges: 4 bytes per id if ids are dense (8 if 2^32 - 1 or more are declared), 20 to 28 bytes per
/// vertex if ids are sparse, and up to 40 bytes in addition to its own for each string. The answer does not depend on the order, batches or
/// threads. Each call uses the threads of the execution for large batches; calls on one sink may not overlap, except those of add_by().
///
/// On GPUs, ids are integers below 2^32 - 1, each its own index; strings and other integers are refused. Each GPU keeps a forest of the
/// edges it received (4 bytes per id, 8 more with keep_forest), and pieces of the batches, which are copied to whichever GPU is free; the
/// answer merges the forests. Which edges finish_with_forest() returns may differ from run to run.
///
/// An error in the batch itself (column lengths, a kind of id, an id that is not allowed) leaves the sink unchanged. After a resource_error
/// or cancelled the sink holds a part of the batch; any further call except the destructor throws usage_error.
class components_sink {
public:
  /// Constructs an empty sink in O(1), or O(vertices) if they are declared. The progress of `on.observer` counts edges, of an unknown
  /// total. Throws resource_error.
  explicit components_sink(const components_sink_options& options = {}, const execution& on = {});

  /// Adds edges: joins the components of the two ends of each. Loops and repeated edges are allowed. Throws usage_error for columns of
  /// different length, for strings after integers or the reverse, and after finish(); input_error for an id beyond the declared vertices,
  /// and if the sink gets both a negative id and one above INT64_MAX; resource_error; cancelled. Practically O(batch), and O(bytes) for
  /// strings.
  void add(const id_pairs& edges);
  /// Enqueues the union of edges in the memory of one of the GPUs of this sink, and returns. The array must stay allocated until finish()
  /// returns. Without execution::stream the edges must be complete before the call. With a stream, which must belong to their GPU, they are
  /// read after the work that was enqueued on it before and before the work that is enqueued on it later, which may overwrite them. Throws
  /// usage_error if vertices are not declared, and for edges in other memory. finish() throws input_error if an id was not a declared
  /// vertex.
  void add_async(device_span<const edge<std::uint32_t>> on_gpu);
  /// Adds vertices, which need not have an edge. Throws what add() throws.
  void add_vertices(const id_column& ids);

  // For callers with threads of their own, such as readers of parts of a table. `worker` is a number below worker_count(). Calls with
  // different workers may overlap; no other call may run at the same time. They throw what add() throws, and usage_error for a worker that
  // does not exist; positions in messages count from the start of the batch. After a resource_error or cancelled of one worker, calls of
  // all workers throw it.
  void add_by(unsigned worker, const id_pairs& edges);
  void add_vertices_by(unsigned worker, const id_column& ids);
  /// Calls work(worker) for every worker, on the threads of the sink. Because the system may have fewer threads, calls may run one after
  /// the other, and work must not wait for a worker with a larger number. Rethrows the first exception; throws usage_error after finish().
  /// For callers without threads of their own; work may call add_by().
  void on_workers(const std::function<void(unsigned worker)>& work);
  /// The number of threads of the execution. Throws usage_error after finish().
  [[nodiscard]] unsigned worker_count() const;
  /// An edge_sink for readers such as io::parse(), with at most worker_count() threads. It passes edges and vertices on to add_by() and
  /// add_vertices_by(); its begin() and finish() add nothing, so several inputs can be read. Throws usage_error after finish(), and for an
  /// input that declares its vertices. The reference is valid until this object is moved or destroyed.
  [[nodiscard]] io::edge_sink& for_readers();

  /// Edges added so far; 0 after finish().
  [[nodiscard]] std::uint64_t edge_count() const noexcept;

  /// Returns the answer and empties the sink, which takes no more edges. Labels are canonical: the smallest id of the component, for
  /// strings the smallest in byte order. report.solve_seconds is the time spent inside the calls; the time of add_by() is summed over
  /// workers and divided by their number. O(vertices); for sparse ids and strings O(n log n). Throws usage_error if it was called before;
  /// resource_error.
  [[nodiscard]] components_result finish();
  /// Like finish(), and also returns the edges that joined two components, a spanning forest: n - k of the edges, by their ids. If integer
  /// ids have gaps, the vertices are the ids that occurred, as for sparse ids. Throws usage_error unless
  /// components_sink_options::keep_forest is set.
  [[nodiscard]] forest_result finish_with_forest();

private:
  struct state;
  template <class Batch>
  void take(const Batch& batch);
  template <class Batch>
  void take_by(unsigned worker, const Batch& batch);
  [[nodiscard]] state& open_state() const;
  [[nodiscard]] hidden<state> take_state();

  hidden<state> state_;
};

}  // namespace copse
