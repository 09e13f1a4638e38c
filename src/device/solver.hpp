// One GPU, graphs in its memory, and the variants that solve them there. Compiled without CUDA's headers.
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

struct CUstream_st;  // cudaStream_t points at one

namespace copse::backend {
class gpu;
class gpu_stopwatch;
}  // namespace copse::backend

namespace copse::weighted {
enum class algorithm : std::uint8_t;
}

namespace copse::device {

/// How large a graph is: a list has edges for arcs.
struct graph_sizes {
  std::uint64_t vertices, arcs;
  bool is_rows;
  std::uint64_t offset_bytes;  ///< bytes of one offset
};

/// One GPU, its memory, and graphs of 32-bit ids in it. A solver is for one thread; several may be at work at once, each on its own stream
/// or on one of the caller's. What it allocates goes before it goes.
class solver {
public:
  struct settings {
    unsigned device = 0;
    std::optional<CUstream_st*> stream = std::nullopt;  ///< the caller's, on its own device; none: a stream of the solver's
    std::uint64_t memory_limit_bytes = UINT64_MAX;
    unsigned most_blocks = 0;  ///< most blocks of one kernel; 0: as many as fill the device
    gpu_techniques techniques = {};
    backend::copy_settings copies = {};
    bool time_phases = false;  ///< time the phases of the fast path by the GPU's clock
    fast::gpu_settings fast = {};
    std::pmr::memory_resource* source =
        nullptr;  ///< where all memory on the GPU comes from; null: a pool of the device, in the order of the stream
  };
  using graph = backend::arc_set<std::uint32_t>;

  /// A copy of a graph, in the memory of the GPU.
  class device_graph {
  public:
    [[nodiscard]] const graph& view() const noexcept { return view_; }
    /// The same, of which a solve may overwrite the edges.
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

  /// Throws resource_error when there is no GPU, usage_error when it has a smaller number.
  explicit solver(const settings& how);
  ~solver();
  solver(const solver&) = delete;

  /// All memory that the solver takes on the GPU comes from here: it counts and caps.
  [[nodiscard]] tracked_memory& memory() noexcept;

  /// What may be allocated now.
  [[nodiscard]] std::uint64_t free_bytes() const;
  [[nodiscard]] const backend::gpu& on() const noexcept;
  void fetch_at_once(bool shorter);  ///< as gpu's
  [[nodiscard]] unsigned most_blocks() const noexcept;

