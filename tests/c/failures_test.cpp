// Allocations that fail, one after the other, inside of 10,000 calls from C: each ends with a status, and AddressSanitizer sees no leak.
#include <copse.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>

namespace {

/// So many allocations still succeed; all when negative.
std::atomic<std::int64_t> allocations_left{-1};

void* allocated(std::size_t bytes, std::size_t alignment) {
  std::int64_t left = allocations_left.load(std::memory_order_relaxed);
  if (left == 0) throw std::bad_alloc{};
  if (left > 0) allocations_left.store(left - 1, std::memory_order_relaxed);
  void* const memory = std::aligned_alloc(alignment, (bytes + alignment) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc{};
  return memory;
}
[[gnu::noinline]] void freed(void* memory) noexcept { std::free(memory); }
constexpr std::size_t least_alignment = 16;

}  // namespace

void* operator new(std::size_t bytes) { return allocated(bytes, least_alignment); }
void* operator new[](std::size_t bytes) { return allocated(bytes, least_alignment); }
void* operator new(std::size_t bytes, std::align_val_t alignment) { return allocated(bytes, static_cast<std::size_t>(alignment)); }
void* operator new[](std::size_t bytes, std::align_val_t alignment) { return allocated(bytes, static_cast<std::size_t>(alignment)); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return allocated(bytes, least_alignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* memory) noexcept { freed(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { freed(memory); }
void operator delete[](void* memory) noexcept { freed(memory); }
void operator delete(void* memory, std::size_t) noexcept { freed(memory); }
void operator delete[](void* memory, std::size_t) noexcept { freed(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { freed(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { freed(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { freed(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { freed(memory); }

namespace {

/// Calls of the library with one more allocation each time, until one needs no more; the work stops at its first failure.
class failing_calls {
public:
  /// True if the call succeeded, or if an earlier one failed, so that this one is not to be made.
  bool operator()(const std::function<copse_status(copse_error*)>& call) {
    if (failed_) return false;
    copse_error error;
    allocations_left = countdown_;
    const copse_status status = call(&error);
    const bool ended = allocations_left == 0;
    allocations_left = -1;
    ++calls_;
    failed_ = status != COPSE_OK;
    if (!failed_) return true;
    EXPECT_TRUE(ended);
    EXPECT_EQ(status, COPSE_OUT_OF_RESOURCES) << error.text;
    return false;
  }

  /// Runs work() with 0, 1, 2, ... allocations for each call, after once with any number, since tables of variants are made by the first
  /// call. How many calls it made.
  std::uint64_t run(const std::function<void()>& work) {
    constexpr std::int64_t most = 5000;
    for (countdown_ = -1; countdown_ < most; ++countdown_) {
      failed_ = false;
      work();
      if (!failed_ && countdown_ >= 0) return calls_;
    }
    ADD_FAILURE() << "it fails after " << most << " allocations, too";
    return calls_;
  }

private:
  std::int64_t countdown_ = 0;
  std::uint64_t calls_ = 0;
  bool failed_ = false;
};

constexpr std::int64_t sources[] = {1000000007, 42, 7, 3}, targets[] = {42, 99, 8, 1000000007};
constexpr double weights[] = {.5, .75, 1, .25};
constexpr std::uint64_t count = 4;
const copse_options options = [] {
  copse_options one_thread = COPSE_OPTIONS_INIT;
  one_thread.threads = 1;
  return one_thread;
}();

void use(failing_calls& call, const copse_labels* labels) {
  ArrowArrayStream stream{};
  if (call([&](copse_error* e) { return copse_labels_stream(labels, &stream, e); })) {
    ArrowSchema schema{};
    ArrowArray array{};
    call([&](copse_error*) { return stream.get_schema(&stream, &schema) == 0 ? COPSE_OK : COPSE_OUT_OF_RESOURCES; });
    if (schema.release != nullptr) schema.release(&schema);
    if (stream.get_next(&stream, &array) == 0) array.release(&array);
    stream.release(&stream);
  }
  copse_partial *part = nullptr, *merged = nullptr;
  call([&](copse_error* e) { return copse_partial_new(labels, &part, e); });
  call([&](copse_error* e) { return copse_partial_merge(&part, 1, &options, &merged, e); });
  copse_partial_free(part);
  copse_partial_free(merged);
}

void find_components(failing_calls& call) {
  std::uint32_t labels[4];
  const std::uint32_t u[] = {0, 2}, v[] = {1, 3};
  call([&](copse_error* e) { return copse_components_columns(4, COPSE_UINT32, u, v, 2, labels, &options, e); });
}

void add_batches(failing_calls& call) {
  copse_edges* edges = nullptr;
  copse_labels* labels = nullptr;
  call([&](copse_error* e) { return copse_edges_new(COPSE_ANY_VERTICES, &options, &edges, e); });
  call([&](copse_error* e) { return copse_edges_add(edges, COPSE_INT64, sources, targets, count, e); });
  if (call([&](copse_error* e) { return copse_edges_finish(edges, &labels, e); })) use(call, labels);
  copse_edges_free(edges);
  copse_labels_free(labels);
}

void ask_in_between(failing_calls& call) {
  copse_incremental* live = nullptr;
  copse_labels* labels = nullptr;
  std::uint8_t answers[count];
  call([&](copse_error* e) { return copse_incremental_new(&options, &live, e); });
  call([&](copse_error* e) { return copse_incremental_insert(live, COPSE_INT64, sources, targets, count, e); });
  call([&](copse_error* e) { return copse_incremental_connected(live, COPSE_INT64, sources, targets, count, answers, e); });
  call([&](copse_error* e) { return copse_incremental_labels(live, &labels, e); });
  copse_incremental_free(live);
  copse_labels_free(labels);
}

void weigh(failing_calls& call) {
  copse_forest* forest = nullptr;
  copse_labels* labels = nullptr;
  ArrowArrayStream stream{};
  copse_threshold point{};
  call([&](copse_error* e) { return copse_forest_new(COPSE_MAXIMUM, &options, &forest, e); });
  call([&](copse_error* e) { return copse_forest_add(forest, COPSE_INT64, sources, targets, weights, count, e); });
  call([&](copse_error* e) { return copse_forest_thresholds(forest, &point, 1, e); });
  call([&](copse_error* e) { return copse_forest_labels(forest, .5, &labels, e); });
  if (call([&](copse_error* e) { return copse_forest_stream(forest, &stream, e); })) stream.release(&stream);
  copse_forest_free(forest);
  copse_labels_free(labels);
}

TEST(c_failures, ten_thousand_calls_end_with_a_status_and_leave_nothing) {
  failing_calls call;
  std::uint64_t calls = 0;
  for (int turn = 0; calls < 10000; ++turn) {
    ASSERT_LT(turn, 1000);
    for (const auto work : {find_components, add_batches, ask_in_between, weigh}) calls = call.run([&] { work(call); });
    if (HasFailure()) return;
  }
}

}  // namespace
