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

// The GPUs of this machine, on which cuda variants run.

struct gpu_facts {
  unsigned index;  ///< the i of the device name cuda:i
  std::string name;
  unsigned capability_major, capability_minor;
  unsigned multiprocessors;
  std::uint64_t memory_bytes, free_bytes;
};

/// True if this build has the GPU part. Without it there are no cuda variants.
[[nodiscard]] bool built_with_cuda() noexcept;

/// The GPUs of this machine that work; none without the GPU part.
[[nodiscard]] std::vector<gpu_facts> gpus();

/// Page-locked host memory, from which copies to a GPU run at full speed and overlap with kernels; the resource lives as long as the
/// program.
[[nodiscard]] std::pmr::memory_resource* pinned_memory();

// Solving arrays of the caller in the memory of a GPU, in the order of the caller's stream.

/// Enqueues work on `on.stream` (or else on the legacy default stream) that writes the canonical labels of `g` into `labels`, one per
/// vertex, and returns: the host waits for nothing, and the arrays need not be written yet. The work is ordered with other work on the
/// stream, as any kernel is. The arrays must stay valid until the labels are written. Scratch memory, on the fast path at most 8 bytes per
/// vertex and one per arc, comes from a stream-ordered pool. Kernels are loaded when they are first needed; CUDA may block once for this.
///
/// The GPU is that of the stream; for a default stream, and for every stream before CUDA 12.8, it is the calling thread's current device.
/// The arrays of the view are not checked: rows that the view does not call symmetric or sorted are assumed to be neither, and a wrong
/// offset or target is undefined behaviour. Only the options `variant` and `seed` are used. The variant is auto (which decides by the sizes
/// and flags of the view), cuda.hb.fast, cuda.none.fast, or a union-find rule without a sampler, such as cuda.none.rem_cas.naive.halve_one;
/// other variants are refused, because the host waits between their rounds.
///
/// Throws usage_error for sizes that do not fit together, null pointers, memory of the host or of another GPU, and refused variants;
/// resource_error when the GPU's memory runs out, and when there is no GPU or this build has no CUDA part. Several threads may call it at
/// once.
void components_async(device_graph_view g, device_span<std::uint32_t> labels, const solve_options& options = {}, const execution& on = {});

/// Writes the labels and waits until they are complete. A view that is not trusted is checked on the GPU first, in O(n + arcs): an invalid
/// one throws usage_error, which says what is wrong and where, and unknown flags (symmetric, sorted) are determined. Takes any cuda
/// variant. The report's solve_seconds are measured by the GPU's clock, without the check.
solve_report components(device_graph_view g, device_span<std::uint32_t> labels, const solve_options& options = {},
                        const execution& on = {});

// Graphs that stay in the memory of a GPU, copied or borrowed once and solved any number of times. Their labels stay in its memory too.

struct gpu_graph_options {
  std::string variant = "auto";                     ///< the variant that will solve the graph: its arrays must fit into the GPU, too
  problem_kind problem = problem_kind::components;  ///< the problem that the graph will be solved for
  bool time_phases = false;                         ///< also report the phases of each solve, which adds some microseconds between them
  /// Sets the device limit cudaLimitMaxL2FetchGranularity, which applies to the whole process, to 32 bytes while a graph with 16 or more
  /// arcs per vertex exists. Sampling such rows is then up to a sixth faster (docs/explanation/gpu.md).
  bool short_fetches = false;
};

/// A column of weights in the memory of a GPU, one for each arc of rows: the counterpart of weights_view.
using device_weights_view =
    std::variant<device_span<const float>, device_span<const double>, device_span<const std::int32_t>, device_span<const std::uint32_t>,
                 device_span<const std::int64_t>, device_span<const std::uint64_t>>;

/// Canonical labels in the memory of a GPU. They may outlive their graph, but not the caller's stream that the graph was made with.
class gpu_labels {
public:
  /// The labels in GPU memory, for kernels only: the host may not read them.
  [[nodiscard]] device_span<const std::uint32_t> on_device() const noexcept;
  /// `solve_seconds` is by the GPU's clock, from before the first store to after the last label was written; it does not include copies.
  [[nodiscard]] const solve_report& report() const noexcept;

