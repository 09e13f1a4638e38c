#include <gpu/runtime/checked.hpp>
#include <gpu/runtime/gpu.hpp>

#include <string>

namespace copse::backend {
namespace {

/// Throws where there is none.
int count_gpus() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0) {
    static_cast<void>(cudaGetLastError());
    throw resource_error{std::string{"cuda: found no GPU ("} +
                         (status == cudaSuccess ? "the driver lists none" : cudaGetErrorString(status)) +
                         "), expected one; the option device cpu solves without"};
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
    throw usage_error{"device: found cuda:" + std::to_string(index) + ", expected cuda:0" +
                      (count == 1 ? "" : " to cuda:" + std::to_string(count - 1))};
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
  // A launch would be blamed for what is left behind. Who asks for an event that has not come yet leaves cudaErrorNotReady.
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

void* gpu::answer() const {
  if (answer_ == nullptr) checked(cudaHostAlloc(&answer_, answer_bytes, cudaHostAllocDefault), "allocating page-locked memory");
  return answer_;
}

gpu::~gpu() { release(); }

void gpu::fetch_at_once(bool shorter) {
  if (shorter == (fetched_before_ != 0)) return;
  std::size_t before = 0;
  checked(cudaDeviceGetLimit(&before, cudaLimitMaxL2FetchGranularity), "asking for the L2 cache's limit");
  checked(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, shorter ? 32 : fetched_before_), "setting the L2 cache's limit");
  fetched_before_ = shorter ? before : 0;
}

void gpu::release() noexcept {
  if (owns_stream_) {
    static_cast<void>(cudaStreamSynchronize(stream_));
    static_cast<void>(cudaStreamDestroy(stream_));
  }
  if (answer_ != nullptr) static_cast<void>(cudaFreeHost(answer_));
  if (fetched_before_ != 0) static_cast<void>(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, fetched_before_));
  static_cast<void>(cudaSetDevice(before_));
}

}  // namespace copse::backend
