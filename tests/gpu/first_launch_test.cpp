// How far is it from a caller's arrays to the first launch on a GPU? As tests/unit/first_loop_test.cpp; the linker puts functions of this
// file in the place of those that launch kernels.
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <copse/components.hpp>
#include <copse/generate.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "gpu/gpu.hpp"
#include "support/road.hpp"

namespace {

copse::test::road to_first_launch;

}  // namespace

// Names that the linker gives with --wrap (CMakeLists.txt): of what <<<>>> becomes, and of cudaLaunchKernelEx.
extern "C" {
cudaError_t __real___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                      cudaStream_t stream);
cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                      cudaStream_t stream) {
  to_first_launch.note();
  return __real___cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
cudaError_t __real_cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments);
cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
  to_first_launch.note();
  return __real_cudaLaunchKernelExC(config, kernel, arguments);
}
}

namespace copse::test {
namespace {

void expect_short_road(const std::string& variant) {
  COPSE_NEEDS_GPU();
  if (!has_addr2line()) GTEST_SKIP() << "there is no addr2line";
  static const graph g = gen::generate("er:n=200000,m=1600000");
  std::vector<std::uint32_t> labels(g.vertices());
  const auto rows = std::get<csr_view<std::uint32_t, std::uint32_t>>(g.view());
  to_first_launch.start();
  components(rows, std::span{labels}, {.variant = variant}, {.device = "cuda"});
  ASSERT_TRUE(to_first_launch.noted()) << "no kernel was launched";
  const auto files = to_first_launch.files(reinterpret_cast<const void*>(&__wrap_cudaLaunchKernelExC), "no file");
  EXPECT_TRUE(files.contains("src/api/components.cpp")) << listed(files);
  EXPECT_LE(files.size(), 8u) << listed(files);
}

TEST(first_launch, of_what_auto_takes) { expect_short_road("auto"); }
TEST(first_launch, of_the_fast_path_with_a_sample) { expect_short_road("cuda.hb.fast"); }
TEST(first_launch, of_the_fast_path_without) { expect_short_road("cuda.none.fast"); }
TEST(first_launch, of_a_plain_variant) { expect_short_road("cuda.none.async.halve"); }

}  // namespace
}  // namespace copse::test
