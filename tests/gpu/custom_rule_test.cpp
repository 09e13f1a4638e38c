// The rule that docs/how-to/add_a_rule.md shows computes in a kernel; examples/custom_rule.cpp runs it on a CPU.
#include <copse/components.hpp>
#include <copse/generate.hpp>
#include <gpu/runtime/gpu.hpp>

#include <numeric>
#include <vector>

#include "gpu/custom_rule.hpp"
#include "gpu/gpu.hpp"

namespace copse::test {
namespace {

/// Words in the memory of a GPU.
class resident_words {
public:
  explicit resident_words(const std::vector<std::uint32_t>& words) : count_{words.size()} {
    void* allocated = nullptr;
    backend::checked(cudaMalloc(&allocated, bytes()), "allocating");
    data_ = static_cast<std::uint32_t*>(allocated);
    backend::checked(cudaMemcpy(data_, words.data(), bytes(), cudaMemcpyHostToDevice), "copying there");
  }
  resident_words(const resident_words&) = delete;
  resident_words& operator=(const resident_words&) = delete;
  ~resident_words() { cudaFree(data_); }

  [[nodiscard]] std::uint32_t* data() const noexcept { return data_; }
  [[nodiscard]] std::vector<std::uint32_t> words() const {
    std::vector<std::uint32_t> found(count_);
    backend::checked(cudaMemcpy(found.data(), data_, bytes(), cudaMemcpyDeviceToHost), "copying back");
    return found;
  }

private:
  [[nodiscard]] std::size_t bytes() const noexcept { return count_ * sizeof(std::uint32_t); }

  std::uint32_t* data_ = nullptr;
  std::size_t count_;
};

TEST(custom_rule, of_the_page_finds_components_in_a_kernel) {
  COPSE_NEEDS_GPU();
  for (const char* spec : {"rmat:scale=14,edges=4", "path:n=100000", "er:n=50000,m=30000"}) {
    const graph list = gen::generate_edges(spec);
    const auto& held = std::get<coo<std::uint32_t>>(list.shape());
    std::vector<std::uint32_t> pairs, own(held.vertex_count);
    for (const auto [u, v] : held.edges) {
      pairs.push_back(u);
      pairs.push_back(v);
    }
    std::iota(own.begin(), own.end(), 0u);
    const resident_words parents{own}, ends{pairs};
    unite_by_custom_rule(parents.data(), own.size(), ends.data(), held.edges.size());
    const std::vector<std::uint32_t> labels = parents.words();
    const labelling expected = components(list).labels;
    for (std::size_t v = 0; v < labels.size(); ++v) ASSERT_EQ(labels[v], expected.label(v)) << spec << ", vertex " << v;
  }
}

}  // namespace
}  // namespace copse::test
