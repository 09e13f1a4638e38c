// GPUs, and graphs that stay in the memory of one.
#pragma once
#include <copse/components.hpp>
#include <copse/graph.hpp>
#include <copse/hidden.hpp>
#include <copse/io.hpp>
#include <copse/labels.hpp>
#include <copse/options.hpp>
#include <copse/spanning_forest.hpp>
#include <copse/variants.hpp>
#include <copse/verify.hpp>
#include <copse/views.hpp>
#include <copse/weighted_forest.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
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

/// True if this build has the GPU part. Without it there are no cuda variants.
[[nodiscard]] bool built_with_cuda() noexcept;

/// The GPUs of this machine that work; none without the GPU part.
[[nodiscard]] std::vector<gpu_facts> gpus();

/// Host memory from which copies to a GPU run at full speed and overlap with kernels; lives as long as the program.
[[nodiscard]] std::pmr::memory_resource* pinned_memory();

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

/// Writes the labels and waits until they are complete. A view that is not trusted is checked on the GPU first, in O(n + arcs): throws
/// usage_error, which says what is wrong and where; what it leaves unknown about its rows is found out. Any cuda variant will do. The
/// report's solve_seconds are by the GPU's clock, without the check.
solve_report components(device_graph_view g, device_span<std::uint32_t> labels, const solve_options& options = {},
                        const execution& on = {});

// Graphs that stay in the memory of a GPU: copied there once, or already there, solved any number of times. Their labels stay there too.

struct gpu_graph_options {
  std::string variant = "auto";                     ///< the graph leaves room for what this variant needs
  problem_kind problem = problem_kind::components;  ///< or forest, or weighted_forest: what the graph will be solved for
  bool time_phases = false;                         ///< report the phases of solves too, which costs some microseconds between them
  /// Lets the limit cudaLimitMaxL2FetchGranularity of the device, which is the whole process's, be 32 while a graph of 16 and more arcs
  /// per vertex exists. Sampling such rows is then up to a sixth faster (docs/explanation/gpu.md).
  bool short_fetches = false;
};

/// A column of weights in the memory of a GPU, one for each arc of rows; as weights_view.
using device_weights_view =
    std::variant<device_span<const float>, device_span<const double>, device_span<const std::int32_t>, device_span<const std::uint32_t>,
                 device_span<const std::int64_t>, device_span<const std::uint64_t>>;

/// Canonical labels in the memory of a GPU. The graph that they are of may go before them; a stream of the caller's may not.
class gpu_labels {
public:
  /// For kernels only: the host may not read it.
  [[nodiscard]] device_span<const std::uint32_t> on_device() const noexcept;
  /// `solve_seconds` is by the GPU's clock, from before the first store to after the last label; copies are no part of it.
  [[nodiscard]] const solve_report& report() const noexcept;

  /// Copies into the caller's memory, one label per vertex.
  void copy_out(std::span<std::uint32_t> to) const;
  /// Without names the vertices are named 0 .. n - 1.
  [[nodiscard]] labelling copy_out(std::pmr::memory_resource* memory = host_memory()) const;
  [[nodiscard]] labelling copy_out(vertex_names names, std::pmr::memory_resource* memory = host_memory()) const;

private:
  friend struct gpu_access;
  struct parts;
  explicit gpu_labels(hidden<parts> owned) noexcept : parts_{std::move(owned)} {}
  hidden<parts> parts_;
};

/// The edges of a spanning forest in the memory of a GPU; labels if they were asked for; of a weighted forest the arcs, too.
class gpu_spanning_forest {
public:
  /// n - k edges in no order, and n labels or none. For kernels only: the host may not read them. Those of a weighted forest are written
  /// when they are first asked for, or when the next search in its graph begins: the graph must exist then. Throws resource_error.
  [[nodiscard]] device_span<const edge<std::uint32_t>> edges_on_device() const;
  /// The arc of each edge of a weighted forest, from the smaller end of the edge. It has the weight of the edge.
  [[nodiscard]] device_span<const std::uint32_t> arcs_on_device() const noexcept;
  [[nodiscard]] device_span<const std::uint32_t> labels_on_device() const noexcept;
  /// `solve_seconds` and phases are by the GPU's clock: "allocate", "join" until every edge of the forest is found, "collect" until they
  /// are contiguous, "labels". For a weighted forest, if phases are timed: "keys", "first round", "list", "rounds", "trees" and "collect",
  /// by cuda.ecl_mst "keys", "list" and "rounds".
  [[nodiscard]] const solve_report& report() const noexcept;

  /// Copies into the caller's memory, which has room for all edges, and for one label per vertex if they were asked for and are wanted.
  void copy_out(std::span<edge<std::uint32_t>> edges, std::span<std::uint32_t> labels = {}) const;
  void copy_out_arcs(std::span<std::uint32_t> arcs) const;
  /// `names`: those of the vertices of the graph.
  [[nodiscard]] forest_result copy_out(vertex_names names, std::pmr::memory_resource* memory = host_memory()) const;

private:
  friend struct gpu_access;
  struct parts;
  explicit gpu_spanning_forest(hidden<parts> owned) noexcept : parts_{std::move(owned)} {}
  hidden<parts> parts_;
};

