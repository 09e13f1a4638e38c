// What numbers and arrays the host is asked for are copied from the GPU: numbers after each batch, arrays when they are asked for.
#include <api/gpu_incremental_engine.hpp>
#include <drivers/incremental/gpu_live.hpp>
#include <drivers/incremental/vertex_marks.hpp>
#include <variants/axes.hpp>
#include <variants/cuda_incremental.hpp>

#include <cstddef>
#include <span>

namespace copse::api {
namespace {

using id = std::uint32_t;

class gpu_incremental_engine final : public incremental::engine {
public:
  using pairs = std::span<const edge<id>>;

  gpu_incremental_engine(const variant::table_entry& chosen, const incremental_options& asked)
      : engine{chosen, asked},
        live_{variant::finish_entries[chosen.finish].traits,
              variant::cuda_rule_of(chosen.finish),
              {.gpu = asked.gpu.value_or(0), .record_forest = asked.record_forest, .observer = asked.observer}} {}

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

std::unique_ptr<incremental::engine> gpu_engine(const variant::table_entry& chosen, const incremental_options& asked) {
  return std::make_unique<gpu_incremental_engine>(chosen, asked);
}

}  // namespace copse::api
