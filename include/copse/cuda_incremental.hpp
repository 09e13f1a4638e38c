// Components of a graph whose edges arrive in batches, on a GPU: in host memory, where copies and kernels overlap, or on the GPU already.
#pragma once
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <copse/operations.hpp>
#include <copse/views.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace copse {

struct gpu_incremental_options {
  unsigned gpu = 0;
  std::size_t piece_edges = std::size_t{1} << 21;  ///< batches in host memory are copied in pieces of so many, two of them on the way
  std::uint64_t memory_limit_bytes = UINT64_MAX;   ///< of the GPU's memory
};

/// As copse::incremental, of 32-bit ids, by Rem's algorithm with swaps and splitting; vertices are declared (grow() adds some), because to
/// look for the largest id of a batch in host memory would take longer than to copy it. Calls may not overlap, and come from one thread, as
/// the CUDA runtime keeps a device a thread. Throws resource_error where there is no GPU, or no memory on it; usage_error in builds without
/// CUDA.
class gpu_incremental {
public:
  using id = std::uint32_t;
  using pairs = std::span<const edge<id>>;

  /// Vertices 0 .. vertices - 1, each alone.
  explicit gpu_incremental(id vertices, const gpu_incremental_options& options = {});
  gpu_incremental(gpu_incremental&&) noexcept;
  gpu_incremental& operator=(gpu_incremental&&) noexcept;
  ~gpu_incremental();

  /// Vertices 0 .. vertices - 1; new ones alone. O(vertices) when it grows.
  void grow(id vertices);

  /// Joins the ends of every edge. Returns when `edges` may be overwritten; kernels may run on. Pinned memory (pinned()) is copied
  /// straight, other memory by way of pinned pieces. Up to 2^17 edges go in one captured graph: a copy and a kernel, one launch. An edge
  /// with an id that is no vertex is not inserted; the next call that waits throws input_error for it.
  void insert(pairs edges);
  /// The same for edges in the memory of the GPU (to_gpu()). Returns at once: they must stay until wait(). With a stream of the
  /// caller's, of this GPU, work that was enqueued on it before comes before, and work that is enqueued on it later after; without one,
  /// nobody may still write them. When as many edges have come as there are vertices, then twice as many, and so on, a pass over the
  /// vertices finds who is in the giant, past which large batches go.
  void insert_resident(device_span<const edge<id>> on_gpu, std::optional<cuda_stream> stream = std::nullopt);
  /// Until all inserts have ended. Throws input_error when ids were no vertices, with their number.
  void wait();

  /// Bit i: are both ends of pair i connected, by all inserts before? Waits.
  [[nodiscard]] query_answers connected(pairs queries);
  /// The same for pairs and answers in the memory of the GPU; bits behind the last answer of its word are 0. Returns at once: both must
  /// stay until wait(). Throws usage_error when `answers` has no room for a bit a pair.
  void connected_resident(device_span<const edge<id>> on_gpu, device_span<std::uint64_t> answers,
                          std::optional<cuda_stream> stream = std::nullopt);
  /// Room for them, which may not outlive this object. Waits.
  [[nodiscard]] buffer<std::uint64_t> answers_on_gpu(std::size_t queries);
  [[nodiscard]] id vertices() const noexcept;
  /// Components. Waits.
  [[nodiscard]] std::uint64_t count();
  /// Canonical labels, in host memory. Waits. O(vertices).
  [[nodiscard]] labelling labels();
  /// The same where they are, in the memory of the GPU, until the next call that grows or inserts. Waits.
  [[nodiscard]] device_span<const id> labels_on_gpu();

  /// Host memory from which copies to the GPU run at full speed and beside kernels; lives as long as the program.
  [[nodiscard]] static std::pmr::memory_resource* pinned();
  /// A copy in the memory of the GPU, which may not outlive this object. Waits.
  [[nodiscard]] buffer<edge<id>> to_gpu(pairs edges);

private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace copse