/// A graph in the memory of a GPU, as a source of the functions below.
///
/// It is on the GPU of `on.stream`, if there is one, and otherwise of `on.device`; its memory there is limited by `on.gpu_memory`. All work
/// on it is enqueued on that stream, or on one of its own, and calls wait for it, because they hand something to the host: numbers, copies,
/// seconds. Only the calls whose names end in _async wait for nothing: they need `on.stream`. One thread at a time uses a graph and its
/// labels; several graphs may be at work at once, on one GPU or on many. The calling thread's current device is the same after each call.
///
/// Whatever makes a graph throws resource_error when there is no GPU, no GPU part in this build, or no room, with the numbers, before
/// anything is copied; usage_error when there is no GPU of that number, for 64-bit ids and for what is no cuda variant.
class gpu_graph {
public:
  /// A copy. O(bytes of the graph).
  [[nodiscard]] static gpu_graph copy_of(graph_view in_host_memory, const gpu_graph_options& options = {}, const execution& on = {});
  /// Copies a weight for each arc, too. Throws usage_error unless there are as many weights as arcs.
  [[nodiscard]] static gpu_graph copy_of(graph_view in_host_memory, weights_view weights, const gpu_graph_options& options = {},
                                         const execution& on = {});

  /// The caller's arrays: nothing is copied or looked at, and they outlive what is returned. They hold the graph when the stream comes to a
  /// solve: work that writes them has ended, or comes before on `on.stream`. Throws usage_error for sizes that do not fit together, null
  /// pointers, and memory of the host or of another GPU.
  [[nodiscard]] static gpu_graph borrow(device_graph_view g, const gpu_graph_options& options = {}, const execution& on = {});
  /// Borrows a weight for each arc, too.
  [[nodiscard]] static gpu_graph borrow(device_graph_view g, const device_weights_view& weights, const gpu_graph_options& options = {},
                                        const execution& on = {});

  /// True for files that `read` takes: ECL's .egr and GAP's .sg, whose rows are stored as a GPU needs them, unless a least weight drops
  /// arcs.
  [[nodiscard]] static bool reads(const std::filesystem::path& path, const io::read_options& input = {});
  /// The rows of a file, straight to the GPU: no graph is made in host memory, and what the file claims is checked there. Otherwise as
  /// io::read_graph, whose exceptions these are too; offsets are as wide as in the file. Throws usage_error when !reads(). Room is left for
  /// what a chooser needs for sorted rows of both directions, as the rows are not known yet.
  [[nodiscard]] static gpu_graph read(const std::filesystem::path& path, const io::read_options& input = {},
                                      const gpu_graph_options& options = {}, const execution& on = {});
  /// The rows of a generator spec, made on the GPU: the arrays that gen::generate makes, of 32-bit ids. Making them takes 32 bytes for each
  /// edge of the spec, which go when it ends. Throws usage_error for a bad spec and for more vertices than 32 bits count.
  [[nodiscard]] static gpu_graph generate(std::string_view spec, const gpu_graph_options& options = {}, const execution& on = {});

  /// What a GPU must have free for a copy of the graph, its labels, and the arrays of the variant; temporary memory of a solve may come on
  /// top. Throws usage_error for 64-bit ids, for what is no cuda variant, and for weighted forests.
  [[nodiscard]] static std::uint64_t bytes_needed(graph_view g, const std::string& variant = "auto",
                                                  problem_kind problem = problem_kind::components);

  [[nodiscard]] std::uint32_t vertices() const noexcept;
  /// Arcs of rows, or edges of a list.
  [[nodiscard]] std::uint64_t arcs() const noexcept;
  /// True for rows that are known to store both directions of every edge.
  [[nodiscard]] bool both_directions() const noexcept;
  /// The number of edges: where both directions are stored, a pair of arcs is one. O(arcs) unless the graph was read or generated.
  [[nodiscard]] std::uint64_t edges() const;

private:
  friend struct gpu_access;
  struct parts;
  explicit gpu_graph(hidden<parts> owned) noexcept : parts_{std::move(owned)} {}
  hidden<parts> parts_;
};

/// Labels of a graph that is there. `options.variant`: a cuda variant, or auto. `options.count` is for union-find rules that are named with
/// their find, alone or after kout or hb; others are refused. Of `on` the observer is used. Throws usage_error for another variant, or for
/// one that needs both directions of every edge where the rows are not known to have them; resource_error; cancelled.
[[nodiscard]] gpu_labels components(const gpu_graph& g, const solve_options& options = {}, const execution& on = {});

