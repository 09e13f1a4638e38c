// One GPU, the graphs in its memory, and the variants that solve them there. Compiled without CUDA's headers.
#pragma once
#include <copse/io.hpp>
#include <copse/memory.hpp>
#include <copse/report.hpp>
#include <copse/variants.hpp>
#include <copse/verify.hpp>
#include <copse/weighted_forest.hpp>
#include <core/phase_times.hpp>
#include <fast/cuda/workspace.hpp>
#include <gpu/runtime/memory_rates.hpp>
#include <gpu/settings.hpp>
#include <io/request.hpp>
#include <loops/arcs.hpp>
#include <variants/cuda.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

struct CUstream_st;  // what cudaStream_t points to

namespace copse::backend {
class gpu;
class gpu_stopwatch;
}  // namespace copse::backend

namespace copse::weighted {
enum class algorithm : std::uint8_t;
}

namespace copse::device {

/// The size of a graph; for an edge list, `arcs` is the number of edges.
struct graph_sizes {
  std::uint64_t vertices, arcs;
  bool is_rows;
  std::uint64_t offset_bytes;  ///< the size of an offset in rows: 4 or 8
};

/// One GPU, its memory, and graphs of 32-bit ids in it. Only one thread may use a solver; several solvers may run at the same time, each on
/// its own stream or on one of the caller's. Everything that it allocates must be destroyed before it.
class solver {
public:
  struct settings {
    unsigned device = 0;
    std::optional<CUstream_st*> stream = std::nullopt;  ///< a stream of the caller, on its device; if empty, the solver makes a stream
    std::uint64_t memory_limit_bytes = UINT64_MAX;
    unsigned most_blocks = 0;  ///< most blocks of one kernel; 0: as many as fill the device
    gpu_techniques techniques = {};
    backend::copy_settings copies = {};
    bool time_phases = false;  ///< if true, the phases of the fast path are timed by the GPU's clock
    fast::gpu_settings fast = {};
    /// The resource from which all memory on the GPU is allocated; null: a pool of the device, in the order of the stream.
    std::pmr::memory_resource* source = nullptr;
  };
  using graph = backend::arc_set<std::uint32_t>;

  /// A copy of a graph, in the memory of the GPU.
  class device_graph {
  public:
    [[nodiscard]] const graph& view() const noexcept { return view_; }
    /// Returns a view of the copy whose edges a solve may overwrite.
    [[nodiscard]] graph writable() noexcept {
      graph may_change = view_;
      may_change.writable = edges_.data();
      return may_change;
    }

  private:
    friend solver;
    buffer<std::byte> offsets_;
    buffer<std::uint32_t> targets_;
    buffer<edge<std::uint32_t>> edges_;
    graph view_;
  };

  /// Throws resource_error if there is no GPU, usage_error if there is none of that number.
  explicit solver(const settings& how);
  ~solver();
  solver(const solver&) = delete;

  /// All memory that the solver takes on the GPU is allocated from this resource, which counts and caps it.
  [[nodiscard]] tracked_memory& memory() noexcept;

  /// The bytes that may be allocated on the GPU.
  [[nodiscard]] std::uint64_t free_bytes() const;
  [[nodiscard]] const backend::gpu& on() const noexcept;
  void fetch_at_once(bool shorter);  ///< if true, the L2 cache fetches 32 bytes at once from memory instead of 64; false undoes this
  [[nodiscard]] unsigned most_blocks() const noexcept;

