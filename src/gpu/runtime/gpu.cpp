#include <gpu/runtime/gpu.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace copse::backend {
namespace {

/// The number of GPUs. Throws if there is none.
int count_gpus() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0) {
    static_cast<void>(cudaGetLastError());
    throw resource_error{std::string{"cuda: found no GPU ("} +
                         (status == cudaSuccess ? "the driver lists none" : cudaGetErrorString(status)) + "); use the option device cpu"};
  }
  return count;
}

int device_of(cudaStream_t stream) {
  int device = 0;
#if CUDART_VERSION >= 12080
  if (stream != nullptr && stream != cudaStreamLegacy && stream != cudaStreamPerThread) {
    checked(cudaStreamGetDevice(stream, &device), "asking for the device of a stream");
    return device;
  }
#endif
  checked(cudaGetDevice(&device), "asking for the device");
  return device;
}

}  // namespace

gpu::gpu(unsigned index) : index_{static_cast<int>(index)} {
  const int count = count_gpus();
  if (index_ >= count) {
    throw usage_error{"the device must be cuda:0" + (count == 1 ? std::string{} : " to cuda:" + std::to_string(count - 1)) +
                      ", not cuda:" + std::to_string(index)};
  }
  choose_device();
  try {
    checked(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream");
    owns_stream_ = true;
    static_cast<void>(answer());
  } catch (...) {
    release();
    throw;
  }
}

gpu::gpu(callers_stream theirs) : stream_{theirs.stream} {
  static_cast<void>(count_gpus());
  // An error that an earlier call left behind would later be reported by a kernel launch, so it is reported here. cudaErrorNotReady is not
  // an error: a query of an unfinished event leaves it.
  if (const cudaError_t left = cudaGetLastError(); left != cudaErrorNotReady) checked(left, "an earlier call of this thread");
  index_ = device_of(stream_);
  choose_device();
}

void gpu::choose_device() {
  checked(cudaGetDevice(&before_), "asking for the device");
  checked(cudaSetDevice(index_), "choosing the device");
  const auto attribute = [this](cudaDeviceAttr which) {
    int value = 0;
    checked(cudaDeviceGetAttribute(&value, which, index_), "asking what the device has");
    return static_cast<unsigned>(value);
  };
  multiprocessors_ = attribute(cudaDevAttrMultiProcessorCount);
  major_capability_ = attribute(cudaDevAttrComputeCapabilityMajor);
}

namespace {

/// Page-locked memory for answers that no gpu object uses now. Allocating it takes longer than many solves, so it is never freed.
struct unused_answers {
  std::mutex guard;
  std::vector<void*> blocks;
};
unused_answers& answers() {
  static auto* const all = new unused_answers;
  return *all;
}

}  // namespace

void* gpu::answer() const {
  if (answer_ != nullptr) return answer_;
  const std::lock_guard lock{answers().guard};
  if (answers().blocks.empty()) {
    checked(cudaHostAlloc(&answer_, answer_bytes, cudaHostAllocPortable), "allocating page-locked memory");
    answers().blocks.reserve(answers().blocks.capacity() + 1);  // so that release() need not allocate memory
  } else {
    answer_ = answers().blocks.back();
    answers().blocks.pop_back();
  }
  return answer_;
}

gpu::~gpu() { release(); }

namespace {

/// The L2 fetch granularity of a device before it was lowered, and the number of gpu objects that currently lower it.
struct fetch_limit {
  std::mutex guard;
  unsigned holders = 0;
  std::size_t before = 0;
};
fetch_limit& fetch_limit_of(int device) {
  static std::mutex guard;
  static std::map<int, fetch_limit> limits;
  const std::lock_guard lock{guard};
  return limits[device];
}

}  // namespace

void gpu::fetch_at_once(bool shorter) {
  if (shorter == (fetched_before_ != 0)) return;
  fetch_limit& limit = fetch_limit_of(index_);
  const std::lock_guard lock{limit.guard};
  if (shorter && limit.holders == 0) {
    checked(cudaDeviceGetLimit(&limit.before, cudaLimitMaxL2FetchGranularity), "asking for the L2 cache's limit");
    checked(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 32), "setting the L2 cache's limit");
  }
  limit.holders += shorter ? 1 : -1;
  if (limit.holders == 0) static_cast<void>(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, limit.before));
  fetched_before_ = shorter ? limit.before : 0;
}

