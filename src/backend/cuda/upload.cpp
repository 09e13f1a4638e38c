#include <backend/cuda/checked.hpp>
#include <backend/cuda/upload.hpp>
#include <copse/core/error.hpp>
#include <copse/core/threads.hpp>
#include <core/parallel.hpp>

#include <algorithm>
#include <cstring>

namespace copse::backend {

upload::upload(const gpu& on, std::size_t piece_bytes, unsigned threads, observer* watcher)
    : on_{on}, piece_bytes_{piece_bytes}, threads_{usable_threads(threads)}, watcher_{watcher} {
  try {
    for (piece& p : pieces_) {
      checked(cudaHostAlloc(reinterpret_cast<void**>(&p.bytes), piece_bytes_, cudaHostAllocDefault), "allocating page-locked memory");
      checked(cudaEventCreateWithFlags(&p.fetched, cudaEventDisableTiming), "making an event");
    }
  } catch (...) {
    release();
    throw;
  }
}

upload::~upload() { release(); }

void upload::release() noexcept {
  static_cast<void>(cudaStreamSynchronize(on_.stream()));  // the GPU may still be fetching
  for (piece& p : pieces_) {
    if (p.fetched != nullptr) static_cast<void>(cudaEventDestroy(p.fetched));
    if (p.bytes != nullptr) static_cast<void>(cudaFreeHost(p.bytes));
  }
}

void upload::copy(void* to, const void* from, std::size_t bytes) {
  constexpr std::size_t block_bytes = std::size_t{1} << 19;  // of one thread's turn: pages of a file come in by many threads, or slowly
  for (std::size_t done = 0; done < bytes;) {
    if (watcher_ != nullptr && watcher_->cancel_requested()) throw cancelled{};
    const piece& p = pieces_[next_];
    next_ = 1 - next_;
    const std::size_t count = std::min(piece_bytes_, bytes - done);
    const char* const source = static_cast<const char*>(from) + done;
    checked(cudaEventSynchronize(p.fetched), "copying the graph");  // at once, before its first use
    parallel_blocks(threads_, count, block_bytes,
                    [&](std::size_t begin, std::size_t end) { std::memcpy(p.bytes + begin, source + begin, end - begin); });
    checked(cudaMemcpyAsync(static_cast<char*>(to) + done, p.bytes, count, cudaMemcpyHostToDevice, on_.stream()), "copying the graph");
    checked(cudaEventRecord(p.fetched, on_.stream()), "copying the graph");
    done += count;
  }
}

}  // namespace copse::backend
