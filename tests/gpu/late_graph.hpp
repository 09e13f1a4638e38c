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
  graphs.emplace_back("er:n=100000,m=120000", shape::symmetric, "cuda.hb.fast");
  graphs.emplace_back("er:n=50000,m=60000", shape::one_sided, "cuda.none.rem_cas.naive.halve_one");
  graphs.emplace_back("er:n=50000,m=60000,seed=2", shape::list, "cuda.none.rem_cas.naive.halve_one");
  return graphs;
}

inline constexpr std::uint64_t spin = 2'000'000, patience = 2'000'000'000;  // nanoseconds

/// On every kind of stream 200 runs and one before them: `call(g, stream)` is what enqueues work on the arrays of g, and `right(run)` says
/// whether it has found what it should. The writer goes on when `enqueue()` has returned, and not before two seconds are over if it has
/// not: a call that waits is found out.
struct late_runs {
  static constexpr int count = 200;

  streams callers;
  gate open;
  cudaEvent_t written = nullptr;

  late_runs() { expect_done(cudaEventCreateWithFlags(&written, cudaEventDisableTiming)); }
  late_runs(const late_runs&) = delete;
  ~late_runs() { static_cast<void>(cudaEventDestroy(written)); }

  template <class Enqueue, class Right>
  void between_writer_and_overwriter(const late_graph& g, const char* name, cudaStream_t stream, int run, Enqueue&& enqueue, Right right) {
    constexpr std::uint64_t least = 200'000;
    const std::string where = g.name() + ", " + name + " stream, run " + std::to_string(run);
    open.set(run < 0);  // the first call on a stream loads kernels and takes memory, for which CUDA may wait
    g.write(stream, {least, patience, open.word()});
    expect_done(cudaEventRecord(written, stream));
    enqueue();
    g.spoil(stream);
    const cudaError_t was_written = cudaEventQuery(written);
    open.set(true);
    if (run >= 0) {
      ASSERT_EQ(was_written, cudaErrorNotReady) << where << ": the call waited";
    }
    ASSERT_TRUE(right()) << where;
  }
};

/// `call(g, stream)` is an action that enqueues a solve of g into its labels.
template <class Call>
void expect_returns_between_writer_and_overwriter(Call call) {
  late_runs runs;
  for (const auto& g : late_graphs()) {
    for (const auto& [name, stream] : runs.callers.all()) {
      auto enqueue = call(g, stream);
      for (int run = -1; run < runs.count; ++run) {
        runs.between_writer_and_overwriter(g, name, stream, run, enqueue, [&g, to = stream] { return g.solved(to); });
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace copse::test
