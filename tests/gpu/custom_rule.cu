#include "custom_rule.hpp"

#include <copse/extend/rules/find/naive.hpp>
#include <copse/extend/rules/unite/async.hpp>
#include <parents/device.cuh>

#include "../../examples/split_by_three.hpp"

namespace copse::test {
namespace {

constexpr unsigned blocks = 64, threads = 256;

#ifdef COPSE_UNMARKED_RULE  // what must not compile
struct unmarked_rule {
  template <class P>
  typename P::id operator()(P p, typename P::id v) const {
    return split_by_three{}(p, v);
  }
};
using custom = unmarked_rule;
#else
using custom = split_by_three;
#endif

using parent_words = parents::cached<std::uint32_t>;

__global__ void unite_pairs(parent_words parents, const std::uint32_t* pairs, std::size_t count) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    unite::async<custom>{}(parents, pairs[2 * i], pairs[2 * i + 1]);
  }
}

// Finds that store nothing: a late store of the custom rule might replace a root that another thread has stored.
__global__ void flatten(parent_words parents, std::size_t vertices) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t v = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; v < vertices; v += stride) {
    const auto own = static_cast<std::uint32_t>(v);
    parents.store(own, find::naive{}(parents, own));
  }
}

}  // namespace

void unite_by_custom_rule(std::uint32_t* parents, std::size_t vertices, const std::uint32_t* pairs, std::size_t count) {
  unite_pairs<<<blocks, threads>>>(parent_words{parents}, pairs, count);
  flatten<<<blocks, threads>>>(parent_words{parents}, vertices);
}

}  // namespace copse::test
