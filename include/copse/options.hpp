// What a caller may ask of a solve, and who is told how it goes on.
#pragma once
#include <copse/memory.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace copse {

// How a long call tells its caller where it stands, and how the caller stops it. The library itself never prints.

/// Receives progress. Called from any thread, a few times a second at most; must be thread-safe and cheap.
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
unsigned usable_threads(unsigned requested) noexcept;

// What a caller may ask of a solve; samplers and finishes read their numbers here.

struct solve_options {
  std::string variant = "auto";   ///< a name of variants(), or auto
  unsigned threads = 0;           ///< 0: all cores that the process may use
  unsigned kout_rounds = 2;       ///< k of the kout sampler
  unsigned hb_arcs = 2;           ///< arcs that each remaining root joins in the hb sampler (paper: 4)
  double ldd_beta = .2;           ///< share of edges that the ldd sampler cuts, about
  double stages_q = 1;            ///< edges a vertex in one group of the stages sampler
  unsigned giant_samples = 1024;  ///< vertices asked for the giant's label
  bool count = false;             ///< count what the solve does, in report.work, instead of solving fast (32-bit ids only)
  std::uint64_t seed = 1;         ///< of everything random
  /// Solve on this GPU, by a variant of the backend cuda (auto chooses one). Without it such variants run on GPU 0.
  std::optional<unsigned> gpu = std::nullopt;
  copse::observer* observer = nullptr;
  std::pmr::memory_resource* memory = host_memory();
};

}  // namespace copse