/// Labels of a list of edges that was copied, by a variant that may overwrite the list, as for components_in_place() of an array
/// (extend/in_place.hpp). Throws usage_error for rows and for what was borrowed.
[[nodiscard]] gpu_labels components_in_place(gpu_graph& g, const solve_options& options = {}, const execution& on = {});

/// By a variant of hybrid (docs/explanation/hybrid.md): while the GPU solves the other vertices of g, the CPU solves the first, whose rows
/// it reads in `in_host_memory`: the same graph, or a view of its first rows. `on.threads` and `on.memory` are the CPU's.
/// report().solve_seconds is wall-clock. Throws usage_error also when the CPU gets more rows than there are.
[[nodiscard]] gpu_labels components(const gpu_graph& g, graph_view in_host_memory, const solve_options& options = {},
                                    const execution& on = {});

/// Enqueues, on the stream that the graph was made with, what writes its canonical labels into `labels`, one per vertex, and returns. The
/// graph must exist until they are written. Throws usage_error for a graph that was made without a stream, as the caller could not know
/// when that is; otherwise what components_async of a view throws.
void components_async(const gpu_graph& g, device_span<std::uint32_t> labels, const solve_options& options = {});

/// A spanning forest by a cuda variant of variants(problem_kind::forest), or auto; otherwise as components(). Beside what that variant
/// takes for components a slot of 8 bytes per vertex, which the edges stay in, and 6 bytes per vertex while they are brought together.
[[nodiscard]] gpu_spanning_forest spanning_forest(const gpu_graph& g, const solve_options& options = {}, const execution& on = {});

/// Enqueues, as components_async() does, a spanning forest of rows by cuda.hb.fast or cuda.none.fast (or auto where it takes one of them).
/// `edges` has room for one per vertex: the first `count[0]` of them become the forest, and the others anything. `labels`: one per vertex
/// for the canonical labels, or empty.
void spanning_forest_async(const gpu_graph& g, device_span<edge<std::uint32_t>> edges, device_span<std::uint32_t> count,
                           device_span<std::uint32_t> labels = {}, const solve_options& options = {});

/// The minimum or maximum spanning forest of symmetric rows with sorted targets, fewer than 2^32 - 1 arcs, and a weight for each: the same
/// set of edges as that of weighted_forest() of a graph in host memory. Of the options the variant (one of cuda, or auto) and the goal are
/// used. The memory of a search stays with the graph for the next one: 44 bytes per vertex and 32 for each of at most 3 candidates per
/// vertex, with cuda.ecl_mst 16 per vertex and 32 per edge; and 4 per arc where weights are no 32-bit unsigned ones to be minimised. A
/// graph that was made for problem_kind::weighted_forest has it from the start. Borrowed rows that are not trusted are checked on the GPU
/// first, outside the clock, which finds out what the view leaves unknown. Throws usage_error for rows that are wrong, for a graph of
/// another form or without weights; input_error for a weight that is not a number, with its place; resource_error; cancelled.
[[nodiscard]] gpu_spanning_forest weighted_forest(const gpu_graph& g, const weighted_forest_options& options = {},
                                                  const execution& on = {});

/// Proves, with kernels of its own that share no code with those that solve, what copse::verify proves on the CPU, in its words; of several
/// faults the one of the smallest vertex is reported. O(n + arcs), 4 bytes per vertex. Labels in host memory are copied first:
/// what is proved is what was copied out.
[[nodiscard]] verdict verify(const gpu_graph& g, const gpu_labels& labels);
[[nodiscard]] verdict verify(const gpu_graph& g, const labelling& in_host_memory);

/// checksum() of the labels, where they are: of vertices that are named 0 .. n - 1. O(n).
[[nodiscard]] std::uint64_t checksum(const gpu_labels& labels);

/// A solve by the fast path made ready: its memory is allocated and its kernels are captured, so that solving again costs little more than
/// the kernels do (graphs of 2^18 vertices and 2^24 arcs at most: one kernel). For streams of graphs of one size, which are on the GPU of
/// `like` and of which none has more arcs.
class gpu_prepared_solve {
public:
  /// On the GPU and the stream of `like`, which may go before this does. `options.variant`: cuda.hb.fast, cuda.none.fast, or auto where it
  /// takes one of them; otherwise usage_error. Throws resource_error.
  explicit gpu_prepared_solve(const gpu_graph& like, const solve_options& options = {}, const execution& on = {});
  /// The labels stay here until the next solve. Throws usage_error for a graph that this was not made for; cancelled.
  [[nodiscard]] const gpu_labels& components(const gpu_graph& g);
  /// Labels of the caller's arrays, which are not checked, as those of gpu_graph::borrow() are not.
  [[nodiscard]] const gpu_labels& components(device_graph_view g);
  /// Enqueues the solve on the stream and returns where the labels will be. This object and the graph must exist until they are written.
  /// The report of the labels is not changed. Throws usage_error also if `like` was made without a stream.
  device_span<const std::uint32_t> components_async(const gpu_graph& g);

private:
  struct parts;
  hidden<parts> parts_;
};

}  // namespace copse
