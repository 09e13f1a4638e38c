// Components of a graph whose edges arrive in batches, on a GPU: in host memory, where copies and kernels overlap, or on the GPU already.
#pragma once
#include <copse/execution.hpp>
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <copse/operations.hpp>
#include <copse/variants.hpp>
#include <copse/views.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace copse {

struct gpu_incremental_options {
  std::string variant = "auto";                    ///< a variant of cuda for incremental connectivity; auto: cuda.none.fast
  std::size_t piece_edges = std::size_t{1} << 21;  ///< edges per piece in which batches in host memory are copied, two of them at a time
};

/// For batches that are in the memory of the GPU, or are copied there while kernels run: as copse::incremental by a variant of cuda, which
/// does all else, of vertices that are declared (grow() adds some), because to look for the largest id of a batch in host memory would take
/// longer than to copy it. Calls may not overlap, and come from one thread, as the CUDA runtime keeps a device a thread. Throws
/// resource_error where there is no GPU, or no memory on it, and in builds without CUDA; usage_error for what is no such variant.
///
/// Calls whose names end in _resident work on memory of the GPU and wait for nothing, except by variants that work in rounds: there the
/// host decides whether there is another. With a stream of the caller's they are in its order. All other calls hand something to the host,
/// or take it from there, and wait for that.
class gpu_incremental {
public:
  using id = std::uint32_t;
  using pairs = std::span<const edge<id>>;

  /// Vertices 0 .. vertices - 1, each alone.
  explicit gpu_incremental(id vertices, const gpu_incremental_options& options = {}, const execution& on = {});
  gpu_incremental(gpu_incremental&&) noexcept;
  gpu_incremental& operator=(gpu_incremental&&) noexcept;
  ~gpu_incremental();

  /// Vertices 0 .. vertices - 1; new ones alone. O(vertices) when it grows.
  void grow(id vertices);

  /// Joins the ends of every edge. Returns when `edges` may be overwritten; kernels may run on. Pinned memory (pinned()) is copied
  /// straight, other memory by way of pinned pieces. By cuda.none.fast up to 2^17 edges go in one captured graph: one launch. An edge
  /// with an id that is no vertex is not inserted; the next call that waits throws input_error for it.
  void insert(pairs edges);
  /// As above, for edges in the memory of the GPU (to_gpu()). Returns at once: they must stay until wait(). With a stream of the
  /// caller's, of this GPU, work that was enqueued on it before comes before, and work that is enqueued on it later after; without one,
  /// they must be complete already. By cuda.none.fast, a pass over the vertices finds the giant once the edges outnumber the vertices, and
  /// again whenever the number of edges has doubled; large batches then skip the edges inside it.
  void insert_resident(device_span<const edge<id>> on_gpu, std::optional<cuda_stream> stream = std::nullopt);
  /// Until all inserts have ended. Throws input_error when ids were no vertices, with their number.
  void wait();

  /// Bit i: are both ends of pair i connected, by all inserts before? Waits.
  [[nodiscard]] query_answers connected(pairs queries);
  /// As above, for pairs and answers in the memory of the GPU; bits behind the last answer of its word are 0. Returns at once: both must
  /// stay until wait(). Throws usage_error when `answers` has no room for a bit a pair.
  void connected_resident(device_span<const edge<id>> on_gpu, device_span<std::uint64_t> answers,
                          std::optional<cuda_stream> stream = std::nullopt);
  /// A mixed batch: `kinds[i]` says what pair i is. Bit i is the answer when it is a query, and 0 when it is an insert. All are in the
  /// memory of the GPU, and stay until wait(). Concurrent: in one pass; there every operation is a thread's own, so that the answers are
  /// those of some order of the batch. Throws usage_error when sizes do not fit, and when `how` is concurrent and the variant cannot.
  void apply_resident(device_span<const edge<id>> on_gpu, device_span<const operation> kinds, device_span<std::uint64_t> answers,
                      mixing how = mixing::phased, std::optional<cuda_stream> stream = std::nullopt);
  /// Room for them, which may not outlive this object. Waits.
  [[nodiscard]] buffer<std::uint64_t> answers_on_gpu(std::size_t queries);
  [[nodiscard]] id vertices() const noexcept;
  /// The variant that runs; never "auto".
  [[nodiscard]] const variant_info& variant() const noexcept;
  /// Components. Waits.
  [[nodiscard]] std::uint64_t count();
  /// Canonical labels, in host memory. Waits. O(vertices).
  [[nodiscard]] labelling labels();
  /// The same into the memory of the GPU, one per vertex, by all inserts before. Returns at once: they must stay until wait(). Throws
  /// usage_error when `labels` has another size.
  void labels_resident(device_span<id> labels, std::optional<cuda_stream> stream = std::nullopt);

  /// Host memory from which copies to the GPU run at full speed and overlap with kernels; lives as long as the program.
  [[nodiscard]] static std::pmr::memory_resource* pinned();
  /// A copy in the memory of the GPU, which may not outlive this object. Waits.
  [[nodiscard]] buffer<edge<id>> to_gpu(pairs edges);
  [[nodiscard]] buffer<operation> to_gpu(std::span<const operation> kinds);

private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace copse