  /// Throws resource_error with the numbers when less is free than needs_of says.
  void expect_room(const variant_info& chosen, const graph_sizes& g);
  [[nodiscard]] device_graph copy_in(const graph& host);
  /// Rows that are in the memory of the GPU alone.
  struct read_rows {
    device_graph rows;
    csr_view<std::uint32_t, std::uint32_t> narrow;  ///< one of the two, in the memory of the GPU
    csr_view<std::uint32_t, std::uint64_t> wide;
    std::uint64_t loops;
  };
  /// Which variant will be asked to solve rows of these sizes.
  using variant_ahead = std::function<const variant_info&(const graph_sizes&)>;
  /// The rows of a .egr or .sg file, checked and looked at there. Throws what io::read_graph throws, and what expect_room does.
  [[nodiscard]] read_rows read(const std::filesystem::path& path, const io::read_request& options, const variant_ahead& variant_for);
  /// The rows of a generator spec, made there: the arrays of gen::generate. Throws usage_error, and resource_error with the numbers when
  /// less is free than making them takes, or than the variant needs then. `unsorted`: the rows are those of gen::unsorted_rows, by that
  /// seed.
  [[nodiscard]] read_rows generate(std::string_view spec, const variant_ahead& variant_for,
                                   std::optional<std::uint64_t> unsorted = std::nullopt);
  [[nodiscard]] buffer<std::uint32_t> copy_in(std::span<const std::uint32_t> labels);
  /// Labels in the memory of the GPU, the time by its clock, and how many kernels were launched, CUB's left out.
  struct device_labels {
    buffer<std::uint32_t> labels;
    double seconds;
    unsigned launches;
  };
  /// For a graph that is in its memory. Precondition: as solve_variant.
  [[nodiscard]] device_labels solve(std::size_t sampler, std::size_t finish, const graph& on_device, const solve_request& options,
                                    phase_times& times);
  /// What the fast path needs for graphs of as many vertices, and not more arcs. `sampled`: their rows store both directions of every edge.
  /// `again`: for many solves, of which the second and later ones are launched more quickly where they are one kernel.
  using workspace = fast::gpu_workspace<std::uint32_t>;
  [[nodiscard]] workspace workspace_for(const graph& like, bool sampled, bool again);
  struct timing {
    double seconds;
    unsigned launches;
  };
  /// By the fast path, in memory that is there. `labels`: room for one a vertex, in the memory of the GPU.
  timing solve_fast(const graph& on_device, workspace& space, std::uint32_t* labels, const solve_request& options, phase_times& times);
  /// The same, enqueued: it waits for nothing.
  void enqueue_fast(const graph& on_device, workspace& space, std::uint32_t* labels, const solve_request& options);
  /// Enqueues a solve whose labels go into `labels`, one per vertex, in the memory of the GPU. Returns how many kernels were launched. The
  /// host waits for nothing when the finish is the fast path, or a unite without a sampler. Precondition: as solve.
  unsigned enqueue(std::size_t sampler, std::size_t finish, const graph& on_device, std::span<std::uint32_t> labels,
                   const solve_request& options);
  /// The same, and waits for the labels.
  timing solve_into(std::size_t sampler, std::size_t finish, const graph& on_device, std::span<std::uint32_t> labels,
                    const solve_request& options);
  /// Throws usage_error when `array` is not in the memory of this GPU, and not in host memory that the GPU reaches. Null is fine.
  void expect_in_reach(const void* array, const std::string& name) const;
  void expect_in_reach(const graph& on_device) const;
  [[nodiscard]] unsigned device() const noexcept;
  /// Finds out, in the memory of the GPU, what is not known about rows; waits. Throws usage_error, which says what is wrong and where, when
  /// the arrays hold no graph or not what is claimed.
  void check(graph& on_device);
  /// The arcs of rows that lead from a vertex to itself; 0 for a list. Waits.
  [[nodiscard]] std::uint64_t count_loops(const graph& on_device);
  /// The same, counting (counting.cu); several times slower. Precondition: is_counted (cuda_counted.hpp).
  [[nodiscard]] device_labels count(std::size_t sampler, std::size_t finish, const graph& on_device, const solve_request& options,
                                    phase_times& times, work_counts& work);
  /// A spanning forest in the memory of the GPU, labels if they are wanted, and the time by its clock.
  struct device_forest {
    buffer<edge<std::uint32_t>> edges;
    buffer<std::uint32_t> labels;
    double seconds;
    unsigned launches;
  };
  /// For a graph that is in its memory. Phases by the GPU's clock: "allocate", "join" until all edges are noted, "collect" until they lie
  /// together, "labels". Precondition: a variant of forests.
  [[nodiscard]] device_forest spanning_forest(std::size_t sampler, std::size_t finish, const graph& on_device, const solve_request& options,
                                              phase_times& times, bool with_labels);
  /// Enqueues the same by the fast path. `edges` has room for one per vertex: the first `*count` become the forest. `labels`: one per
  /// vertex, or none. All are in the memory of the GPU. Precondition: the finish is the fast path.
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
  /// `to`: of the same size, in host memory. `threads`: that copy, as the settings say without it.
  void copy_out(const buffer<std::uint32_t>& labels, std::span<std::uint32_t> to, std::optional<unsigned> threads = std::nullopt);
  void copy_out(const buffer<edge<std::uint32_t>>& edges, std::span<edge<std::uint32_t>> to);
  /// Takes what copies of large arrays need, before the first does.
  void prepare_copies();
  /// Both in its memory.
  [[nodiscard]] verdict verify(const graph& on_device, std::span<const std::uint32_t> labels, const vertex_names& names);
  /// checksum() of labels in its memory, of vertices that are named 0 .. n - 1.
  [[nodiscard]] std::uint64_t checksum(std::span<const std::uint32_t> labels);
  [[nodiscard]] backend::memory_rates measure_memory(std::uint32_t words);

private:
  timing solve_fast(const graph& on_device, workspace& space, std::uint32_t* labels, const solve_request& options, phase_times& times,
                    const backend::gpu_stopwatch& since);
  static void look_at(read_rows& result, std::uint64_t vertices, unsigned offset_bytes);

  struct parts;
  std::unique_ptr<parts> parts_;
};

/// What a variant takes of a GPU's memory, apart from scratch that is freed before it ends: it takes no less.
struct memory_needs {
  std::uint64_t graph_bytes, label_bytes, beside_bytes;
  [[nodiscard]] std::uint64_t all() const noexcept { return graph_bytes + label_bytes + beside_bytes; }
};
/// The arrays of a view. Throws usage_error for 64-bit ids.
solver::graph gpu_arcs_of(graph_view g);
graph_sizes sizes_of(const solver::graph& g) noexcept;
/// Throws usage_error when the variant needs both directions of every edge, and it is not known that the rows store both.
void expect_directions(const variant_info& variant, const solver::graph& g);
memory_needs needs_of(const variant_info& chosen, const graph_sizes& g) noexcept;

}  // namespace copse::device
