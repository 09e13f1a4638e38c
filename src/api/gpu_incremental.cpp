// Incremental connectivity on a GPU, by gpu_live, for its two faces: gpu_incremental, whose options and spans are checked here, and the
// engine of a dense_incremental.
#include <api/dense_engine.hpp>
#include <copse/cuda_incremental.hpp>
#include <copse/errors.hpp>
#include <copse/incremental.hpp>
#include <core/devices.hpp>
#include <core/request.hpp>
#include <drivers/incremental/gpu_live.hpp>
#include <drivers/incremental/vertex_marks.hpp>
#include <variants/axes.hpp>
#include <variants/cuda.hpp>
#include <variants/cuda_incremental.hpp>
#include <variants/table.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <utility>

namespace copse {
namespace {

const variant::table_entry& variant_named(const std::string& asked) {
  const std::string name = asked == "auto" ? "cuda.none.fast" : asked;
  if (const auto reason = incremental_refusal(name)) throw usage_error{*reason};
  const auto& row = *variant::find_entry(name, input_kind::coo, problem_kind::incremental);
  if (row.info.backend != variant::cuda_name) throw usage_error{"gpu_incremental: variant must be one of cuda, not " + name};
  return row;
}

}  // namespace

struct gpu_incremental::state {
  explicit state(const request<gpu_incremental_options>& options)
      : row{variant_named(options.variant)},
        live{variant::finish_entries[row.finish].traits,
             variant::cuda_rule_of(row.finish),
             {.gpu = gpu_of(options).value_or(0), .piece_edges = options.piece_edges, .memory_limit_bytes = options.gpu_memory}} {}

  drivers::gpu_live::counts wait() { return live.counted_unless_refused("gpu_incremental"); }
  void expect_room(std::size_t answers, std::size_t queries) const {
    if (answers >= (queries + 63) / 64) return;
    throw usage_error{"gpu_incremental: answers must have room for " + std::to_string(queries) + " queries, not for " +
                      std::to_string(64 * answers)};
  }
  template <class T>
  buffer<T> to_gpu(std::span<const T> from) {
    buffer<T> resident{from.size(), live.memory()};
    live.copy_to_gpu(resident.data(), from.data(), from.size_bytes());
    return resident;
  }

  const variant::table_entry& row;
  drivers::gpu_live live;
};

gpu_incremental::gpu_incremental(id vertices, const gpu_incremental_options& options, const execution& on)
    : state_{std::make_unique<state>(request<gpu_incremental_options>{options, on})} {
  grow(vertices);
}
gpu_incremental::gpu_incremental(gpu_incremental&&) noexcept = default;
gpu_incremental& gpu_incremental::operator=(gpu_incremental&&) noexcept = default;
gpu_incremental::~gpu_incremental() = default;

void gpu_incremental::grow(id vertices) {
  const id before = state_->live.slots();
  if (vertices <= before) return;
  state_->live.grow(vertices);
  state_->live.declare(before);
}

void gpu_incremental::insert(pairs edges) { state_->live.insert(edges); }

void gpu_incremental::insert_resident(device_span<const edge<id>> on_gpu, std::optional<cuda_stream> stream) {
  state_->live.insert_resident({on_gpu.data(), on_gpu.size()}, stream);
}

void gpu_incremental::wait() { static_cast<void>(state_->wait()); }

query_answers gpu_incremental::connected(pairs queries) {
  query_answers answers{queries.size()};
  state_->live.query(queries, nullptr, answers.words());
  return answers;
}

void gpu_incremental::connected_resident(device_span<const edge<id>> on_gpu, device_span<std::uint64_t> answers,
                                         std::optional<cuda_stream> stream) {
  state_->expect_room(answers.size(), on_gpu.size());
  if (!on_gpu.empty()) {
    state_->live.query_resident({on_gpu.data(), on_gpu.size()}, {answers.data(), answers.size()}, stream);
  }
}

void gpu_incremental::apply_resident(device_span<const edge<id>> on_gpu, device_span<const operation> kinds,
                                     device_span<std::uint64_t> answers, mixing how, std::optional<cuda_stream> stream) {
  if (on_gpu.size() != kinds.size()) {
    throw usage_error{"gpu_incremental: there must be one kind for each of " + std::to_string(on_gpu.size()) + " pairs, not " +
                      std::to_string(kinds.size()) + " kinds"};
  }
  state_->expect_room(answers.size(), on_gpu.size());
  if (const auto reason = incremental_refusal(variant().name, how)) throw usage_error{*reason};
  if (!on_gpu.empty()) {
    state_->live.apply_resident({on_gpu.data(), on_gpu.size(), kinds.data()}, how, {answers.data(), answers.size()}, stream);
  }
}

buffer<std::uint64_t> gpu_incremental::answers_on_gpu(std::size_t queries) {
  buffer<std::uint64_t> answers{(queries + 63) / 64, state_->live.memory()};
  state_->live.wait();
  return answers;
}

gpu_incremental::id gpu_incremental::vertices() const noexcept { return state_->live.slots(); }

const variant_info& gpu_incremental::variant() const noexcept { return state_->row.info; }

std::uint64_t gpu_incremental::count() { return vertices() - state_->wait().links; }

labelling gpu_incremental::labels() {
  static_cast<void>(state_->wait());
  buffer<id> labels{vertices()};
  state_->live.write_labels(labels.data());
  return {std::move(labels), vertex_names::identity(vertices())};
}

void gpu_incremental::labels_resident(device_span<id> labels, std::optional<cuda_stream> stream) {
  if (labels.size() != vertices()) {
    throw usage_error{"gpu_incremental: labels must have one element per vertex, " + std::to_string(vertices()) + ", not " +
                      std::to_string(labels.size())};
  }
  if (!labels.empty()) state_->live.labels_resident({labels.data(), labels.size()}, stream);
}

std::pmr::memory_resource* gpu_incremental::pinned() { return drivers::pinned_host_memory(); }

buffer<edge<std::uint32_t>> gpu_incremental::to_gpu(pairs edges) { return state_->to_gpu(edges); }
buffer<operation> gpu_incremental::to_gpu(std::span<const operation> kinds) { return state_->to_gpu(kinds); }

}  // namespace copse

