// Incremental connectivity on a GPU: the engine of a dense_incremental, which uses drivers::gpu_live, and the calls that take arrays in the
// memory of the GPU.
#include <api/dense_engine.hpp>
#include <api/incremental_state.hpp>
#include <copse/errors.hpp>
#include <copse/incremental.hpp>
#include <core/devices.hpp>
#include <core/request.hpp>
#include <device/current_device.hpp>
#include <drivers/incremental/gpu_live.hpp>
#include <drivers/incremental/vertex_marks.hpp>
#include <variants/axes.hpp>
#include <variants/cuda.hpp>
#include <variants/cuda_incremental.hpp>
#include <variants/table.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace copse::api {

/// Copies results from the GPU: counts after each batch, arrays on demand. The calling thread's current device is the same after each call.
class engine_on_gpu final : public dense_incremental<std::uint32_t>::engine {
public:
  using id = std::uint32_t;
  using pairs = std::span<const edge<id>>;

  engine_on_gpu(const variant::table_entry& chosen, const request<incremental_options>& asked)
      : engine{chosen, asked}, gpu_{gpu_of(asked).value_or(0)} {
    const device::on_device callers;
    live_.emplace(
        variant::finish_entries[chosen.finish].traits, variant::cuda_rule_of(chosen.finish),
        drivers::gpu_live::settings{
            .gpu = gpu_, .memory_limit_bytes = asked.gpu_memory, .record_forest = asked.record_forest, .observer = asked.observer});
  }
  ~engine_on_gpu() override {
    const device::on_device callers;
    live_.reset();
  }

  unsigned threads() const noexcept override { return usable_threads(options.threads); }
  std::size_t step() const noexcept override { return std::size_t{1} << 22; }
  void grow(id slots) override {
    change([&] { live_->grow(slots); });
  }
  void declare(id begin) override {
    change([&] { live_->declare(begin); });
  }
  void adopt(std::span<const id> labels) override {
    change([&] { live_->adopt(labels); });
  }
  void insert(pairs edges) override {
    change([&] { live_->insert(edges); });
  }
  void insert_growing(pairs edges) override {
    change([&] { live_->insert_growing(edges); });
  }
  void apply_growing(part batch, mixing how, std::span<std::uint64_t> answers) override {
    change([&] { live_->apply_growing(batch.pairs, batch.kinds, how, answers); });
  }
  void query(pairs queries, std::span<std::uint64_t> answers) override {
    ask([&] { live_->query(queries, nullptr, answers); });
  }
  void write_labels(id* to) override {
    ask([&] { live_->write_labels(to); });
  }
  id slots() const noexcept override { return live_->slots(); }
  std::uint64_t vertices() const noexcept override { return counts_.vertices; }
  std::uint64_t links() const noexcept override { return counts_.links; }
  const std::uint64_t* existing() override {
    if (marks_are_old_) {
      marks_ = buffer<std::uint64_t>{drivers::mark_words(slots()), options.memory};
      ask([&] { live_->copy_marks(marks_.span()); });
      marks_are_old_ = false;
    }
    return marks_.data();
  }
  edge<id>* link_slots() override {
    links_ = buffer<edge<id>>{slots(), options.memory};
    ask([&] { live_->copy_links(links_.span()); });
    return links_.data();
  }
  void put_link_slots() override {
    ask([&] { live_->put_links(links_.span()); });
  }

  /// Calls enqueue(structure); the caller calls wait() later.
  template <class Enqueue>
  void enqueue(Enqueue enqueue) {
    marks_are_old_ = true;
    ask([&] { enqueue(*live_); });
  }
  void wait() {
    ask([&] { counts_ = live_->counted_unless_refused("incremental"); });
  }

private:
  template <class Work>
  void ask(Work work) {
    const device::on_device here{static_cast<int>(gpu_)};
    work();
  }
  /// Calls work() and updates the counts, also after an exception: a batch that fails may have been inserted in part.
  template <class Work>
  void change(Work work) {
    marks_are_old_ = true;
    ask([&] {
      try {
        work();
      } catch (...) {
        counts_ = live_->counted();
        throw;
      }
      counts_ = live_->counted();
    });
  }

  unsigned gpu_;
  std::optional<drivers::gpu_live> live_;
  drivers::gpu_live::counts counts_;
  buffer<std::uint64_t> marks_;
  buffer<edge<id>> links_;
  bool marks_are_old_ = true;
};

std::unique_ptr<dense_incremental<std::uint32_t>::engine> gpu_engine(const variant::table_entry& chosen,
                                                                     const request<incremental_options>& asked) {
  return std::make_unique<engine_on_gpu>(chosen, asked);
}

}  // namespace copse::api

namespace copse {
namespace {

using id = std::uint32_t;

void expect_room(const std::string& call, std::size_t words, std::size_t answers) {
  if (words >= (answers + 63) / 64) return;
  throw usage_error{call + ": answers must have room for " + std::to_string(answers) + " queries, not for " + std::to_string(64 * words)};
}

}  // namespace

api::engine_on_gpu& incremental::state::on_gpu(const std::string& call) {
  expect_whole_batch(call);
  auto* const structure = std::get_if<api::named_incremental>(&ids);
  if (structure == nullptr || structure->live().variant().backend != variant::cuda_name) {
    throw usage_error{call + " needs a structure on a GPU: give execution::device"};
  }
  structure->index_an_array();
  return static_cast<api::engine_on_gpu&>(structure->live().work());
}

void incremental::insert_async(device_span<const edge<id>> edges) {
  state_->on_gpu("insert_async").enqueue([&](auto& live) { live.insert_resident({edges.data(), edges.size()}, state_->options.stream); });
}

void incremental::insert_async(std::span<const edge<id>> edges) {
  state_->on_gpu("insert_async").enqueue([edges](auto& live) { live.insert(edges); });
}

void incremental::connected_async(device_span<const edge<id>> queries, device_span<std::uint64_t> answers) {
  auto& structure = state_->on_gpu("connected_async");
  expect_room("connected_async", answers.size(), queries.size());
  if (queries.empty()) return;
  structure.enqueue([&](auto& live) {
    live.query_resident({queries.data(), queries.size()}, {answers.data(), answers.size()}, state_->options.stream);
  });
}

void incremental::apply_async(device_span<const edge<id>> batch, device_span<const operation> kinds, device_span<std::uint64_t> answers,
                              mixing how) {
  auto& structure = state_->on_gpu("apply_async");
  if (batch.size() != kinds.size()) {
    throw usage_error{"apply_async: there must be one kind for each of " + std::to_string(batch.size()) + " pairs, not " +
                      std::to_string(kinds.size())};
  }
  expect_room("apply_async", answers.size(), batch.size());
  if (const auto reason = incremental_refusal(variant().name, how)) throw usage_error{*reason};
  if (batch.empty()) return;
  structure.enqueue([&](auto& live) {
    live.apply_resident({batch.data(), batch.size(), kinds.data()}, how, {answers.data(), answers.size()}, state_->options.stream);
  });
}

void incremental::labels_async(device_span<id> labels) {
  auto& structure = state_->on_gpu("labels_async");
  if (labels.size() != structure.slots()) {
    throw usage_error{"labels_async: labels must have one element per slot, " + std::to_string(structure.slots()) + ", not " +
                      std::to_string(labels.size())};
  }
  if (labels.empty()) return;
  structure.enqueue([&](auto& live) { live.labels_resident({labels.data(), labels.size()}, state_->options.stream); });
}

void incremental::wait() { state_->on_gpu("wait").wait(); }

}  // namespace copse
