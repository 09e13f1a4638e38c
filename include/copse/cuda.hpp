// GPUs, and graphs that stay in the memory of one.
#pragma once
#include <copse/components.hpp>
#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <copse/labels.hpp>
#include <copse/options.hpp>
#include <copse/spanning_forest.hpp>
#include <copse/variants.hpp>
#include <copse/verify.hpp>
#include <copse/views.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse {

// Which GPUs there are for variants of cuda.

struct gpu_facts {
  unsigned index;  ///< i of cuda:i
  std::string name;
  unsigned capability_major, capability_minor;
  unsigned multiprocessors;
  std::uint64_t memory_bytes, free_bytes;
};

/// Does this build have the GPU part? Without it there are no cuda variants.
bool built_with_cuda() noexcept;

/// The GPUs of this machine that work; none without the GPU part.
std::vector<gpu_facts> gpus();

// Arrays of the caller in the memory of a GPU, read and written in the order of the caller's stream.

/// Enqueues on `on.stream` (without one, on the legacy default stream) what writes the canonical labels of `g` into `labels`, one per
/// vertex, and returns: the host waits for nothing, and the arrays need not be written yet. Work enqueued before it comes before, and work
/// enqueued after it after, as for any kernel. The arrays stay where they are until the labels are there. Scratch memory, on the fast path
/// at most 8 bytes per vertex and one per arc, comes from a pool in the order of the stream. Kernels are loaded when they are first needed:
/// for that CUDA may wait, once.
///
/// The GPU is that of the stream; of a default stream, and before CUDA 12.8 of any, the calling thread's current device. The arrays of the
/// view are not looked at: rows that the view does not call symmetric or sorted are taken as neither, and a wrong offset or target is
/// undefined behaviour. Of the options the variant and the seed are used. The variant is auto, which looks at the sizes of the view and at
/// what it says of its rows, cuda.hb.fast, cuda.none.fast, or a union-find rule without a sampler, such as
/// cuda.none.rem_cas.naive.halve_one; others wait between their rounds, and are refused.
///
/// Throws usage_error for sizes that do not fit together, null pointers, memory of the host or of another GPU, and variants that it cannot
/// take; resource_error when the GPU's memory ends, and when there is no GPU or no GPU part in this build. Several threads may call it at
/// once.
void components_async(device_graph_view g, device_span<std::uint32_t> labels, const solve_options& options = {}, const execution& on = {});

/// The same, and waits until the labels are there. A view that is not trusted is checked on the GPU first, in O(n + arcs): throws
/// usage_error, which says what is wrong and where; what it leaves unknown about its rows is found out. Any cuda variant will do. The
/// report's solve_seconds are by the GPU's clock, without the check.
solve_report components(device_graph_view g, device_span<std::uint32_t> labels, const solve_options& options = {},
                        const execution& on = {});

// Graphs that stay in the memory of a GPU: copied there once, or already there, solved any number of times, labels left there.

struct gpu_techniques;  // of benchmarks alone

struct gpu_solver_options {
  bool time_phases = false;  ///< report phases too, which costs some microseconds between them
  /// May the limit cudaLimitMaxL2FetchGranularity of the device, which is the whole process's, be 32 while a graph of 16 and more arcs
  /// per vertex was the last to come in? Sampling such rows is then up to a sixth quicker (docs/explanation/gpu.md).
  bool short_fetches = false;
};

/// One GPU, with a stream of its own or the caller's. One thread at a time uses a solver; several solvers may be at work at once, on one
/// GPU or on many. What a solver made must go before the solver does.
///
/// All work is enqueued on that stream, and calls wait for it, because they hand something to the host: numbers, copies, seconds. The calls
/// whose names end in _async, for a solver with execution::stream alone, wait for nothing. Other variants than those that they take have
/// none: between their rounds the host decides whether there is another.
class gpu_solver {
public:
  /// A graph in the memory of the GPU.
  class resident_graph {
  public:
    resident_graph(resident_graph&&) noexcept;
    resident_graph& operator=(resident_graph&&) noexcept;
    ~resident_graph();

  private:
    friend gpu_solver;
    struct parts;
    explicit resident_graph(std::unique_ptr<parts> owned);
    std::unique_ptr<parts> parts_;
  };

  /// Canonical labels in the memory of the GPU.
  class resident_labels {
  public:
    resident_labels(resident_labels&&) noexcept;
    resident_labels& operator=(resident_labels&&) noexcept;
    ~resident_labels();

    /// For kernels only: the host may not read it.
    [[nodiscard]] device_span<const std::uint32_t> on_device() const noexcept;
    /// `solve_seconds` is by the GPU's clock, from before the first store to after the last label; copies are no part of it.
    [[nodiscard]] const solve_report& report() const noexcept;

  private:
    friend gpu_solver;
    struct parts;
    explicit resident_labels(std::unique_ptr<parts> owned);
    std::unique_ptr<parts> parts_;
  };