  /// Copies into the caller's memory, one label per vertex.
  void copy_out(std::span<std::uint32_t> to) const;
  /// Copies the labels to host memory. The overload without `names` names the vertices 0 .. n - 1.
  [[nodiscard]] labelling copy_out(std::pmr::memory_resource* memory = host_memory()) const;
  [[nodiscard]] labelling copy_out(vertex_names names, std::pmr::memory_resource* memory = host_memory()) const;

private:
  friend struct gpu_access;
  struct parts;
  explicit gpu_labels(hidden<parts> owned) noexcept : parts_{std::move(owned)} {}
  hidden<parts> parts_;
};

/// A spanning forest in the memory of a GPU: its edges, the labels if requested, and for a weighted forest also the arcs.
class gpu_spanning_forest {
public:
  /// n - k edges in no particular order. For kernels only: the host may not read them. The edges of a weighted forest are written at the
  /// first call, or when the next search in its graph begins; until then the graph must exist. Throws resource_error.
  [[nodiscard]] device_span<const edge<std::uint32_t>> edges_on_device() const;
  /// For each edge of a weighted forest, the index (among all arcs) of its arc in the row of the smaller end. This arc has the weight of
  /// the edge.
  [[nodiscard]] device_span<const std::uint32_t> arcs_on_device() const noexcept;
  [[nodiscard]] device_span<const std::uint32_t> labels_on_device() const noexcept;
  /// `solve_seconds` and phases are by the GPU's clock. Phases: "allocate"; "join", until every edge of the forest is found; "collect",
  /// until the edges are contiguous; "labels". Of a weighted forest, if phases are timed: "keys" (weights as sortable integers), "first
  /// round", "list" (edges between trees), "rounds", "trees" (numbering them anew) and "collect"; with the variant cuda.ecl_mst only
  /// "keys", "list" and "rounds".
  [[nodiscard]] const solve_report& report() const noexcept;

  /// Copies the edges to the caller's memory, which has room for all of them. If `labels` is not empty, it has one element per vertex, and
  /// the forest must have labels.
  void copy_out(std::span<edge<std::uint32_t>> edges, std::span<std::uint32_t> labels = {}) const;
  void copy_out_arcs(std::span<std::uint32_t> arcs) const;
  /// Copies the forest to host memory. `names` are those of the graph's vertices.
  [[nodiscard]] forest_result copy_out(vertex_names names, std::pmr::memory_resource* memory = host_memory()) const;

private:
  friend struct gpu_access;
  struct parts;
  explicit gpu_spanning_forest(hidden<parts> owned) noexcept : parts_{std::move(owned)} {}
  hidden<parts> parts_;
};

/// A graph in the memory of a GPU, which components(), spanning_forest() and weighted_forest() below solve.
///
/// It is on the GPU of `on.stream` if that is set, and otherwise on `on.device`; its memory there is limited by `on.gpu_memory`. All work
/// on the graph is enqueued on that stream, or on a stream of its own. Calls wait for the work, because they return results to the host;
/// only those whose names end in _async do not wait, and these need `on.stream`. Only one thread at a time may use a graph and its labels;
/// several graphs can be used concurrently, on one GPU or several. Every call leaves the calling thread's current device unchanged.
///
/// The functions that make a graph throw resource_error when there is no GPU, no CUDA part in this build, or too little memory (with the
/// numbers, before anything is copied); usage_error when there is no GPU of the given number, for 64-bit ids, and for a variant that is not
/// a cuda variant.
class gpu_graph {
public:
  /// Copies a graph to the GPU. O(bytes of the graph).
  [[nodiscard]] static gpu_graph copy_of(graph_view in_host_memory, const gpu_graph_options& options = {}, const execution& on = {});
  /// Copies a graph and a weight for each arc to the GPU. Throws usage_error unless there are as many weights as arcs.
  [[nodiscard]] static gpu_graph copy_of(graph_view in_host_memory, weights_view weights, const gpu_graph_options& options = {},
                                         const execution& on = {});

  /// Uses the caller's arrays in GPU memory, which must outlive the returned object: nothing is copied or checked. When the stream reaches
  /// a solve, the arrays must be complete: the work that writes them has ended, or was enqueued earlier on `on.stream`. Throws usage_error
  /// for sizes that do not fit together, null pointers, and memory of the host or of another GPU.
  [[nodiscard]] static gpu_graph borrow(device_graph_view g, const gpu_graph_options& options = {}, const execution& on = {});
  /// Uses the caller's arrays in GPU memory, as borrow() above does, and in addition a weight for each arc.
  [[nodiscard]] static gpu_graph borrow(device_graph_view g, const device_weights_view& weights, const gpu_graph_options& options = {},
                                        const execution& on = {});

