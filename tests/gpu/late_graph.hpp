// Graphs whose arrays a slow kernel writes just before a solve and another overwrites just after it.
#pragma once
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/cuda.hpp>
#include <copse/generate.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gpu/callers.hpp"
#include "gpu/slow_writer.hpp"

namespace copse::test {

enum class shape { symmetric, one_sided, list };

/// A graph whose arrays are zeros until they are written on a stream, and again soon after.
class late_graph {
  using id = std::uint32_t;

public:
  late_graph(const char* spec, shape of, std::string variant) : name_{spec}, shape_{of}, variant_{std::move(variant)} {
    const graph host = build_csr(gen::generate(spec));
    const auto& rows = std::get<csr<id, id>>(host.shape());
    const auto solved = components(host.view(), {.variant = "serial.none.rem"});
    const auto& found = std::get<buffer<id>>(solved.labels.labels());
    expected_.assign(found.begin(), found.end());
    if (of == shape::symmetric) {
      give(rows.offsets.span());
      give(rows.targets.span());
    } else {  // each edge once
      std::vector<id> offsets{0}, targets;
      std::vector<edge<id>> list;
      for (id v = 0; v < rows.view().vertices(); ++v) {
        for (const id target : rows.view().row(v)) {
          if (target > v) list.push_back({v, target}), targets.push_back(target);
        }
        offsets.push_back(static_cast<id>(targets.size()));
      }
      if (of == shape::list) {
        give(std::span<const edge<id>>{list});
      } else {
        give(std::span<const id>{offsets});
        give(std::span<const id>{targets});
      }
    }
    labels_ = std::make_unique<words>(expected_.size());
  }

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const std::string& variant() const noexcept { return variant_; }
  [[nodiscard]] const std::vector<id>& expected() const noexcept { return expected_; }
  [[nodiscard]] device_span<id> labels() const noexcept { return labels_->span(); }
  [[nodiscard]] device_graph_view view(bool trusted = false) const {
    if (shape_ == shape::list) {
      return device_edges_view{.vertex_count = static_cast<id>(expected_.size()), .edges = late_[0].of<edge<id>>(), .trusted = trusted};
    }
    const bool both = shape_ == shape::symmetric;
    return device_csr_view<id>{.offsets = late_[0].span(),
                               .targets = late_[1].span(),
                               .symmetric = both ? symmetry::yes : symmetry::no,
                               .sorted = both,
                               .trusted = trusted};
  }
  /// No labels, no graph; then, slowly, the graph.
  void write(cudaStream_t stream, const delay& how) const {
    overwrite(labels_->data(), labels_->size(), no_vertex<id>, stream);
    spoil(stream);
    for (std::size_t k = 0; k < right_.size(); ++k) {
      const bool last = k + 1 == right_.size();
      write_slowly(late_[k].data(), right_[k].data(), late_[k].size(), last ? how : delay{}, stream);
    }
  }
  void spoil(cudaStream_t stream) const {
    for (const words& array : late_) overwrite(array.data(), array.size(), 0, stream);
  }
  /// Of the labels that lie there when the stream has come to its end.
  [[nodiscard]] ::testing::AssertionResult solved(cudaStream_t stream) const {
    const auto found = labels_->on_host(stream);
    const auto at = std::ranges::mismatch(found, expected_);
    if (at.in1 == found.end()) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "vertex " << at.in1 - found.begin() << " is labelled " << *at.in1
                                         << ", its component's smallest vertex is " << *at.in2;
  }

private:
  template <class T>
  void give(std::span<const T> array) {
    right_.emplace_back(array);
    late_.emplace_back(right_.back().size());
  }

  std::string name_;
  shape shape_;
  std::string variant_;
  std::vector<id> expected_;
  std::vector<words> right_, late_;
  std::unique_ptr<words> labels_;
};

/// In one kernel; in a chain of kernels, with a sample and without; and by union-find rules through the table's driver.
inline std::vector<late_graph> late_graphs() {
  std::vector<late_graph> graphs;
  graphs.emplace_back("rmat:scale=14,edges=8", shape::symmetric, "cuda.hb.fast");
  graphs.emplace_back("er:n=600000,m=2400000", shape::symmetric, "cuda.hb.fast");
  graphs.emplace_back("er:n=100000,m=120000", shape::symmetric, "cuda.none.fast");
  graphs.emplace_back("er:n=50000,m=60000", shape::one_sided, "cuda.none.rem_cas.naive.halve_one");
  graphs.emplace_back("er:n=50000,m=60000,seed=2", shape::list, "cuda.none.rem_cas.naive.halve_one");
  return graphs;
}

inline constexpr std::uint64_t spin = 2'000'000, patience = 2'000'000'000;  // nanoseconds

/// On every kind of stream, `call(g, stream)` is an action that enqueues a solve of g. The writer goes on when it has returned, and not
/// before two seconds are over if it has not: a call that waits is found out.
template <class Call>
void expect_returns_between_writer_and_overwriter(int runs, Call call) {
  const streams callers;
  gate open;
  cudaEvent_t written = nullptr;
  expect_done(cudaEventCreateWithFlags(&written, cudaEventDisableTiming));
  for (const auto& g : late_graphs()) {
    for (const auto& [name, stream] : callers.all()) {
      auto enqueue = call(g, stream);
      for (int run = -1; run < runs; ++run) {
        open.set(run < 0);  // the first solve on a stream loads kernels and takes memory, for which CUDA may wait
        g.write(stream, {spin, patience, open.word()});
        expect_done(cudaEventRecord(written, stream));
        enqueue();
        g.spoil(stream);
        const cudaError_t was_written = cudaEventQuery(written);
        open.set(true);
        if (run >= 0) {
          ASSERT_EQ(was_written, cudaErrorNotReady) << g.name() << ", " << name << " stream, run " << run << ": the call waited";
        }
        ASSERT_TRUE(g.solved(stream)) << g.name() << ", " << name << " stream, run " << run;
      }
    }
  }
  expect_done(cudaEventDestroy(written));
}

}  // namespace copse::test
