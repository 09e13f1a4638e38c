// How many bytes and seconds each way of solving would take, and which device that favours: the one estimator behind copse plan,
// --device auto and copse info. Arithmetic only, so the same facts give the same answer: probes.hpp measures rates and sizes.
#pragma once
#include <copse/cuda.hpp>
#include <copse/graph.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace copse::cli {

/// What ids are like, which decides what tells them apart.
enum class id_shape : std::uint8_t { dense, sparse, strings };

struct graph_size {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  std::uint64_t arcs = 0;  ///< of rows that hold both directions; 0: it is a list of edges
  id_shape ids = id_shape::dense;
  std::uint64_t slots = 0;         ///< one more than the largest id; of strings their number
  std::uint64_t string_bytes = 0;  ///< of all names
  bool declared = false;           ///< are vertices known before the first edge comes?
};
graph_size size_of(const vertex_names& names, std::uint64_t edges);

/// Ids of 4 bytes where so many are told apart, otherwise of 8.
std::uint64_t id_bytes_for(std::uint64_t ids) noexcept;

// Bytes.

/// Of copse components when edges pass by: parents and what tells the ids apart and, once they have, what the answer and its summary take
/// in addition.
std::uint64_t bytes_of_stream(const graph_size& size) noexcept;
/// Of a list of edges and its labels.
std::uint64_t bytes_of_list(const graph_size& size) noexcept;

// Seconds.

/// Measured on this machine, with the threads that were asked for. Uniting is dear where parents do not fit the caches.
struct machine_rates {
  double parse_seconds_per_edge = 0;                                  ///< text of the ids in question, united in the caches
  double seconds_per_vertex = 0;                                      ///< of such text: to meet it, and to give it a label
  double near_seconds_per_edge = 0;                                   ///< uniting in the caches, edges in memory
  double far_seconds_per_edge = 0;                                    ///< the same over far_vertices
  double row_seconds_per_arc = 0;                                     ///< of rows with both directions
  double merge_seconds_per_vertex = 0;                                ///< of two forests, both read
  double gpu_start_seconds = 0;                                       ///< of a GPU that has done nothing yet
  std::optional<double> link_bytes_per_second, gpu_seconds_per_edge;  ///< where there is a GPU

  static constexpr std::uint64_t near_vertices = std::uint64_t{1} << 16;
  std::uint64_t far_vertices = std::uint64_t{1} << 24;  ///< fewer under a memory limit
  /// Between the two sizes that were measured by the logarithm, beyond them as at the nearer one.
  [[nodiscard]] double unite_seconds_per_edge(std::uint64_t vertices) const noexcept;
};

struct way {
  std::string name = {};
  std::string device = {};
  std::uint64_t bytes = 0;             ///< of each worker
  std::optional<double> seconds = {};  ///< nothing: the device is not there, so nothing was measured
  bool fits = true;
  std::string remark = {};
};

struct plan_question {
  graph_size size;
  unsigned threads = 1;
  std::uint64_t memory_bytes = 0;  ///< of this machine, or as the user limits it
  std::optional<unsigned> workers;
  double network_bytes_per_second = 0;
};

/// Of the CPU for one solve, once the input is read.
double expected_on_cpu(const graph_size& size, const machine_rates& rates);

/// Ways of the CPU and of workers that are like it; ways of GPUs are added by who knows the GPUs.
std::vector<way> ways_of(const plan_question& asked, const machine_rates& rates);

/// Ways on GPUs: bytes of their memory and seconds, start-up and copies included. On each of them the graph held in its memory and the
/// edges streamed through it, as far as its ids are wide enough, and of several the stream through the first two, the first three, and so
/// on to all. Where there is none, what both would need of one, without seconds.
std::vector<way> ways_of_gpus(std::span<const gpu_facts> all, const graph_size& size, const machine_rates& rates);

// --device auto: the CPU or a GPU, by what each is expected to take for one solve. Reading the input is left out, as it costs both the
// same.

struct device_question {
  graph_size graph;
  unsigned threads = 1;
  std::uint64_t gpu_memory_bytes = UINT64_MAX;  ///< the most that may be taken of a GPU
};

struct device_choice {
  std::string device = "cpu";  ///< or cuda:i
  std::string reason = {};     ///< one line: what is expected of both sides
  std::string way = {};        ///< of that GPU, by the name that ways_of_gpus gives it
};

/// No GPU is awake sooner. What the CPU solves in this time needs no GPU, nor a look at one, which would wake it.
inline constexpr double quickest_gpu_start_seconds = 0.1;

/// Of one solve, once the input is read, whatever parsing takes. The GPU that is expected to be done first, if that is sooner than the CPU.
/// Precondition: with GPUs, the rates are of one, too, unless the CPU takes less than quickest_gpu_start_seconds.
device_choice choose_device(const device_question& asked, const machine_rates& rates, std::span<const gpu_facts> all);

}  // namespace copse::cli
