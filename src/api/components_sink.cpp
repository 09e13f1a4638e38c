// components_sink: a batch is checked as a whole; then its blocks go through the sink that also unites the edges of files while they are
// parsed.
#include <api/check_view.hpp>
#include <api/id_batches.hpp>
#include <copse/components_sink.hpp>
#include <copse/errors.hpp>
#include <core/hide.hpp>
#include <core/parallel.hpp>
#include <core/request.hpp>
#include <core/team.hpp>
#include <device/stream_into.hpp>
#include <drivers/streaming/inverted_parents.hpp>
#include <drivers/streaming/streaming_sink.hpp>
#include <ids/id_signs.hpp>
#include <loops/meter.hpp>
#include <loops/threads.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <concepts>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <variant>

namespace copse {
namespace {

using api::edge_of;
using api::id_edge;
using api::vertex_column;
using clock = std::chrono::steady_clock;

// Edges that a thread takes at a time; smaller batches run on the calling thread alone. A string costs ten times what an integer does.
template <class Id>
constexpr std::size_t block_edges = std::same_as<Id, std::string_view> ? std::size_t{1} << 11 : std::size_t{1} << 14;
constexpr std::size_t part_edges = 1024;  // edges widened and united at once: 16 KiB of integer ids, which stay in the first-level cache

bool takes_gpus(const execution& on) {
  const named_devices named = devices_of(on);
  if (named.hybrid) throw usage_error{"components_sink: device must be the CPU or GPUs, not " + on.device};
  return named.all_gpus || !named.gpus.empty();
}

/// The view of a components_sink as a sink of edges, for readers of files.
class reader_side final : public io::edge_sink {
public:
  explicit reader_side(components_sink& to) noexcept : to_{&to} {}
  void begin(const io::source_facts& facts) override {
    if (facts.vertices)
      throw usage_error{
          "components_sink: cannot take edges of a format that declares its vertices; use an edge list without a declared number of them"};
    are_signed_ = false;
  }
  void ids_are_signed() override { are_signed_ = true; }
  void edges(unsigned worker, const io::edge_batch& batch) override {
    if (!batch.ids.empty()) to_->add_by(worker, {batch.ids, are_signed_});
    if (!batch.names.empty()) to_->add_by(worker, batch.names);
  }
  void vertices(unsigned worker, const io::vertex_batch& batch) override {
    const auto* const as_signed = reinterpret_cast<const std::int64_t*>(batch.ids.data());
    if (!batch.ids.empty() && are_signed_) to_->add_vertices_by(worker, std::span{as_signed, batch.ids.size()});
    if (!batch.ids.empty() && !are_signed_) to_->add_vertices_by(worker, batch.ids);
    if (!batch.names.empty()) to_->add_vertices_by(worker, batch.names);
  }

private:
  components_sink* to_;
  std::atomic<bool> are_signed_{false};  ///< true if the ids of the input that is being read are signed
};

}  // namespace

struct components_sink::state {
  explicit state(const request<components_sink_options>& options)
      : threads{usable_threads(options.threads)},
        vertices{options.vertices},
        keeps_forest{options.keep_forest},
        memory{options.memory},
        on_gpus{takes_gpus(options)},
        stream{options.stream},
        engine{on_gpus ? device::sink_to_gpus({{.keep_forest = options.keep_forest}, options.on()})
                       : std::make_unique<streaming::streaming_sink>(threads, options.memory, options.keep_forest)},
        progress{options.observer, 0, "unite", "edges"} {
    if (vertices) begin(false);
  }

  void begin(bool with_names) {
    engine->begin({.vertices = vertices, .edges = std::nullopt, .workers = threads, .named = with_names});
    kind.store(with_names ? id_kind::strings : id_kind::integers, std::memory_order_release);
  }

  void expect_kind(bool with_names) const {
    const id_kind known = kind.load(std::memory_order_acquire);
    if (known == id_kind::unknown || known == (with_names ? id_kind::strings : id_kind::integers)) return;
    throw usage_error{std::string{"components_sink: ids must be "} + (with_names ? "integers" : "strings") +
                      (vertices ? ", as vertices were declared, not " : ", as in earlier batches, not ") +
                      (with_names ? "strings" : "integers")};
  }
  /// Tells the engine whether ids are strings. Any thread may call it; the first call decides.
  void begin_once(bool with_names) {
    if (kind.load(std::memory_order_acquire) != id_kind::unknown) return;
    const std::lock_guard alone{guard};
    if (kind.load(std::memory_order_relaxed) == id_kind::unknown) begin(with_names);
  }

