// How a call runs: on which device, on how many threads, in which memory, and with which observer.
#pragma once
#include <copse/memory.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct CUstream_st;

namespace copse {

/// Receives the progress of a call, and can stop it; the library itself never prints. Called from any thread, a few times a second at most;
/// must be thread-safe and cheap.
class observer {
public:
  virtual ~observer() = default;

  /// Reports progress. `stage` is a short word ("read", "build", "solve", "write"); `done` of `total` are in `unit` ("bytes", "vertices");
  /// a total of 0 is unknown.
  virtual void progress(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit) = 0;

  /// Something the user should know although nothing is wrong ("ids are not numeric: read as strings"). One line, no newline.
  virtual void note(std::string_view text) { static_cast<void>(text); }

  /// Polled between blocks of work; true makes the call throw copse::cancelled.
  [[nodiscard]] virtual bool cancel_requested() const noexcept { return false; }
};

/// Upper limit for the threads of a call, whatever it requests.
inline constexpr unsigned most_threads = 1024;

/// The number of threads that a call uses. For `requested` of 1 or more: `requested`, at most most_threads. For 0: the cores that this
/// process may use (by affinity mask and container CPU quota of cgroup v1 and v2), at least 1.
[[nodiscard]] unsigned usable_threads(unsigned requested) noexcept;

/// CUDA's cudaStream_t, declared without CUDA's headers. Null is the legacy default stream, even if the caller was compiled for per-thread
/// default streams; cudaStreamPerThread has its usual meaning.
using cuda_stream = CUstream_st*;

/// How a call runs: the optional last argument of functions that read, solve, write or verify, and of constructors of objects that do. Each
/// field has a default; a function ignores the fields that it has no use for.
struct execution {
  /// `cpu`; `cuda` or `cuda:0`, one GPU; `cuda:0,1` or `cuda:all`, several GPUs, each of which takes a part of the edges (and two parts if
  /// it is listed twice); `hybrid` or `hybrid:0`, the CPU and one GPU together; `auto`: components() by the variant auto uses the CPU or
  /// one GPU, whichever is expected to finish first (copse/plan.hpp), and all other calls use the CPU. If the device is `cpu`, cuda and
  /// hybrid variants run on GPU 0. Functions throw usage_error for other text, and for a device on which they cannot run.
  std::string device = "cpu";
  unsigned threads = 0;                   ///< 0: all cores that the process may use
  std::uint64_t gpu_memory = UINT64_MAX;  ///< limit on the bytes that the call allocates on each GPU
  /// The stream on which work is enqueued if its input is in the memory of a GPU.
  std::optional<cuda_stream> stream = std::nullopt;
  copse::observer* observer = nullptr;                ///< receives progress and can cancel
  std::pmr::memory_resource* memory = host_memory();  ///< allocates large arrays, also those of the result: must outlive them
};

/// The devices that execution::device names.
struct named_devices {
  std::vector<unsigned> gpus;  ///< numbers of the GPUs, in the order of `device`; empty for the CPU and for all GPUs
  bool all_gpus = false;       ///< every GPU of this machine
  bool hybrid = false;         ///< the CPU together with one GPU
  bool by_cost = false;        ///< `auto`: the CPU, except for components(), which chooses the CPU or a GPU

  /// True if the edges are divided among GPUs, of which there may be one.
  [[nodiscard]] bool several() const noexcept { return all_gpus || gpus.size() > 1; }
};

/// Parses on.device; does not check that the GPUs exist. Throws usage_error for an unknown name.
[[nodiscard]] named_devices devices_of(const execution& on);

}  // namespace copse