void gpu::release() noexcept {
  if (owns_stream_) {
    static_cast<void>(cudaStreamSynchronize(stream_));
    static_cast<void>(cudaStreamDestroy(stream_));
  }
  if (answer_ != nullptr) {
    const std::lock_guard lock{answers().guard};
    answers().blocks.push_back(answer_);
  }
  fetch_at_once(false);
  static_cast<void>(cudaSetDevice(before_));
}

namespace {

// The bytes that a pool keeps for the next solve, because mapping memory again takes milliseconds: 1 / kept_share of the device's memory,
// but at least 2 GiB. Pools return the rest, which other processes may need.
constexpr std::uint64_t kept_share = 32, least_kept_bytes = std::uint64_t{2} << 30;

/// Returns this process's memory pool on a device, which is made once, or null if the device does not support pools.
cudaMemPool_t pool_of(int device) {
  static std::mutex guard;
  static std::map<int, cudaMemPool_t> pools;
  const std::lock_guard lock{guard};
  if (const auto known = pools.find(device); known != pools.end()) return known->second;
  int supported = 0;
  checked(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device), "asking for memory pools");
  cudaMemPool_t pool = nullptr;
  if (supported != 0) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, device};
    checked(cudaMemPoolCreate(&pool, &properties), "making a memory pool");
    cudaDeviceProp device_has{};
    checked(cudaGetDeviceProperties(&device_has, device), "asking for a device's memory");
    std::uint64_t kept = std::max(least_kept_bytes, device_has.totalGlobalMem / kept_share);
    checked(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept), "setting up a memory pool");
  }
  pools.emplace(device, pool);
  return pool;
}

}  // namespace

gpu_memory::gpu_memory(const gpu& on) : on_{on}, pool_{pool_of(on.index())} {}

// A pool takes memory from the device in pieces of this size, but fails to take the last free piece, which therefore does not count as
// free.
constexpr std::uint64_t mapped_at_once = std::uint64_t{32} << 20;

std::uint64_t gpu_memory::free_bytes() const {
  std::size_t free_bytes = 0, all_bytes = 0;
  checked(cudaMemGetInfo(&free_bytes, &all_bytes), "asking for free memory");
  std::uint64_t reserved = 0, used = 0;
  if (pool_ != nullptr) {
    checked(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrReservedMemCurrent, &reserved), "asking a memory pool");
    checked(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrUsedMemCurrent, &used), "asking a memory pool");
  }
  if (pool_ == nullptr) return free_bytes;
  const std::uint64_t pieces = free_bytes / mapped_at_once;
  return (pieces == 0 ? 0 : pieces - 1) * mapped_at_once + (reserved - used);
}

void* gpu_memory::do_allocate(std::size_t bytes, std::size_t /*alignment*/) {
  void* pointer = nullptr;
  const cudaError_t status = pool_ != nullptr ? cudaMallocFromPoolAsync(&pointer, bytes, pool_, on_.stream()) : cudaMalloc(&pointer, bytes);
  if (status == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    std::size_t free_bytes = 0, all_bytes = 0;
    checked(cudaMemGetInfo(&free_bytes, &all_bytes), "asking for free memory");
    throw resource_error{"out of memory on cuda:" + std::to_string(on_.index()) + ": " + std::to_string(bytes) + " bytes more needed, " +
                         std::to_string(free_bytes) + " of " + std::to_string(all_bytes) + " free"};
  }
  checked(status, "allocating");
  return pointer;
}

void gpu_memory::do_deallocate(void* pointer, std::size_t /*bytes*/, std::size_t /*alignment*/) {
  static_cast<void>(pool_ != nullptr ? cudaFreeAsync(pointer, on_.stream()) : cudaFree(pointer));
}

bool let_read(int reader, int owner) {
  if (reader == owner) return true;
  int possible = 0;
  checked(cudaDeviceCanAccessPeer(&possible, reader, owner), "asking what a GPU reaches");
  if (possible == 0) return false;
  if (const cudaMemPool_t pool = pool_of(owner); pool != nullptr) {
    cudaMemAccessDesc access{};
    access.location = {cudaMemLocationTypeDevice, reader};
    access.flags = cudaMemAccessFlagsProtReadWrite;
    checked(cudaMemPoolSetAccess(pool, &access, 1), "letting another GPU read");
  }
  return true;
}

}  // namespace copse::backend