  /// True for files that read() can load: ECL's .egr and GAP's .sg, which store rows as a GPU needs them, unless `input` has a least
  /// weight, which would drop arcs.
  [[nodiscard]] static bool reads(const std::filesystem::path& path, const io::read_options& input = {});
  /// Reads the rows of a file directly into GPU memory: no graph is made in host memory, and the file's contents are validated on the GPU.
  /// Throws what io::read_graph throws, and usage_error when !reads(). Offsets are as wide as in the file. Because the rows are not known
  /// in advance, the GPU must have room for what the variant auto needs for sorted rows with both directions.
  [[nodiscard]] static gpu_graph read(const std::filesystem::path& path, const io::read_options& input = {},
                                      const gpu_graph_options& options = {}, const execution& on = {});
  /// Makes the rows of a generator spec on the GPU: the same arrays as gen::generate, with 32-bit ids. During generation it needs 32 bytes
  /// for each edge of the spec. Throws usage_error for a bad spec and for more vertices than 32-bit ids can number.
  [[nodiscard]] static gpu_graph generate(std::string_view spec, const gpu_graph_options& options = {}, const execution& on = {});

  /// The bytes that must be free on a GPU for a copy of the graph, its labels, and the arrays of the variant; a solve may need temporary
  /// memory in addition. Throws usage_error for 64-bit ids, for a variant that is not a cuda variant, and for weighted forests.
  [[nodiscard]] static std::uint64_t bytes_needed(graph_view g, const std::string& variant = "auto",
                                                  problem_kind problem = problem_kind::components);

  [[nodiscard]] std::uint32_t vertices() const noexcept;
  /// The number of stored arcs of rows, or of edges of a list.
  [[nodiscard]] std::uint64_t arcs() const noexcept;
  /// True for rows that are known to store both directions of every edge.
  [[nodiscard]] bool both_directions() const noexcept;
  /// The number of edges. If rows store both directions, a pair of arcs is one edge. O(arcs) unless the graph was read or generated.
  [[nodiscard]] std::uint64_t edges() const;

private:
  friend struct gpu_access;
  struct parts;
  explicit gpu_graph(hidden<parts> owned) noexcept : parts_{std::move(owned)} {}
  hidden<parts> parts_;
};

/// Labels of a graph in GPU memory. `options.variant` is a cuda variant or auto. `options.count` (counting operations) works for variants
/// whose name includes a find rule, such as cuda.none.rem_cas.naive.halve_one, without a sampler or with a kout sampler or hb; for others
/// it is refused. Only the observer of `on` is used. Throws usage_error for another variant, and for one that needs both directions of
/// every edge if the rows are not known to store them; resource_error; cancelled.
[[nodiscard]] gpu_labels components(const gpu_graph& g, const solve_options& options = {}, const execution& on = {});

/// Labels of a copied edge list, by a variant that may overwrite the list; the counterpart of components_in_place() for host arrays
/// (extend/in_place.hpp). Throws usage_error for rows and for borrowed arrays.
[[nodiscard]] gpu_labels components_in_place(gpu_graph& g, const solve_options& options = {}, const execution& on = {});

/// Labels by a hybrid variant (docs/explanation/hybrid.md): the CPU solves the first vertices of g and the GPU, at the same time, the
/// others. The CPU reads its rows from `in_host_memory`: the same graph, or a view of its first rows. `on.threads` and `on.memory` are the
/// CPU's. report().solve_seconds is wall-clock time. Throws usage_error also when the CPU's share has more rows than `in_host_memory`.
[[nodiscard]] gpu_labels components(const gpu_graph& g, graph_view in_host_memory, const solve_options& options = {},
                                    const execution& on = {});

/// Enqueues, on the stream that the graph was made with, work that writes its canonical labels into `labels`, one per vertex, and returns.
/// The graph must exist until they are written. Throws usage_error for a graph that was made without a stream, because the caller could not
/// tell when they are written; otherwise what components_async() of a view throws.
void components_async(const gpu_graph& g, device_span<std::uint32_t> labels, const solve_options& options = {});