  /// Throws for the first id, by position, that the sink cannot take.
  template <class Batch>
  void expect_ids(const Batch& batch, unsigned crew) {
    using id = typename Batch::id;
    if (vertices || on_gpus) return expect_below(vertices.value_or(no_vertex<std::uint32_t>), batch, crew);
    if (signs.knows(std::signed_integral<id>)) return;
    const std::size_t i = api::first_with_sign_bit(batch, crew);
    if (i == batch.size()) return;
    const bool second = !has_sign_bit(batch[i].u);
    signs.expect(second ? batch[i].v : batch[i].u, std::signed_integral<id>, [&] { return "components_sink: " + Batch::place(i, second); });
  }
  template <class Batch>
  void expect_below(std::uint64_t limit, const Batch& batch, unsigned crew) const {
    const std::size_t i = api::first_wrong(backend::threads{crew, nullptr}, batch.size(),
                                           [&batch, limit](std::size_t at) { return std::max(batch[at].u, batch[at].v) >= limit; });
    if (i == batch.size()) return;
    const bool second = batch[i].u < limit;
    const auto found = static_cast<typename Batch::id>(second ? batch[i].v : batch[i].u);
    throw input_error{"components_sink: " + Batch::place(i, second) + ": found " + std::to_string(found) + ", expected " +
                      (std::cmp_less(found, 0) ? "ids of 0 or more" : "ids below " + std::to_string(limit)) +
                      (!vertices                 ? " on a GPU"
                       : std::cmp_less(found, 0) ? ", as vertices were declared"
                                                 : "")};
  }

  /// Checks a batch on `crew` threads and calls work(), which unites it on as many threads.
  template <class Batch, class Work>
  void take(const Batch& batch, unsigned crew, Work work) {
    constexpr bool with_names = std::same_as<typename Batch::id, std::string_view>;
    if (batch.size() == 0) return;
    const auto start = clock::now();
    expect_kind(with_names);
    if (with_names && on_gpus) throw usage_error{"components_sink: ids must be integers on a GPU, not strings"};
    if constexpr (!with_names) expect_ids(batch, crew);
    without_failure([&] { begin_once(with_names); });
    expect_kind(with_names);
    without_failure(work);
    if (Batch::has_edges) edges.fetch_add(batch.size(), std::memory_order_relaxed);
    time_inside.fetch_add((clock::now() - start).count() * crew / threads, std::memory_order_relaxed);
  }

  /// Runs `work`; after an exception the sink takes no more edges.
  template <class Work>
  void without_failure(Work work) {
    try {
      work();
    } catch (const std::bad_alloc&) {
      fail(std::make_exception_ptr(resource_error{"components_sink: out of memory after " + std::to_string(edges.load()) + " edges"}));
    } catch (...) {
      fail(std::current_exception());
    }
  }
  [[noreturn]] void fail(const std::exception_ptr& why) {
    {
      const std::lock_guard alone{guard};
      if (!failure) failure = why;
    }
    failed = true;
    std::rethrow_exception(why);
  }
  /// Throws the first failure again, for workers whose calls overlap the call that failed or come just after it: all get the same error.
  void expect_no_failure() {
    if (!failed) return;
    const std::lock_guard alone{guard};
    std::rethrow_exception(failure);
  }

  template <class Batch>
  void unite(const Batch& batch) {
    parallel_blocks(threads, batch.size(), block_edges<typename Batch::id>,
                    [&](std::size_t begin, std::size_t end) { unite_block(worker_number(), batch, begin, end); });
  }
  /// Adds a batch on one of the caller's threads, in blocks: between two blocks the observer may cancel.
  template <class Batch>
  void unite_by(unsigned worker, const Batch& batch) {
    constexpr std::size_t block = block_edges<typename Batch::id>;
    for (std::size_t begin = 0; begin < batch.size(); begin += block) {
      unite_block(worker, batch, begin, std::min(begin + block, batch.size()));
    }
  }
  template <class Batch>
  void unite_block(unsigned worker, const Batch& batch, std::size_t begin, std::size_t end) {
    if (!progress.advance(Batch::has_edges ? end - begin : 0)) throw cancelled{};
    if constexpr (requires { batch.as_taken(); }) {
      pass_on(worker, batch.as_taken().subspan(begin, end - begin));
    } else {
      if constexpr (requires { io::edge_batch{.narrow_ids = batch.edges}; }) {
        if (on_gpus) return engine->edges(worker, {.narrow_ids = batch.edges.subspan(begin, end - begin)});
      }
      std::array<edge_of<typename Batch::id>, part_edges> part;
      while (begin < end) {
        const std::size_t count = std::min(part_edges, end - begin);
        for (std::size_t i = 0; i < count; ++i) part[i] = batch[begin + i];
        pass_on(worker, std::span{part}.first(count));
        begin += count;
      }
    }
  }
  void pass_on(unsigned worker, std::span<const id_edge> part) { engine->edges(worker, {.ids = part}); }
  void pass_on(unsigned worker, std::span<const io::named_edge> part) { engine->edges(worker, {.names = part}); }

  components_result answer() {
    const auto start = clock::now();
    components_result result;
    in_memory([&] {
      engine->finish();
      result.labels = engine->take_labelling();
    });
    result.report = report_since(start, "none held");
    return result;
  }