namespace copse::api {
namespace {

using id = std::uint32_t;

/// What the host is asked for is copied from the GPU: numbers after each batch, arrays when they are asked for.
class gpu_incremental_engine final : public dense_incremental<id>::engine {
public:
  using pairs = std::span<const edge<id>>;

  gpu_incremental_engine(const variant::table_entry& chosen, const request<incremental_options>& asked)
      : engine{chosen, asked},
        live_{variant::finish_entries[chosen.finish].traits,
              variant::cuda_rule_of(chosen.finish),
              {.gpu = gpu_of(asked).value_or(0),
               .memory_limit_bytes = asked.gpu_memory,
               .record_forest = asked.record_forest,
               .observer = asked.observer}} {}

  unsigned threads() const noexcept override { return usable_threads(options.threads); }
  std::size_t step() const noexcept override { return std::size_t{1} << 22; }
  void grow(id slots) override {
    change([&] { live_.grow(slots); });
  }
  void declare(id begin) override {
    change([&] { live_.declare(begin); });
  }
  void adopt(std::span<const id> labels) override {
    change([&] { live_.adopt(labels); });
  }
  void insert(pairs edges) override {
    change([&] { live_.insert(edges); });
  }
  void insert_growing(pairs edges) override {
    change([&] { live_.insert_growing(edges); });
  }
  void apply_growing(part batch, mixing how, std::span<std::uint64_t> answers) override {
    change([&] { live_.apply_growing(batch.pairs, batch.kinds, how, answers); });
  }
  void query(pairs queries, std::span<std::uint64_t> answers) override { live_.query(queries, nullptr, answers); }
  void write_labels(id* to) override { live_.write_labels(to); }
  id slots() const noexcept override { return live_.slots(); }
  std::uint64_t vertices() const noexcept override { return counts_.vertices; }
  std::uint64_t links() const noexcept override { return counts_.links; }
  const std::uint64_t* existing() override {
    if (marks_are_old_) {
      marks_ = buffer<std::uint64_t>{drivers::mark_words(slots()), options.memory};
      live_.copy_marks(marks_.span());
      marks_are_old_ = false;
    }
    return marks_.data();
  }
  edge<id>* link_slots() override {
    links_ = buffer<edge<id>>{slots(), options.memory};
    live_.copy_links(links_.span());
    return links_.data();
  }
  void put_link_slots() override { live_.put_links(links_.span()); }

private:
  /// A batch that fails may have been inserted in part.
  template <class Work>
  void change(Work work) {
    marks_are_old_ = true;
    try {
      work();
    } catch (...) {
      counts_ = live_.counted();
      throw;
    }
    counts_ = live_.counted();
  }

  drivers::gpu_live live_;
  drivers::gpu_live::counts counts_;
  buffer<std::uint64_t> marks_;
  buffer<edge<id>> links_;
  bool marks_are_old_ = true;
};

}  // namespace

std::unique_ptr<dense_incremental<id>::engine> gpu_engine(const variant::table_entry& chosen, const request<incremental_options>& asked) {
  return std::make_unique<gpu_incremental_engine>(chosen, asked);
}

}  // namespace copse::api
