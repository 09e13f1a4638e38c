// Any bytes are a small graph; the variants must find what a breadth-first search finds, and the verifier must accept that and
// refuse it with one label changed. Byte 0: vertices; byte 1: how the rows are stored, and which eighth of the table runs; then two bytes
// per edge.
#include <fmt/core.h>
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/variants.hpp>
#include <copse/verify.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "support/reference.hpp"
#include "support/rows.hpp"

namespace {

using id = std::uint32_t;

[[noreturn]] void fail(std::string_view what, std::uint64_t vertex) {
  fmt::print(stderr, "{}: wrong at vertex {}\n", what, vertex);
  __builtin_trap();
}

void expect_same(const copse::labelling& found, const std::vector<id>& expected, std::string_view variant) {
  if (found.slots() != expected.size()) fail(variant, found.slots());
  for (std::size_t v = 0; v < expected.size(); ++v) {
    if (found.label(v) != expected[v]) fail(variant, v);
  }
}

copse::labelling labelling_of(const std::vector<id>& labels) {
  copse::buffer<id> copy(labels.size());
  std::ranges::copy(labels, copy.begin());
  return {std::move(copy), copse::vertex_names::identity(labels.size())};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const id n = data[0] % 64;
  const auto state = static_cast<copse::test::row_state>(data[1] % 4);
  std::vector<copse::edge<id>> edges;
  for (std::size_t i = 2; n > 0 && i + 1 < size; i += 2) edges.push_back({data[i] % n, data[i + 1] % n});
  const copse::coo_view<id> list{n, edges};
  const auto rows = copse::test::make_test_rows<id, id>(list, state);
  const auto expected = copse::test::reference_labels(list);

  const auto table = copse::variants();
  for (std::size_t i = data[1] / 4 % 8; i < table.size(); i += 8) {
    const auto& variant = table[i];
    const copse::graph_view view = variant.input == copse::input_kind::csr ? copse::graph_view{rows.view()} : copse::graph_view{list};
    expect_same(copse::components(view, {.variant = variant.name, .giant_samples = 8, .seed = size}, {.threads = 2}).labels, expected,
                variant.name);
  }
  const auto built = copse::build_csr(list, {}, {.threads = 2});
  expect_same(copse::components(built).labels, expected, "build_csr");

  if (!copse::verify(list, labelling_of(expected))) fail("verify refuses the right labels", n);
  if (n > 0) {
    auto wrong = expected;
    auto& label = wrong[data[0] % wrong.size()];
    label = (label + 1 + data[1] % 7) % (n + 1);
    if (wrong != expected && copse::verify(list, labelling_of(wrong))) fail("verify accepts wrong labels", n);
  }
  return 0;
}