  /// The edges of a spanning forest in the memory of the GPU, and labels if they were asked for.
  class resident_forest {
  public:
    resident_forest(resident_forest&&) noexcept;
    resident_forest& operator=(resident_forest&&) noexcept;
    ~resident_forest();

    /// n - k edges in no order, and n labels or none. For kernels only: the host may not read them.
    [[nodiscard]] device_span<const edge<std::uint32_t>> edges_on_device() const noexcept;
    [[nodiscard]] device_span<const std::uint32_t> labels_on_device() const noexcept;
    /// `solve_seconds` and phases are by the GPU's clock: "allocate", "join" until every edge is noted, "collect" until they lie together,
    /// "labels".
    [[nodiscard]] const solve_report& report() const noexcept;

  private:
    friend gpu_solver;
    struct parts;
    explicit resident_forest(std::unique_ptr<parts> owned);
    std::unique_ptr<parts> parts_;
  };

  /// On the GPU of `on.stream`, if there is one, and otherwise of `on.device`. Throws resource_error when there is no GPU (or no GPU part
  /// in this build), usage_error when there is none of that number.
  explicit gpu_solver(const gpu_solver_options& options = {}, const execution& on = {});
  ~gpu_solver();
  gpu_solver(const gpu_solver&) = delete;
  gpu_solver& operator=(const gpu_solver&) = delete;

  /// What a GPU must have free for the graph, its labels, and what the variant keeps beside them; scratch that goes before it ends may come
  /// on top. Throws usage_error for 64-bit ids and for what is no cuda variant.
  [[nodiscard]] static std::uint64_t bytes_needed(graph_view g, const std::string& variant = "auto",
                                                  problem_kind problem = problem_kind::components);

  /// O(bytes of the graph). A graph that does not fit, with what `variant` will need for `problem`, is refused before anything is copied:
  /// resource_error, with the numbers. Throws usage_error for 64-bit ids.
  [[nodiscard]] resident_graph copy_in(graph_view in_host_memory, const std::string& variant = "auto",
                                       problem_kind problem = problem_kind::components);
  /// Can `read` read this file? ECL's .egr and GAP's .sg, whose rows lie there as a GPU wants them, unless a least weight drops arcs.
  [[nodiscard]] static bool reads(const std::filesystem::path& path, const io::read_options& options = {});
  struct read_rows {
    resident_graph graph;
    std::uint64_t vertices;
    std::uint64_t edges, arcs;  ///< where both directions are stored, a pair of arcs is an edge
    bool both_directions;       ///< is that so?
  };
  /// Rows of a file, straight to the GPU: no graph is made in host memory, and what the file claims is checked there. Otherwise as
  /// io::read_graph, whose refusals are these too, and copy_in; offsets are as wide as in the file. Throws usage_error when !reads().
  /// What a chooser will need is what it needs for sorted rows of both directions: before rows are read, nobody knows better.
  [[nodiscard]] read_rows read(const std::filesystem::path& path, const io::read_options& options = {}, const std::string& variant = "auto",
                               problem_kind problem = problem_kind::components, const execution& on = {});
  /// The rows of a generator spec, made on the GPU: the arrays that gen::generate makes, of 32-bit ids. Making them takes 32 bytes for each
  /// edge of the spec, which go when it ends. Throws usage_error for a bad spec and for more vertices than 32 bits count, resource_error,
  /// with the numbers, when that or what `variant` will need does not fit.
  [[nodiscard]] read_rows generate(std::string_view spec, const std::string& variant = "auto",
                                   problem_kind problem = problem_kind::components);

  /// Nothing is copied or looked at: the arrays are the caller's, and outlive what is returned. They hold the graph when the solver's
  /// stream comes to a solve: work that writes them has ended, or comes before on execution::stream. Throws usage_error for sizes that do
  /// not fit together, null pointers, and memory of the host or of another GPU.
  [[nodiscard]] resident_graph borrow(device_graph_view g);

  /// `options.variant`: a cuda variant, or auto. `options.count` is for union-find rules that are named with their find, alone or after
  /// kout or hb; others are refused. Of `on` the observer is used. Throws usage_error for another variant, or
  /// for one that needs both directions of every edge where the view does not say that it has them; resource_error; cancelled.
  [[nodiscard]] resident_labels solve(const resident_graph& g, const solve_options& options = {}, const execution& on = {});

  /// The same of a list of edges that was copied in, which the variant may overwrite, as components_in_place (extend/in_place.hpp) says.
  /// Throws usage_error for rows and for what was borrowed.
  [[nodiscard]] resident_labels solve_in_place(resident_graph& g, const solve_options& options = {}, const execution& on = {});

  /// components_async of a graph that is here: enqueues on execution::stream what writes the canonical labels of g into `labels`, one per
  /// vertex, and returns. g stays until they are there. Throws usage_error where the solver has no stream, as nobody could tell when
  /// that is; otherwise what components_async throws, and resource_error when the solver's limit is not enough.
  void solve_async(const resident_graph& g, device_span<std::uint32_t> labels, const solve_options& options = {});

