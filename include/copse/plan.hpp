// What a graph costs before it is solved: how large it is, the bytes and seconds of each way to find its components, and the device that
// execution::device `auto` takes, with the reason.
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

/// What ids are like, which decides how they are numbered.
enum class id_shape : std::uint8_t { dense, sparse, strings };

struct graph_size {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  std::uint64_t arcs = 0;  ///< stored arcs if both directions are stored in rows; 0 for a list of edges
  id_shape ids = id_shape::dense;
  std::uint64_t slots = 0;         ///< one more than the largest id; for strings their number
  std::uint64_t string_bytes = 0;  ///< the bytes of all names together
  bool declared = false;           ///< the vertices are known before the first edge arrives
};

/// The size of a graph in memory, by the positions of its vertices. O(1).
[[nodiscard]] graph_size size_of_graph(graph_view g) noexcept;
/// The size of a list of edges between vertices of these names. O(1) for integers; for strings each one is looked at.
[[nodiscard]] graph_size size_of_list(const vertex_names& names, std::uint64_t edges);

/// A source of edges as a plan sees it.
struct sized_source {
  graph_size size;          ///< vertices: an upper bound, except for graphs in memory
  std::string origin;       ///< where the size comes from: "counted", "from 16 of 900 pieces of about 1 MB", "as given"
  bool streamed = true;     ///< on the CPU auto unites the edges while it parses them; otherwise the graph is held
  std::string hidden = {};  ///< why `auto` cannot look at the source before it is read, and takes the CPU; empty if it can
};
/// The size of a file, or of several edge lists that are one graph. Sixteen pieces stand for a large file that can be cut; other files are
/// read from end to end. Counts nothing in input.counts. Throws what io::parse throws, and usage_error for a pipe.
[[nodiscard]] sized_source size_of_files(std::span<const std::filesystem::path> paths, const io::read_options& input,
                                         const execution& on = {});

/// The bytes of an id if there are `ids` of them: 4 or 8.
[[nodiscard]] std::uint64_t id_bytes_for(std::uint64_t ids) noexcept;
/// The peak memory of components() of files whose edges are united while they are parsed, and of summarise() of the answer.
[[nodiscard]] std::uint64_t bytes_of_stream(const graph_size& size) noexcept;
/// The bytes of a list of edges and its labels.
[[nodiscard]] std::uint64_t bytes_of_list(const graph_size& size) noexcept;

// Seconds.

/// Rates of a machine for some number of threads. To unite is slower where the parents do not fit the caches.
struct machine_rates {
  double parse_seconds_per_edge = 0;                                  ///< text of the ids in question, united in the caches
  double seconds_per_vertex = 0;                                      ///< parsing such text: to number a new vertex, and to label it
  double near_seconds_per_edge = 0;                                   ///< to unite in the caches, with the edges in memory
  double far_seconds_per_edge = 0;                                    ///< the same over far_vertices
  double row_seconds_per_arc = 0;                                     ///< solving rows that store both directions
  double merge_seconds_per_vertex = 0;                                ///< merging two forests, including their reading
  double gpu_start_seconds = 0;                                       ///< to initialise CUDA
  std::optional<double> link_bytes_per_second, gpu_seconds_per_edge;  ///< if there is a GPU

  static constexpr std::uint64_t near_vertices = std::uint64_t{1} << 16;
  std::uint64_t far_vertices = std::uint64_t{1} << 24;  ///< fewer under a memory limit
  /// Interpolates by the logarithm of the number of vertices between the two that were measured; constant beyond them.
  [[nodiscard]] double unite_seconds_per_edge(std::uint64_t vertices) const noexcept;
};

/// Measures the rates for a graph of such ids by small runs, those of rows if `rows`, in a second or two. Uses the threads and the memory
/// of `on`; the runs are small enough for `limit_bytes` of it, or for least_planning_bytes if that is more.
[[nodiscard]] machine_rates measure_rates(id_shape ids, bool rows, const execution& on, std::uint64_t limit_bytes);

/// The memory that a plan takes itself, however small the limit of what is planned.
inline constexpr std::uint64_t least_planning_bytes = std::uint64_t{8} << 20;

// Ways.

