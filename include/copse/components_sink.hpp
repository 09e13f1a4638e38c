// components() of edges that are handed in by batches, from arrays, data frames or queues: united on arrival, none held, answered once.
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
  std::optional<std::uint64_t> vertices = std::nullopt;  ///< declares 0 .. vertices - 1, isolated ones included; all ids are integers below
  bool keep_forest = false;                              ///< also the edges that joined two components: 16 bytes per vertex
};

/// Takes edges in any number of batches and answers once, which is faster than incremental can be: workers unite side by side, and no
/// question in between has to see all that came before it. Vertices are the ids that occur: integers, dense or sparse, or
/// strings of any bytes, but not both; at most 2^32 - 1 of them where they are sparse or strings. Integers of all widths may be mixed, and
/// be negative unless others are above INT64_MAX. A batch may be freed as soon as `add` returns.
///
/// Memory is O(vertices), however many edges come: 4 bytes per id where ids are dense (8 if 2^32 - 1 or more are declared), 20 to 28 per
/// vertex where they are sparse, up to 40 in addition to its own bytes where it is a string. The answer depends on neither order, batches
/// nor threads. Each call uses the threads of the execution itself, for large batches; calls on one sink may not overlap, but for add_by().
///
/// On GPUs, of which there may be several, ids are integers below 2^32 - 1, each its own index: strings and other integers are refused.
/// Each GPU keeps a forest of what it was given, 4 bytes per id (8 more with keep_forest) and pieces of the batches, which are copied to
/// whichever is free; the answer merges the forests. Which edges finish_with_forest() returns may differ from run to run.
///
/// An error in the batch itself (column lengths, a kind of id, an id that is not allowed) leaves the sink as it was. After a resource_error
/// or cancelled the sink holds a part of the batch; any further call but the destructor throws usage_error.
class components_sink {
public:
  /// Progress counts edges; their total is unknown. O(1), or O(vertices) where they are declared. Throws resource_error.
  explicit components_sink(const components_sink_options& options = {}, const execution& on = {});

  /// Joins the ends of every edge. Loops and repeated edges are welcome. Throws usage_error for columns of different length, for strings
  /// after integers or the reverse, and after finish(); input_error for an id beyond the declared vertices, and for a negative id and one
  /// above INT64_MAX in one sink; resource_error; cancelled. O(batch), near enough, and O(bytes) for strings.
  void add(const id_pairs& edges);
  /// Enqueues edges in the memory of one of the GPUs, which are united there, and returns: they must stay until finish() returns. Without
  /// execution::stream they are complete already; with one, which is a stream of their GPU, work that was enqueued on it before comes
  /// before, and work that is enqueued later after, which may overwrite them. Throws usage_error where vertices are not declared and for
  /// edges elsewhere. finish() throws input_error if ids were no vertices.
  void add_async(device_span<const edge<std::uint32_t>> on_gpu);
  /// Vertices that need not have an edge. Throws what add() throws.
  void add_vertices(const id_column& ids);

  // For callers with threads of their own, such as readers of parts of a table. Calls may overlap where their workers differ,
  // which are numbers below worker_count(); no other call may run then. They throw what add() throws, and usage_error for another worker;
  // positions in texts are of the batch. After the resource_error or cancelled of one worker, all throw the same.
  void add_by(unsigned worker, const id_pairs& edges);
  void add_vertices_by(unsigned worker, const id_column& ids);
  /// Calls work(worker) for every worker, on the threads of the sink side by side as far as the system has them, so that none may wait for
  /// one with a larger number. Rethrows the first exception; throws usage_error after finish(). For a caller without threads of its own;
  /// work may call add_by().
  void on_workers(const std::function<void(unsigned worker)>& work);
  /// The threads of the execution. Throws usage_error after finish().
  [[nodiscard]] unsigned worker_count() const;
  /// A sink for readers, such as io::parse() with as many threads or fewer, which passes on to add_by() and add_vertices_by(); begin() and
  /// finish() add nothing, so that several inputs can be read. Throws usage_error after finish(), and for an input that declares its
  /// vertices. Lives as long as this object is not moved.
  [[nodiscard]] io::edge_sink& for_readers();

  /// Edges added so far; 0 after finish().
  [[nodiscard]] std::uint64_t edge_count() const noexcept;

  /// The answer. Labels are canonical: the smallest id of the component, of strings the smallest by bytes. report.solve_seconds is the time
  /// spent inside the calls, of add_by() that of all workers by their number. The sink is empty afterwards and takes no more. O(vertices),
  /// sparse ids and strings O(n log n). Throws usage_error when it was called before, resource_error.
  [[nodiscard]] components_result finish();
  /// Finishes as finish() does and also returns the edges that joined two components, a spanning forest: n - k of the edges, by their ids.
  /// Where ids have gaps the vertices are those that occurred, as they are where ids are sparse. Throws usage_error unless the options keep
  /// it.
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