  /// Throws resource_error, which says how many bytes are free and how many are needed, if fewer are free than needs_of() says.
  void expect_room(const variant_info& chosen, const graph_sizes& g);
  [[nodiscard]] device_graph copy_in(const graph& host);
  /// Rows that exist in the memory of the GPU only.
  struct read_rows {
    device_graph rows;
    csr_view<std::uint32_t, std::uint32_t> narrow;  ///< the rows if their offsets have 32 bits, in the memory of the GPU
    csr_view<std::uint32_t, std::uint64_t> wide;
    std::uint64_t loops;
  };
  /// Returns the variant that will solve rows of these sizes.
  using variant_ahead = std::function<const variant_info&(const graph_sizes&)>;
  /// Reads the rows of a .egr or .sg file and checks them on the GPU. Throws what io::read_graph and expect_room throw.
  [[nodiscard]] read_rows read(const std::filesystem::path& path, const io::read_request& options, const variant_ahead& variant_for);
  /// Makes the rows of a generator spec on the GPU: the arrays of gen::generate. Throws usage_error, and resource_error with the numbers if
  /// fewer bytes are free than making them or solving by the variant needs. `unsorted`: makes the rows of gen::unsorted_rows, by that
  /// seed.
  [[nodiscard]] read_rows generate(std::string_view spec, const variant_ahead& variant_for,
                                   std::optional<std::uint64_t> unsorted = std::nullopt);
  [[nodiscard]] buffer<std::uint32_t> copy_in(std::span<const std::uint32_t> labels);
  /// Labels in the memory of the GPU, the time by its clock, and the number of kernels launched, except those of CUB.
  struct device_labels {
    buffer<std::uint32_t> labels;
    double seconds;
    unsigned launches;
  };
  /// Solves a graph in the memory of the GPU. Precondition: the variant takes the form of the graph, and rows store both directions if it
  /// needs them.
  [[nodiscard]] device_labels solve(std::size_t sampler, std::size_t finish, const graph& on_device, const solve_request& options,
                                    phase_times& times);
  using workspace = fast::gpu_workspace<std::uint32_t>;
  /// Returns the memory that the fast path needs for graphs with as many vertices as `like` and at most as many arcs. `sampled`: their
  /// rows store both directions of every edge. `again`: true for many solves; if a solve is a single kernel, the second and later ones are
  /// then launched more quickly.
  [[nodiscard]] workspace workspace_for(const graph& like, bool sampled, bool again);
  struct timing {
    double seconds;
    unsigned launches;
  };
  /// Solves by the fast path, in memory that was allocated before. `labels`: one element per vertex, in the memory of the GPU.
  timing solve_fast(const graph& on_device, workspace& space, std::uint32_t* labels, const solve_request& options, phase_times& times);
  /// Enqueues a solve by the fast path and waits for nothing.
  void enqueue_fast(const graph& on_device, workspace& space, std::uint32_t* labels, const solve_request& options);
  /// Enqueues a solve that writes to `labels`, one element per vertex, in the memory of the GPU. Returns the number of kernels launched.
  /// The host waits for nothing if the finish is the fast path, or a unite without a sampler. Precondition: that of solve().
  unsigned enqueue(std::size_t sampler, std::size_t finish, const graph& on_device, std::span<std::uint32_t> labels,
                   const solve_request& options);
  /// Solves into `labels`, one element per vertex, in the memory of the GPU, and waits for them.
  timing solve_into(std::size_t sampler, std::size_t finish, const graph& on_device, std::span<std::uint32_t> labels,
                    const solve_request& options);
  /// Throws usage_error if the GPU cannot access `array`, which must be in its memory or in host memory that it reaches. Null is fine.
  void expect_in_reach(const void* array, const std::string& name) const;
  void expect_in_reach(const graph& on_device) const;
  [[nodiscard]] unsigned device() const noexcept;
  /// Measures, in the memory of the GPU, what is not known about rows; waits. Throws usage_error, which says what is wrong and where, if
  /// the arrays are not a graph or break what their owner claims.
  void check(graph& on_device);
  /// The number of loops in rows; 0 for a list. Waits.
  [[nodiscard]] std::uint64_t count_loops(const graph& on_device);
  /// Solves and counts the work (counting.cu), which takes several times as long. Precondition: is_counted() (counted.hpp).
  [[nodiscard]] device_labels count(std::size_t sampler, std::size_t finish, const graph& on_device, const solve_request& options,
                                    phase_times& times, work_counts& work);
  /// A spanning forest in the memory of the GPU, labels if they are wanted, and the time by its clock.
  struct device_forest {
    buffer<edge<std::uint32_t>> edges;
    buffer<std::uint32_t> labels;
    double seconds;
    unsigned launches;
  };
  /// Finds a forest of a graph in the memory of the GPU. Phases by its clock: "allocate", "join" until all edges are recorded, "collect"
  /// until they are in one array without gaps, "labels". Precondition: a variant of forests.
  [[nodiscard]] device_forest spanning_forest(std::size_t sampler, std::size_t finish, const graph& on_device, const solve_request& options,
                                              phase_times& times, bool with_labels);
  /// Enqueues the search for a forest by the fast path. `edges` has room for one edge per vertex, and the first `*count` become the forest.
  /// `labels`: one element per vertex, or empty. All are in the memory of the GPU. Precondition: the finish is the fast path.
  void enqueue_forest(std::size_t sampler, const graph& on_device, edge<std::uint32_t>* edges, std::uint32_t* count,
                      std::span<std::uint32_t> labels, const solve_request& options);
  /// A minimum or maximum spanning forest of rows and weights in host memory, which are copied, as a forest_finder (weighted_forest.hpp)
  /// finds it; the arcs come back to `memory`.
  struct host_weighted_forest {
    buffer<std::uint32_t> arcs;
    double seconds;
  };
  [[nodiscard]] host_weighted_forest weighted_forest_of_host(weighted::algorithm method, const graph& in_host_memory,
                                                             const weights_view& weights, forest_goal goal, observer* watcher,
                                                             phase_times& times, std::pmr::memory_resource* memory);
  [[nodiscard]] buffer<std::uint32_t> copy_out(const buffer<std::uint32_t>& labels, std::pmr::memory_resource* memory);
  /// `to`: an array of the same size, in host memory. `threads`: the number of threads that copy; if empty, that of the settings.
  void copy_out(const buffer<std::uint32_t>& labels, std::span<std::uint32_t> to, std::optional<unsigned> threads = std::nullopt);
  void copy_out(const buffer<edge<std::uint32_t>>& edges, std::span<edge<std::uint32_t>> to);
  /// Allocates the buffers that copies of large arrays need, which the first copy would do otherwise.
  void prepare_copies();
  /// Proves labels of a graph; both are in the memory of the GPU.
  [[nodiscard]] verdict verify(const graph& on_device, std::span<const std::uint32_t> labels, const vertex_names& names);
  /// The checksum() of labels in the memory of the GPU, of vertices that are named 0 .. n - 1.
  [[nodiscard]] std::uint64_t checksum(std::span<const std::uint32_t> labels);
  [[nodiscard]] backend::memory_rates measure_memory(std::uint32_t words);

private:
  timing solve_fast(const graph& on_device, workspace& space, std::uint32_t* labels, const solve_request& options, phase_times& times,
                    const backend::gpu_stopwatch& since);
  static void look_at(read_rows& result, std::uint64_t vertices, unsigned offset_bytes);

  struct parts;
  std::unique_ptr<parts> parts_;
};

/// The bytes of a GPU's memory that a variant needs at least; scratch memory that is freed before it ends is not counted.
struct memory_needs {
  std::uint64_t graph_bytes, label_bytes, beside_bytes;
  [[nodiscard]] std::uint64_t all() const noexcept { return graph_bytes + label_bytes + beside_bytes; }
};
/// Returns the arrays of a view. Throws usage_error for 64-bit ids.
solver::graph gpu_arcs_of(graph_view g);
graph_sizes sizes_of(const solver::graph& g) noexcept;
/// Throws usage_error if the variant needs both directions of every edge, and the rows are not known to store both.
void expect_directions(const variant_info& variant, const solver::graph& g);
/// Throws usage_error: these rows may store only one direction of an edge, and the variant needs both.
[[noreturn]] void refuse_one_direction(const std::string& variant);
memory_needs needs_of(const variant_info& chosen, const graph_sizes& g) noexcept;

}  // namespace copse::device
