// Estimates before a graph is solved: its size, the bytes and seconds of each way to find its components, and the device that
// execution::device `auto` chooses, with the reason.
#pragma once
#include <copse/cuda.hpp>
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/io.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace copse {

// Sizes.

/// The kind of ids, which decides how vertices are numbered.
enum class id_shape : std::uint8_t { dense, sparse, strings };

struct graph_size {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  std::uint64_t arcs = 0;  ///< number of stored arcs of rows that store both directions; 0 for a list of edges
  id_shape ids = id_shape::dense;
  std::uint64_t slots = 0;         ///< one more than the largest id; for strings, the number of ids
  std::uint64_t string_bytes = 0;  ///< total bytes of all names
  bool declared = false;           ///< true if the vertices are known before the first edge is read
};

/// What a plan needs to know about a graph that is in memory: its numbers of vertices and edges; the ids are taken to be 0 .. n - 1. O(1).
[[nodiscard]] graph_size size_of_graph(graph_view g) noexcept;
/// Returns the graph_size, from which a plan estimates time and memory, of a list of `edges` edges between vertices with these names: the
/// numbers of vertices and edges, and the kind, range and total length of the names. O(1) if the names are integers; O(vertices) for
/// strings.
[[nodiscard]] graph_size size_of_list(const vertex_names& names, std::uint64_t edges);

/// A source of edges, and its size, as the input of a plan.
struct sized_source {
  graph_size size;     ///< the number of vertices is an upper bound, except for graphs in memory
  std::string origin;  ///< how the size was found: "counted", "from 16 of 900 pieces of about 1 MB", "as given"
  /// True if the variant auto on the CPU unites edges while it parses them; false if the graph is stored in memory.
  bool streamed = true;
  /// Why the device `auto` takes the CPU for this source without comparing expected times; empty if it compares them.
  std::string hidden = {};
};
/// Estimates the size of a file, or of several edge lists that are one graph. A large file that can be cut is estimated from sixteen
/// pieces; other files are read completely. Does not change input.counts. Throws what io::parse throws, and usage_error for a pipe.
[[nodiscard]] sized_source size_of_files(std::span<const std::filesystem::path> paths, const io::read_options& input,
                                         const execution& on = {});

/// The bytes per id, 4 or 8, that are needed for `ids` different ids.
[[nodiscard]] std::uint64_t id_bytes_for(std::uint64_t ids) noexcept;
/// The peak memory of components() of files whose edges are united while they are parsed, and of summarise() of the answer.
[[nodiscard]] std::uint64_t bytes_of_stream(const graph_size& size) noexcept;
/// The memory of a list of edges and its labels, in bytes.
[[nodiscard]] std::uint64_t bytes_of_list(const graph_size& size) noexcept;

// Seconds.

/// Speeds of a machine with a certain number of threads. Uniting is slower if the parents do not fit the caches.
struct machine_rates {
  double parse_seconds_per_edge = 0;  ///< parsing text whose ids are of the measured kind, and uniting edges if the caches hold all parents
  double seconds_per_vertex = 0;      ///< numbering a new vertex while text is parsed, and labelling it
  double near_seconds_per_edge = 0;   ///< uniting edges in memory if the graph has few vertices (2^16), whose parents fit the caches
  double far_seconds_per_edge = 0;    ///< uniting edges in memory if there are far_vertices vertices, whose parents exceed the caches
  double row_seconds_per_arc = 0;     ///< solving rows that store both directions
  double merge_seconds_per_vertex = 0;  ///< merging the partial answers of two workers, for each vertex of each
  double gpu_start_seconds = 0;         ///< initialising CUDA
  /// Set if there is a GPU: the speed of copies to and from it, and its seconds of solving per edge.
  std::optional<double> link_bytes_per_second, gpu_seconds_per_edge;

  static constexpr std::uint64_t near_vertices = std::uint64_t{1} << 16;
  std::uint64_t far_vertices = std::uint64_t{1} << 24;  ///< far_seconds_per_edge is for this many vertices; fewer if memory is limited
  /// The expected seconds of uniting per edge of a graph with this number of vertices: interpolates between the rates of near_vertices and
  /// far_vertices by the logarithm of the number of vertices; constant outside of this range.
  [[nodiscard]] double unite_seconds_per_edge(std::uint64_t vertices) const noexcept;
};

/// Measures the rates for graphs whose ids are of the kind `ids` by small runs, including the rate for rows if `rows` is true, in a second
/// or two. Uses the threads and the memory of `on`; the runs fit into `limit_bytes` of memory, or into least_planning_bytes if that is
/// more.
[[nodiscard]] machine_rates measure_rates(id_shape ids, bool rows, const execution& on, std::uint64_t limit_bytes);

/// Memory in bytes that planning may use itself, even if the limit for the planned solve is smaller.
inline constexpr std::uint64_t least_planning_bytes = std::uint64_t{8} << 20;

// Ways.

struct planned_way {
  std::string name = {};
  std::string device = {};
  std::uint64_t bytes = 0;             ///< peak memory of each worker
  std::optional<double> seconds = {};  ///< not set if the device is not present and could not be measured
  bool fits = true;
  std::string remark = {};
};

struct plan_question {
  graph_size size;
  unsigned threads = 1;
  std::uint64_t memory_bytes = 0;               ///< memory of this machine, or a limit set by the caller
  std::uint64_t gpu_memory_bytes = UINT64_MAX;  ///< limit for the memory used on each GPU
  std::optional<unsigned> workers;
  double network_bytes_per_second = 0;
};

/// The expected seconds of one solve on the CPU, excluding reading the input.
[[nodiscard]] double expected_on_cpu(const graph_size& size, const machine_rates& rates);

/// The ways to solve on the CPU, and on several workers, which are machines like this one.
[[nodiscard]] std::vector<planned_way> ways_on_cpu(const plan_question& asked, const machine_rates& rates);

/// The ways to solve on GPUs, with bytes of GPU memory, and seconds that include initialising CUDA and copies. For each GPU: the graph
/// stored in its memory, and the edges streamed through it, if its 32-bit ids suffice; then the edges streamed through the first two GPUs,
/// the first three, and so on. Without a GPU: the bytes that both ways would need, without seconds.
[[nodiscard]] std::vector<planned_way> ways_on_gpus(std::span<const gpu_facts> all, const graph_size& size, const machine_rates& rates);

// The choice of the device `auto`: the CPU or one GPU, whichever is expected to finish one solve first. Reading the input is not included,
// as it takes the same time for both.

struct device_question {
  graph_size graph;
  unsigned threads = 1;
  std::uint64_t gpu_memory_bytes = UINT64_MAX;  ///< limit for the memory used on each GPU
};

struct device_choice {
  std::string device = "cpu";  ///< "cpu" or "cuda:i"
  std::string reason = {};     ///< one line: the expected times of CPU and GPU
  std::string way = {};        ///< for a GPU, how it solves: planned_way::name of one of ways_on_gpus()
};

/// Lower bound for the time to initialise a GPU: if the CPU solves a graph in less time, no GPU is considered.
inline constexpr double quickest_gpu_start_seconds = 0.1;

/// Chooses the CPU or a GPU by given rates. Precondition: if there are GPUs, the rates include those of a GPU, unless the CPU takes less
/// than quickest_gpu_start_seconds.
[[nodiscard]] device_choice choose_device(const device_question& asked, const machine_rates& rates, std::span<const gpu_facts> all);

/// Chooses the CPU or a GPU by rates that are measured once per process and number of threads. If measuring would take longer than solving,
/// nothing is measured and CUDA is not initialised, unless `explained` requests the expected seconds in the reason. Of `on` the threads,
/// the GPU memory, the observer and the memory are used. If there is not enough memory to measure, it chooses the CPU.
[[nodiscard]] device_choice device_for(const graph_size& size, const execution& on, bool explained = false);
/// Chooses a device for files, whose size is estimated first. It is the CPU if the files can be read only once, or if reading them takes
/// longer than solving (compressed files, and text that only one thread can parse).
[[nodiscard]] device_choice device_for(std::span<const std::filesystem::path> paths, const io::read_options& input, const execution& on,
                                       bool explained = false);

// Complete plans, as `copse plan` prints them.

struct plan_options {
  std::optional<unsigned> workers;                      ///< if set, also plan for this many processes, which exchange partial answers
  std::uint64_t network_bytes_per_second = 1250000000;  ///< between workers; the default is 10 Gbit/s
};

struct solve_plan {
  plan_question asked;
  std::string sizes;  ///< how the size of the graph was found, as in sized_source::origin
  std::vector<planned_way> ways;
  std::string auto_device, auto_way, auto_reason;  ///< what components() with the device `auto` would choose
};

/// Plans from given rates, without measuring anything.
[[nodiscard]] solve_plan make_plan(const plan_question& asked, const sized_source& source, const machine_rates& rates,
                                   std::span<const gpu_facts> gpus);

/// Measures the rates, and plans for this machine and for the threads, GPU memory and memory of `on`. If its memory is a tracked_memory, a
/// way fits if it needs no more than its limit.
[[nodiscard]] solve_plan plan_components(const sized_source& source, const plan_options& options = {}, const execution& on = {});
/// Plans for files, whose size comes from size_of_files().
[[nodiscard]] solve_plan plan_components(std::span<const std::filesystem::path> paths, const io::read_options& input,
                                         const plan_options& options = {}, const execution& on = {});

}  // namespace copse