struct planned_way {
  std::string name = {};
  std::string device = {};
  std::uint64_t bytes = 0;             ///< the peak memory of each worker
  std::optional<double> seconds = {};  ///< nothing if the device is not there, so that nothing was measured
  bool fits = true;
  std::string remark = {};
};

struct plan_question {
  graph_size size;
  unsigned threads = 1;
  std::uint64_t memory_bytes = 0;               ///< the memory of this machine, or a limit of the caller
  std::uint64_t gpu_memory_bytes = UINT64_MAX;  ///< the most that may be taken of a GPU
  std::optional<unsigned> workers;
  double network_bytes_per_second = 0;
};

/// The seconds of one solve on the CPU, once the input is read.
[[nodiscard]] double expected_on_cpu(const graph_size& size, const machine_rates& rates);

/// The ways on the CPU, and on workers that are machines like this one.
[[nodiscard]] std::vector<planned_way> ways_on_cpu(const plan_question& asked, const machine_rates& rates);

/// The ways on GPUs, with bytes of GPU memory, and seconds that include the start and copies. For each GPU: the graph held in its memory,
/// and the edges streamed through it, as far as its ids are wide enough; and the stream through the first two GPUs, the first three, and so
/// on. Without a GPU: what both ways would need of one, without seconds.
[[nodiscard]] std::vector<planned_way> ways_on_gpus(std::span<const gpu_facts> all, const graph_size& size, const machine_rates& rates);

// The device of `auto`: the CPU or one GPU, whichever is expected to finish one solve first. Reading the input is not counted, as it costs
// both the same.

struct device_question {
  graph_size graph;
  unsigned threads = 1;
  std::uint64_t gpu_memory_bytes = UINT64_MAX;  ///< the most that may be taken of a GPU
};

struct device_choice {
  std::string device = "cpu";  ///< or cuda:i
  std::string reason = {};     ///< one line: what is expected of both sides
  std::string way = {};        ///< on that GPU, as ways_on_gpus() names it
};

/// No GPU starts sooner: what the CPU solves in this time needs no GPU.
inline constexpr double quickest_gpu_start_seconds = 0.1;

/// Chooses by rates that are known. Precondition: if there are GPUs, the rates include those of a GPU, unless the CPU takes less than
/// quickest_gpu_start_seconds.
[[nodiscard]] device_choice choose_device(const device_question& asked, const machine_rates& rates, std::span<const gpu_facts> all);

/// Chooses by rates that are measured once per process and number of threads. Nothing is measured, and CUDA is not initialised, if that
/// would take longer than solving, unless `explained` asks for the seconds in the reason. Of `on` the threads, the GPU memory, the observer
/// and the memory are used. If there is no memory to measure, the CPU is chosen.
[[nodiscard]] device_choice device_for(const graph_size& size, const execution& on, bool explained = false);
/// Chooses for files, whose size is estimated first; the CPU if reading them takes longer than solving them, or is possible only once.
[[nodiscard]] device_choice device_for(std::span<const std::filesystem::path> paths, const io::read_options& input, const execution& on,
                                       bool explained = false);

// All together, as `copse plan` prints it.

struct plan_options {
  std::optional<unsigned> workers;                      ///< also as many processes, which exchange partial answers
  std::uint64_t network_bytes_per_second = 1250000000;  ///< between workers: 10 Gbit/s
};

struct solve_plan {
  plan_question asked;
  std::string sizes;  ///< sized_source::origin
  std::vector<planned_way> ways;
  std::string auto_device, auto_way, auto_reason;  ///< what components() on the device `auto` takes
};

/// Plans by rates that are known. Arithmetic only.
[[nodiscard]] solve_plan make_plan(const plan_question& asked, const sized_source& source, const machine_rates& rates,
                                   std::span<const gpu_facts> gpus);

/// Measures the rates, and plans for this machine and `on`: its threads, its GPU memory, and its memory if that is a tracked_memory, whose
/// limit is then what a way has to fit.
[[nodiscard]] solve_plan plan_components(const sized_source& source, const plan_options& options = {}, const execution& on = {});
/// Plans for files, whose size comes from size_of_files().
[[nodiscard]] solve_plan plan_components(std::span<const std::filesystem::path> paths, const io::read_options& input,
                                         const plan_options& options = {}, const execution& on = {});

}  // namespace copse
