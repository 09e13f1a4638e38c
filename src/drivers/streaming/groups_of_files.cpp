// Groups the records of tables, which are united while the text is parsed: in one pass, or in two if values are counted first.
#include <copse/errors.hpp>
#include <copse/group_sink.hpp>
#include <core/request.hpp>
#include <core/without_notes.hpp>
#include <drivers/streaming/group_forest.hpp>
#include <drivers/streaming/inverted_parents.hpp>
#include <io/keyed_records.hpp>
#include <io/request.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <new>
#include <optional>
#include <string>
#include <system_error>

namespace copse {
namespace {

using clock = std::chrono::steady_clock;
using streaming::group_forest;
using streaming::value_use;

constexpr std::uint64_t most_counted = no_vertex<std::uint32_t>;

/// Passes batches on to the forest, which is made when the first file begins.
class grouping_sink final : public io::keyed_sink {
public:
  grouping_sink(const io::keyed_table& table, const request<group_file_options>& options)
      : table_{table}, options_{options}, limit_{static_cast<std::uint32_t>(std::min(options.max_group, most_counted))} {}

  void use_for(value_use use) noexcept { use_ = use; }

  void begin(const io::keyed_facts& facts) override {
    if (forest_) return;  // the second of two passes over the files goes on with the forest of the first
    workers_ = std::vector<worker_state>(facts.workers);
    const unsigned tables = table_.one_namespace ? 1 : static_cast<unsigned>(table_.keys.size());
    forest_ = std::make_unique<group_forest>(
        group_forest::settings{.workers = facts.workers,
                               .columns = tables,
                               .ids = table_.by_line ? group_forest::repeats::looked_up : group_forest::repeats::sorted_out,
                               .memory = options_.memory});
    for (unsigned column = 0; column < tables; ++column) forest_->open(column, true);
  }

  void records(unsigned worker, const io::keyed_batch& batch) override {
    static constexpr std::array<std::uint32_t, io::keyed_batch::most> nobody{};
    std::span<const std::uint32_t> owners{nobody.data(), batch.size()};
    if (use_ != value_use::count)
      owners = batch.names.empty() ? forest_->records(worker, batch.numbers) : forest_->records(worker, batch.names);
    worker_state& own = workers_[worker];
    for (std::size_t column = 0; column < batch.values.size(); ++column) {
      std::size_t count = 0;
      for (std::size_t i = 0; i < owners.size(); ++i) {
        if (batch.values[column][i].empty()) continue;
        own.values[count] = batch.values[column][i];
        own.owners[count++] = owners[i];
      }
      forest_->values(worker, table_.one_namespace ? 0u : static_cast<unsigned>(column), std::span{own.values}.first(count),
                      std::span{own.owners}.first(count), use_, limit_);
      own.counts.keys += count;
    }
    own.counts.rows += owners.size();
  }

  void ids_are_signed() override { signed_.store(true, std::memory_order_relaxed); }

  void forget_counts() {
    for (worker_state& own : workers_) own.counts = {};
  }
  [[nodiscard]] group_counts counts() const {
    group_counts sum;
    for (const worker_state& own : workers_) {
      sum.rows += own.counts.rows;
      sum.keys += own.counts.keys;
    }
    sum.missing = sum.rows * table_.keys.size() - sum.keys;
    for (unsigned column = 0; forest_ && column < forest_->columns(); ++column) sum.values += forest_->value_count(column);
    return sum;
  }
  [[nodiscard]] std::vector<large_value> large() const {
    if (!forest_) return {};
    return forest_->values_above(options_.max_group, [](unsigned, std::uint64_t value) { return std::to_string(value); });
  }
  [[nodiscard]] unsigned workers() const noexcept { return static_cast<unsigned>(workers_.size()); }

  labelling take_labels(unsigned threads, const io::line_numbers& lines) {
    if (!forest_) return {};
    if (table_.id || workers() == 1) return forest_->take_labels(threads, signed_.load(std::memory_order_relaxed));
    return forest_->take_labels(threads, false, [&](std::span<std::uint64_t> places) { lines.translate(places); });
  }

private:
  struct alignas(64) worker_state {
    std::vector<std::string_view> values = std::vector<std::string_view>(io::keyed_batch::most);
    std::vector<std::uint32_t> owners = std::vector<std::uint32_t>(io::keyed_batch::most);
    group_counts counts;
  };
  static_assert(io::keyed_batch::most <= group_forest::most_in_batch);

  const io::keyed_table& table_;
  const request<group_file_options>& options_;
  std::uint32_t limit_;
  value_use use_ = value_use::unite;
  std::atomic<bool> signed_{false};
  std::unique_ptr<group_forest> forest_;
  std::vector<worker_state> workers_;
};

std::vector<std::string> names_of(const io::keyed_table& table) {
  std::vector<std::string> names;
  for (const io::column& column : table.keys) names.push_back(table.one_namespace ? "key" : column.text());
  return names;
}

void expect_files(std::span<const std::filesystem::path> paths) {
  for (const auto& path : paths) {
    std::error_code missing;
    if (path != "-" && (std::filesystem::is_regular_file(path, missing) || std::filesystem::is_directory(path, missing))) continue;
    throw usage_error{(path == "-" ? "standard input" : path.string()) +
                      ": can be read only once, but leaving out values reads the table twice: give a file"};
  }
}

group_file_result group(std::span<const std::filesystem::path> paths, const io::keyed_table& table, io::read_request input,
                        const request<group_file_options>& options) {
  const auto start = clock::now();
  input.threads = usable_threads(options.threads);
  grouping_sink sink{table, options};
  group_file_result found;
  std::optional<without_notes> quiet;
  if (options.leave_out) {
    sink.use_for(value_use::count);
    io::parse_keyed(paths, table, input, sink);
    found.left_out = sink.large();
    sink.use_for(value_use::unite_counted);
    sink.forget_counts();
    if (options.observer != nullptr) input.observer = &quiet.emplace(*options.observer);
  }
  const io::line_numbers lines = io::parse_keyed(paths, table, input, sink);
  if (!options.leave_out) {
    if (auto large = sink.large(); !large.empty()) throw large_value_error{std::move(large), names_of(table), options.max_group};
  }
  found.counts = sink.counts();
  auto& [labels, report] = found.result;
  labels = sink.take_labels(input.threads, lines);
  const bool several = sink.workers() > 1;
  report.variant = several ? streaming::shared_variant : streaming::serial_variant;
  report.explanation = "the records pass by " + std::string{options.leave_out ? "twice" : "once"} +
                       ": united by their values while parsed (" + std::to_string(sink.workers()) + (several ? " workers" : " worker") +
                       "), no pair made";
  report.threads = input.threads;
  report.edges = found.counts.keys;
  report.solve_seconds = std::chrono::duration<double>(clock::now() - start).count();
  return found;
}

}  // namespace

group_file_result groups_of_files(std::span<const std::filesystem::path> paths, const io::keyed_table& table, const io::read_options& input,
                                  const group_file_options& options, const execution& on) {
  if (options.max_group == 0) throw usage_error{"max_group must be 1 or more, not 0, as every value belongs to at least one record"};
  if (options.leave_out) {
    if (options.max_group == group_options::no_limit) throw usage_error{"leave_out needs max_group"};
    expect_files(paths);
  }
  try {
    return group(paths, table, {input, on}, {options, on});
  } catch (const std::bad_alloc&) {
    throw resource_error{"out of memory while " + (paths.size() == 1 ? paths.front().string() : std::to_string(paths.size()) + " files") +
                         " were grouped"};
  }
}

}  // namespace copse
