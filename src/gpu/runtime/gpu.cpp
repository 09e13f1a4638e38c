#include <gpu/runtime/checked.hpp>
#include <gpu/runtime/gpu.hpp>

#include <string>

namespace copse::backend {

gpu::gpu(unsigned index) : index_{static_cast<int>(index)} {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0) {
    static_cast<void>(cudaGetLastError());
    throw resource_error{std::string{"cuda: found no GPU ("} +
                         (status == cudaSuccess ? "the driver lists none" : cudaGetErrorString(status)) +
                         "), expected one; --device cpu solves without"};
  }
  if (index_ >= count) {
    throw usage_error{"device: found cuda:" + std::to_string(index) + ", expected cuda:0" +
                      (count == 1 ? "" : " to cuda:" + std::to_string(count - 1))};
  }
  checked(cudaGetDevice(&before_), "asking for the device");
  checked(cudaSetDevice(index_), "choosing the device");
  const auto attribute = [this](cudaDeviceAttr which) {
    int value = 0;
    checked(cudaDeviceGetAttribute(&value, which, index_), "asking what the device has");
    return static_cast<unsigned>(value);
  };
  multiprocessors_ = attribute(cudaDevAttrMultiProcessorCount);
  major_capability_ = attribute(cudaDevAttrComputeCapabilityMajor);
  try {
    checked(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream");
    checked(cudaHostAlloc(&answer_, answer_bytes, cudaHostAllocDefault), "allocating page-locked memory");
  } catch (...) {
    release();
    throw;
  }
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
  if (stream_ != nullptr) {
    static_cast<void>(cudaStreamSynchronize(stream_));
    static_cast<void>(cudaStreamDestroy(stream_));
  }
  static_cast<void>(cudaFreeHost(answer_));
  if (fetched_before_ != 0) static_cast<void>(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, fetched_before_));
  static_cast<void>(cudaSetDevice(before_));
}

}  // namespace copse::backend