/// A spanning forest by a cuda variant of variants(problem_kind::forest), or auto. Arguments and exceptions are those of components(). In
/// addition to the memory that the variant needs for components, it takes 8 bytes per vertex, in which the edges are returned, and 6
/// temporary bytes per vertex.
[[nodiscard]] gpu_spanning_forest spanning_forest(const gpu_graph& g, const solve_options& options = {}, const execution& on = {});

/// Enqueues a spanning forest of rows, as components_async() does for labels, by cuda.hb.fast or cuda.none.fast (or auto if it chooses
/// one of them). `edges` has one element per vertex: the first `count[0]` of them become the forest, the rest is unspecified. `labels`
/// has one element per vertex for the canonical labels, or is empty.
void spanning_forest_async(const gpu_graph& g, device_span<edge<std::uint32_t>> edges, device_span<std::uint32_t> count,
                           device_span<std::uint32_t> labels = {}, const solve_options& options = {});

/// The minimum or maximum spanning forest of symmetric rows with sorted targets, fewer than 2^32 - 1 arcs, and a weight for each: the same
/// set of edges as weighted_forest() finds for a graph in host memory. Of the options the variant (a cuda variant, or auto) and the goal
/// are used.
///
/// The scratch memory stays with the graph for the next call: 44 bytes per vertex and 32 for each of at most 3 candidate edges per vertex;
/// with cuda.ecl_mst 16 per vertex and 32 per edge; and 4 more per arc unless 32-bit unsigned weights are minimised. A graph that was made
/// for problem_kind::weighted_forest has it from the start. Borrowed rows that are not trusted are checked on the GPU first, which is not
/// part of the measured time and determines the flags that the view leaves unknown.
///
/// Throws usage_error for invalid rows, for a graph of another form or without weights; input_error for a weight that is not a number, with
/// its position; resource_error; cancelled.
[[nodiscard]] gpu_spanning_forest weighted_forest(const gpu_graph& g, const weighted_forest_options& options = {},
                                                  const execution& on = {});

/// Verifies labels on the GPU, with kernels that share no code with the solvers, and returns the same verdict text as copse::verify; of
/// several faults it reports the one with the smallest vertex. O(n + arcs) time, 4 bytes per vertex. The overload for labels in host memory
/// copies them to the GPU and so proves what was copied out.
[[nodiscard]] verdict verify(const gpu_graph& g, const gpu_labels& labels);
[[nodiscard]] verdict verify(const gpu_graph& g, const labelling& in_host_memory);

/// checksum() of labels in GPU memory, for vertices that are named 0 .. n - 1. O(n).
[[nodiscard]] std::uint64_t checksum(const gpu_labels& labels);

/// A prepared solve by the fast path: memory is allocated and kernels are captured once, so that each solve costs little more than its
/// kernels (a single kernel for graphs of at most 90,000 vertices and 2^23 arcs). For a sequence of graphs on the GPU of `like` that have
/// as many vertices as `like` and at most as many arcs.
class gpu_prepared_solve {
public:
  /// Prepares solves on the GPU and the stream of `like`, which need not outlive this object. `options.variant` is cuda.hb.fast,
  /// cuda.none.fast, or auto if it chooses one of them; otherwise it throws usage_error. Throws resource_error.
  explicit gpu_prepared_solve(const gpu_graph& like, const solve_options& options = {}, const execution& on = {});
  /// Returns the labels of `g`, which are valid until the next solve. Throws usage_error unless `g` is rows with as many vertices as the
  /// graph `like` that was given to the constructor, and at most as many arcs; cancelled.
  [[nodiscard]] const gpu_labels& components(const gpu_graph& g);
  /// Like components() above, for the caller's arrays in GPU memory, which are not checked.
  [[nodiscard]] const gpu_labels& components(device_graph_view g);
  /// Enqueues the solve on the stream and returns where the labels will be. This object and the graph must exist until they are written.
  /// Does not update the report of the labels that components() returned. Throws what components() throws, and usage_error if the
  /// constructor's graph was made without a stream.
  device_span<const std::uint32_t> components_async(const gpu_graph& g);

private:
  struct parts;
  hidden<parts> parts_;
};

}  // namespace copse
