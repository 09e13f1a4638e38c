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

  /// `stage` is a short word ("read", "build", "solve", "write"); `done` of `total` are in `unit` ("bytes", "vertices"); total 0: unknown.
  virtual void progress(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit) = 0;

  /// Something the user should know although nothing is wrong ("ids are not numeric: read as strings"). One line, no newline.
  virtual void note(std::string_view text) { static_cast<void>(text); }

  /// Polled between blocks of work; true makes the call throw copse::cancelled.
  [[nodiscard]] virtual bool cancel_requested() const noexcept { return false; }
};

/// The most threads that a call uses, whatever it asks for.
inline constexpr unsigned most_threads = 1024;

/// How many threads a call uses: `requested`, at most most_threads, or for 0 the cores that this process may really use (affinity mask and
/// container CPU quota, cgroup v1 and v2, respected), at least 1.
[[nodiscard]] unsigned usable_threads(unsigned requested) noexcept;

/// CUDA's cudaStream_t, without its headers. Null is the legacy default stream, whatever the caller was compiled for;
/// cudaStreamPerThread is what it is for CUDA.
using cuda_stream = CUstream_st*;

/// How a call runs: the optional last argument of the functions that read, solve, write or verify, and of the constructors of objects that
/// do. Each field has a default; a function that has no use for a field does not look at it.
struct execution {
  /// `cpu`; `cuda` or `cuda:0`, one GPU; `cuda:0,1` or `cuda:all`, several, each of which takes a part of the edges (and two parts if it is
  /// listed twice); `hybrid` or `hybrid:0`, the CPU and one GPU together; `auto`, for components() by the variant auto the CPU or one
  /// GPU, whichever is expected to finish first (copse/plan.hpp), and for all other calls the CPU. Variants of cuda and hybrid run on GPU 0
  /// where it says `cpu`. Functions throw usage_error for other text, and for a device on which they cannot run.
  std::string device = "cpu";
  unsigned threads = 0;                               ///< 0: all cores that the process may use
  std::uint64_t gpu_memory = UINT64_MAX;              ///< the most bytes that the call takes of the memory of each GPU
  std::optional<cuda_stream> stream = std::nullopt;   ///< where work is enqueued whose input is in the memory of a GPU
  copse::observer* observer = nullptr;                ///< receives progress and can cancel
  std::pmr::memory_resource* memory = host_memory();  ///< where large arrays come from, the answer's too, so it must outlive them
};

/// What execution::device names.
struct named_devices {
  std::vector<unsigned> gpus;  ///< in the order in which `device` names them; empty for the CPU, and for all GPUs
  bool all_gpus = false;       ///< every GPU of this machine
  bool hybrid = false;         ///< the CPU together with the GPU
  bool by_cost = false;        ///< `auto`: the CPU, except for components(), which chooses

  /// True if the edges are divided among GPUs, of which there may be one.
  [[nodiscard]] bool several() const noexcept { return all_gpus || gpus.size() > 1; }
};

/// Reads on.device; does not check that the GPUs exist. Throws usage_error for an unknown name.
[[nodiscard]] named_devices devices_of(const execution& on);

}  // namespace copse
