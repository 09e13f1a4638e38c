// Copies from pageable memory, a mapped file above all, to a GPU: through two pieces of page-locked memory, so that the next piece is
// filled, by several threads, while the GPU fetches the last.
#pragma once
#include <cuda_runtime_api.h>
#include <backend/cuda/gpu.hpp>
#include <copse/core/observer.hpp>

#include <array>
#include <cstddef>

namespace copse::backend {

class upload {
public:
  /// `threads`: 0: all cores. `on` outlives this.
  upload(const gpu& on, std::size_t piece_bytes, unsigned threads, observer* watcher);
  upload(const upload&) = delete;
  ~upload();

  /// Enqueues all but the last pieces' arrival: what reads `to` comes later in the stream of the GPU. Throws cancelled.
  void copy(void* to, const void* from, std::size_t bytes);

private:
  struct piece {
    char* bytes = nullptr;
    cudaEvent_t fetched = nullptr;  ///< when it may be filled again
  };

  void release() noexcept;

  const gpu& on_;
  std::size_t piece_bytes_;
  unsigned threads_;
  observer* watcher_;
  std::array<piece, 2> pieces_;
  std::size_t next_ = 0;
};

}  // namespace copse::backend