  /// spanning_forest() of rows, enqueued as solve_async() is, by cuda.hb.fast or cuda.none.fast (or auto where it takes one of them).
  /// `edges` has room for one per vertex: the first `count[0]` of them become the forest, and the others anything. `labels`: one per vertex
  /// for the canonical labels, or empty. Memory and exceptions as spanning_forest() and solve_async().
  void spanning_forest_async(const resident_graph& g, device_span<edge<std::uint32_t>> edges, device_span<std::uint32_t> count,
                             device_span<std::uint32_t> labels = {}, const solve_options& options = {});

  /// By a variant of hybrid (docs/explanation/hybrid.md): while the GPU solves the other vertices of g, the CPU solves the first,
  /// whose rows it reads in `in_host_memory`: the same graph, or a view of its first rows. `on.threads` and `on.memory` are the
  /// CPU's; the GPU's memory is limited as the solver is. report().solve_seconds is wall-clock. Throws usage_error as solve
  /// and when the CPU gets more rows than there are; resource_error; cancelled.
  [[nodiscard]] resident_labels solve(const resident_graph& g, graph_view in_host_memory, const solve_options& options = {},
                                      const execution& on = {});

  /// A solve by the fast path made ready: its memory is taken and its launches are known, so that solving again costs little more than the
  /// kernels do (graphs of 2^19 vertices and 2^24 arcs at most: one kernel). For streams of graphs of one size.
  class prepared_solve {
  public:
    prepared_solve(prepared_solve&&) noexcept;
    prepared_solve& operator=(prepared_solve&&) noexcept;
    ~prepared_solve();

  private:
    friend gpu_solver;
    struct parts;
    explicit prepared_solve(std::unique_ptr<parts> owned);
    std::unique_ptr<parts> parts_;
  };
  /// For rows of as many vertices as `like` has, and not more arcs. `options.variant`: cuda.hb.fast, cuda.none.fast, or auto where it takes
  /// one of them; otherwise usage_error. Throws resource_error.
  [[nodiscard]] prepared_solve prepare(const resident_graph& like, const solve_options& options = {}, const execution& on = {});
  /// The labels stay in `ready`, until its next solve. Throws usage_error for a graph that it was not made for; cancelled.
  const resident_labels& solve_again(prepared_solve& ready, const resident_graph& g);
  /// The same, enqueued on execution::stream: where the labels will be. Both stay until they are there. The report of solve_again() is not
  /// touched. Throws usage_error where the solver has no stream, too.
  device_span<const std::uint32_t> solve_again_async(prepared_solve& ready, const resident_graph& g);

  /// A spanning forest by a cuda variant of variants(problem_kind::forest), or auto; otherwise as solve. Beside what that variant takes for
  /// components a slot of 8 bytes per vertex, which the edges stay in, and 6 bytes per vertex while they are brought together.
  [[nodiscard]] resident_forest spanning_forest(const resident_graph& g, const solve_options& options = {}, const execution& on = {});

  /// Proves, with kernels of its own that share no code with those that solve, what copse::verify proves on the CPU, in its words; of
  /// labels with several faults the one of the smallest vertex is told.
  /// O(n + arcs), 4 bytes per vertex. Labels in host memory are copied first: what is proved is what was copied out.
  [[nodiscard]] verdict verify(const resident_graph& g, const resident_labels& labels);
  [[nodiscard]] verdict verify(const resident_graph& g, const labelling& in_host_memory);

  /// copse::checksum() of the labels, where they are: of vertices that are named 0 .. n - 1. O(n).
  [[nodiscard]] std::uint64_t checksum(const resident_labels& labels);

  /// Vertices are named 0 .. n - 1 unless `names` says otherwise.
  /// Into the caller's memory, one label per vertex.
  void copy_out(const resident_labels& labels, std::span<std::uint32_t> to);
  [[nodiscard]] labelling copy_out(const resident_labels& labels, std::pmr::memory_resource* memory = host_memory());
  [[nodiscard]] labelling copy_out(const resident_labels& labels, vertex_names names, std::pmr::memory_resource* memory = host_memory());
  /// Into the caller's memory, which has room for all edges, and for one label per vertex if they were asked for and are wanted.
  void copy_out(const resident_forest& forest, std::span<edge<std::uint32_t>> edges, std::span<std::uint32_t> labels = {});
  /// Of a forest of the graph that has these names.
  [[nodiscard]] forest_result copy_out(const resident_forest& forest, vertex_names names,
                                       std::pmr::memory_resource* memory = host_memory());

protected:
  struct parts;
  gpu_solver(const gpu_solver_options& options, const execution& on, const gpu_techniques& techniques);
  std::unique_ptr<parts> parts_;
};

}  // namespace copse