  forest_result answer_with_forest() {
    const auto start = clock::now();
    forest_result result;
    in_memory([&] {
      engine->finish();
      auto [forest, labels] = engine->take_forest();
      result.edges = std::move(forest);
      result.labels = std::move(labels);
    });
    result.report = report_since(start, "those that joined two components held");
    return result;
  }

  /// Reports how the edges were united. `start`: when the answer was asked for.
  [[nodiscard]] solve_report report_since(clock::time_point start, const std::string& held) const {
    const bool several = threads > 1;
    solve_report report;
    report.variant = several ? streaming::shared_variant : streaming::serial_variant;
    report.explanation =
        "the edges arrive in batches: united on arrival (" + std::to_string(threads) + (several ? " workers" : " worker") + "), " + held;
    report.threads = threads;
    engine->name_device(report);
    report.edges = edges.load();
    report.solve_seconds = std::chrono::duration<double>(clock::duration{time_inside} + (clock::now() - start)).count();
    return report;
  }

  template <class Work>
  void in_memory(Work work) const {
    try {
      work();
    } catch (const std::bad_alloc&) {
      throw resource_error{"components_sink: out of memory while the answer for " + std::to_string(edges.load()) +
                           " edges was put in order"};
    }
  }

  unsigned threads;
  std::optional<std::uint64_t> vertices;
  bool keeps_forest;
  std::pmr::memory_resource* memory;
  bool on_gpus;
  std::optional<cuda_stream> stream;
  std::unique_ptr<streaming::uniting_sink> engine;
  ids::id_signs signs{[this] { engine->ids_are_signed(); }};
  backend::meter progress;
  enum class id_kind : std::uint8_t { unknown, integers, strings };
  std::atomic<id_kind> kind{id_kind::unknown};  ///< known once the first batch with elements has come
  std::mutex guard;
  std::atomic<bool> failed{false};  ///< set when an exception ended a batch early
  std::exception_ptr failure;       ///< the first exception; `guard` protects it
  std::atomic<std::uint64_t> edges{0};
  std::atomic<clock::rep> time_inside{0};
  std::optional<reader_side> readers;
};

components_sink::components_sink(const components_sink_options& options, const execution& on)
    : state_{hide(std::make_unique<state>(request<components_sink_options>{options, on}))} {}

components_sink::state& components_sink::open_state() const {
  if (state_ == nullptr) throw usage_error{"components_sink: cannot be used after finish(); make a new sink"};
  if (state_->failed) throw usage_error{"components_sink: cannot be used after a batch that failed midway; make a new sink"};
  return *state_;
}

template <class Batch>
void components_sink::take(const Batch& batch) {
  state& s = open_state();
  s.take(batch, s.threads, [&] { s.unite(batch); });
}

template <class Batch>
void components_sink::take_by(unsigned worker, const Batch& batch) {
  state& s = state_ != nullptr ? *state_ : open_state();
  s.expect_no_failure();
  if (worker >= s.threads) {
    throw usage_error{"components_sink: worker must be below " + std::to_string(s.threads) + ", not " + std::to_string(worker)};
  }
  s.take(batch, 1, [&] { s.unite_by(worker, batch); });
}

void components_sink::add(const id_pairs& edges) {
  api::with_batch("components_sink", edges, [this](const auto& batch) { take(batch); });
}
void components_sink::add_async(device_span<const edge<std::uint32_t>> on_gpu) {
  state& s = open_state();
  s.without_failure([&] { s.engine->resident_edges({on_gpu.data(), on_gpu.size()}, s.stream); });
  s.edges.fetch_add(on_gpu.size(), std::memory_order_relaxed);
}
void components_sink::add_vertices(const id_column& ids) {
  std::visit([this]<class Id>(const typed_ids<Id>& column) { take(vertex_column<Id>{column}); }, ids.held());
}
void components_sink::add_by(unsigned worker, const id_pairs& edges) {
  api::with_batch("components_sink", edges, [&](const auto& batch) { take_by(worker, batch); });
}
void components_sink::add_vertices_by(unsigned worker, const id_column& ids) {
  std::visit([&]<class Id>(const typed_ids<Id>& column) { take_by(worker, vertex_column<Id>{column}); }, ids.held());
}

void components_sink::on_workers(const std::function<void(unsigned)>& work) { copse::on_workers(open_state().threads, work); }

unsigned components_sink::worker_count() const { return open_state().threads; }

io::edge_sink& components_sink::for_readers() { return open_state().readers.emplace(*this); }

std::uint64_t components_sink::edge_count() const noexcept { return state_ == nullptr ? 0 : state_->edges.load(); }

hidden<components_sink::state> components_sink::take_state() {
  static_cast<void>(open_state());
  return std::move(state_);
}

components_result components_sink::finish() { return take_state()->answer(); }

forest_result components_sink::finish_with_forest() {
  if (!open_state().keeps_forest) throw usage_error{"components_sink: finish_with_forest() needs components_sink_options::keep_forest"};
  return take_state()->answer_with_forest();
}

}  // namespace copse
